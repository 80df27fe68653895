/** The routes of what browsers load beside pages. Their addresses have their digest, so they never change. */
import { AppError } from '../../errors.ts';
import { plainRoute, type Route } from '../../http/route.ts';
import { type Assets, sendAsset } from '../../pages/asset-files.ts';
import { ASSETS_PATH, PDF_WORKER } from '../../pages/assets.ts';

export function assetRoutes(assets: Assets): Route[] {
  return [
    plainRoute('get', `${ASSETS_PATH}/:version/:name`, (req, res) => {
      const { version, name } = req.params as { version: string; name: string };
      const asset = assets.find(version, name);
      if (!asset) throw new AppError('NOT_FOUND', 'No such path');
      res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      // A worker has the policy of its own file: it may load scripts of ours, and reaches nothing else.
      if (name === PDF_WORKER) res.setHeader('Content-Security-Policy', "default-src 'none'; script-src 'self'");
      sendAsset(req, res, asset);
    }),
  ];
}
