/**
 * What browsers ask for: the module of host pages, the frame with its files, and, with a widget token, what the frame
 * shows. Source: docs/specification/widget.md#frame.
 */
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { holding } from '../../apart.ts';
import { locateWidgetSession } from '../../db/cross-tenant-lookups.ts';
import type { Frames } from '../../db/frame.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { Invoke } from '../../http/invoke.ts';
import type { KeyScope } from '../../http/operation.ts';
import type { CountAddress } from '../../http/rate-limit.ts';
import { logCaller } from '../../http/request-log.ts';
import { plainRoute, type Route } from '../../http/route.ts';
import type { TenantPlaces } from '../../http/tenant-places.ts';
import { readRawBody } from '../../http/wire-guard.ts';
import { sendAsset } from '../../pages/asset-files.ts';
import { framePage, framePolicyOf, NO_FRAME } from './frame-page.ts';
import type { WidgetScope } from './open/widget-scopes.ts';
import { explainEarning, readEarnings, RIGHTS as TO_EARNINGS } from './views/earnings.ts';
import { changeLink, drawQr, makeLink, readLinks, WRITE_RIGHTS as TO_CHANGE_LINKS, RIGHTS as TO_LINKS } from './views/links.ts';
import { readQuery } from './views/sent.ts';
import { readSummary, RIGHTS as TO_SUMMARY } from './views/summary.ts';
import { readTeam, RIGHTS as TO_TEAM } from './views/team.ts';
import type { View } from './views/view.ts';
import type { WidgetAccess, WidgetSession } from './widget-access.ts';
import { WIDGET_ASSETS_PATH, widgetAssets } from './widget-assets.ts';
import { readOpenSession, readWidgetFacts } from './widget-queries.ts';
import { effectiveTheme, type WidgetTheme, widgetTheme } from './widget-theme.ts';

export interface FrameDeps {
  frames: Frames;
  invoke: Invoke;
  places: TenantPlaces;
  access: WidgetAccess;
  /** What anybody asks for without a token. */
  countStranger: CountAddress;
  countSession(sessionId: string): Promise<void>;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function frameRoutes(deps: FrameDeps): Route[] {
  return [...fileRoutes(deps), plainRoute('get', '/widget/frame/:sessionId', sendFrame(deps)), ...readRoutes(deps)];
}

function fileRoutes({ countStranger }: FrameDeps): Route[] {
  return [
    plainRoute('get', '/widget/embed.js', async (req, res) => {
      await countStranger(req, res);
      // Pages of other origins load it, as a module.
      res.setHeader('Access-Control-Allow-Origin', '*');
      res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
      res.setHeader('Cache-Control', 'public, max-age=300');
      sendAsset(req, res, widgetAssets().embed);
    }),
    plainRoute('get', `${WIDGET_ASSETS_PATH}/:version/*name`, (req, res) => {
      const { version, name } = req.params as unknown as { version: string; name: string[] };
      const asset = widgetAssets().frame.find(version, name.join('/'));
      if (!asset) throw new AppError('NOT_FOUND', 'No such path');
      res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      sendAsset(req, res, asset);
    }),
  ];
}

function sendFrame({ frames, countStranger }: FrameDeps): RequestHandler {
  const find = async (id: string) => {
    if (!UUID.test(id)) return undefined;
    const [located] = await frames.unscoped(locateWidgetSession({ sessionId: id }));
    if (!located) return undefined;
    const scope = { tenantId: located.tenant_id, environment: located.environment };
    const [session] = await frames.readOnce(scope, readOpenSession(scope, { sessionId: id }));
    return session && { ...session, ...scope };
  };
  return async (req, res) => {
    await countStranger(req, res);
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
    // Its own window: whoever opens it by a link holds nothing of it.
    res.setHeader('X-Environment', session.environment);
    const { frame } = widgetAssets();
    const files = { script: frame.url('frame.js'), styles: frame.url('frame.css') };
    res.type('html').send(framePage(effectiveTheme(session.theme), files).text);
  };
}

interface Asked {
  req: Request;
  view: View;
  session: WidgetSession;
}
interface Answer {
  status?: number;
  body: unknown;
}

function readRoutes(deps: FrameDeps): Route[] {
  const read = (
    path: string,
    scope: WidgetScope | undefined,
    rights: readonly KeyScope[],
    run: (asked: Asked) => Promise<Answer | string>,
  ): Route => plainRoute('get', path, reading(deps, { scope, rights, page: path }, run));
  const write = (
    path: string,
    scope: WidgetScope,
    rights: readonly KeyScope[],
    run: (asked: Asked, body: unknown) => Promise<Answer>,
  ): Route =>
    plainRoute('post', path, async (req, res, next) => {
      // Who may not do it need not be listened to.
      await deps.access.authenticate(req, res);
      const body = await readJson(req, res);
      await reading(deps, { scope, rights, page: path }, (asked) => run(asked, body))(req, res, next);
    });
  const id = (req: Request): string => String(req.params['id']);
  return [
    read('/widget/session', undefined, [], async ({ session, view }) => ({ body: describe(session, view) })),
    read('/widget/summary', 'summary', TO_SUMMARY, async ({ view }) => ({ body: await readSummary(view) })),
    read('/widget/links', 'links', TO_LINKS, async ({ view }) => ({ body: await readLinks(view) })),
    read('/widget/links/:id/qr', 'links', TO_LINKS, async ({ view, req }) => drawQr(view, id(req))),
    write('/widget/links', 'links', TO_CHANGE_LINKS, async ({ view }, body) => ({
      status: 201,
      body: await makeLink(view, body),
    })),
    write('/widget/links/:id', 'links', TO_CHANGE_LINKS, async ({ view, req }, body) => ({
      body: await changeLink(view, id(req), body),
    })),
    read('/widget/earnings', 'earnings', TO_EARNINGS, async ({ view }) => ({ body: await readEarnings(view) })),
    read('/widget/earnings/:id', 'earnings', TO_EARNINGS, async ({ view, req }) => ({
      body: await explainEarning(view, id(req)),
    })),
    read('/widget/team', 'team', TO_TEAM, async ({ view }) => ({ body: await readTeam(view) })),
  ];
}

interface Page {
  scope: WidgetScope | undefined;
  rights: readonly KeyScope[];
  /** As it is told in logs and in the audit log. */
  page: string;
}

/** Works in one of the places of the tenant's pages, as the member that the token says by then. */
function reading(
  deps: FrameDeps,
  { scope, rights, page }: Page,
  run: (asked: Asked) => Promise<Answer | string>,
): RequestHandler {
  const { access, frames, invoke, places, countSession } = deps;
  const answer = async (req: Request, res: Response): Promise<void> => {
    const session = await access.authenticate(req, res);
    const caller = access.callerOf(session, rights, page.replaceAll('/widget/', ''), req, res);
    logCaller(res, caller);
    res.setHeader('X-Environment', session.environment);
    if (scope !== undefined && !session.scopes.includes(scope))
      throw new AppError('FORBIDDEN', `The session does not show ${scope}`);
    const [facts] = await frames.readOnce(session, readWidgetFacts(session));
    if (!facts) throw new Error('the tenant of a session does not exist');
    const origin = { ip: req.ip ?? '', userAgent: req.get('user-agent') ?? null };
    const by = { caller, origin, idempotencyKey: req.get('idempotency-key') };
    const view = { invoke, by, memberId: session.memberId, facts, query: req.query as View['query'] };
    const answered = await run({ req, view, session });
    if (typeof answered === 'string') res.type('image/svg+xml').send(answered);
    else
      res
        .status(answered.status ?? 200)
        .type('application/json')
        .send(JSON.stringify(answered.body));
  };
  return async (req, res) => {
    const session = await access.authenticate(req, res);
    await countSession(session.id);
    const place = await places.take(session, 'page', res);
    if (!place) return;
    try {
      await new Promise<void>((resolve, reject) => holding(place, () => void answer(req, res).then(resolve, reject)));
    } finally {
      place.leave();
    }
  };
}

const asked = z.strictObject({ theme: z.string().max(1000).optional() });

/** Who looks, and how it is to look; the page around the frame may say more of that than the session does. */
function describe({ id, expiresAt, environment, scopes, allowedOrigins, theme }: WidgetSession, { facts, query }: View) {
  return {
    sessionId: id,
    expiresAt: expiresAt.toISOString(),
    environment,
    scopes,
    allowedOrigins,
    theme: effectiveTheme(theme, themeOf(readQuery(asked, query).theme)),
    currency: facts.currency,
    timeZone: facts.timeZone,
  };
}

function themeOf(text: string | undefined): WidgetTheme {
  if (text === undefined) return {};
  const parsed = widgetTheme.safeParse(parsedJson(text));
  if (!parsed.success) throw invalidField('theme', 'is no theme of a widget');
  return parsed.data;
}

async function readJson(req: Request, res: Response): Promise<unknown> {
  const body = parsedJson((await readRawBody(req, res)).toString('utf8'));
  if (body === undefined) throw invalidField('body', 'must be JSON');
  return body;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
