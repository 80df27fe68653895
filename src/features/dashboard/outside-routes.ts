/** The pages outside a tenant's: the way in, sign-in and sign-out, and what is said where there is no page. */
import type { Request, Response } from 'express';
import { AppError } from '../../errors.ts';
import { plainRoute, type Route } from '../../http/route.ts';
import { clearCookie, readCookie } from '../staff/open/session-cookie.ts';
import { homeOf, SIGN_IN } from './addresses.ts';
import { refuseForeign } from './form-tokens.ts';
import { refuseElsewhere, sessionOf, visitorOf } from './let-in.ts';
import { handling } from './page-answers.ts';
import { FORM } from './page-context.ts';
import type { PageDeps } from './page-deps.ts';
import { readFormOf } from './read-form.ts';

const SIGN_OUT = '/dashboard/sign-out';

export function outsideRoutes(deps: PageDeps): Route[] {
  const { answers, people, tokens } = deps;

  /** To the tenant's pages, or to sign in. */
  async function enter(req: Request, res: Response): Promise<void> {
    const own = refuseElsewhere(deps, req);
    const session = await sessionOf(deps, req, own.secure);
    if (!session) await deps.countStranger(req, res);
    answers.goTo(res, session ? homeOf(session.slug, 'LIVE') : SIGN_IN);
  }

  async function signOut(req: Request, res: Response): Promise<void> {
    const own = refuseElsewhere(deps, req);
    refuseForeign(req, own.origin);
    const session = await sessionOf(deps, req, own.secure);
    if (session) {
      const form = await readFormOf(req, res);
      tokens.check(form.raw(FORM.token), session.id, SIGN_OUT, 'sign-out');
      await people.signOut(session, readCookie(req.get('cookie'), own.secure) ?? '', visitorOf(req, res));
    }
    res.append('Set-Cookie', clearCookie(own.secure));
    answers.goTo(res, SIGN_IN);
  }

  async function nothingHere(req: Request, res: Response): Promise<void> {
    const own = refuseElsewhere(deps, req);
    const session = await sessionOf(deps, req, own.secure);
    if (!session) {
      await deps.countStranger(req, res);
      if (req.method === 'GET') return answers.goTo(res, `${SIGN_IN}?next=${encodeURIComponent(req.originalUrl)}`);
    }
    throw new AppError('NOT_FOUND', 'No such page');
  }

  return [
    plainRoute('get', '/dashboard', handling(deps, enter)),
    plainRoute('post', SIGN_OUT, handling(deps, signOut)),
    plainRoute('get', '/dashboard/*path', handling(deps, nothingHere)),
  ];
}
