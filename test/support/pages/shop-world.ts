/** A service with a tenant whose story is known, a person of every role, and their way to pages without a browser. */
import { ROLES, type Role } from '../../../src/features/staff/open/roles.ts';
import { cookieNameOf } from '../../../src/features/staff/open/session-cookie.ts';
import { startTestApp, type TestApp, type TestTenant } from '../app/test-app.ts';
import { payStory } from './paid-story.ts';
import { type PlantedPerson, plantPerson } from './plant-person.ts';
import { type Story, tellStory } from './story.ts';

export interface PageTenant extends TestTenant {
  /** Of its addresses. */
  slug: string;
}

export interface ShopWorld {
  app: TestApp;
  tenant: PageTenant;
  story: Story;
  people: Record<Role, PlantedPerson>;
  /** By the name that passkeys and cookies know: an address in figures has neither. */
  origin: string;
}

export async function makeShopWorld(): Promise<ShopWorld> {
  const app = await startTestApp();
  const tenant = await pageTenant(app, await app.newTenant({ timeZone: 'Europe/Berlin' }));
  const story = await tellStory(app, tenant);
  // So that the pages of SANDBOX have something to show too.
  await tellStory(app, tenant, 'SANDBOX');
  for (const environment of ['LIVE', 'SANDBOX'] as const) await payStory(app, tenant, environment);
  const people = {} as Record<Role, PlantedPerson>;
  for (const role of ROLES) people[role] = await plantPerson(app.database.asSuperuser, tenant.tenantId, { role });
  return { app, tenant, story, people, origin: app.baseUrl.replace('127.0.0.1', 'localhost') };
}

export async function pageTenant({ database }: TestApp, tenant: TestTenant): Promise<PageTenant> {
  const [row] = await database.asSuperuser<{ slug: string }>('select slug from tenant where id = $1', [tenant.tenantId]);
  return { ...tenant, slug: row?.slug ?? '' };
}

export interface PageAnswer {
  status: number;
  headers: Headers;
  html: string;
  /** Where a 303 leads, without our own origin. */
  to: string | undefined;
}

export interface PageRequest {
  path: string;
  /** A session's value; none is sent without it. */
  cookie?: string | undefined;
  /** What a form sends; it makes a POST of it. */
  form?: Readonly<Record<string, string>>;
  /** Add to those that a browser sends, or replace them; undefined takes one away. */
  headers?: Readonly<Record<string, string | undefined>>;
}

/** A request as a browser would send it from a page of ours; redirects are not followed. */
export async function requestPage({ origin }: Pick<ShopWorld, 'origin'>, asked: PageRequest): Promise<PageAnswer> {
  const { path, cookie, form, headers = {} } = asked;
  const usual: Record<string, string | undefined> = {
    accept: 'text/html',
    'sec-fetch-site': form ? 'same-origin' : 'none',
    ...(form && { origin, 'content-type': 'application/x-www-form-urlencoded' }),
    ...(cookie !== undefined && { cookie: `${cookieNameOf(false)}=${cookie}` }),
    ...headers,
  };
  const sent = Object.entries(usual).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const answer = await fetch(origin + path, {
    method: form ? 'POST' : 'GET',
    headers: sent,
    redirect: 'manual',
    ...(form && { body: new URLSearchParams(form).toString() }),
  });
  const location = answer.headers.get('location');
  return {
    status: answer.status,
    headers: answer.headers,
    html: await answer.text(),
    to: location === null ? undefined : location.replace(origin, ''),
  };
}

/** The forms that a page draws: where each goes, and what it sends unless somebody types. */
export function formsOf(html: string): { action: string; fields: Record<string, string> }[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, head = '', body = '']) => ({
    action: plainText(/\baction="([^"]*)"/.exec(head)?.[1] ?? ''),
    fields: Object.fromEntries(
      [...body.matchAll(/<(?:input|select|textarea)\b[^>]*\bname="([^"]*)"[^>]*>/g)].map(([tag, name = '']) => [
        name,
        plainText(/\bvalue="([^"]*)"/.exec(tag)?.[1] ?? ''),
      ]),
    ),
  }));
}

function plainText(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
