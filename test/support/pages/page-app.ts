/**
 * The service with people who are signed in without a password: for tests of pages. A session is made for a role in one
 * call, and a browser of it keeps what a browser keeps.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Environment } from '../../../src/db/scope.ts';
import type { People } from '../../../src/features/dashboard/people.ts';
import { type Role, rightsOf } from '../../../src/features/staff/open/roles.ts';
import { setCookie } from '../../../src/features/staff/open/session-cookie.ts';
import type { StaffSession } from '../../../src/features/staff/open/staff-session.ts';
import { house } from '../../../src/features.ts';
import { allScopesOf } from '../../../src/house/house.ts';
import type { Page } from '../../../src/pages/define-page.ts';
import { startTestApp, type TestApp, type TestTenant } from '../app/test-app.ts';
import { type Browser, createBrowser } from './browser.ts';

export interface PageApp {
  app: TestApp;
  /** A browser whose session is of a person with that role. */
  signedIn(tenant: TestTenant, role: Role, more?: Partial<StaffSession>): Browser;
  /** A browser without a session. */
  stranger(): Browser;
  /** The path of a tenant's pages. */
  home(tenant: TestTenant, environment?: Environment): string;
}

/** The code that gives the factor, and the one that is never right is any other. */
export const RIGHT_CODE = '123456';
export const RIGHT_PASSWORD = 'correct horse battery';

/** `pages` stand in for the real ones. */
export async function startPageApp(env: Record<string, string> = {}, pages?: readonly Page[]): Promise<PageApp> {
  const { people, begin } = standInPeople();
  const app = await startTestApp(env, undefined, undefined, { people, ...(pages && { pages }) });
  return {
    app,
    signedIn(tenant, role, more = {}) {
      const browser = createBrowser(app.baseUrl);
      browser.keep(setCookie(begin({ ...sessionOf(tenant, role), ...more }), false));
      return browser;
    },
    stranger: () => createBrowser(app.baseUrl),
    home: ({ tenantId }, environment = 'LIVE') => `/dashboard/${slugOf(tenantId)}/${environment.toLowerCase()}`,
  };
}

function slugOf(tenantId: string): string {
  return `t-${tenantId.slice(-12)}`;
}

function sessionOf({ tenantId }: TestTenant, role: Role): StaffSession {
  return {
    id: randomUUID(),
    tenantId,
    slug: slugOf(tenantId),
    tenantName: 'Test',
    staffId: randomUUID(),
    name: 'Ada Lovelace',
    email: 'ada@test.example',
    role,
    factorAt: null,
    hasFreshFactor: false,
    hasFactor: true,
  };
}

/** People of whom only sessions are known. */
export function standInPeople(): { people: People; begin(session: StaffSession): string } {
  const sessions = new Map<string, StaffSession>();
  const begin = (session: StaffSession): string => {
    const cookie = createHash('sha256').update(session.id).digest('base64url');
    sessions.set(cookie, session);
    return cookie;
  };
  const people: People = {
    sessions: {
      resolve: async (cookie) => sessions.get(cookie),
      callerOf({ tenantId, staffId, role, hasFreshFactor }, environment, request) {
        const actor = { kind: 'staff', id: staffId } as const;
        return {
          tenantId,
          environment,
          rights: rightsOf(role, environment, allScopesOf(house)),
          root: `staff:${staffId}`,
          hasFreshFactor,
          provenance: { actor, ...request },
        };
      },
    },
    async signIn({ email, password }) {
      if (password !== RIGHT_PASSWORD) return { kind: 'refused' };
      const found = [...sessions.values()].find((one) => one.email === email);
      if (!found) return { kind: 'refused' };
      const session = { ...found, id: randomUUID() };
      return { kind: 'signed_in', cookie: begin(session), session, newDevice: false };
    },
    look: async () => undefined,
    accept: async () => ({ kind: 'refused' }),
    guess: async (_req, _res, lookUp) => lookUp(),
    soleSlug: async () => undefined,
    async signOut({ id }) {
      for (const [cookie, session] of sessions) if (session.id === id) sessions.delete(cookie);
    },
    sso: { look: async () => undefined, begin: async () => undefined, finish: async () => ({ kind: 'failed' }) },
    notMe: { look: async () => undefined, act: async () => undefined },
    factors: {
      askToSignIn: async () => undefined,
      signInByPasskey: async () => ({ kind: 'refused' }),
      askInSignIn: async () => undefined,
      finishSignIn: async () => ({ kind: 'refused' }),
      factorsOf: async () => ['totp'],
      askToStepUp: async () => ({ publicKey: { challenge: '' } }),
      async stepUp(session, proof) {
        if (proof.method !== 'totp' || proof.answer !== RIGHT_CODE) return { kind: 'refused' };
        for (const [cookie, { id }] of sessions) if (id === session.id) sessions.delete(cookie);
        const renewed = { ...session, id: randomUUID(), factorAt: new Date(), hasFreshFactor: true };
        return { kind: 'given', cookie: begin(renewed), session: renewed };
      },
    },
  };
  return { people, begin };
}

/** What a page says, without its frame; for the message of a test. */
export function wordsOf(text: string): string {
  return text
    .slice(Math.max(text.indexOf('<main'), 0))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 1_000);
}
