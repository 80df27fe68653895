/** Sales beside moves and changes of tier and activity, all at once (docs/decisions/0003-dated-history-from-the-first-change.md). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';

let app: TestApp;
let live: ApiClient;
let sandbox: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  const tenant = await app.newTenant();
  live = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

const SALES = 100;
const CHANGES = 20;

interface Sale {
  occurredAt: string;
  paid: string[];
}

type TierEntry = { validFrom: string | null; membershipTier: string };
type ActivityEntry = { validFrom: string | null; isActive: boolean };

const director = (client: ApiClient) => client.newMember({ membership_tier: 'DIRECTOR' });

/** Sales come from several sides at once, each side one after another. */
async function sell(client: ApiClient, seller: MemberBody, count: number): Promise<Sale[]> {
  const sales: Sale[] = [];
  for (let i = 0; i < count; i++) {
    const answer = await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: seller.id } }));
    if (answer.status !== 201) throw new Error(`not sold: ${answer.text}`);
    const paid = answer.body.commissions.map((line: { user_id: string }) => line.user_id);
    const event = await client.get(`/api/v1/events/${answer.body.event_id}`);
    sales.push({ occurredAt: event.body.occurred_at, paid });
  }
  return sales;
}

async function batch(client: ApiClient, seller: MemberBody, count: number): Promise<Sale[]> {
  const events = Array.from({ length: count }, () => ({
    kind: 'purchase',
    ...client.purchaseBody({ attribution: { user_id: seller.id } }),
  }));
  const answer = await client.post('/api/v1/events/batch', { events });
  if (answer.status !== 207) throw new Error(`not sold: ${answer.text}`);
  const sales: Sale[] = [];
  for (const { body } of answer.body.results) {
    const event = await client.get(`/api/v1/events/${body.event_id}`);
    sales.push({
      occurredAt: event.body.occurred_at,
      paid: body.commissions.map((line: { user_id: string }) => line.user_id),
    });
  }
  return sales;
}

async function beside(client: ApiClient, seller: MemberBody, change: (index: number) => Promise<void>): Promise<Sale[]> {
  const sides = 8;
  const [, ...sold] = await Promise.all([
    (async () => {
      for (let i = 0; i < CHANGES; i++) await change(i);
    })(),
    ...Array.from({ length: sides }, () => sell(client, seller, (SALES - 12) / sides)),
    ...Array.from({ length: 4 }, () => batch(client, seller, 3)),
  ]);
  return sold.flat();
}

/** The value of the entry that holds at the time: half-open, the last of equal ones. */
function asOf<Entry extends { validFrom: string | null }>(entries: readonly Entry[], at: string): Entry | undefined {
  return entries.findLast(({ validFrom }) => validFrom === null || Date.parse(validFrom) <= Date.parse(at));
}

const historyOf = async (client: ApiClient, member: MemberBody) =>
  (await client.get(`/api/v1/members/${member.id}/history`)).body;

test.each(['LIVE', 'SANDBOX'])('a sale pays who was the sponsor at its time, %s', async (environment) => {
  const client = environment === 'LIVE' ? live : sandbox;
  const sponsors = [await director(client), await director(client)];
  const seller = await client.newMember({ membership_tier: 'DIRECTOR', parent_id: sponsors[0]?.id });
  const answered = [{ sponsorId: sponsors[0]?.id, validFrom: null as string | null }];
  const sales = await beside(client, seller, async (index) => {
    const sponsorId = sponsors[(index + 1) % 2]?.id;
    const answer = await client.post(`/api/v1/members/${seller.id}/sponsor`, { sponsorId });
    if (answer.status !== 200) throw new Error(`not moved: ${answer.text}`);
    answered.push({ sponsorId, validFrom: answer.body.effectiveAt });
  });
  const moved = answered.flatMap(({ validFrom }) => validFrom ?? []);
  expect(moved).toEqual([...new Set(moved)].toSorted());
  const wrong = sales.filter(({ occurredAt, paid }) => paid[1] !== asOf(answered, occurredAt)?.sponsorId);
  expect(wrong).toEqual([]);
  expect(sales).toHaveLength(SALES);
});

test('a sale pays by the tier of its time', async () => {
  const sponsor = await director(live);
  const seller = await live.newMember({ membership_tier: 'DIRECTOR', parent_id: sponsor.id });
  const sales = await beside(live, seller, async (index) => {
    const answer = await live.patch(`/api/v1/users/${sponsor.id}`, {
      membership_tier: index % 2 === 0 ? 'ORDINARY' : 'DIRECTOR',
    });
    if (answer.status !== 200) throw new Error(`not changed: ${answer.text}`);
  });
  const { tier } = await historyOf(live, sponsor);
  // An ordinary member is paid for its own level alone.
  const wrong = sales.filter(
    ({ occurredAt, paid }) => paid.includes(sponsor.id) !== (asOf<TierEntry>(tier, occurredAt)?.membershipTier === 'DIRECTOR'),
  );
  expect(wrong).toEqual([]);
});

test('a sale pays who was active at its time', async () => {
  const sponsor = await director(live);
  const seller = await live.newMember({ membership_tier: 'DIRECTOR', parent_id: sponsor.id });
  const sales = await beside(live, seller, async (index) => {
    const answer = await live.patch(`/api/v1/users/${sponsor.id}`, { is_active: index % 2 === 1 });
    if (answer.status !== 200) throw new Error(`not changed: ${answer.text}`);
  });
  const { activity } = await historyOf(live, sponsor);
  const wrong = sales.filter(
    ({ occurredAt, paid }) => paid.includes(sponsor.id) !== asOf<ActivityEntry>(activity, occurredAt)?.isActive,
  );
  expect(wrong).toEqual([]);
});

test('in a frozen SANDBOX what comes after the change is of the change', async () => {
  const tenant = await app.newTenant();
  const client = apiClient(app, tenant.sandboxKey);
  const [from, to] = [await director(client), await director(client)];
  const seller = await client.newMember({ membership_tier: 'DIRECTOR', parent_id: from.id });
  const frozenAt = new Date(Date.now() + 60_000).toISOString();
  expect((await client.post('/api/v1/sandbox/clock', { frozenAt })).status).toBe(200);
  const move = await client.post(`/api/v1/members/${seller.id}/sponsor`, { sponsorId: to.id });
  expect(move.body.effectiveAt).toBe(frozenAt);
  const [sale] = await sell(client, seller, 1);
  expect(sale).toEqual({ occurredAt: frozenAt, paid: [seller.id, to.id] });
});
