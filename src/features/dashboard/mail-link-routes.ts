/**
 * Where links in mails lead: "this was not me", and mail that a member wants no more. Opening one changes nothing, for
 * mail servers open links too; sending its form does. Sources: docs/specification/people.md#not-me,
 * docs/specification/mail.md#refusing.
 */
import type { Request, Response } from 'express';
import { plainRoute, type Route } from '../../http/route.ts';
import { clearCookie } from '../staff/open/session-cookie.ts';
import { notMeDone } from './addresses.ts';
import { refuseForeign } from './form-tokens.ts';
import { refuseElsewhere, visitorOf } from './let-in.ts';
import { drawNotMe, drawNotMeDone, drawNotMeGone, drawRefusal, drawRefusalGone, drawRefused } from './mail-link-view.ts';
import { handling } from './page-answers.ts';
import type { PageDeps } from './page-deps.ts';

const NOT_ME = '/dashboard/not-me/:token';
const UNSUBSCRIBE = '/unsubscribe/:token';

/** Who wants no mail about payouts. */
export interface MailRefusals {
  look(token: string): Promise<{ tenantName: string; refused: boolean } | undefined>;
  refuse(token: string): Promise<boolean>;
}

export function mailLinkRoutes(deps: PageDeps & { refusals: MailRefusals }): Route[] {
  const { answers, people, refusals } = deps;
  const tokenOf = (req: Request): string => req.params['token'] as string;

  async function notMe(req: Request, res: Response): Promise<void> {
    refuseElsewhere(deps, req);
    await deps.countStranger(req, res);
    const found = await people.guess(req, res, () => people.notMe.look(tokenOf(req)));
    answers.sendAlone(req, res, found ? 200 : 404, found ? drawNotMe(found, req.path) : drawNotMeGone());
  }

  async function actNotMe(req: Request, res: Response): Promise<void> {
    const own = refuseElsewhere(deps, req);
    refuseForeign(req, own.origin);
    await deps.countStranger(req, res);
    const done = await people.guess(req, res, () => people.notMe.act(tokenOf(req), visitorOf(req, res)));
    if (!done) return answers.sendAlone(req, res, 404, drawNotMeGone());
    res.append('Set-Cookie', clearCookie(own.secure));
    answers.goTo(res, notMeDone(done.token));
  }

  /** What to do next; the link to another password is in the address, and used up by its own form alone. */
  async function whatNext(req: Request, res: Response): Promise<void> {
    refuseElsewhere(deps, req);
    await deps.countStranger(req, res);
    const token = URL.parse(req.originalUrl, 'http://here.invalid')?.searchParams.get('link') ?? '';
    answers.sendAlone(req, res, 200, drawNotMeDone(/^[\w-]{43}$/.test(token) ? `/dashboard/welcome/${token}` : undefined));
  }

  async function refusal(req: Request, res: Response): Promise<void> {
    await deps.countStranger(req, res);
    const found = await refusals.look(tokenOf(req));
    if (!found) return answers.sendAlone(req, res, 404, drawRefusalGone());
    answers.sendAlone(req, res, 200, found.refused ? drawRefused(found.tenantName) : drawRefusal(found.tenantName, req.path));
  }

  /** From a mail program too, which has no page of ours: the token is all that it takes (RFC 8058). */
  async function refuse(req: Request, res: Response): Promise<void> {
    await deps.countStranger(req, res);
    if (!(await refusals.refuse(tokenOf(req)))) return answers.sendAlone(req, res, 404, drawRefusalGone());
    answers.goTo(res, req.path);
  }

  return [
    plainRoute('get', NOT_ME, handling(deps, notMe)),
    plainRoute('post', NOT_ME, handling(deps, actNotMe)),
    plainRoute('get', notMeDone(), handling(deps, whatNext)),
    plainRoute('get', UNSUBSCRIBE, handling(deps, refusal)),
    plainRoute('post', UNSUBSCRIBE, handling(deps, refuse)),
  ];
}
