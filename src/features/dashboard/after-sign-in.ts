/** Where a sign-in leads, whatever it was proven by. */
import type { Request, Response } from 'express';
import { readCookie, setCookie } from '../staff/open/session-cookie.ts';
import type { SignInResult } from '../staff/open/sign-in.ts';
import type { StaffSession } from '../staff/open/staff-session.ts';
import { homeOf, SIGN_IN, safeNext } from './addresses.ts';
import { sessionOf, visitorOf } from './let-in.ts';
import type { OwnOrigin } from './own-origin.ts';
import type { Answers } from './page-answers.ts';
import type { PageDeps } from './page-deps.ts';
import { forgetHalf, keepHalf, keepTenant } from './visitor-session.ts';

export const SECOND_STEP = '/dashboard/sign-in/factor';
export const BY_PROVIDER = '/dashboard/sign-in/sso';

/** The page that somebody wanted to see before signing in, as the address has it. */
export function nextOf(req: Request): string | undefined {
  return safeNext(URL.parse(req.originalUrl, 'http://here.invalid')?.searchParams.get('next') ?? undefined);
}

export function withNext(path: string, next: string | undefined): string {
  return next === undefined ? path : `${path}?next=${encodeURIComponent(next)}`;
}

interface Arrival {
  own: OwnOrigin;
  next: string | undefined;
  /** Where to first, for whoever is signed in now. */
  offer?: ((session: StaffSession) => string | undefined) | undefined;
}

/**
 * Answers with where it leads; false, with nothing answered, when it did not succeed. The session that the browser had
 * before ends: nothing has its value any more.
 */
export async function goOn(
  deps: Pick<PageDeps, 'answers' | 'people'>,
  req: Request,
  res: Response,
  result: SignInResult,
  { own, next, offer }: Arrival,
): Promise<boolean> {
  const { answers, people } = deps;
  if (result.kind === 'signed_in') {
    const { session, cookie } = result;
    const former = await sessionOf(deps, req, own.secure);
    if (former) await people.signOut(former, readCookie(req.get('cookie'), own.secure) ?? '', visitorOf(req, res));
    res.append('Set-Cookie', setCookie(cookie, own.secure));
    forgetHalf(res, own.secure);
    keepTenant(res, session.slug, own.secure);
    const ofTenant = next?.startsWith(`/dashboard/${session.slug}/`);
    answers.goTo(res, offer?.(session) ?? (next !== undefined && ofTenant ? next : homeOf(session.slug, 'LIVE')));
  } else if (result.kind === 'factor_needed') {
    keepHalf(res, result, own.secure);
    answers.goTo(res, withNext(SECOND_STEP, next));
  } else return false;
  return true;
}

/** Back to the beginning. */
export function toSignIn(answers: Pick<Answers, 'goTo'>, res: Response, next: string | undefined): void {
  answers.goTo(res, withNext(SIGN_IN, next));
}
