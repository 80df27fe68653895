/**
 * The routes of pages: who is there, whether the page is theirs, its answer or what its form does.
 * Source: docs/specification/pages.md.
 */
import type { Request, Response } from 'express';
import { type AppError, invalidField } from '../../errors.ts';
import { requestIdOf } from '../../http/request-log.ts';
import { plainRoute, type Route } from '../../http/route.ts';
import type { Page } from '../../pages/define-page.ts';
import type { FormValues } from '../../pages/form-values.ts';
import { html } from '../../pages/html.ts';
import type { Notice } from '../../pages/page.ts';
import { payoutsErrors } from '../payouts/open/payouts-errors.ts';
import type { FactorProof } from '../staff/open/factors.ts';
import { setCookie } from '../staff/open/session-cookie.ts';
import type { StaffSession } from '../staff/open/staff-session.ts';
import { homeOf } from './addresses.ts';
import { refuseForeign } from './form-tokens.ts';
import { inPlace, type LetIn, letIn, notForRole, personOf, refuseElsewhere, visitorOf } from './let-in.ts';
import { fieldsOf, handling, wordsOf } from './page-answers.ts';
import { FORM, mayDo, openContext, type RefusedForm, WaitsForAnother } from './page-context.ts';
import type { PageDeps } from './page-deps.ts';
import { factorOf, readFormOf } from './read-form.ts';
import { sendAnswer, sendFaultInFrame } from './send-page.ts';
import { drawStepUp } from './step-up-view.ts';
import { typedSecrets } from './typed-secrets.ts';

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

async function show(deps: PageDeps, page: Page, req: Request, res: Response): Promise<void> {
  const entered = await letIn(deps, page, req, res);
  if (!entered) return;
  await inPlace(deps, entered, req, res, (now) => answer(deps, now, req, res));
}

async function answer(deps: PageDeps, { own, session, visit }: LetIn, req: Request, res: Response): Promise<void> {
  const opened = openContext(visit, deps);
  try {
    if (!mayDo(visit.caller.rights, visit.page.needs)) throw notForRole(session);
    // Asked for beside what the page asks for.
    if (visit.part === undefined) void deps.waiting.of(visit);
    const drawn = await visit.page.get(opened.context);
    // What was done is told on a whole page.
    const notice = 'body' in drawn ? deps.notices.take(req, res, session.id, own.secure) : undefined;
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
    await inPlace(deps, entered, req, res, (now) => run(deps, now, { name, form, req, res }));
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
  const { actions = {} } = entered.visit.page;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
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
    const about = { session, visit, opened, req, res, notice: undefined };
    // A part is asked for again and again while somebody types, and does nothing.
    if ('part' in answer) return await sendAnswer(deps, about, answer, 200);
    deps.waiting.forget(visit);
    if ('to' in answer) return goOn(answer.to, answer.said === undefined ? undefined : { tone: 'good', text: answer.said });
    if ('file' in answer) return answers.sendFile(res, answer.file);
    await sendAnswer(deps, about, answer.shownOnce, answer.status ?? 200);
  } catch (thrown) {
    const here = openContext(visit, deps).context.here();
    if (thrown instanceof WaitsForAnother) {
      deps.waiting.forget(visit);
      return goOn(here, {
        tone: 'waiting',
        text: 'This waits for a second person. Somebody else confirms it under Settings, Waiting changes.',
      });
    }
    const error = answers.known(thrown, res);
    if (error.code === 'STEP_UP_REQUIRED' || error.code === 'SECOND_FACTOR_REQUIRED')
      return askFactor(deps, { session, visit }, { name, form, req, res });
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

/** No faults of ours though they are 503: what the API says is what the reader has to know. */
const FORESEEN: ReadonlySet<string> = new Set([payoutsErrors.PAYOUTS_FROZEN.code]);

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
    message:
      error.status >= 500 && !FORESEEN.has(error.code) ? `${wordsOf(error).lead} Request ${requestIdOf(res)}` : error.message,
  };
  const opened = openContext({ ...visit, refused }, deps);
  const about = { session, visit, opened, req, res };
  try {
    if (!mayDo(visit.caller.rights, visit.page.needs)) throw error;
    const drawn = await visit.page.get(opened.context);
    // A page that only leads on has no place for the message.
    if (!('body' in drawn)) throw error;
    // The message stands in the form; on top where the page draws that form no more.
    const text = !html`${drawn.body}${drawn.actions}`.text.includes(refused.idempotencyKey) ? refused.message : undefined;
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
    secrets: typedSecrets(form),
    address: opened.context.here(),
    fault,
    accountHref: `${homeOf(session.slug, 'LIVE')}/account`,
  });
  res.locals['errorCode'] ??= 'STEP_UP_REQUIRED';
  await sendAnswer(deps, { session, visit, opened, req, res, notice: undefined }, view, 403);
}
