/** Golden scenario (c): a sponsor moved between the sale and its ingestion (docs/specification/hierarchy.md#as-of). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { type CommissionBody, newUpline, paidTo } from '../../support/money/model-upline.ts';

let app: TestApp;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  client = apiClient(app, (await app.newTenant()).liveKey);
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

async function move(member: MemberBody | undefined, sponsor: MemberBody | undefined, effectiveAt?: string): Promise<void> {
  const body = { sponsorId: sponsor?.id ?? null, ...(effectiveAt === undefined ? {} : { effectiveAt }) };
  const answer = await client.post(`/api/v1/members/${member?.id}/sponsor`, body);
  if (answer.status !== 200) throw new Error(`not moved: ${answer.text}`);
}

async function commissionsOf(fields: object): Promise<CommissionBody[]> {
  const answer = await client.post('/api/v1/events/purchase', client.purchaseBody(fields));
  expect(answer.status).toBe(201);
  return answer.body.commissions;
}

/** Whom a sale of the seller pays beside the seller: the names of those above, nearest first. */
async function paidAbove(seller: MemberBody | undefined, names: Record<string, MemberBody | undefined>, occurredAt?: string) {
  const when = occurredAt === undefined ? {} : { occurred_at: occurredAt };
  const lines = await commissionsOf({ attribution: { user_id: seller?.id }, ...when });
  const nameOf = (id: string) => Object.entries(names).find(([, member]) => member?.id === id)?.[0] ?? id;
  return lines
    .slice(1)
    .map((line) => nameOf(line.user_id))
    .join(' ');
}

test('a sale before the move pays the former upline, one after it the new one', async () => {
  const [seller, ...former] = await newUpline(client, 'D D D');
  const next = await newUpline(client, 'D D D');
  const saleDate = new Date(Date.now() - 5_000).toISOString();
  await move(seller, next[0]);
  expect(
    paidTo(
      [seller, ...former] as MemberBody[],
      await commissionsOf({ attribution: { user_id: seller?.id }, occurred_at: saleDate }),
    ),
  ).toBe('1/L1:1000 2/L2:500 3/L3:300');
  expect(paidTo([seller, ...next] as MemberBody[], await commissionsOf({ attribution: { user_id: seller?.id } }))).toBe(
    '1/L1:1000 2/L2:500 3/L3:300 4/L4:200',
  );
});

test('the interval is half-open: the instant of the move is the new sponsor’s', async () => {
  const [seller, a] = await newUpline(client, 'D D');
  const b = await client.newMember({ membership_tier: 'DIRECTOR' });
  await move(seller, b, '2026-05-10T12:00:00Z');
  const names = { a, b };
  expect(await paidAbove(seller, names, '2026-05-10T11:59:59.999999Z')).toBe('a');
  expect(await paidAbove(seller, names, '2026-05-10T11:59:59.999Z')).toBe('a');
  expect(await paidAbove(seller, names, '2026-05-10T12:00:00Z')).toBe('b');
  expect(await paidAbove(seller, names, '2026-05-10T14:00:00.000001+02:00')).toBe('b');
});

test('several moves, recorded out of order', async () => {
  const [seller, first] = await newUpline(client, 'D D');
  const [june, april, may, mistake] = [await top(), await top(), await top(), await top()];
  await move(seller, june, '2026-06-01T00:00:00Z');
  await move(seller, april, '2026-04-01T00:00:00Z');
  await move(seller, mistake, '2026-05-01T00:00:00Z');
  await move(seller, may, '2026-05-01T00:00:00Z');
  await move(seller, undefined, '2026-04-15T00:00:00Z');
  const names = { first, april, may, june, mistake };
  const at = (day: string) => paidAbove(seller, names, `2026-${day}T00:00:00Z`);
  expect([await at('03-31'), await at('04-01'), await at('04-14'), await at('04-15'), await at('04-30')]).toEqual([
    'first',
    'april',
    'april',
    '',
    '',
  ]);
  expect([await at('05-01'), await at('05-31'), await at('06-01'), await paidAbove(seller, names)]).toEqual([
    'may',
    'may',
    'june',
    'june',
  ]);
  expect(await at('01-01')).toBe('first');
});

test('a move far up the upline counts as of the sale, and takes the members below it along', async () => {
  const [seller, between, moved, from] = await newUpline(client, 'D D D D');
  const to = await top();
  await move(moved, to, '2026-05-01T00:00:00Z');
  const names = { between, moved, from, to };
  expect(await paidAbove(seller, names, '2026-04-30T23:59:59Z')).toBe('between moved from');
  expect(await paidAbove(seller, names, '2026-05-01T00:00:00Z')).toBe('between moved to');
});

test('a move beyond the first members that are read counts too', async () => {
  // ORDINARY members take plan level 1 only, so the walk goes on to the directors at the top.
  const [seller, ...rest] = await newUpline(client, `${'O'.repeat(20)}D`);
  const [last, from] = rest.slice(-2);
  const to = await top();
  await move(last, to, '2026-05-01T00:00:00Z');
  expect(await paidAbove(seller, { from, to }, '2026-04-30T00:00:00Z')).toBe('from');
  expect(await paidAbove(seller, { from, to }, '2026-05-01T00:00:00Z')).toBe('to');
});

test('a buyer who was moved is credited to the sponsor of the sale date', async () => {
  const [buyer, a] = await newUpline(client, 'D D');
  const b = await top();
  await move(buyer, b, '2026-05-01T00:00:00Z');
  const sponsorAt = async (occurredAt: string) =>
    (await commissionsOf({ buyer_user_id: buyer?.id, occurred_at: occurredAt })).map((line) => line.user_id);
  expect(await sponsorAt('2026-04-30T23:59:59.999Z')).toEqual([a?.id]);
  expect(await sponsorAt('2026-05-01T00:00:00Z')).toEqual([b.id]);
});

test('a repeat keeps its first answer whatever has moved since', async () => {
  const [seller, a] = await newUpline(client, 'D D');
  const body = client.purchaseBody({ attribution: { user_id: seller?.id }, occurred_at: '2026-05-01T00:00:00Z' });
  const first = await client.post('/api/v1/events/purchase', body);
  await move(seller, await top(), '2026-04-01T00:00:00Z');
  const again = await client.post('/api/v1/events/purchase', body);
  expect([again.status, again.text]).toEqual([200, first.text]);
  expect(again.body.commissions[1].user_id).toBe(a?.id);
});

const top = () => client.newMember({ membership_tier: 'DIRECTOR' });
