/**
 * The wall around a member: with its bearer token a member reads its own money and referrals, as the tenant's key reads
 * them, and nothing of another member, whatever id, filter or cursor it names. docs/specification/tenancy.md#members.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { raw, statement } from '../../src/db/query.ts';
import type { Scope } from '../../src/db/scope.ts';
import { ofTenant } from '../../src/db/tenant-condition.ts';
import type { Operation } from '../../src/http/operation.ts';
import { type ApiClient, apiClient, type MemberBody } from '../support/app/api-client.ts';
import { expectRefusal } from '../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';
import { plantSession } from '../support/identity/sessions.ts';
import { payOut } from '../support/money/pay-out.ts';
import { plantAccount } from '../support/payments/payout-world.ts';

let app: TestApp;
let tenant: TestTenant;
let live: Scope;
let client: ApiClient;

/** What a member has, by the names that paths and queries have for it. */
interface Member {
  id: string;
  email: string;
  token: string;
  client: ApiClient;
  /** By parameter: `commissionId`, `event_id`, `payoutId` … */
  objects: Record<string, string>;
}
let ann: Member;
let bob: Member;
/** Above both. */
let top: MemberBody;

/** The same client with a member's token beside the key. */
function asMember(key: ApiClient, token: string): ApiClient {
  const authorization = `Bearer ${token}`;
  return {
    ...key,
    get: (path, headers = {}) => key.get(path, { authorization, ...headers }),
    post: (path, body, headers = {}) => key.post(path, body, { authorization, ...headers }),
    patch: (path, body, headers = {}) => key.patch(path, body, { authorization, ...headers }),
  };
}

async function created(path: string, body: object): Promise<Record<string, string>> {
  const answer = await client.post(path, body);
  expect(`${answer.status} ${answer.status < 300 ? '' : answer.text}`).toMatch(/^20[01] $/);
  return answer.body as Record<string, string>;
}

async function newMember(name: string): Promise<Member> {
  const member = await client.newMember({ parent_id: top.id, name: `${name} Surname` });
  const bought = await created('/api/v1/events/purchase', {
    ...client.purchaseBody({ amount_minor: name.length * 1_234_567 }),
    customer: { external_id: `customer of ${name}`, email: `${name}@customer.example`, name: `Buyer of ${name}` },
    attribution: { user_id: member.id },
    metadata: { note: `secret of ${name}` },
    line_items: [{ sku: `sku of ${name}`, amount_minor: name.length * 1_234_567 }],
  });
  const lines = bought['commissions'] as unknown as { id: string; user_id: string }[];
  const own = lines.find((line) => line.user_id === member.id)?.id ?? '';
  await payOut(app, [own]);
  const lead = await created('/api/v1/leads/capture', {
    email: `${name}-lead@lead.example`,
    referral_code: member.referral_code,
  });
  const accountId = await plantAccount(app, live, member.id);
  const [payout] = await app.database.asSuperuser<{ id: string; run: string }>(
    `with run as (
       insert into payout_run (tenant_id, environment, currency, cutoff_at, status, payout_count, total_minor, created_by, created_at, updated_at)
       values ($1, 'LIVE', 'USD', now(), 'draft', 1, 1, 'api_key:' || $1::uuid, now(), now()) returning id)
     insert into payout (tenant_id, environment, payout_run_id, member_id, payout_account_id, provider_type, currency, amount_minor,
                         line_count, status, attempt, created_at, updated_at)
     select $1, 'LIVE', run.id, $2, $3, 'manual', 'USD', 1, 1, 'queued', 0, now(), now() from run
     returning id, payout_run_id as run`,
    [live.tenantId, member.id, accountId],
  );
  const code = await created('/api/v1/referrals/codes', { user_id: member.id, code: `${name}-CODE` });
  const link = await created('/api/v1/referrals/links', { user_id: member.id, destination_url: `https://shop.example/${name}` });
  const recruit = await client.newMember({ referral_code: member.referral_code });
  const { accessToken } = await plantSession(app, live, member.id);
  return {
    id: member.id,
    email: member.email,
    token: accessToken,
    client: asMember(client, accessToken),
    objects: {
      userId: member.id,
      user_id: member.id,
      commissionId: own,
      event_id: bought['event_id'] ?? '',
      eventId: bought['event_id'] ?? '',
      lead_id: lead['id'] ?? '',
      receipt_id: lead['attribution_receipt_id'] ?? '',
      payoutId: payout?.id ?? '',
      runId: payout?.run ?? '',
      code_id: code['id'] ?? '',
      link_id: link['id'] ?? '',
      placed_user_id: recruit.id,
    },
  };
}

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  live = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  const settings = await client.patch('/api/v1/admin/settings', { referrals: { allowedDestinationHosts: ['shop.example'] } });
  expect(settings.status).toBe(200);
  top = await client.newMember({ name: 'Top Surname' });
  ann = await newMember('Ann');
  bob = await newMember('Robert');
});
afterAll(() => app.close());

const own = (): Operation[] => app.composition.app.operations.filter(({ member }) => member === 'own');
/** What of one's own is read by a list, and by an id. */
const lists = () => own().filter(({ method, params }) => method === 'get' && params === undefined);
const singles = () => own().filter(({ method, params }) => method === 'get' && params !== undefined);
const whoseFilter = ({ query }: Operation): string => fieldsOf(query).find((field) => /^user_?id$/i.test(field)) ?? '';
const fieldsOf = (schema: z.ZodType | undefined): string[] => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);
/** Texts and numbers that name nobody. */
const PLAIN = new Set([
  'status',
  'with',
  'kind',
  'level',
  'currency',
  'period',
  'reconciled',
  'limit',
  'sort',
  'type',
  'createdFrom',
  'createdTo',
]);
const pathOf = (path: string, objects: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => objects[name] ?? `no ${name}`);

/** Everything that tells the member from others. */
const marksOf = (member: Member): string[] => [...Object.values(member.objects).filter(Boolean), member.email];

test('there are such operations, and each of their parameters is known here', () => {
  expect(own().map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining([
      'listCommissions',
      'getCommission',
      'explainCommission',
      'getEvent',
      'listPayouts',
      'getAttribution',
    ]),
  );
  for (const { operationId, params, query } of own()) {
    for (const field of [...fieldsOf(params), ...fieldsOf(query)]) {
      const isKnown = field in ann.objects || PLAIN.has(field) || field === 'cursor';
      expect(isKnown, `${operationId}: say what ${field} names`).toBe(true);
    }
  }
});

function expectNothingOfOthers(text: string, hint: string): void {
  for (const mark of [...marksOf(bob), top.id, top.email, 'customer of', 'secret of', 'Buyer of', 'sku of']) {
    expect(text, hint).not.toContain(mark);
  }
}

describe('what is one’s own', () => {
  test('is found by its id, and nothing of another in it; another’s is not there', async () => {
    for (const { operationId, path, params } of singles()) {
      const answer = await ann.client.get(pathOf(path, ann.objects));
      expect(`${operationId} ${answer.status} ${answer.status === 200 ? '' : answer.text}`).toBe(`${operationId} 200 `);
      if (answer.type === 'application/json') expectNothingOfOthers(answer.text, operationId);
      for (const field of fieldsOf(params)) {
        const target = pathOf(path, { ...ann.objects, [field]: bob.objects[field] ?? '' });
        expectRefusal(await ann.client.get(target), 404, 'NOT_FOUND');
      }
    }
  });

  test('is listed, whole, as the key lists it of this member', async () => {
    const idsOf = ({ data }: { data: Record<string, string>[] }) => data.map((row) => row['id']);
    for (const operation of lists()) {
      const { operationId, path } = operation;
      const answer = await ann.client.get(`${path}?limit=100`);
      expect(answer.body.data.length, operationId).toBeGreaterThan(0);
      const byKey = await client.get(`${path}?limit=100&${whoseFilter(operation)}=${ann.id}`);
      expect(idsOf(answer.body), operationId).toEqual(idsOf(byKey.body));
      expectNothingOfOthers(answer.text, operationId);
    }
  });

  test('is all that filters find: who else is named is refused, what else is named is not there', async () => {
    for (const operation of lists()) {
      for (const field of fieldsOf(operation.query)) {
        const of = (member: Member) => ann.client.get(`${operation.path}?${field}=${member.objects[field]}`);
        const hint = `${operation.operationId} ${field}`;
        if (field === whoseFilter(operation)) {
          expect((await of(ann)).status, hint).toBe(200);
          expectRefusal(await of(bob), 403, 'FORBIDDEN');
        } else if (field in ann.objects) {
          expect((await of(ann)).body.data.length, hint).toBeGreaterThan(0);
          expect((await of(bob)).body.data, hint).toEqual([]);
        }
      }
    }
  });

  test('is turned by one’s own cursors alone', async () => {
    const cursorOf = ({ body }: Awaited<ReturnType<ApiClient['get']>>) =>
      (body.nextCursor ?? body.next_cursor ?? null) as string | null;
    let own = 0;
    for (const operation of lists()) {
      const { path } = operation;
      const first = (reader: ApiClient, filter = '') => reader.get(`${path}?limit=1${filter}`).then(cursorOf);
      const foreign = [await first(client), await first(client, `&${whoseFilter(operation)}=${ann.id}`), await first(bob.client)];
      expect(foreign[0]).not.toBeNull();
      for (const cursor of foreign) {
        if (cursor !== null) expectRefusal(await ann.client.get(`${path}?limit=1&cursor=${cursor}`), 400, 'VALIDATION_ERROR');
      }
      const mine = await first(ann.client);
      if (mine === null) continue;
      own += 1;
      const next = await ann.client.get(`${path}?limit=1&cursor=${mine}`);
      expect(next.body.data, `${operation.operationId}: ${next.text}`).toHaveLength(1);
      expectNothingOfOthers(next.text, operation.operationId);
    }
    expect(own).toBeGreaterThan(0);
  });
});

describe('what else a member reads of itself', () => {
  const MONTH = new Date().toISOString().slice(0, 7);
  const PATHS = [
    'profile',
    'balances',
    'ledger',
    'commissions/breakdown',
    'team-stats',
    `tax-summary/${new Date().getUTCFullYear()}`,
    'tax-documents',
    `statements/${MONTH}`,
    'payout-accounts',
    'payout-readiness',
    'data-export',
  ];

  test.each(PATHS)('is the same with the token as with the key alone: %s', async (part) => {
    const path = `/api/v1/members/${ann.id}/${part}`;
    const [byKey, byToken] = [await client.get(path), await ann.client.get(path)];
    expect(byKey.status).toBe(200);
    const settled = (text: string) =>
      // When it was read; and whether others share an account, which is the tenant's to know.
      text.replaceAll(/"((generated|exported|asOf)\w*|sharedWithOthers)":("[^"]+"|\w+)/gi, '"$1":null');
    /** Each export is in the next one, and so is where the member itself asked for one from. */
    const withoutReads = (body: { auditEntries?: { action: string }[]; auditAddresses?: { action: string }[] }) => ({
      ...body,
      ...(body.auditEntries && { auditEntries: body.auditEntries.filter(({ action }) => action !== 'member_data.exported') }),
      ...(body.auditAddresses && {
        auditAddresses: body.auditAddresses.filter(({ action }) => action !== 'member_data.exported'),
      }),
    });
    expect(withoutReads(JSON.parse(settled(byToken.text)))).toEqual(withoutReads(JSON.parse(settled(byKey.text))));
    expect(byToken.status).toBe(200);
  });

  test('is not refused for other money by chance: what has no rule of ownership refuses every member', async () => {
    for (const { method, path, member, scope } of app.composition.app.operations) {
      if (member !== undefined || scope === 'none' || method !== 'get') continue;
      const target = path.replace(/\{\w+\}/g, ann.id);
      expectRefusal(await ann.client.get(target), 403, 'FORBIDDEN');
    }
  });
});

describe('row security alone', () => {
  const TABLES = {
    commission_line: 'beneficiary_id',
    payout: 'member_id',
    attribution_receipt: 'winner_id',
    referral_link: 'member_id',
    referral_code: 'member_id',
    posting: 'member_id',
  } as const;
  const seen = (table: string, owner: string) =>
    statement<{ whose: string | null }>(`member_wall_test_${table}`, () =>
      raw(`select distinct ${owner}::text as whose from ${table} where ${ofTenant(table)}`),
    );

  test.each(Object.entries(TABLES))('shows a member its own rows of %s', async (table, owner) => {
    const find = seen(table, owner);
    const { frames } = app.composition;
    const whose = async (scope: Scope) => (await frames.readOnce(scope, find(scope))).map((row) => row.whose);
    const withMember = (memberId: string): Scope => ({ ...live, member: { memberId } });
    expect(await whose(withMember(ann.id))).toEqual([ann.id]);
    expect(await whose(live)).toEqual(expect.arrayContaining([ann.id, bob.id]));
    // In a transaction of several statements, and on a connection that has just been a member's.
    const inFrames = await frames.read(withMember(bob.id), async (db) => (await db.rows(find(live))).map((row) => row.whose));
    expect(inFrames).toEqual([bob.id]);
    expect(await whose(live)).toEqual(expect.arrayContaining([ann.id, bob.id]));
  });

  test('shows it no customer, and the events alone that it is paid for', async () => {
    const { frames } = app.composition;
    const scope: Scope = { ...live, member: { memberId: ann.id } };
    const count = (table: string) =>
      statement<{ id: string }>(`member_wall_test_all_${table}`, () =>
        raw(`select ${table === 'event_detail' ? 'event_id' : 'id'} as id from ${table} where ${ofTenant(table)}`),
      );
    expect(await frames.readOnce(scope, count('customer')(scope))).toEqual([]);
    expect(await frames.readOnce(scope, count('event_detail')(scope))).toEqual([]);
    expect(await frames.readOnce(scope, count('event')(scope))).toEqual([{ id: ann.objects['event_id'] }]);
  });

  test('takes no other id for a member', async () => {
    const find = seen('payout', 'member_id');
    for (const memberId of ["' or true --", '', 'x']) {
      const scope: Scope = { ...live, member: { memberId } };
      await expect(app.composition.frames.readOnce(scope, find(scope))).rejects.toThrow('malformed');
    }
  });
});
