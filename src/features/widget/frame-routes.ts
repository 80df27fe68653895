/**
 * What browsers ask for without a token: the module of host pages, and the frame with its files.
 * Source: docs/specification/widget.md#frame.
 */
import type { RequestHandler } from 'express';
import { locateWidgetSession } from '../../db/cross-tenant-lookups.ts';
import type { Frames } from '../../db/frame.ts';
import { AppError } from '../../errors.ts';
import type { CountAddress } from '../../http/rate-limit.ts';
import { plainRoute, type Route } from '../../http/route.ts';
import { sendAsset } from '../../pages/asset-files.ts';
import { framePage, framePolicyOf, NO_FRAME } from './frame-page.ts';
import { WIDGET_ASSETS_PATH, widgetAssets } from './widget-assets.ts';
import { readOpenSession } from './widget-queries.ts';
import { effectiveTheme } from './widget-theme.ts';

interface FrameDeps {
  frames: Frames;
  /** Frames, which are opened without a token. */
  countFrame: CountAddress;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function frameRoutes(deps: FrameDeps): Route[] {
  return [...fileRoutes(), plainRoute('get', '/widget/frame/:sessionId', sendFrame(deps))];
}

function fileRoutes(): Route[] {
  return [
    plainRoute('get', '/widget/embed.js', (req, res) => {
      // Pages of other origins load it, as a module.
      res.setHeader('Access-Control-Allow-Origin', '*');
      res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
      res.setHeader('Cache-Control', 'public, max-age=300');
      sendAsset(req, res, widgetAssets().embed);
    }),
    plainRoute('get', `${WIDGET_ASSETS_PATH}/:version/*name`, (req, res) => {
      const { version, name } = req.params as unknown as { version: string; name: string[] };
      const { frame } = widgetAssets();
      const asset = frame.find(version, name.join('/'));
      // While instances of two versions answer, a frame of the one may ask the other: it gets what there is, this once.
      const other = asset ?? frame.latest(name.join('/'));
      if (!other) throw new AppError('NOT_FOUND', 'No such path');
      if (asset) res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      sendAsset(req, res, other);
    }),
  ];
}

function sendFrame({ frames, countFrame }: FrameDeps): RequestHandler {
  const find = async (id: string) => {
    if (!UUID.test(id)) return undefined;
    const [located] = await frames.unscoped(locateWidgetSession({ sessionId: id }));
    if (!located) return undefined;
    const scope = { tenantId: located.tenant_id, environment: located.environment };
    const [session] = await frames.readOnce(scope, readOpenSession(scope, { sessionId: id }));
    return session && { ...session, ...scope };
  };
  return async (req, res) => {
    await countFrame(req, res);
    const session = await find(String(req.params['sessionId']));
    res.setHeader('Content-Security-Policy', framePolicyOf(session?.allowedOrigins ?? []));
    res.setHeader('Referrer-Policy', 'no-referrer');
    res.setHeader('X-Robots-Tag', 'noindex, nofollow');
    if (!session) {
      res.locals['errorCode'] = 'NOT_FOUND';
      res.status(404).type('html').send(NO_FRAME.text);
      return;
    }
    // The policy says who may frame it, which the older header cannot.
    res.removeHeader('X-Frame-Options');
    res.setHeader('X-Environment', session.environment);
    const { frame } = widgetAssets();
    const files = { script: frame.url('frame.js'), styles: frame.url('frame.css') };
    res.type('html').send(framePage(effectiveTheme(session.theme), files).text);
  };
}
