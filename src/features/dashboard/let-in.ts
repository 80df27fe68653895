/** Who is there, and whether the address is theirs. Source: docs/specification/pages.md#addresses, #where. */
import type { Request, Response } from 'express';
import { holding } from '../../apart.ts';
import type { Environment } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import { logCaller, requestIdOf } from '../../http/request-log.ts';
import type { Page } from '../../pages/define-page.ts';
import { formatsOf, localeOf } from '../../pages/format.ts';
import { readCookie } from '../staff/open/session-cookie.ts';
import type { Visitor } from '../staff/open/sign-in.ts';
import type { StaffSession } from '../staff/open/staff-session.ts';
import { environmentOf, SIGN_IN } from './addresses.ts';
import { readTenantFacts } from './frame-queries.ts';
import { type OwnOrigin, ownOriginOf } from './own-origin.ts';
import { isOpenIn, type Visit } from './page-context.ts';
import type { PageDeps } from './page-deps.ts';

/** What is known of a request once it is let in. */
export interface LetIn {
  own: OwnOrigin;
  session: StaffSession;
  visit: Visit;
}

export function refuseElsewhere({ ownAddress }: Pick<PageDeps, 'ownAddress'>, req: Request): OwnOrigin {
  const own = ownOriginOf(req, ownAddress);
  if (own) return own;
  throw new AppError(
    'FORBIDDEN',
    'The dashboard is reached over https, or on this machine by localhost. Set PUBLIC_BASE_URL to its https address.',
  );
}

/** The session of a request's cookie. */
export function sessionOf(deps: Pick<PageDeps, 'people'>, req: Request, secure: boolean): Promise<StaffSession | undefined> {
  const cookie = readCookie(req.get('cookie'), secure);
  return cookie === undefined ? Promise.resolve(undefined) : deps.people.sessions.resolve(cookie);
}

/** Undefined when it was answered already: whoever is not signed in goes to sign in. */
export async function letIn(deps: PageDeps, page: Page, req: Request, res: Response): Promise<LetIn | undefined> {
  const own = refuseElsewhere(deps, req);
  const session = await sessionOf(deps, req, own.secure);
  if (!session) {
    await turnAway(deps, req, res);
    return undefined;
  }
  await deps.countPerson(session.staffId);
  const { slug = '', environment: word = '', ...params } = req.params as Record<string, string>;
  const environment = environmentOf(word);
  if (slug !== session.slug || environment === undefined || !isOpenIn(page, environment))
    throw new AppError('NOT_FOUND', 'No such page');
  res.setHeader('X-Environment', environment);
  const facts = await readTenantFacts(deps.frames, { tenantId: session.tenantId, environment });
  const tenant = {
    id: session.tenantId,
    slug: session.slug,
    name: session.tenantName,
    currency: facts.currency,
    timeZone: facts.timeZone,
  };
  const origin = { ip: req.ip ?? '', userAgent: req.get('user-agent') ?? null };
  const ownOrigin = own.origin;
  const place = { page, params, query: queryOf(req), path: pathOf(req), environment, tenant, ownOrigin, now: facts.now };
  const format = formatsOf(localeOf(req.get('accept-language')), facts.timeZone);
  const part = req.get('hx-request') === undefined ? undefined : (req.get('hx-target') ?? '').replace(/^.*#/, '');
  return { own, session, visit: { ...place, format, origin, part, ...personOf(deps, session, place, req, res) } };
}

/** The same session as it is by now; undefined once it has ended. */
async function lookAgain(
  deps: PageDeps,
  { own, session: before, visit }: LetIn,
  req: Request,
  res: Response,
): Promise<LetIn | undefined> {
  const session = await sessionOf(deps, req, own.secure);
  if (session?.id !== before.id) return undefined;
  return { own, session, visit: { ...visit, ...personOf(deps, session, visit, req, res) } };
}

/** To sign in, and back from there. */
async function turnAway(deps: PageDeps, req: Request, res: Response): Promise<void> {
  await deps.countStranger(req, res);
  const back = req.method === 'GET' ? req.originalUrl : req.originalUrl.split('?')[0];
  deps.answers.goTo(res, `${SIGN_IN}?next=${encodeURIComponent(back ?? '')}`);
}

/** The person as the caller of what the page asks for. */
export function personOf(
  deps: PageDeps,
  session: StaffSession,
  { page, environment }: { page: Page; environment: Environment },
  req: Request,
  res: Response,
): Pick<Visit, 'person' | 'caller' | 'sessionId'> {
  const { staffId, name, email, role, hasFactor, hasFreshFactor } = session;
  const request = { operationId: `page ${page.path === '' ? '/' : page.path}`, requestId: requestIdOf(res), ip: req.ip ?? null };
  const caller = deps.people.sessions.callerOf(session, environment, request);
  logCaller(res, caller);
  return { person: { id: staffId, name, email, role, hasFactor, hasFreshFactor }, caller, sessionId: session.id };
}

/**
 * Works in one of the places of the tenant's people. Whoever was let in may have waited for it, and a form for its last
 * byte: the session is looked at again, and the work is done as whoever it says by now. One that has ended leads to sign in.
 */
export async function inPlace(
  deps: PageDeps,
  entered: LetIn,
  req: Request,
  res: Response,
  work: (now: LetIn) => Promise<void>,
): Promise<void> {
  const { tenantId } = entered.session;
  const place = await deps.places.take({ tenantId, environment: entered.visit.environment }, 'page', res);
  if (!place) return;
  const begin = async (): Promise<void> => {
    const now = await lookAgain(deps, entered, req, res);
    if (now) await work(now);
    else await turnAway(deps, req, res);
  };
  try {
    await new Promise<void>((resolve, reject) => holding(place, () => void begin().then(resolve, reject)));
  } finally {
    place.leave();
  }
}

export function visitorOf(req: Request, res: Response): Visitor {
  return { ip: req.ip ?? null, agent: req.get('user-agent') ?? null, requestId: requestIdOf(res) };
}

function queryOf(req: Request): Record<string, string> {
  const at = req.originalUrl.indexOf('?');
  const all: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(at === -1 ? '' : req.originalUrl.slice(at))) all[name] ??= value;
  return all;
}

function pathOf(req: Request): string {
  return req.originalUrl.split('?')[0] ?? '';
}

export function notForRole({ role }: StaffSession): AppError {
  return new AppError('FORBIDDEN', `Your role, ${role}, does not open this. An owner of the tenant can change that.`);
}
