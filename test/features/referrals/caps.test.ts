/** How many codes and links a member may have: docs/specification/conventions.md#caps. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';

const CODES = 3;
const LINKS = 2;
const codesPath = '/api/v1/referrals/codes';
const linksPath = '/api/v1/referrals/links';
const DESTINATION = 'https://shop.example/';

let app: TestApp;
let client: ApiClient;
let other: ApiClient;

beforeAll(async () => {
  app = await startTestApp({ MEMBER_MAX_CODES: `${CODES}`, MEMBER_MAX_LINKS: `${LINKS}` });
  const tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  other = apiClient(app, tenant.sandboxKey);
  for (const one of [client, other]) {
    await one.patch('/api/v1/admin/settings', { referrals: { allowedDestinationHosts: ['shop.example'] } });
  }
});
afterAll(() => app.close());

const newCode = (userId: string, fields: object = {}, as = client) => as.post(codesPath, { user_id: userId, ...fields });
const newLink = (userId: string, fields: object = {}, as = client) =>
  as.post(linksPath, { user_id: userId, destination_url: DESTINATION, ...fields });
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);
const count = async (path: string, userId: string) =>
  ((await client.get(`${path}?user_id=${userId}`)).body.data as unknown[]).length;

describe('codes', () => {
  test('past the last one it is refused, with the number, and nothing is made', async () => {
    const { id } = await client.newMember(); // with a code of its own
    for (let made = 1; made < CODES; made++) expect((await newCode(id)).status).toBe(201);
    for (const fields of [{}, { code: 'ONE-TOO-MANY' }, { is_default: true }]) {
      const refused = await newCode(id, fields);
      expectRefusal(refused, 422, 'LIMIT_REACHED');
      expect(refused.body.details).toEqual({ limit: CODES });
    }
    expect(await count(codesPath, id)).toBe(CODES);
    expect((await newCode((await client.newMember()).id)).status).toBe(201);
    expect((await newCode((await other.newMember()).id, {}, other)).status).toBe(201);
    expect((await client.get(`/api/v1/referrals/resolve?referral_code=ONE-TOO-MANY`)).status).toBe(404);
  });

  test('one that is retired stays taken, and counts', async () => {
    const { id } = await client.newMember();
    for (let made = 1; made < CODES; made++) {
      const { body } = await newCode(id);
      expect((await client.patch(`${codesPath}/${body.id}`, { status: 'retired' })).status).toBe(200);
    }
    expectRefusal(await newCode(id), 422, 'LIMIT_REACHED');
  });

  test('of those that come at once only so many are made', async () => {
    const { id } = await client.newMember();
    const answers = await Promise.all(Array.from({ length: CODES + 3 }, () => newCode(id)));
    expect(statusesOf(answers)).toEqual([...Array(CODES - 1).fill(201), ...Array(4).fill(422)]);
    expect(await count(codesPath, id)).toBe(CODES);
  });

  test('a member that is not known, and one whose code is taken, are told that first or not at all', async () => {
    expectRefusal(await newCode(crypto.randomUUID()), 400, 'VALIDATION_ERROR', ['user_id']);
  });

  test('the code that an import or a sign-up gives is the first, whatever the number', async () => {
    const least = await startTestApp({ MEMBER_MAX_CODES: '1' }, app.database);
    try {
      const one = apiClient(least, (await least.newTenant()).liveKey);
      const { id } = await one.newMember();
      expectRefusal(await newCode(id, {}, one), 422, 'LIMIT_REACHED');
    } finally {
      await least.close();
    }
  });
});

describe('links', () => {
  test('past the last one it is refused until one is deleted', async () => {
    const { id } = await client.newMember();
    const made = await newLink(id);
    expect(made.status).toBe(201);
    expect((await newLink(id)).status).toBe(201);
    expect((await client.patch(`${linksPath}/${made.body.id}`, { status: 'disabled' })).status).toBe(200);
    const refused = await newLink(id, { slug: `cap-${crypto.randomUUID()}`.slice(0, 30).replace(/-$/, '') });
    expectRefusal(refused, 422, 'LIMIT_REACHED');
    expect(refused.body.details).toEqual({ limit: LINKS });
    expect((await client.delete(`${linksPath}/${made.body.id}`)).status).toBe(200);
    expect((await newLink(id)).status).toBe(201);
    expectRefusal(await newLink(id), 422, 'LIMIT_REACHED');
    expect((await newLink((await other.newMember()).id, {}, other)).status).toBe(201);
  });

  test('of those that come at once only so many are made', async () => {
    const { id } = await client.newMember();
    const answers = await Promise.all(Array.from({ length: LINKS + 3 }, () => newLink(id)));
    expect(statusesOf(answers)).toEqual([...Array(LINKS).fill(201), ...Array(3).fill(422)]);
    expect(await count(linksPath, id)).toBe(LINKS);
  });
});
