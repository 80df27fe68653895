/** What the frame asks with a token: the pages of a session, and what the member changes. Source: docs/specification/widget.md#reads. */
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { holding } from '../../apart.ts';
import type { Frames } from '../../db/frame.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { Invoke } from '../../http/invoke.ts';
import type { KeyScope } from '../../http/operation.ts';
import { logCaller } from '../../http/request-log.ts';
import { plainRoute, type Route } from '../../http/route.ts';
import type { TenantPlaces } from '../../http/tenant-places.ts';
import { readRawBody } from '../../http/wire-guard.ts';
import type { WidgetScope } from './open/widget-scopes.ts';
import { explainEarning, readEarnings, RIGHTS as TO_EARNINGS } from './views/earnings.ts';
import { changeLink, drawQr, makeLink, readLinks, WRITE_RIGHTS as TO_CHANGE_LINKS, RIGHTS as TO_LINKS } from './views/links.ts';
import { readQuery } from './views/sent.ts';
import { readSummary, RIGHTS as TO_SUMMARY } from './views/summary.ts';
import { readTeam, RIGHTS as TO_TEAM } from './views/team.ts';
import type { View } from './views/view.ts';
import type { WidgetAccess, WidgetSession } from './widget-access.ts';
import { readWidgetFacts } from './widget-queries.ts';
import { effectiveTheme, type WidgetTheme, widgetTheme } from './widget-theme.ts';

interface ReadDeps {
  frames: Frames;
  invoke: Invoke;
  places: TenantPlaces;
  access: WidgetAccess;
  countSession(sessionId: string): Promise<void>;
}

interface Asked {
  req: Request;
  view: View;
  session: WidgetSession;
  /** As it was parsed, of a POST. */
  body: unknown;
}

interface Answer {
  status?: number;
  body: unknown;
}

interface Page {
  /** Of the session; every session may read itself. */
  scope: WidgetScope | undefined;
  /** That its reads take. */
  rights: readonly KeyScope[];
  /** A text is an SVG image. */
  run(asked: Asked): Promise<Answer | string>;
}

const id = ({ req }: Asked): string => String(req.params['id']);

const GET: Record<string, Page> = {
  session: { scope: undefined, rights: [], run: async ({ session, view }) => ({ body: describe(session, view) }) },
  summary: { scope: 'summary', rights: TO_SUMMARY, run: async ({ view }) => ({ body: await readSummary(view) }) },
  links: { scope: 'links', rights: TO_LINKS, run: async ({ view }) => ({ body: await readLinks(view) }) },
  'links/:id/qr': { scope: 'links', rights: TO_LINKS, run: (asked) => drawQr(asked.view, id(asked)) },
  earnings: { scope: 'earnings', rights: TO_EARNINGS, run: async ({ view }) => ({ body: await readEarnings(view) }) },
  'earnings/:id': {
    scope: 'earnings',
    rights: TO_EARNINGS,
    run: async (asked) => ({ body: await explainEarning(asked.view, id(asked)) }),
  },
  team: { scope: 'team', rights: TO_TEAM, run: async ({ view }) => ({ body: await readTeam(view) }) },
};

const POST: Record<string, Page> = {
  links: {
    scope: 'links',
    rights: TO_CHANGE_LINKS,
    run: async ({ view, body }) => ({ status: 201, body: await makeLink(view, body) }),
  },
  'links/:id': {
    scope: 'links',
    rights: TO_CHANGE_LINKS,
    run: async (asked) => ({ body: await changeLink(asked.view, id(asked), asked.body) }),
  },
};

export function readRoutes(deps: ReadDeps): Route[] {
  return [
    ...Object.entries(GET).map(([name, page]) => plainRoute('get', `/widget/${name}`, answering(deps, name, page))),
    ...Object.entries(POST).map(([name, page]) => plainRoute('post', `/widget/${name}`, answering(deps, name, page))),
  ];
}

/** Works in one of the places of the tenant's widgets, as the member that the token says by then. */
function answering({ access, frames, invoke, places, countSession }: ReadDeps, name: string, page: Page): RequestHandler {
  async function enter(req: Request, res: Response): Promise<WidgetSession> {
    const session = await access.authenticate(req, res);
    res.setHeader('X-Environment', session.environment);
    if (page.scope !== undefined && !session.scopes.includes(page.scope)) {
      throw new AppError('FORBIDDEN', `The session does not show ${page.scope}`);
    }
    return session;
  }

  async function answer(req: Request, res: Response, body: unknown): Promise<void> {
    const session = await enter(req, res);
    const caller = access.callerOf(session, page.rights, name, req, res);
    logCaller(res, caller);
    const [facts] = await frames.readOnce(session, readWidgetFacts(session));
    if (!facts) throw new Error('the tenant of a session does not exist');
    const origin = { ip: req.ip ?? '', userAgent: req.get('user-agent') ?? null };
    const by = { caller, origin, idempotencyKey: req.get('idempotency-key') };
    const view = { invoke, by, memberId: session.memberId, facts, query: req.query as View['query'] };
    const answered = await page.run({ req, view, session, body });
    if (typeof answered === 'string') res.type('image/svg+xml').send(answered);
    else {
      res.status(answered.status ?? 200).type('application/json');
      res.send(JSON.stringify(answered.body));
    }
  }

  return async (req, res) => {
    const session = await enter(req, res);
    await countSession(session.id);
    // Nobody waits for a place who has not sent all, and who may not do it is not listened to.
    const body = req.method === 'POST' ? await readJson(req, res) : undefined;
    const place = await places.take(session, 'widget', res);
    if (!place) return;
    try {
      await new Promise<void>((resolve, reject) => holding(place, () => void answer(req, res, body).then(resolve, reject)));
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
  const body = parsedJson(utf8Of(await readRawBody(req, res)) ?? '');
  if (body === undefined) throw invalidField('body', 'must be JSON');
  return body;
}

function utf8Of(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
