/** GET /members/{userId}/history: a member's tiers, activity and sponsors over time. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { newUpline } from '../../support/money/model-upline.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

const historyOf = async (id: string | undefined) => (await client.get(`/api/v1/members/${id}/history`)).body;

test('a member without changes has one entry each, since always', async () => {
  const [member, sponsor] = await newUpline(client, 's D');
  const { body: status } = await client.get(`/api/v1/users?parent_id=${sponsor?.id}`);
  const created = status.data[0].created_at;
  expect(await historyOf(member?.id)).toEqual({
    userId: member?.id,
    tier: [{ membershipTier: 'SENIOR', validFrom: null, recordedAt: created, reason: null }],
    activity: [{ isActive: false, validFrom: null, recordedAt: created, reason: null }],
    sponsor: [{ sponsorId: sponsor?.id, validFrom: null, recordedAt: created, reason: null }],
    group: [{ group: 'default', validFrom: null, recordedAt: created, reason: null }],
    standing: [{ standing: 'approved', validFrom: null, recordedAt: created, reason: null }],
  });
  expect((await historyOf(sponsor?.id)).sponsor).toEqual([
    { sponsorId: null, validFrom: null, recordedAt: expect.any(String), reason: null },
  ]);
});

test('entries come oldest first, whatever order they were recorded in, and the first one stays what it was', async () => {
  const [member, sponsor] = await newUpline(client, 'O O');
  const { tier: before } = await historyOf(member?.id);
  const tiers: [string, string][] = [
    ['MANAGER', '2026-05-01T00:00:00.000Z'],
    ['SENIOR', '2026-03-01T00:00:00.000Z'],
    ['DIRECTOR', '2026-05-01T00:00:00.000Z'],
  ];
  for (const [tier, at] of tiers) {
    await client.patch(`/api/v1/users/${member?.id}`, { membership_tier: tier, effective_at: at, reason: `to ${tier}` });
  }
  await client.patch(`/api/v1/users/${member?.id}`, { is_active: false, effective_at: '2026-04-01T00:00:00Z' });
  await client.post(`/api/v1/members/${member?.id}/sponsor`, {
    sponsorId: null,
    effectiveAt: '2026-02-01T00:00:00Z',
    reason: 'left',
  });
  const { tier, activity, sponsor: sponsors } = await historyOf(member?.id);
  const plain = (entry: Record<string, unknown>) => [entry['membershipTier'], entry['validFrom'], entry['reason']];
  expect(tier[0]).toEqual(before[0]);
  expect(tier.map(plain)).toEqual([
    ['ORDINARY', null, null],
    ['SENIOR', '2026-03-01T00:00:00.000Z', 'to SENIOR'],
    ['MANAGER', '2026-05-01T00:00:00.000Z', 'to MANAGER'],
    ['DIRECTOR', '2026-05-01T00:00:00.000Z', 'to DIRECTOR'], // of one instant the last recorded comes last, and counts
  ]);
  expect(activity.map((entry: { isActive: boolean }) => entry.isActive)).toEqual([true, false]);
  expect(sponsors).toMatchObject([
    { sponsorId: sponsor?.id, validFrom: null, reason: null },
    { sponsorId: null, validFrom: '2026-02-01T00:00:00.000Z', reason: 'left' },
  ]);
  for (const entry of [...tier.slice(1), activity[1], sponsors[1]]) {
    expect(Date.parse(entry.recordedAt)).toBeGreaterThanOrEqual(Date.parse(before[0].recordedAt));
  }
});

test('nobody there: unknown, of the other environment, of another tenant, all the same 404', async () => {
  const member = await client.newMember();
  const absent = await client.get(`/api/v1/members/${randomUUID()}/history`);
  expectRefusal(absent, 404, 'USER_NOT_FOUND');
  for (const key of [tenant.sandboxKey, (await app.newTenant()).liveKey]) {
    const answer = await apiClient(app, key).get(`/api/v1/members/${member.id}/history`);
    expect([answer.status, answer.text]).toEqual([404, absent.text]);
  }
  expectRefusal(await client.get('/api/v1/members/me/history'), 400, 'VALIDATION_ERROR', ['userId']);
  expectRefusal(await client.get(`/api/v1/members/${member.id}/history?from=1`), 400, 'VALIDATION_ERROR', ['from']);
});
