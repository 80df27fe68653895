/** GET /members/{userId}/team-stats. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { joinedAt, recountDownline } from '../../support/tree/downline-books.ts';

let app: TestApp;
let tenant: TestTenant;
let live: Scope;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant({ timeZone: 'America/New_York' });
  live = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

async function read(member: MemberBody | undefined, query = ''): Promise<Record<string, unknown>> {
  const answer = await client.get(`/api/v1/members/${member?.id}/team-stats${query}`);
  expect(answer.status).toBe(200);
  return answer.body as Record<string, unknown>;
}

async function sell(by: MemberBody | undefined, occurredAt: string, amountMinor = 10_000): Promise<string> {
  const { status, body } = await client.post(
    '/api/v1/events/purchase',
    client.purchaseBody({ attribution: { user_id: by?.id }, amount_minor: amountMinor, occurred_at: occurredAt }),
  );
  expect(status).toBe(201);
  return body.external_event_id;
}

const refund = (external: string, amountMinor?: number) =>
  client.post('/api/v1/events/refund', {
    external_event_id: randomUUID(),
    purchase_external_event_id: external,
    amount_minor: amountMinor,
  });

test('a member alone', async () => {
  const nothing = {
    teamSize: 0,
    directReferrals: 0,
    activeMembers: 0,
    newMembers: 0,
    commission: 0,
    commissions: 0,
    byLevel: [],
  };
  const member = await client.newMember();
  const where = { currency: 'USD', timeZone: 'America/New_York' };
  expect(await read(member)).toEqual({ ...nothing, ...where, period: 'all' });
  expect(await read(member, '?period=2026-01&currency=JPY')).toEqual({
    ...nothing,
    ...where,
    currency: 'JPY',
    period: '2026-01',
  });
});

test('the team today, who joined in the period, and what its sales of the period earned the member', async () => {
  const [leaf, mid, top] = await newUpline(client, 'd D D');
  const second = await client.newMember({ parent_id: top?.id });
  // New Year and the end of January in New York.
  await joinedAt(app, {
    [leaf?.id ?? '']: '2026-01-01T05:00:00Z',
    [mid?.id ?? '']: '2026-02-01T04:59:59.999Z',
    [second.id]: '2026-02-01T05:00:00Z',
  });
  await recountDownline(app, live);
  const team = { teamSize: 3, directReferrals: 2, activeMembers: 2 };
  const thirds = { level: 3, amount: 5, count: 1 };
  await sell(leaf, '2026-01-01T05:00:00Z'); // inactive and skipped: top is paid 5.00 at level 3
  await sell(mid, '2026-02-01T04:59:59.999Z', 20_000); // 10.00 at level 2
  await sell(top, '2026-01-15T00:00:00Z'); // level 1 is no team's
  const later = await sell(mid, '2026-02-01T05:00:00Z');
  const gone = await sell(mid, '2026-02-02T00:00:00Z');
  await refund(gone);
  const check = async () => {
    expect(await read(top, '?period=2026-01')).toEqual({
      ...team,
      newMembers: 2,
      commission: 15,
      commissions: 2,
      byLevel: [{ level: 2, amount: 10, count: 1 }, thirds],
      period: '2026-01',
      currency: 'USD',
      timeZone: 'America/New_York',
    });
    expect(await read(top, '?period=2026-02')).toMatchObject({
      ...team,
      newMembers: 1,
      commission: 5,
      commissions: 1,
      byLevel: [{ level: 2, amount: 5, count: 1 }],
    });
    expect(await read(top, '?period=2025-12')).toMatchObject({
      ...team,
      newMembers: 0,
      commission: 0,
      commissions: 0,
      byLevel: [],
    });
    expect(await read(top)).toMatchObject({
      ...team,
      newMembers: 3,
      commission: 20,
      commissions: 3,
      byLevel: [{ level: 2, amount: 15, count: 2 }, thirds],
    });
    expect(await read(mid)).toMatchObject({ teamSize: 1, directReferrals: 1, activeMembers: 0, commission: 10, commissions: 1 });
  };
  await check();
  await app.runSweep('fold-commissions', live);
  await check();
  // A partial refund is a line of its own.
  await refund(later, 5_000);
  expect(await read(top, '?period=2026-02')).toMatchObject({ commission: 2.5, commissions: 2 });
});

test('in another zone than the rollups and counts are kept in, and with what is not yet folded', async () => {
  const [mid, top] = await newUpline(client, 'D D');
  await joinedAt(app, { [mid?.id ?? '']: '2026-02-01T04:59:59Z' });
  await recountDownline(app, live);
  await sell(mid, '2026-02-01T04:59:59Z');
  await app.runSweep('fold-commissions', live);
  expect(await read(top, '?period=2026-01')).toMatchObject({ newMembers: 1, commission: 5 });
  await app.database.asSuperuser("update tenant set reporting_time_zone = 'UTC' where id = $1", [tenant.tenantId]);
  expect(await read(top, '?period=2026-01')).toMatchObject({ newMembers: 0, commission: 0 });
  expect(await read(top, '?period=2026-02')).toMatchObject({ newMembers: 1, commission: 5, timeZone: 'UTC' });
  await recountDownline(app, live);
  await app.runSweep('fold-commissions', live);
  await app.database.asSuperuser(
    `insert into downline_pending (tenant_id, environment, member_id, ancestor_ids, delta, active_delta, sponsor_id, sponsor_delta, joined_at)
     values ($1, 'LIVE', uuidv7(), array[$2]::uuid[], 1, 1, $2, 1, '2026-02-28T23:59:59Z'), ($1, 'LIVE', uuidv7(), array[$2]::uuid[], 0, -1, null, 0, null)`,
    [tenant.tenantId, top?.id],
  );
  expect(await read(top, '?period=2026-02')).toMatchObject({ teamSize: 2, directReferrals: 2, activeMembers: 1, newMembers: 2 });
  expect(await read(top, '?period=2026-03')).toMatchObject({ teamSize: 2, newMembers: 0 });
  expect(await read(top)).toMatchObject({ newMembers: 2 });
});

test('refused: an unknown period or currency, an unknown parameter, a malformed id, nobody', async () => {
  const { id } = await client.newMember();
  const path = `/api/v1/members/${id}/team-stats`;
  expectRefusal(await client.get(`${path}?period=2026-13`), 400, 'VALIDATION_ERROR', ['period']);
  expectRefusal(await client.get(`${path}?currency=qqq`), 400, 'VALIDATION_ERROR', ['currency']);
  expectRefusal(await client.get(`${path}?year=2026`), 400, 'VALIDATION_ERROR', ['year']);
  expectRefusal(await client.get('/api/v1/members/me/team-stats'), 400, 'VALIDATION_ERROR', ['userId']);
  expectRefusal(await client.get(`/api/v1/members/${randomUUID()}/team-stats`), 404, 'USER_NOT_FOUND');
});
