/** A page that is drawn becomes an answer, in the frame that all pages share. */
import type { Request, Response } from 'express';
import type { AppError } from '../../errors.ts';
import type { PageAnswer, PageView } from '../../pages/define-page.ts';
import { html } from '../../pages/html.ts';
import { drawPage, type Notice } from '../../pages/page.ts';
import type { StaffSession } from '../staff/open/staff-session.ts';
import { homeOf } from './addresses.ts';
import { navigationOf, switchOf } from './navigation.ts';
import { faultBody, wordsOf } from './page-answers.ts';
import { FORM, isOpenIn, mayDo, type OpenContext, type Visit } from './page-context.ts';
import { themeOf } from './page-cookies.ts';
import type { PageDeps } from './page-deps.ts';

export interface About {
  session: StaffSession;
  visit: Visit;
  opened: OpenContext;
  req: Request;
  res: Response;
  notice?: Notice | undefined;
}

export async function sendAnswer(deps: PageDeps, about: About, drawn: PageAnswer, status: number): Promise<void> {
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
  const waiting = await deps.waiting.of(visit);
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
    accountHref: account && homeOf(session.slug, isOpenIn(account, environment) ? environment : 'LIVE') + account.path,
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

/** Says what went wrong where the page would stand. */
export async function sendFaultInFrame(deps: PageDeps, about: About, error: AppError): Promise<void> {
  const { title, lead } = wordsOf(error);
  const home = homeOf(about.session.slug, about.visit.environment);
  if (error.retryAfterSeconds !== undefined) about.res.setHeader('Retry-After', String(error.retryAfterSeconds));
  const body = html`<section class="card">${faultBody(error, about.res)}<p><a class="button" href="${home}">To the overview</a></p></section>`;
  const opened = { ...about.opened, asked: [] };
  await sendAnswer(deps, { ...about, opened, notice: undefined }, { title, lead, body }, error.status);
}
