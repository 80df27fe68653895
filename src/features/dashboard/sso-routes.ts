/**
 * The way in by a tenant's own provider. A form of ours may lead to no other site, so the way there is a link; what comes
 * back is believed of the browser alone that was sent. Source: docs/specification/people.md#sso.
 */
import type { Request, Response } from 'express';
import { plainRoute, type Route } from '../../http/route.ts';
import { safeNext, ssoCallbackOf } from './addresses.ts';
import { BY_PROVIDER, goOn, nextOf, toSignIn } from './after-sign-in.ts';
import { refuseElsewhere, visitorOf } from './let-in.ts';
import type { OwnOrigin } from './own-origin.ts';
import { handling } from './page-answers.ts';
import { withQuery } from './page-context.ts';
import { cookieOf, hostName, keepCookie } from './page-cookies.ts';
import type { PageDeps } from './page-deps.ts';
import { drawByProvider, drawNoProvider, drawNotInvited, drawProviderFailed } from './sso-view.ts';
import { keepTenant, knownVisitor, visitorId } from './visitor-session.ts';

const ASKED_SECONDS = 600;
const MOST_CODE = 4_096;

/** Where a browser says that a request comes from when a page of ours, or the person, has asked for it. */
const OF_ITSELF: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** What the browser was sent with, and the page that it was to see. */
const cookieName = (secure: boolean): string => hostName('mcr-sso', secure);

export function ssoRoutes(deps: PageDeps): Route[] {
  const { answers, people, tokens } = deps;

  /** Asks which tenant, and links to its provider. */
  async function page(req: Request, res: Response): Promise<void> {
    const own = refuseElsewhere(deps, req);
    await deps.countStranger(req, res);
    const tenant = oneOf(req, 'tenant')?.trim();
    if (tenant === undefined || tenant === '') {
      return answers.sendAlone(
        req,
        res,
        200,
        drawByProvider({ tenant: undefined, provider: undefined, next: nextOf(req), to: BY_PROVIDER }),
      );
    }
    await offer(req, res, own, tenant);
  }

  /** Whether a page of ours, or the person, has asked for it. A browser of before does not say: then the link of our page does. */
  function isAsked(req: Request, own: OwnOrigin): boolean {
    const site = req.get('sec-fetch-site');
    if (site !== undefined) return OF_ITSELF.has(site);
    const visitor = knownVisitor(req, own.secure);
    if (visitor === undefined) return false;
    try {
      tokens.check(oneOf(req, 'go') ?? '', visitor, req.path, 'way in');
      return true;
    } catch {
      return false;
    }
  }

  async function offer(req: Request, res: Response, own: OwnOrigin, tenant: string): Promise<void> {
    const provider = await people.sso.look(tenant);
    if (!provider) return answers.sendAlone(req, res, 404, drawNoProvider(tenant));
    const path = `${BY_PROVIDER}/${encodeURIComponent(provider.slug)}`;
    const go = req.get('sec-fetch-site') === undefined ? tokens.make(visitorId(req, res, own.secure), path, 'way in') : undefined;
    answers.sendAlone(
      req,
      res,
      200,
      drawByProvider({ tenant, provider, next: nextOf(req), to: withQuery(path, { go, next: nextOf(req) }) }),
    );
  }

  async function leave(req: Request, res: Response): Promise<void> {
    const own = refuseElsewhere(deps, req);
    await deps.countStranger(req, res);
    const slug = req.params['slug'] as string;
    // Whoever comes from elsewhere has not asked to be signed in: they are asked first.
    if (!isAsked(req, own)) return offer(req, res, own, slug);
    const begun = await people.sso.begin(slug, (tenantId) => own.origin + ssoCallbackOf(tenantId));
    if (!begun) return answers.sendAlone(req, res, 404, drawNoProvider(slug));
    const next = nextOf(req);
    const kept = next === undefined ? begun.state : `${begun.state}~${Buffer.from(next).toString('base64url')}`;
    keepCookie(res, cookieName(own.secure), kept, { secure: own.secure, maxAgeSeconds: ASKED_SECONDS });
    keepTenant(res, slug.toLowerCase(), own.secure);
    answers.goTo(res, begun.address);
  }

  async function comeBack(req: Request, res: Response): Promise<void> {
    const own = refuseElsewhere(deps, req);
    await deps.countStranger(req, res);
    const [asked, wanted] = (cookieOf(req, cookieName(own.secure)) ?? '').split('~');
    keepCookie(res, cookieName(own.secure), '', { secure: own.secure, maxAgeSeconds: 0 });
    const state = oneOf(req, 'state');
    const code = oneOf(req, 'code');
    // Of another browser's question: whoever sent this link wants somebody to work under a strange name.
    if (state === undefined || state === '' || state !== asked) return answers.sendAlone(req, res, 403, drawProviderFailed());
    if (code === undefined || code === '' || code.length > MOST_CODE) {
      return answers.sendAlone(req, res, 403, drawProviderFailed());
    }
    const answer = { state, code, issuer: oneOf(req, 'iss'), redirectUri: own.origin + req.path };
    const result = await people.guess(req, res, async () => {
      const given = await people.sso.finish(answer, visitorOf(req, res));
      return given.kind === 'failed' ? undefined : given;
    });
    if (!result) return answers.sendAlone(req, res, 403, drawProviderFailed());
    if (result.kind === 'not_invited') return answers.sendAlone(req, res, 403, drawNotInvited());
    const next = wanted === undefined ? undefined : Buffer.from(wanted, 'base64url').toString();
    if (!(await goOn(deps, req, res, result, { own, next: safeNext(next) }))) toSignIn(answers, res, undefined);
  }

  return [
    plainRoute('get', BY_PROVIDER, handling(deps, page)),
    plainRoute('get', ssoCallbackOf(':tenantId'), handling(deps, comeBack)),
    plainRoute('get', `${BY_PROVIDER}/:slug`, handling(deps, leave)),
  ];
}

/** A parameter that stands in the address once. */
function oneOf(req: Request, name: string): string | undefined {
  const values = URL.parse(req.originalUrl, 'http://here.invalid')?.searchParams.getAll(name) ?? [];
  return values.length === 1 ? values[0] : undefined;
}
