/**
 * The way in: sign-in with its second step, and the links of invitations, welcomes and new passwords.
 * Source: docs/specification/people.md#sign-in.
 */
import type { Request, Response } from 'express';
import { AppError, type FieldFault } from '../../errors.ts';
import { plainRoute, type Route } from '../../http/route.ts';
import type { FormValues } from '../../pages/form-values.ts';
import type { Sent } from '../../pages/parts/form.ts';
import type { SignInResult } from '../staff/open/sign-in.ts';
import type { StaffSession } from '../staff/open/staff-session.ts';
import { homeOf, SIGN_IN } from './addresses.ts';
import { BY_PROVIDER, goOn, nextOf, SECOND_STEP, withNext } from './after-sign-in.ts';
import { refuseForeign } from './form-tokens.ts';
import { refuseElsewhere, sessionOf, visitorOf } from './let-in.ts';
import type { OwnOrigin } from './own-origin.ts';
import { fieldsOf, handling } from './page-answers.ts';
import { FORM } from './page-context.ts';
import type { PageDeps } from './page-deps.ts';
import { factorOf, readFormOf } from './read-form.ts';
import { drawGone, drawSecondStep, drawSignIn, drawWelcome } from './sign-in-view.ts';
import { halfOf, knownVisitor, rememberedTenant, visitorId } from './visitor-session.ts';

const BY_PASSKEY = '/dashboard/sign-in/passkey';
const WELCOME = '/dashboard/welcome/:token';
export const PASSKEY_OPTIONS = '/dashboard/passkey-options';

type Alone = Parameters<PageDeps['answers']['sendAlone']>[3];

export function signInRoutes(deps: PageDeps): Route[] {
  const { answers, people, tokens } = deps;
  const hiddenOf = (visitor: string, address: string): Record<string, string> => ({
    [FORM.token]: tokens.make(visitor, address, 'way in'),
  });

  /** A form of somebody without a session: from a page of ours, drawn for this browser. */
  async function formOf(
    req: Request,
    res: Response,
  ): Promise<{ own: OwnOrigin; form: FormValues; address: string; visitor: string; hidden: Record<string, string> }> {
    const own = refuseElsewhere(deps, req);
    refuseForeign(req, own.origin);
    await deps.countWayIn(req, res);
    const form = await readFormOf(req, res);
    const address = req.path;
    const visitor = knownVisitor(req, own.secure);
    if (visitor === undefined) throw new AppError('FORBIDDEN', 'This browser keeps no cookies, which signing in needs.');
    tokens.check(form.raw(FORM.token), visitor, address, 'way in');
    return { own, form, address, visitor, hidden: hiddenOf(visitor, address) };
  }

  async function opened(
    req: Request,
    res: Response,
  ): Promise<{ own: OwnOrigin; visitor: string; hidden: Record<string, string> }> {
    const own = refuseElsewhere(deps, req);
    await deps.countStranger(req, res);
    const visitor = visitorId(req, res, own.secure);
    return { own, visitor, hidden: hiddenOf(visitor, req.path) };
  }

  /** Whoever has just joined is asked for a passkey first; where to. */
  function offerPasskey(res: Response, { id, slug, hasFactor }: StaffSession, own: OwnOrigin): string | undefined {
    const account = deps.pages.find(({ path }) => path === '/account');
    if (!account || hasFactor) return undefined;
    const text = 'You are in. Add a passkey next: it is your second factor, and the quickest way to sign in.';
    deps.notices.keep(res, id, { tone: 'good', text }, own.secure);
    return homeOf(slug, 'LIVE') + account.path;
  }

  /** Counted by address where it fails: `found` is undefined then. */
  const guess = (req: Request, res: Response, attempt: () => Promise<SignInResult>): Promise<SignInResult | undefined> =>
    people.guess(req, res, async () => {
      const result = await attempt();
      return result.kind === 'refused' ? undefined : result;
    });

  async function signInPage(req: Request, res: Response): Promise<void> {
    const { own, visitor, hidden } = await opened(req, res);
    const session = await sessionOf(deps, req, own.secure);
    if (session) return answers.goTo(res, nextOf(req) ?? homeOf(session.slug, 'LIVE'));
    const tenant = rememberedTenant(req, own.secure) ?? (await people.soleSlug());
    answers.sendAlone(
      req,
      res,
      200,
      drawSignIn({
        address: req.originalUrl,
        hidden,
        tenant,
        next: nextOf(req),
        sent: undefined,
        passkeyToken: passkeyTokenOf(visitor),
      }),
    );
  }

  /** Of the form beside, for the same browser. */
  const passkeyTokenOf = (visitor: string): string => tokens.make(visitor, BY_PASSKEY, 'way in');

  async function signIn(req: Request, res: Response): Promise<void> {
    const { own, form, visitor, hidden } = await formOf(req, res);
    const input = { tenantSlug: form.text('tenant') ?? '', email: form.text('email') ?? '', password: form.raw('password') };
    const result = await guess(req, res, () => people.signIn(input, visitorOf(req, res)));
    if (result && (await goOn(deps, req, res, result, { own, next: nextOf(req) }))) return;
    if (result?.kind === 'sso_only') return answers.goTo(res, `${BY_PROVIDER}?tenant=${encodeURIComponent(input.tenantSlug)}`);
    const sent = refusedOf(form, result, 'The tenant, the email address or the password is not right.');
    answers.sendAlone(
      req,
      res,
      result ? 429 : 401,
      drawSignIn({
        address: req.originalUrl,
        hidden,
        tenant: undefined,
        next: nextOf(req),
        sent,
        passkeyToken: passkeyTokenOf(visitor),
      }),
    );
  }

  async function byPasskey(req: Request, res: Response): Promise<void> {
    const { own, form } = await formOf(req, res);
    const proof = factorOf(form);
    if (proof?.method !== 'passkey') throw new AppError('VALIDATION_ERROR', 'The browser gave no passkey.');
    const result = await guess(req, res, () => people.factors.signInByPasskey(proof.answer, visitorOf(req, res)));
    if (result && (await goOn(deps, req, res, result, { own, next: nextOf(req) }))) return;
    throw new AppError('FORBIDDEN', 'This passkey is of nobody here, or is not good any more. Sign in with your password.');
  }

  async function secondStepPage(req: Request, res: Response): Promise<void> {
    const { own, hidden } = await opened(req, res);
    const half = halfOf(req, own.secure);
    if (!half) return answers.goTo(res, withNext(SIGN_IN, nextOf(req)));
    answers.sendAlone(req, res, 200, secondStep(req, half.methods, hidden, undefined));
  }

  function secondStep(
    req: Request,
    methods: readonly string[],
    hidden: Readonly<Record<string, string>>,
    fault: string | undefined,
  ): Alone {
    return drawSecondStep({ address: req.originalUrl, hidden, methods, fault, again: withNext(SIGN_IN, nextOf(req)) });
  }

  async function giveFactor(req: Request, res: Response): Promise<void> {
    const { own, form, hidden } = await formOf(req, res);
    const half = halfOf(req, own.secure);
    if (!half) return answers.goTo(res, withNext(SIGN_IN, nextOf(req)));
    const proof = factorOf(form);
    const result =
      proof && (await guess(req, res, () => people.factors.finishSignIn(half.challenge, proof, visitorOf(req, res))));
    if (result && (await goOn(deps, req, res, result, { own, next: nextOf(req) }))) return;
    const fault = result?.kind === 'wait' ? waitText(result.seconds) : 'That was not right, or too late. Try again.';
    answers.sendAlone(req, res, result ? 429 : 401, secondStep(req, half.methods, hidden, fault));
  }

  async function passkeyOptions(req: Request, res: Response): Promise<void> {
    const own = refuseElsewhere(deps, req);
    refuseForeign(req, own.origin);
    await deps.countStranger(req, res);
    const form = await readFormOf(req, res);
    const question = await questionFor(req, form, own);
    if (!question) throw new AppError('NOT_FOUND', 'There is nothing to ask a passkey for.');
    answers.sendJson(res, question);
  }

  async function questionFor(req: Request, form: FormValues, own: OwnOrigin): Promise<object | undefined> {
    const what = form.raw('for');
    if (what === 'sign-in') return people.factors.askToSignIn(form.text('tenant') ?? '');
    if (what === 'factor') return people.factors.askInSignIn(halfOf(req, own.secure)?.challenge ?? '');
    const session = await sessionOf(deps, req, own.secure);
    return what === 'step-up' && session ? people.factors.askToStepUp(session) : undefined;
  }

  async function welcomePage(req: Request, res: Response): Promise<void> {
    const { hidden } = await opened(req, res);
    const invite = await people.guess(req, res, () => people.look(req.params['token'] as string));
    if (!invite) return answers.sendAlone(req, res, 404, drawGone());
    answers.sendAlone(req, res, 200, drawWelcome({ invite, address: req.path, hidden, sent: undefined }));
  }

  async function accept(req: Request, res: Response): Promise<void> {
    const { own, form, hidden, address } = await formOf(req, res);
    const token = req.params['token'] as string;
    const visitor = visitorOf(req, res);
    const invite = await people.guess(req, res, () => people.look(token));
    if (!invite) return answers.sendAlone(req, res, 404, drawGone());
    try {
      const input = {
        name: form.text('name'),
        ...(invite.kind === 'welcome' && { email: form.text('email') }),
        password: form.raw('password'),
      };
      const result = await people.accept(token, input, visitor);
      const offer = invite.kind === 'reset' ? undefined : (session: StaffSession) => offerPasskey(res, session, own);
      if (await goOn(deps, req, res, result, { own, next: nextOf(req), offer })) return;
      answers.goTo(res, SIGN_IN);
    } catch (thrown) {
      const error = answers.known(thrown, res);
      if (error.status >= 500) throw error;
      // Somebody else used it just now.
      if (error.status === 404) return answers.sendAlone(req, res, 404, drawGone());
      const sent = { values: form.all, faults: fieldsOf(error), message: error.message };
      answers.sendAlone(req, res, error.status, drawWelcome({ invite, address, hidden, sent }));
    }
  }

  return [
    plainRoute('get', SIGN_IN, handling(deps, signInPage)),
    plainRoute('post', SIGN_IN, handling(deps, signIn)),
    plainRoute('post', BY_PASSKEY, handling(deps, byPasskey)),
    plainRoute('get', SECOND_STEP, handling(deps, secondStepPage)),
    plainRoute('post', SECOND_STEP, handling(deps, giveFactor)),
    plainRoute('post', PASSKEY_OPTIONS, handling(deps, passkeyOptions)),
    plainRoute('get', WELCOME, handling(deps, welcomePage)),
    plainRoute('post', WELCOME, handling(deps, accept)),
  ];
}

function waitText(seconds: number): string {
  return `Too many failed attempts. Wait ${seconds} second${seconds === 1 ? '' : 's'}, then try again.`;
}

/** One message for whatever is wrong, at none of the fields. */
function refusedOf(form: FormValues, result: SignInResult | undefined, wrong: string): Sent {
  const faults: FieldFault[] = [];
  return { values: form.all, faults, message: result?.kind === 'wait' ? waitText(result.seconds) : wrong };
}
