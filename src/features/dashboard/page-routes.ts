/**
 * The routes of pages: who is there, whether the page is theirs, its answer or what its form does.
 * Source: docs/specification/pages.md.
 */
import express, { type Request, type RequestHandler, type Response } from 'express';
import { holding } from '../../apart.ts';
import type { Frames } from '../../db/frame.ts';
import type { Environment } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { Invoke } from '../../http/invoke.ts';
import { boundaryOf, readParts, type SentFile } from '../../http/multipart.ts';
import { logCaller, requestIdOf } from '../../http/request-log.ts';
import { plainRoute, type Route } from '../../http/route.ts';
import type { TenantPlaces } from '../../http/tenant-places.ts';
import type { OwnAddress } from '../../own-address.ts';
import type { Assets } from '../../pages/assets.ts';
import type { Page, PageAnswer, PageView } from '../../pages/define-page.ts';
import { type FormValues, formValues } from '../../pages/form-values.ts';
import { formatsOf, localeOf } from '../../pages/format.ts';
import { html } from '../../pages/html.ts';
import { drawPage, type Notice } from '../../pages/page.ts';
import type { FactorProof } from '../staff/open/factors.ts';
import { readCookie, setCookie } from '../staff/open/session-cookie.ts';
import type { StaffSession } from '../staff/open/staff-session.ts';
import { environmentOf, homeOf, SIGN_IN } from './addresses.ts';
import { type FormTokens, refuseForeign } from './form-tokens.ts';
import { readTenantFacts } from './frame-queries.ts';
import { isOpenIn, navigationOf, switchOf } from './navigation.ts';
import { type OwnOrigin, ownOriginOf } from './own-origin.ts';
import { type Answers, faultBody, fieldsOf, wordsOf } from './page-answers.ts';
import { FORM, mayDo, type OpenContext, openContext, type RefusedForm, type Visit, WaitsForAnother } from './page-context.ts';
import { type Notices, themeOf } from './page-cookies.ts';
import type { People } from './people.ts';
import { drawStepUp, FACTOR } from './step-up-view.ts';

export interface PageDeps {
  pages: readonly Page[];
  people: People;
  invoke: Invoke;
  frames: Frames;
  places: TenantPlaces;
  ownAddress: OwnAddress;
  assets: Assets;
  policy: string;
  tokens: FormTokens;
  notices: Notices;
  answers: Answers;
  /** Of a person's requests for pages. */
  countPerson(staffId: string): Promise<void>;
  /** Of requests without a session. */
  countStranger(req: Request, res: Response): Promise<void>;
  /** What waits, for the numbers in the navigation. */
  waitingOf(opened: OpenContext): Promise<Readonly<Record<string, number | undefined>>>;
}

/** What is known of a request once it is let in. */
interface LetIn {
  own: OwnOrigin;
  session: StaffSession;
  visit: Visit;
}

const MOST_FORM_BYTES = 256 * 1024;
const readText = express.text({ type: 'application/x-www-form-urlencoded', limit: MOST_FORM_BYTES });

export function pageRoutes(deps: PageDeps): Route[] {
  return deps.pages.flatMap((page) => {
    const path = `/dashboard/:slug/:environment${page.path}`;
    const routes = [
      plainRoute(
        'get',
        path,
        handling(deps, (req, res) => show(deps, page, req, res)),
      ),
    ];
    if (page.actions)
      routes.push(
        plainRoute(
          'post',
          path,
          handling(deps, (req, res) => act(deps, page, req, res)),
        ),
      );
    return routes;
  });
}

/** Whatever is thrown becomes a page. */
export function handling(
  { answers }: Pick<PageDeps, 'answers'>,
  handler: (req: Request, res: Response) => Promise<void>,
): RequestHandler {
  return async (req, res) => {
    try {
      await handler(req, res);
    } catch (thrown) {
      if (res.headersSent) throw thrown;
      answers.sendFault(req, res, answers.known(thrown, res));
    }
  };
}

async function show(deps: PageDeps, page: Page, req: Request, res: Response): Promise<void> {
  const entered = await letIn(deps, page, req, res);
  if (!entered) return;
  await inPlace(deps, entered, res, () => answer(deps, entered, req, res));
}

async function answer(deps: PageDeps, { own, session, visit }: LetIn, req: Request, res: Response): Promise<void> {
  const opened = openContext(visit, deps);
  try {
    if (!mayDo(visit.caller.rights, visit.page.needs)) throw notForRole(session);
    const drawn = await visit.page.get(opened.context);
    const notice = deps.notices.take(req, res, session.id, own.secure);
    await sendAnswer(deps, { session, visit, opened, req, res, notice }, drawn, 200);
  } catch (thrown) {
    await sendFaultInFrame(deps, { session, visit, opened, req, res }, deps.answers.known(thrown, res));
  }
}

/** A form: its three walls, its action, and where it leads. */
async function act(deps: PageDeps, page: Page, req: Request, res: Response): Promise<void> {
  const own = refuseElsewhere(deps, req);
  refuseForeign(req, own.origin);
  const entered = await letIn(deps, page, req, res);
  if (!entered) return;
  const form = await readFormOf(req, res, page.takesFile);
  try {
    const name = form.raw(FORM.action);
    deps.tokens.check(form.raw(FORM.token), entered.session.id, entered.visit.path, name);
    await inPlace(deps, entered, res, () => run(deps, entered, { name, form, req, res }));
  } finally {
    form.file?.drop();
  }
}

interface SentForm {
  name: string;
  form: FormValues;
  req: Request;
  res: Response;
}

async function run(deps: PageDeps, entered: LetIn, { name, form, req, res }: SentForm): Promise<void> {
  const { answers, notices } = deps;
  const action = entered.visit.page.actions?.[name];
  let { session, visit } = entered;
  const goOn = (to: string, said: Notice | undefined): void => {
    if (said) notices.keep(res, session.id, said, entered.own.secure);
    answers.goTo(res, to);
  };
  const idempotencyKey = form.raw(FORM.idempotencyKey);
  visit = { ...visit, idempotencyKey };
  try {
    if (!action || !mayDo(visit.caller.rights, [...visit.page.needs, ...action.needs])) throw notForRole(session);
    if (!/^[\w-]{8,64}$/.test(idempotencyKey)) throw invalidField('', 'The form is not whole. Open the page again.');
    const proof = factorOf(form);
    if (proof) {
      const given = await stepUp(deps, { session, proof, req, res });
      if ('fault' in given) return await askFactor(deps, { session, visit }, { name, form, req, res }, given.fault);
      session = given.session;
      res.append('Set-Cookie', setCookie(given.cookie, entered.own.secure));
      visit = { ...visit, ...personOf(deps, session, visit, req, res) };
    }
    const opened = openContext(visit, deps);
    const answer = await action.run(opened.context, form);
    if ('to' in answer) return goOn(answer.to, answer.said === undefined ? undefined : { tone: 'good', text: answer.said });
    await sendAnswer(deps, { session, visit, opened, req, res, notice: undefined }, answer.shownOnce, 200);
  } catch (thrown) {
    const here = openContext(visit, deps).context.here();
    if (thrown instanceof WaitsForAnother) {
      return goOn(here, {
        tone: 'waiting',
        text: 'This waits for a second person. Somebody else confirms it under Settings, Waiting changes.',
      });
    }
    const error = answers.known(thrown, res);
    if (error.code === 'STEP_UP_REQUIRED') return askFactor(deps, { session, visit }, { name, form, req, res });
    await showAgain(deps, { session, visit }, { name, form, req, res }, error);
  }
}

/** The session with a factor of now, or what was wrong with it. */
async function stepUp(
  deps: PageDeps,
  { session, proof, req, res }: { session: StaffSession; proof: FactorProof; req: Request; res: Response },
): Promise<{ session: StaffSession; cookie: string } | { fault: string }> {
  const { factors, guess } = deps.people;
  const given = await guess(req, res, async () => {
    const result = await factors.stepUp(session, proof, visitorOf(req, res));
    return result.kind === 'refused' ? undefined : result;
  });
  if (given?.kind === 'given') return given;
  return {
    fault: given?.kind === 'wait' ? `Too many wrong codes. Wait ${given.seconds} seconds.` : 'That was not right. Try again.',
  };
}

/** The page once more, with what was typed and what is wrong with it. */
async function showAgain(
  deps: PageDeps,
  { session, visit }: Pick<LetIn, 'session' | 'visit'>,
  { name, form, req, res }: SentForm,
  error: AppError,
): Promise<void> {
  const refused: RefusedForm = {
    action: name,
    key: form.raw(FORM.form),
    idempotencyKey: form.raw(FORM.idempotencyKey),
    values: form.all,
    faults: fieldsOf(error),
    message: error.status >= 500 ? `${wordsOf(error).lead} Request ${requestIdOf(res)}` : error.message,
  };
  const opened = openContext({ ...visit, refused }, deps);
  const about = { session, visit, opened, req, res };
  try {
    const drawn = await visit.page.get(opened.context);
    // The message stands in the form; on top where the page draws that form no more.
    const text =
      'body' in drawn && !html`${drawn.body}${drawn.actions}`.text.includes(refused.idempotencyKey) ? refused.message : undefined;
    const notice: Notice | undefined = text === undefined ? undefined : { tone: 'bad', text };
    await sendAnswer(deps, { ...about, notice }, drawn, error.status);
  } catch (thrown) {
    await sendFaultInFrame(deps, about, deps.answers.known(thrown, res));
  }
}

/** Asks for a factor with the form kept in the page: whoever gives it goes on where they were. */
async function askFactor(
  deps: PageDeps,
  { session, visit }: Pick<LetIn, 'session' | 'visit'>,
  { form, req, res }: SentForm,
  fault?: string,
): Promise<void> {
  const opened = openContext(visit, deps);
  const view = drawStepUp({
    methods: await deps.people.factors.factorsOf(session),
    values: form.all,
    address: opened.context.here(),
    fault,
    accountHref: opened.context.at('/account'),
  });
  res.locals['errorCode'] = 'STEP_UP_REQUIRED';
  await sendAnswer(deps, { session, visit, opened, req, res, notice: undefined }, view, 403);
}

interface About {
  session: StaffSession;
  visit: Visit;
  opened: OpenContext;
  req: Request;
  res: Response;
  notice?: Notice | undefined;
}

async function sendAnswer(deps: PageDeps, about: About, drawn: PageAnswer, status: number): Promise<void> {
  const { res } = about;
  if ('redirect' in drawn) deps.answers.goTo(res, drawn.redirect);
  else if ('part' in drawn) deps.answers.send(res, status, drawn.part);
  else if ('json' in drawn) deps.answers.sendJson(res, drawn.json);
  else await sendFramed(deps, about, drawn, status);
}

async function sendFramed(
  deps: PageDeps,
  { session, visit, opened, req, res, notice }: About,
  view: PageView,
  status: number,
): Promise<void> {
  const { page, environment, person, caller, format, now } = visit;
  const sameAs = opened.asked.map((line) => line.replace('$URL', deps.ownAddress.url()));
  const waiting = await deps.waitingOf(opened);
  const account = deps.pages.find(({ path }) => path === '/account');
  const search = deps.pages.find(({ path }) => path === '/search');
  const frame = {
    assets: deps.assets,
    theme: themeOf(req),
    tenantName: session.tenantName,
    environment,
    switchTo: switchOf(page, session.slug),
    nav: navigationOf({ pages: deps.pages, page, slug: session.slug, environment, rights: caller.rights, waiting }),
    person,
    accountHref: account && homeOf(session.slug, environment) + account.path,
    home: homeOf(session.slug, environment),
    searchHref: search && mayDo(caller.rights, search.needs) ? homeOf(session.slug, environment) + search.path : undefined,
    signOut: html`<form method="post" action="/dashboard/sign-out"><input type="hidden" name="${FORM.token}" value="${deps.tokens.make(session.id, '/dashboard/sign-out', 'sign-out')}"><button class="button" type="submit">Sign out</button></form>`,
    sandboxTime: environment === 'SANDBOX' ? now : undefined,
    format,
    notice,
    sameAs,
  };
  deps.answers.send(res, status, drawPage(frame, view, view.title ?? page.title));
}

async function sendFaultInFrame(deps: PageDeps, about: About, error: AppError): Promise<void> {
  const { title, lead } = wordsOf(error);
  const home = homeOf(about.session.slug, about.visit.environment);
  if (error.retryAfterSeconds !== undefined) about.res.setHeader('Retry-After', String(error.retryAfterSeconds));
  const body = html`<section class="card">${faultBody(error, about.res)}<p><a class="button" href="${home}">To the overview</a></p></section>`;
  const opened = { ...about.opened, asked: [] };
  await sendAnswer(deps, { ...about, opened, notice: undefined }, { title, lead, body }, error.status);
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
async function letIn(deps: PageDeps, page: Page, req: Request, res: Response): Promise<LetIn | undefined> {
  const own = refuseElsewhere(deps, req);
  const session = await sessionOf(deps, req, own.secure);
  if (!session) {
    await deps.countStranger(req, res);
    const back = req.method === 'GET' ? req.originalUrl : req.originalUrl.split('?')[0];
    deps.answers.goTo(res, `${SIGN_IN}?next=${encodeURIComponent(back ?? '')}`);
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
  const place = { page, params, query: queryOf(req), path: pathOf(req), environment, tenant, now: facts.now };
  const format = formatsOf(localeOf(req.get('accept-language')), facts.timeZone);
  const part = req.get('hx-request') === undefined ? undefined : (req.get('hx-target') ?? '').replace(/^.*#/, '');
  return { own, session, visit: { ...place, format, origin, part, ...personOf(deps, session, place, req, res) } };
}

function personOf(
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

/** Works in one of the places of the tenant's people. */
async function inPlace(deps: PageDeps, { session, visit }: LetIn, res: Response, work: () => Promise<void>): Promise<void> {
  const place = await deps.places.take({ tenantId: session.tenantId, environment: visit.environment }, 'page', res);
  if (!place) return;
  try {
    await new Promise<void>((resolve, reject) => holding(place, () => void work().then(resolve, reject)));
  } finally {
    place.leave();
  }
}

export function visitorOf(req: Request, res: Response): { ip: string | null; agent: string | null; requestId: string | null } {
  return { ip: req.ip ?? null, agent: req.get('user-agent') ?? null, requestId: requestIdOf(res) };
}

/** What a form has sent. VALIDATION_ERROR where it holds what no field can, BODY_TOO_LARGE. */
export async function readFormOf(req: Request, res: Response, takesFile = false): Promise<FormValues> {
  const boundary = takesFile ? boundaryOf(req) : undefined;
  if (boundary !== undefined) {
    const { fields, file } = await readParts(req, res, boundary);
    try {
      return valuesOf(fields, file);
    } catch (error) {
      file?.drop();
      throw error;
    }
  }
  await new Promise<void>((resolve, reject) => {
    readText(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(fromReader(error))));
  });
  const text: unknown = req.body;
  return valuesOf(new URLSearchParams(typeof text === 'string' ? text : ''));
}

function valuesOf(sent: URLSearchParams, file?: SentFile): FormValues {
  for (const [name, value] of sent) {
    if (value.includes('\0') || !value.isWellFormed()) throw invalidField(name, 'has a character that no text has');
  }
  return formValues(sent, file);
}

function fromReader(error: unknown): AppError {
  const { type } = error as { type?: string };
  if (type === 'entity.too.large') return new AppError('BODY_TOO_LARGE', 'The form is too large');
  if (type === 'request.aborted') return new AppError('REQUEST_TIMEOUT', 'The form did not arrive');
  return invalidField('', 'The form cannot be read');
}

/** The second factor that a form has; undefined where it has none. */
export function factorOf(form: FormValues): FactorProof | undefined {
  const method = form.raw(FACTOR.method);
  const answer = form.raw(FACTOR.answer).trim();
  if (answer === '' || (method !== 'passkey' && method !== 'code')) return undefined;
  if (method === 'passkey') return { method, answer };
  const code = answer.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(code) ? { method: 'totp', answer: code } : { method: 'recovery_code', answer };
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

function notForRole({ role }: StaffSession): AppError {
  return new AppError('FORBIDDEN', `Your role, ${role}, does not open this. An owner of the tenant can change that.`);
}
