/** Clicks are forgotten 400 days after they came, whatever the clock of a SANDBOX says. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { clicksOf, plantLink } from './plant-link.ts';

let app: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
});
afterAll(() => app.close());

/** Clicks of these ages, whose ids are of that time. */
async function plantClicks(scope: Scope, ages: string[]): Promise<void> {
  const key = scope.environment === 'LIVE' ? tenant.liveKey : tenant.sandboxKey;
  const member = await apiClient(app, key).newMember();
  const link = await plantLink(app, scope, { memberId: member.id });
  await app.database.asSuperuser(
    `insert into referral_click (tenant_id, environment, id, link_id, member_id, kind, clicked_at)
     select $1, $2, uuidv7(-age.value::interval), $3, $4, 'redirect', now() - age.value::interval
     from unnest($5::text[]) age(value)`,
    [scope.tenantId, scope.environment, link.id, member.id, ages],
  );
}

const agesOf = async (scope: Scope): Promise<number[]> =>
  (await clicksOf(app, scope)).map(({ clicked_at }) => Math.round((Date.now() - clicked_at.getTime()) / 86_400_000));

test('in both environments, and no younger ones', async () => {
  const scopes = (['LIVE', 'SANDBOX'] as const).map((environment): Scope => ({ tenantId: tenant.tenantId, environment }));
  for (const scope of scopes) {
    await plantClicks(scope, ['900 days', '401 days', '400 days 1 minute', '399 days 23 hours 59 minutes', '1 day']);
  }
  expect(await app.runSweep('forget-clicks')).toBe(6);
  for (const scope of scopes) expect(await agesOf(scope)).toEqual([400, 1]);
  expect(await app.runSweep('forget-clicks')).toBe(0);
});

test('by the real clock, though that of the SANDBOX is ahead', async () => {
  const scope: Scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' };
  await plantClicks(scope, ['1 day', '500 days']);
  const answer = await apiClient(app, tenant.sandboxKey).post('/api/v1/sandbox/clock', { frozenAt: '2100-01-01T00:00:00Z' });
  expect(answer.status).toBe(200);
  expect(await agesOf(scope)).toEqual([1]);
});

test('a batch after the other, by several workers at once, each click once', async () => {
  const scope: Scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  await plantClicks(scope, ['3 days', ...Array.from({ length: 2_300 }, (_, i) => `${401 + (i % 50)} days`)]);
  const counts = await Promise.all([1, 2, 3].map(() => app.runSweep('forget-clicks', scope)));
  const rest = await app.runSweep('forget-clicks', scope);
  expect(counts.reduce((sum, count) => sum + count, rest)).toBe(2_300);
  expect(await agesOf(scope)).toEqual([3]);
});

test.each([
  ['90', [90, 1], []],
  ['500', [500, 450, 90, 1], [401]],
])('after CLICK_RETENTION_DAYS=%s, where that is set', async (days, ofLive, ofSandbox) => {
  const other = await startTestApp({ CLICK_RETENTION_DAYS: days }, app.database);
  try {
    const scopes = (['LIVE', 'SANDBOX'] as const).map((environment): Scope => ({ tenantId: tenant.tenantId, environment }));
    const [live, sandbox] = scopes as [Scope, Scope];
    await plantClicks(live, ['900 days', '499 days 23 hours', '450 days', '89 days 23 hours', '1 day']);
    await plantClicks(sandbox, ['401 days']);
    await other.runSweep('forget-clicks');
    expect([await agesOf(live), await agesOf(sandbox)]).toEqual([ofLive, ofSandbox]);
    expect(await other.runSweep('forget-clicks')).toBe(0);
  } finally {
    await other.close();
  }
});
