/** The routes of what browsers load beside pages. Their addresses have their digest, so they never change. */
import { AppError } from '../../errors.ts';
import { plainRoute, type Route } from '../../http/route.ts';
import { ASSETS_PATH, type Assets } from '../../pages/assets.ts';

export function assetRoutes(assets: Assets): Route[] {
  return [
    plainRoute('get', `${ASSETS_PATH}/:version/:name`, (req, res) => {
      const { version, name } = req.params as { version: string; name: string };
      const asset = assets.find(version, name);
      if (!asset) throw new AppError('NOT_FOUND', 'No such path');
      const encoding = req.acceptsEncodings(['br', 'gzip', 'identity']);
      const bytes = encoding === 'br' ? asset.br : encoding === 'gzip' ? asset.gzip : asset.plain;
      res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      res.setHeader('Vary', 'Accept-Encoding');
      if (bytes !== asset.plain) res.setHeader('Content-Encoding', String(encoding));
      res.setHeader('Content-Type', asset.type);
      res.send(bytes);
    }),
  ];
}
