/** The addresses of pages: the tenant's slug and the environment are in the path. Source: docs/specification/pages.md#addresses. */
import type { Environment } from '../../db/scope.ts';

const WORDS: Readonly<Record<Environment, string>> = { LIVE: 'live', SANDBOX: 'sandbox' };

export function environmentWord(environment: Environment): string {
  return WORDS[environment];
}

export function environmentOf(word: string): Environment | undefined {
  if (word === 'live') return 'LIVE';
  return word === 'sandbox' ? 'SANDBOX' : undefined;
}

export function homeOf(slug: string, environment: Environment): string {
  return `/dashboard/${slug}/${environmentWord(environment)}`;
}

export const SIGN_IN = '/dashboard/sign-in';

const NOT_ME_DONE = '/dashboard/not-me-done';

/** Where "this was not me" leads: what to do next, with the link to another password where there is one. */
export function notMeDone(token?: string): string {
  return token === undefined ? NOT_ME_DONE : `${NOT_ME_DONE}?link=${token}`;
}

/**
 * Where a tenant's own provider sends browsers back to, with whatever stands for the tenant: its id, for the slug may
 * change and the redirect URI is registered elsewhere. Source: docs/specification/people.md#sso.
 */
export function ssoCallbackOf(tenantId: string): string {
  return `/dashboard/sign-in/sso-callback/${tenantId}`;
}

/** Where somebody wanted to go: an address below /dashboard and never one of another site. */
export function safeNext(next: string | undefined): string | undefined {
  if (next === undefined || next.length > 2_000 || !/^\/dashboard(?:[/?]|$)/.test(next)) return undefined;
  if (/[\\\s\p{Cc}]/u.test(next)) return undefined;
  const url = URL.parse(next, 'http://here.invalid');
  return url?.origin === 'http://here.invalid' && url.pathname.startsWith('/dashboard') ? url.pathname + url.search : undefined;
}
