/** GET /members: search by beginnings and filters, stable paging (docs/specification/conventions.md#lists). */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { foldName } from '../../../src/http/schemas.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

interface Listed {
  id: string;
  name: string | null;
  joinedAt: string;
}

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

type Query = Record<string, string | number>;
const target = (query: Query) =>
  `/api/v1/members?${Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;
const list = (query: Query = {}, by = client) => by.get(target(query));
const idsOf = (members: readonly { id: string }[]) => members.map((member) => member.id);
const find = async (query: Query): Promise<string[]> => idsOf((await list(query)).body.data);
const namesBeginning = async (name: string): Promise<(string | null)[]> =>
  (await list({ name, limit: 100 })).body.data.map((member: Listed) => member.name);

/** Every page, one member at a time unless told otherwise; `between` runs after each. */
async function allPages(query: Query, between: (page: number) => Promise<unknown> = () => Promise.resolve()): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  for (let page = 0; page === 0 || cursor !== null; page++) {
    const { body }: { body: { data: Listed[]; hasMore: boolean; nextCursor: string | null } } = await list({
      limit: 1,
      ...query,
      ...(cursor === null ? {} : { cursor }),
    });
    expect(body.hasMore).toBe(body.nextCursor !== null);
    seen.push(...idsOf(body.data));
    cursor = body.nextCursor;
    await between(page);
  }
  return seen;
}

/** Members who joined on the first days of 2026, one a day. */
async function joinedDaily(count: number): Promise<MemberBody[]> {
  const members: MemberBody[] = [];
  for (let day = 1; day <= count; day++) {
    const member = await client.newMember();
    await joined(member, `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`);
    members.push(member);
  }
  return members;
}

const joined = (member: MemberBody, at: string) =>
  app.database.asSuperuser('update member set created_at = $2 where id = $1', [member.id, at]);

test('a member as it is listed', async () => {
  expect((await list()).body).toEqual({ data: [], hasMore: false, nextCursor: null });
  const sponsor = await client.newMember();
  const { body: created } = await client.post('/api/v1/users', {
    email: 'Ada@Shop.example',
    name: 'Ada Example',
    external_id: 'crm-1',
    membership_tier: 'SENIOR',
    parent_id: sponsor.id,
    can_recruit: false,
    is_test_user: true,
    pay_currency: 'EUR',
  });
  const { body } = await list({ name: 'ada' });
  expect(body).toEqual({
    data: [
      {
        id: created.id,
        email: 'Ada@Shop.example',
        name: 'Ada Example',
        externalId: 'crm-1',
        membershipTier: 'SENIOR',
        sponsorId: sponsor.id,
        isActive: true,
        canRecruit: false,
        isTestUser: true,
        payCurrency: 'EUR',
        referralCode: created.referral_code,
        joinedAt: created.created_at,
        updatedAt: created.updated_at,
      },
    ],
    hasMore: false,
    nextCursor: null,
  });
  expect((await list()).body.data[0]).toMatchObject({ id: sponsor.id, name: null, externalId: null, sponsorId: null });
});

describe('paging', () => {
  test('25 rows unless told otherwise, oldest first, and each member once', async () => {
    const members: MemberBody[] = [];
    for (let i = 0; i < 30; i++) members.push(await client.newMember());
    const { body } = await list();
    expect([idsOf(body.data), body.hasMore]).toEqual([idsOf(members.slice(0, 25)), true]);
    expect(await allPages({ limit: 7 })).toEqual(idsOf(members));
    const exact = await list({ limit: 30 });
    expect([exact.body.data.length, exact.body.hasMore, exact.body.nextCursor]).toEqual([30, false, null]);
  });

  test.each([
    ['all', {}],
    ['by time of joining', { joinedFrom: '2026-01-01T00:00:00Z' }],
    ['by a bound in the future', { joinedTo: '2099-01-01T00:00:00Z' }],
    ['by email', { email: 'M' }],
  ])('nobody twice and nobody lost while members join and change: %s', async (_name, query) => {
    const members: MemberBody[] = [];
    for (let i = 0; i < 6; i++) members.push(await client.newMember({ email: `m${9 - i}@shop.example` }));
    const ids = idsOf(members);
    const seen = await allPages(query, async (page) => {
      if (page >= 6) return;
      await client.newMember({ email: `m0${page}@shop.example` });
      await client.patch(`/api/v1/users/${ids[page]}`, { is_active: false });
      await client.patch(`/api/v1/users/${ids[5 - page]}`, { membership_tier: 'SENIOR', can_recruit: false });
    });
    expect(seen.slice(0, 6)).toEqual(ids);
    expect(seen.length).toBe(12);
    expect(new Set(seen).size).toBe(12);
  });

  test('a whole page that joined at one instant is paged through', async () => {
    const members = await joinedDaily(4);
    for (const member of members) await joined(member, '2026-01-01T00:00:00.000001Z');
    expect(await allPages({ joinedTo: '2026-01-01T00:00:00.000002Z' })).toEqual(idsOf(members));
  });

  test('a cursor is good only where it was made', async () => {
    for (let i = 0; i < 3; i++) await client.newMember({ email: `m${i}@shop.example` });
    const sandbox = apiClient(app, tenant.sandboxKey);
    const stranger = apiClient(app, (await app.newTenant()).liveKey);
    const { nextCursor: cursor } = (await list({ limit: 1, email: 'm' })).body;
    expect((await list({ limit: 2, email: 'M', cursor })).status).toBe(200); // the same beginning, another limit
    for (const answer of [
      await list({ cursor }),
      await list({ email: 'm1', cursor }),
      await list({ email: 'm', name: 'm', cursor }),
      await list({ email: 'm', joinedFrom: '2026-01-01T00:00:00Z', cursor }),
      await list({ email: 'm', cursor: 'garbage' }),
      await client.get(`/api/v1/users?cursor=${cursor}`),
      await list({ email: 'm', cursor }, sandbox),
      await list({ email: 'm', cursor }, stranger),
    ]) {
      expectRefusal(answer, 400, 'VALIDATION_ERROR', ['cursor']);
    }
  });
});

describe('filters', () => {
  test('by tier, activity and sponsor, alone and together', async () => {
    const root = await client.newMember({ membership_tier: 'DIRECTOR', name: 'Root' });
    const senior = await client.newMember({ membership_tier: 'SENIOR', parent_id: root.id, name: 'Rosa' });
    const idle = await client.newMember({ membership_tier: 'SENIOR', parent_id: root.id, is_active: false });
    const leaf = await client.newMember({ parent_id: senior.id, email: 'Leaf.É@Shop.example', name: 'Ro' });
    expect(await find({ tier: 'SENIOR' })).toEqual(idsOf([senior, idle]));
    expect(await find({ isActive: 'false' })).toEqual(idsOf([idle]));
    expect(await find({ isActive: 'true' })).toEqual(idsOf([root, senior, leaf]));
    expect(await find({ sponsorId: root.id })).toEqual(idsOf([senior, idle]));
    expect(await find({ sponsorId: root.id, isActive: 'true' })).toEqual(idsOf([senior]));
    expect(await find({ name: 'ro', tier: 'SENIOR' })).toEqual(idsOf([senior]));
    expect(await find({ name: 'ro', email: 'leaf' })).toEqual(idsOf([leaf]));
    expect(await find({ sponsorId: crypto.randomUUID() })).toEqual([]);
    expect(await allPages({ sponsorId: root.id, tier: 'SENIOR' })).toEqual(idsOf([senior, idle]));
    await client.patch(`/api/v1/users/${idle.id}`, { is_active: true });
    expect(await find({ isActive: 'false' })).toEqual([]);
  });

  test('by time of joining: from the instant on, until before it', async () => {
    const ids = idsOf(await joinedDaily(5));
    expect(await find({ joinedFrom: '2026-01-03T00:00:00Z' })).toEqual(ids.slice(2));
    expect(await find({ joinedTo: '2026-01-03T00:00:00Z' })).toEqual(ids.slice(0, 2));
    expect(await find({ joinedFrom: '2026-01-02T00:00:00Z', joinedTo: '2026-01-04T00:00:00Z' })).toEqual(ids.slice(1, 3));
    expect(await find({ joinedFrom: '2026-01-03T01:00:00+01:00', joinedTo: '2026-01-03T00:00:00.000001Z' })).toEqual([ids[2]]);
    expect(await find({ joinedFrom: '2026-01-03T00:00:00.000001Z', joinedTo: '2026-01-04T00:00:00Z' })).toEqual([]);
    expect(await find({ joinedFrom: '2026-01-04T00:00:00Z', joinedTo: '2026-01-02T00:00:00Z' })).toEqual([]);
    expect(await allPages({ joinedFrom: '2026-01-02T00:00:00Z', joinedTo: '2026-01-05T00:00:00Z' })).toEqual(ids.slice(1, 4));
  });

  test('by time of joining also where that is not the order of the ids', async () => {
    const members = (await joinedDaily(4)).toReversed();
    for (const [day, member] of members.entries()) await joined(member, `2026-02-0${day + 1}T00:00:00Z`);
    expect(await allPages({ joinedFrom: '2026-02-01T00:00:00Z' })).toEqual(idsOf(members));
    expect(await allPages({ joinedFrom: '2026-02-02T00:00:00Z' })).toEqual(idsOf(members.slice(1)));
  });

  test('by the beginning of the email, in any case and either form of an accent', async () => {
    const emails = ['anna@shop.example', 'Ann@shop.example', 'ann_a@shop.example', 'annxa@shop.example', 'École@shop.example'];
    const ids: string[] = [];
    for (const email of emails) ids.push((await client.newMember({ email })).id);
    expect(await find({ email: 'ANN' })).toEqual(ids.slice(0, 4));
    expect(await find({ email: 'ann@' })).toEqual([ids[1]]);
    expect(await find({ email: 'ann_' })).toEqual([ids[2]]);
    expect(await find({ email: 'ann@shop.example' })).toEqual([ids[1]]);
    expect(await find({ email: 'ann@shop.example.' })).toEqual([]);
    expect(await find({ email: 'nn' })).toEqual([]);
    expect(await find({ email: 'e\u0301C' })).toEqual([ids[4]]);
    expect(await find({ email: '%' })).toEqual([]);
  });

  test('nobody of the other environment or another tenant', async () => {
    const member = await client.newMember({ name: 'Ada' });
    for (const other of [apiClient(app, tenant.sandboxKey), apiClient(app, (await app.newTenant()).liveKey)]) {
      for (const query of [
        {},
        { sponsorId: member.id },
        { email: member.email },
        { name: 'a' },
        { joinedTo: '2099-01-01T00:00:00Z' },
      ]) {
        expect((await list(query as Query, other)).body.data).toEqual([]);
      }
    }
  });

  test.each([
    ['tier=BARON', 'tier'],
    ['isActive=1', 'isActive'],
    ['sponsorId=me', 'sponsorId'],
    ['email=', 'email'],
    [`email=${'x'.repeat(255)}`, 'email'],
    ['name=', 'name'],
    [`name=${'x'.repeat(256)}`, 'name'],
    ['name=a%00b', 'url'],
    ['name=%ff', 'url'],
    ['joinedFrom=2026-01-01', 'joinedFrom'],
    ['joinedTo=yesterday', 'joinedTo'],
    ['limit=101', 'limit'],
    ['parent_id=1', 'parent_id'],
    ['name=a&name=b', 'name'],
  ])('%s is a 400 that names %s', async (query, field) => {
    expectRefusal(await client.get(`/api/v1/members?${query}`), 400, 'VALIDATION_ERROR', [field]);
  });
});

describe('the beginning of a name', () => {
  const LATIN = [
    'İzmir',
    'izmir',
    'Izmir',
    'ızmir',
    'École',
    'E\u0301cole',
    'Ecole',
    'Straße',
    'STRASSE',
    'ﬁnn',
    'Finn',
    "o'hara",
    'Z',
  ];
  const MARKS = [
    '100% wool',
    '1000 lakes',
    '100',
    'under_score',
    'underscore',
    'back\\slash',
    'back/slash',
    '"Quoted"',
    '$1',
    '$$',
  ];
  const OTHERS = [
    'ΟΔΟΣ',
    'Οδοσκόπιο',
    'οδος',
    '😀 smile',
    '😁',
    'ב\u05bc',
    ' leading',
    'z\u{10FFFE}',
    '김철수',
    'がく',
    'か\u3099く',
  ];
  const NAMES = [...LATIN, ...MARKS, ...OTHERS];
  beforeEach(async () => {
    for (const name of NAMES) await client.newMember({ name });
    await client.newMember();
  });

  test('is taken as it is, without regard to case', async () => {
    expect(await namesBeginning('100%')).toEqual(['100% wool']);
    expect(await namesBeginning('100')).toEqual(['100% wool', '1000 lakes', '100']);
    expect(await namesBeginning('under_')).toEqual(['under_score']);
    expect(await namesBeginning('UNDER')).toEqual(['under_score', 'underscore']);
    expect(await namesBeginning('back\\')).toEqual(['back\\slash']);
    expect(await namesBeginning("O'")).toEqual(["o'hara"]);
    expect(await namesBeginning('%')).toEqual([]);
    expect(await namesBeginning(' ')).toEqual([' leading']);
    expect(await namesBeginning('$')).toEqual(['$1', '$$']);
    expect(await namesBeginning('😀')).toEqual(['😀 smile']);
    expect(await namesBeginning('İZ')).toEqual(['İzmir']);
    expect(await namesBeginning('IZ')).toEqual(['izmir', 'Izmir']);
    expect(await namesBeginning('ÉC')).toEqual(['École', 'E\u0301cole']);
    expect(await namesBeginning('e\u0301')).toEqual(['École', 'E\u0301cole']);
    expect(await namesBeginning('ec')).toEqual(['Ecole']);
    expect(await namesBeginning('ΟΔΟΣ')).toEqual(['ΟΔΟΣ', 'Οδοσκόπιο', 'οδος']);
    expect(await namesBeginning('z')).toEqual(['Z', 'z\u{10FFFE}']);
    expect(await namesBeginning('が')).toEqual(['がく', 'か\u3099く']);
  });

  test('finds what a comparison of the folded texts finds, for any text', async () => {
    const part = fc.constantFrom(...NAMES).chain((name) => fc.nat(name.length).map((length) => name.slice(0, length)));
    const upper = part.map((text) => text.toUpperCase());
    const anything = fc.string({ unit: 'binary', minLength: 1, maxLength: 3 });
    const wanted = fc.oneof(part, upper, anything).filter((text) => text !== '' && text.isWellFormed() && !text.includes('\0'));
    await fc.assert(
      fc.asyncProperty(wanted, async (prefix) => {
        expect(await namesBeginning(prefix)).toEqual(NAMES.filter((name) => foldName(name).startsWith(foldName(prefix))));
      }),
      { numRuns: 150 },
    );
  });
});

test('a name whose composed form is longer than the column is kept and found', async () => {
  const name = '\ufb2c'.repeat(255); // each becomes three characters
  const member = await client.newMember({ name });
  expect(await find({ name })).toEqual([member.id]);
  expect(await find({ name: '\ufb2c' })).toEqual([member.id]);
  expect((await list({ name })).body.data[0].name).toBe(name);
});
