/** GET /admin/overview: the totals of a tenant, before and behind the folds, for those who may see the parts (docs/specification/overview.md). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { joinedAt, recountDownline } from '../../support/tree/downline-books.ts';
import { countAnew, plantMembers } from '../../support/tree/plant-tree.ts';
import { plantEndpoint } from '../../support/webhooks/plant-webhooks.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let scope: { tenantId: string; environment: 'LIVE' };

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
});
afterAll(() => app.close());

interface Sums {
  pending: number;
  cleared: number;
  processing: number;
  paid: number;
}

interface Overview {
  from: string;
  to: string;
  currency: string;
  commissions: (Sums & { months: (Sums & { month: string })[] }) | null;
  members: { joined: number; months: { month: string; joined: number }[] } | null;
  waiting: Record<string, number | null>;
}

async function read(query = '', by = client): Promise<Overview> {
  const answer = await by.get(`/api/v1/admin/overview?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Overview;
}

const thisMonth = () => new Date().toISOString().slice(0, 7);

describe('commissions', () => {
  test('are those of the list, by status and month, before they are folded and behind it, and built anew', async () => {
    const root = await client.newMember({ membership_tier: 'DIRECTOR' });
    const seller = await client.newMember({ membership_tier: 'DIRECTOR', parent_id: root.id });
    const sell = async (occurredAt: string | undefined, amount: number) => {
      const body = client.purchaseBody({
        attribution: { user_id: seller.id },
        amount_minor: amount,
        ...(occurredAt && { occurred_at: occurredAt }),
      });
      const answer = await client.post('/api/v1/events/purchase', body);
      expect(answer.status, answer.text).toBe(201);
      return answer.body;
    };
    const month = thisMonth();
    const [year = 0, of = 1] = month.split('-').map(Number);
    const before = new Date(Date.UTC(year, of - 2, 15)).toISOString();
    const sales = [await sell(undefined, 12_345), await sell(before, 5_000), await sell(undefined, 777)];
    await client.post('/api/v1/events/refund', {
      external_event_id: `refund-${sales[0].event_id}`,
      purchase_external_event_id: sales[0].external_event_id,
      amount_minor: 4_000,
    });
    const lines = await app.database.asSuperuser<{ month: string; status: string; amount: number }>(
      `select to_char(l.occurred_at at time zone t.reporting_time_zone, 'YYYY-MM') as month,
              case l.status when 'held' then 'pending' else l.status end as status, sum(l.amount_minor)::float8 as amount
       from commission_line l join tenant t on t.id = l.tenant_id
       where l.tenant_id = $1 and l.status <> 'reversed' group by 1, 2`,
      [tenant.tenantId],
    );
    expect(lines.length).toBeGreaterThan(1);
    const expectSame = async (what: string) => {
      const { commissions, to } = await read();
      expect(to, what).toBe(month);
      expect(commissions?.months, what).toHaveLength(12);
      for (const { month: shown, ...sums } of commissions?.months ?? []) {
        for (const [status, amount] of Object.entries(sums)) {
          const line = lines.find((row) => row.month === shown && row.status === status);
          expect(Math.round(amount * 100), `${what}: ${shown} ${status}`).toBe(line?.amount ?? 0);
        }
      }
      for (const status of ['pending', 'cleared'] as const) {
        const sum = lines.reduce((total, row) => (row.status === status ? total + row.amount : total), 0);
        expect(Math.round((commissions?.[status] ?? Number.NaN) * 100), `${what}: ${status}`).toBe(sum);
      }
    };
    await expectSame('unfolded');
    await app.runSweep('fold-commissions', scope);
    await expectSame('folded');
    await app.database.asSuperuser('update tenant set reporting_time_zone = $2 where id = $1', [tenant.tenantId, 'UTC']);
    await app.database.asSuperuser("update rollup_state set time_zone = 'Asia/Tokyo' where tenant_id = $1", [tenant.tenantId]);
    await app.runSweep('fold-commissions', scope);
    await expectSame('built anew');
    expect((await read('currency=EUR')).commissions?.pending).toBe(0);
  });
});

describe('members', () => {
  const plant = async (): Promise<string[]> => {
    const ids: string[] = [];
    for (let i = 0; i < 6; i++) {
      const parent = [null, 0, 1, null, 3, 1][i];
      ids.push((await client.newMember(parent === null || parent === undefined ? {} : { parent_id: ids[parent] })).id);
    }
    return ids;
  };

  test('count by the month they joined in, before and behind the fold and when they move', async () => {
    const ids = await plant();
    const now = async () => (await read(`from=${thisMonth()}`)).members?.joined;
    expect(await now()).toBe(6);
    await app.runSweep('fold-downline', scope);
    expect(await now()).toBe(6);
    const move = (id: string | undefined, sponsorId: string | null | undefined) =>
      client.post(`/api/v1/members/${id}/sponsor`, { sponsorId });
    for (const [member, sponsor] of [
      [ids[1], null],
      [ids[3], ids[1]],
      [ids[1], ids[0]],
    ] as const) {
      expect((await move(member, sponsor)).status).toBe(200);
      expect(await now(), 'moved').toBe(6);
      await app.runSweep('fold-downline', scope);
      expect(await now(), 'moved and folded').toBe(6);
    }
    await joinedAt(app, { [ids[0] ?? '']: '2026-02-28T12:00:00Z', [ids[5] ?? '']: '2026-03-01T12:00:00Z' });
    await recountDownline(app, scope);
    expect((await read('from=2026-01&to=2026-04')).members).toEqual({
      joined: 2,
      months: [
        { month: '2026-01', joined: 0 },
        { month: '2026-02', joined: 1 },
        { month: '2026-03', joined: 1 },
        { month: '2026-04', joined: 0 },
      ],
    });
    expect(await now()).toBe(4);
  });

  test('of a thousand trees and more are counted alike', async () => {
    await plantMembers(app, tenant, { count: 1_010, sponsor: 'null::int', joined: 'n * 60 * 24' });
    await countAnew(app, tenant);
    const { members } = await read('from=2026-03&to=2026-04');
    expect(members?.months).toEqual([
      { month: '2026-03', joined: 30 },
      { month: '2026-04', joined: 30 },
    ]);
  });
});

describe('what waits', () => {
  test('is counted, and nothing of it elsewhere', async () => {
    const none = {
      kycReviews: 0,
      heldCommissions: 0,
      blockedPayouts: 0,
      failedPayouts: 0,
      runsToApprove: 0,
      runsToExecute: 0,
      pendingChanges: 0,
      failingEndpoints: 0,
    };
    expect((await read()).waiting).toEqual(none);
    const seller = await client.newMember({ membership_tier: 'DIRECTOR' });
    const sold = await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: seller.id } }));
    await client.post('/api/v1/events/chargeback', {
      external_event_id: `opened-${sold.body.event_id}`,
      purchase_external_event_id: sold.body.external_event_id,
      dispute_id: 'd-1',
      stage: 'opened',
    });
    const held = await read();
    expect(held.waiting).toEqual({ ...none, heldCommissions: sold.body.commissions.length });
    expect(sold.body.commissions.length).toBeGreaterThan(0);
    const drafted = await client.post('/api/v1/payout-runs', { currency: 'USD' });
    expect(drafted.status, drafted.text).toBe(201);
    expect((await read()).waiting).toMatchObject({ runsToApprove: 1 });
    for (const key of [tenant.sandboxKey, (await app.newTenant()).liveKey]) {
      const other = await read('', apiClient(app, key));
      expect([other.waiting, other.members?.joined, other.commissions?.pending]).toEqual([none, 0, 0]);
    }
  });

  test('of endpoints are those that fail, and those that were disabled because of that', async () => {
    const state = async (url: string, set: string, of: { tenantId: string; environment: 'LIVE' | 'SANDBOX' } = scope) => {
      const { id } = await plantEndpoint(app, of, { url });
      await app.database.asSuperuser(`update webhook_endpoint set ${set} where id = $1`, [id]);
    };
    const failing = 'failing_since = now()';
    const off = (reason: string) => `enabled = false, disabled_at = now(), disabled_reason = '${reason}'`;
    await state('https://works.example/', 'failing_since = null');
    await state('https://by-hand.example/', `${failing}, ${off('by_hand')}`);
    expect((await read()).waiting['failingEndpoints']).toBe(0);
    await state('https://deleted.example/', `${failing}, enabled = false, deleted_at = now(), secret_sealed = null`);
    await state('https://sandbox.example/', failing, { ...scope, environment: 'SANDBOX' });
    await state('https://other.example/', failing, { ...scope, tenantId: (await app.newTenant()).tenantId });
    expect((await read()).waiting['failingEndpoints']).toBe(0);
    await state('https://fails.example/', failing);
    await state('https://gone.example/', off('gone'));
    await state('https://failed.example/', `${failing}, ${off('failing')}`);
    expect((await read()).waiting['failingEndpoints']).toBe(3);
    expect((await read('', apiClient(app, tenant.sandboxKey))).waiting['failingEndpoints']).toBe(1);
  });

  test('and each part is there for who may list it', async () => {
    const partsFor = async (scopes: string[]) => {
      const made = await client.post('/api/v1/admin/api-keys', { scopes });
      const { commissions, members, waiting } = await read('', apiClient(app, made.body.apiKey));
      const seen = Object.entries({ commissions, members, ...waiting }).filter(([, part]) => part !== null);
      return seen.map(([name]) => name);
    };
    expect(await partsFor(['plans:read'])).toEqual(['pendingChanges']);
    expect(await partsFor(['members:read'])).toEqual(['members', 'pendingChanges']);
    expect(await partsFor(['commissions:read'])).toEqual(['commissions', 'heldCommissions', 'pendingChanges']);
    expect(await partsFor(['admin:kyc'])).toEqual(['kycReviews', 'pendingChanges']);
    expect(await partsFor(['webhooks:read'])).toEqual(['pendingChanges', 'failingEndpoints']);
    expect(await partsFor(['payouts:read'])).toEqual([
      'blockedPayouts',
      'failedPayouts',
      'runsToApprove',
      'runsToExecute',
      'pendingChanges',
    ]);
  });
});

test('the months end at the latest that is taken, and begin at the earliest', async () => {
  const { from, members } = await read('to=1970-02');
  expect([from, members?.months.length]).toEqual(['1970-01', 2]);
  expect(await read('from=9999-11&to=9999-12')).toMatchObject({ from: '9999-11', to: '9999-12' });
});

test('months that are none, too many or the wrong way round are 400', async () => {
  for (const [query, field] of [
    ['from=2026-13', 'from'],
    ['from=2026-03&to=2026-02', 'from'],
    ['from=2020-01&to=2026-01', 'from'],
    ['currency=us', 'currency'],
  ] as const) {
    expectRefusal(await client.get(`/api/v1/admin/overview?${query}`), 400, 'VALIDATION_ERROR', [field]);
  }
  expect((await read('from=2021-02&to=2026-01')).commissions?.months).toHaveLength(60);
});
