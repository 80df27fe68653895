/** Slugs of one's own: docs/specification/attribution.md#own-slugs. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawSlug, drawTag, isDrawn } from '../../../src/features/referrals/slugs.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantTag } from './plant-link.ts';

const PATH = '/api/v1/referrals/links';
const SHOP = 'https://shop.example/';

let app: TestApp;
let tenant: TestTenant;
let live: ApiClient;
let sandbox: ApiClient;
let stranger: ApiClient;
const members = new Map<ApiClient, MemberBody>();

async function opened(key: string): Promise<ApiClient> {
  const client = apiClient(app, key);
  await client.patch('/api/v1/admin/settings', { referrals: { allowedDestinationHosts: ['shop.example'] } });
  members.set(client, await client.newMember());
  return client;
}

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  live = await opened(tenant.liveKey);
  sandbox = await opened(tenant.sandboxKey);
  stranger = await opened((await app.newTenant()).liveKey);
});
afterAll(() => app.close());

const fresh = () => `spring-${randomUUID().slice(0, 8)}`;
const make = (slug: string | null, by = live) => by.post(PATH, { user_id: members.get(by)?.id, destination_url: SHOP, slug });
const visit = (slug: string) => app.http.get(`/r/${slug}`).redirects(0).set('user-agent', 'Mozilla/5.0 (X11) Firefox/140.0');
const remove = (id: string, key = tenant.liveKey) => app.http.delete(`${PATH}/${id}`).set('x-tenant-api-key', key);
const idOf = (by: ApiClient) => members.get(by)?.id;

test('a link has the slug that was asked for, and leads on by it in any case, with a click of its member', async () => {
  const slug = fresh();
  const answer = await make(slug);
  expect([answer.status, answer.body.slug]).toEqual([201, slug]);
  expect(answer.body.url.endsWith(`/r/${slug}`)).toBe(true);
  for (const typed of [slug, slug.toUpperCase()]) {
    const led = await visit(typed);
    expect([led.status, led.headers['x-environment']]).toEqual([302, 'LIVE']);
    const clickId = new URL(led.headers['location'] ?? '').searchParams.get('click_id');
    const { body } = await live.post('/api/v1/users', { email: `${randomUUID()}@shop.example`, click_id: clickId });
    expect(body.parent_id).toBe(idOf(live));
  }
  expect((await live.get(`${PATH}/${answer.body.id}`)).body.click_count).toBe(2);
  const told = await live.post('/api/v1/referrals/clicks', { slug });
  expect([told.status, told.body.link_id]).toEqual([201, answer.body.id]);
});

test('null is a drawn one, as before', async () => {
  const { status, body } = await make(null);
  expect([status, isDrawn(body.slug)]).toEqual([201, true]);
});

test.each(['abc', 'x'.repeat(40), '2026', 'summer-sale-24', 'springflyer2', 'superpartner', '0123456789ab'])(
  '%s is a slug',
  async (slug) => {
    expect((await make(slug)).status).toBe(201);
    expect((await visit(slug)).status).toBe(302);
  },
);

test.each([
  ['ab', /at least 3/],
  ['x'.repeat(41), /at most 40/],
  ['Spring', /letters a to z/],
  ['spring_sale', /letters a to z/],
  ['früh', /letters a to z/],
  ['-spring', /hyphens between/],
  ['spring--sale', /hyphens between/],
  ['a/b', /letters a to z/],
  ['api', /reserved/],
  ['admin', /reserved/],
  ['well-known', /reserved/],
  ['bestpartners', /drawn/],
])('%s is a 400', async (slug, says) => {
  const answer = await make(slug);
  expectRefusal(answer, 400, 'VALIDATION_ERROR', ['slug']);
  expect(answer.body.details.fields[0].message).toMatch(says);
});

test('every slug that is drawn has the form that nobody may choose', () => {
  for (let i = 0; i < 500; i++) expect(isDrawn(drawSlug(drawTag()))).toBe(true);
});

describe('a slug that is taken', () => {
  test('is CODE_TAKEN to everybody, of whichever tenant and environment, and leads to the first', async () => {
    const slug = fresh();
    await make(slug, sandbox);
    for (const by of [sandbox, live, stranger]) expectRefusal(await make(slug, by), 409, 'CODE_TAKEN');
    expect((await visit(slug)).headers['x-environment']).toBe('SANDBOX');
  });

  test('is never free again: after its link is deleted, its member erased, its SANDBOX reset', async () => {
    const [one, two, three] = [fresh(), fresh(), fresh()];
    const deleted = await make(one);
    expect((await remove(deleted.body.id)).status).toBe(200);
    const person = await live.newMember();
    await live.post(PATH, { user_id: person.id, destination_url: SHOP, slug: two });
    expect((await live.post(`/api/v1/members/${person.id}/erasure`, {})).status).toBe(200);
    const other = await app.newTenant();
    const reset = await opened(other.sandboxKey);
    await make(three, reset);
    expect((await reset.post('/api/v1/sandbox/reset', {})).status).toBe(200);
    members.set(reset, await reset.newMember());
    for (const slug of [one, two, three]) {
      for (const by of [live, reset, stranger]) expectRefusal(await make(slug, by), 409, 'CODE_TAKEN');
      expect((await visit(slug)).status).toBe(404);
    }
  });

  test('at once by several is one of theirs', async () => {
    const slug = fresh();
    const answers = await Promise.all([live, sandbox, stranger, live, stranger].map((by) => make(slug, by)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409]);
    const first = answers.find(({ status }) => status === 201);
    expect((await visit(slug)).status).toBe(302);
    expect(first?.body.slug).toBe(slug);
  });

  test('by a request that is refused for something else is free', async () => {
    const slug = fresh();
    const body = { user_id: idOf(live), destination_url: 'https://elsewhere.example/', slug };
    expectRefusal(await live.post(PATH, body), 400, 'VALIDATION_ERROR', ['destination_url']);
    expect((await make(slug, stranger)).status).toBe(201);
  });
});

test("a slug of one's own whose beginning is another tenant's tag leads to its own link", async () => {
  const tag = await plantTag(app, { tenantId: tenant.tenantId, environment: 'LIVE' });
  const slug = `${tag}0il0il0i`;
  expect((await make(slug, stranger)).status).toBe(201);
  const led = await visit(slug);
  const clickId = new URL(led.headers['location'] ?? '').searchParams.get('click_id');
  const { body } = await stranger.post('/api/v1/users', { email: `${randomUUID()}@shop.example`, click_id: clickId });
  expect(body.parent_id).toBe(idOf(stranger));
});

test.each(['peter-person', 'supersupersu'])('erasure takes the slug %s out of every row', async (slug) => {
  const person = await live.newMember();
  await live.post(PATH, { user_id: person.id, destination_url: SHOP, slug });
  await live.post(`/api/v1/members/${person.id}/erasure`, {});
  const rows = await app.database.asSuperuser<{ slug: string }>('select slug from referral_link where member_id = $1', [
    person.id,
  ]);
  expect(rows).toEqual([{ slug: expect.stringMatching(/^erased-/) }]);
});
