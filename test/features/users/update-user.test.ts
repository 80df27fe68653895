/** PATCH /users/{user_id}: dated history of tier and activity (docs/specification/hierarchy.md#changes). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(async () => {
  await expectCleanBooks(app); // H-1: each member is the latest of its history
  await app.close();
});

const patch = (member: MemberBody, body: object) => client.patch(`/api/v1/users/${member.id}`, body);

/** `tier from` pairs as kept, oldest first; -infinity is the value since always. */
async function tierHistory(member: MemberBody): Promise<string[]> {
  const rows = await app.database.asSuperuser<{ row: string }>(
    `select membership_tier || ' ' || to_char(valid_from at time zone 'UTC', 'YYYY-MM-DD') || coalesce(' ' || reason, '') as row
     from member_tier_history where member_id = $1 and isfinite(valid_from)
     union all select membership_tier || ' always' from member_tier_history where member_id = $1 and not isfinite(valid_from)
     order by 1`,
    [member.id],
  );
  return rows.map((row) => row.row);
}

test('changes the flags and the tier, and answers with the whole member', async () => {
  const member = await client.newMember({ name: 'Ann' });
  const answer = await patch(member, { is_active: false, can_recruit: false, membership_tier: 'MANAGER' });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    ...member,
    is_active: false,
    can_recruit: false,
    membership_tier: 'MANAGER',
    updated_at: expect.any(String),
  });
  expect(Date.parse(answer.body.updated_at)).toBeGreaterThan(Date.parse(answer.body.created_at));
  const status = await client.get(`/api/v1/users/status?user_id=${member.id}`);
  expect(status.body).toMatchObject({ is_active: false, can_recruit: false, membership_tier: 'MANAGER' });
});

test('leaves alone what is not named', async () => {
  const member = await client.newMember({ membership_tier: 'SENIOR', is_active: false });
  expect((await patch(member, { can_recruit: false })).body).toMatchObject({
    membership_tier: 'SENIOR',
    is_active: false,
    can_recruit: false,
  });
  expect((await patch(member, { is_active: true })).body).toMatchObject({ membership_tier: 'SENIOR', can_recruit: false });
});

describe('history', () => {
  test('the first change keeps the former value from always, with the reason on the new one', async () => {
    const member = await client.newMember();
    await patch(member, { membership_tier: 'SENIOR', effective_at: '2026-03-01T00:00:00Z', reason: 'exam' });
    expect(await tierHistory(member)).toEqual(['ORDINARY always', 'SENIOR 2026-03-01 exam']);
  });

  test('a change back-dated before a later one is recorded and leaves the current value', async () => {
    const member = await client.newMember();
    await patch(member, { membership_tier: 'SENIOR', effective_at: '2026-03-01T00:00:00Z' });
    const answer = await patch(member, { membership_tier: 'DIRECTOR', effective_at: '2026-02-01T00:00:00Z' });
    expect(answer.body.membership_tier).toBe('SENIOR');
    expect(await tierHistory(member)).toEqual(['DIRECTOR 2026-02-01', 'ORDINARY always', 'SENIOR 2026-03-01']);
    expect((await patch(member, { membership_tier: 'MANAGER', effective_at: '2026-04-01T00:00:00Z' })).body.membership_tier).toBe(
      'MANAGER',
    );
  });

  test('the same for activity', async () => {
    const member = await client.newMember();
    expect((await patch(member, { is_active: false, effective_at: '2026-03-01T00:00:00Z' })).body.is_active).toBe(false);
    expect((await patch(member, { is_active: true, effective_at: '2026-02-01T00:00:00Z' })).body.is_active).toBe(false);
    expect((await patch(member, { is_active: true, effective_at: '2026-04-01T00:00:00Z' })).body.is_active).toBe(true);
  });

  test('a dated change to the value a member has now is recorded too', async () => {
    const member = await client.newMember({ membership_tier: 'SENIOR' });
    await patch(member, { membership_tier: 'ORDINARY' });
    await patch(member, { membership_tier: 'ORDINARY', effective_at: '2026-02-01T00:00:00Z' });
    expect((await tierHistory(member)).slice(0, 1)).toEqual(['ORDINARY 2026-02-01']);
  });

  test('no change, no history', async () => {
    const member = await client.newMember();
    await patch(member, { membership_tier: 'ORDINARY', is_active: true });
    await patch(member, { can_recruit: false });
    expect(await tierHistory(member)).toEqual([]);
  });

  test('of concurrent changes every one is recorded and the member is one of them', async () => {
    const member = await client.newMember();
    const tiers = ['SENIOR', 'MANAGER', 'DIRECTOR', 'SENIOR', 'MANAGER', 'DIRECTOR'];
    const answers = await Promise.all(
      tiers.map((tier, index) => patch(member, { membership_tier: tier, effective_at: `2026-03-0${index + 1}T00:00:00Z` })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(tiers.map(() => 200));
    expect(await tierHistory(member)).toHaveLength(7); // 'always' once
    const status = await client.get(`/api/v1/users/status?user_id=${member.id}`);
    expect(status.body.membership_tier).toBe('DIRECTOR'); // of 6 March, whoever came last
  });
});

describe('refused', () => {
  test.each<[label: string, body: object, named: string[] | undefined]>([
    ['an empty body', {}, undefined],
    ['a reason without a change', { reason: 'why' }, undefined],
    ['a date without a change', { effective_at: '2026-03-01T00:00:00Z' }, undefined],
    ['an unknown tier', { membership_tier: 'BARON' }, ['membership_tier']],
    ['a field that cannot be changed', { is_active: true, referral_code: 'ADA' }, ['referral_code']],
    ['a reason of 501 characters', { is_active: false, reason: 'x'.repeat(501) }, ['reason']],
    ['a date without a zone', { is_active: false, effective_at: '2026-03-01T00:00:00' }, ['effective_at']],
    ['the year 0', { is_active: false, effective_at: '0000-03-01T00:00:00Z' }, ['effective_at']],
    ['a zone that does not exist', { is_active: false, effective_at: '2026-03-01T00:00:00-18:00' }, ['effective_at']],
  ])('%s is a 400', async (_label, body, named) => {
    expectRefusal(await patch(await client.newMember(), body), 400, 'VALIDATION_ERROR', named);
  });

  test('a change in the future, by the database’s clock; nothing of it is applied', async () => {
    const member = await client.newMember();
    const soon = new Date(Date.now() + 5_000).toISOString();
    const answer = await patch(member, { membership_tier: 'SENIOR', can_recruit: false, effective_at: soon });
    expectRefusal(answer, 400, 'VALIDATION_ERROR', ['effective_at']);
    const status = await client.get(`/api/v1/users/status?user_id=${member.id}`);
    expect(status.body).toMatchObject({ membership_tier: 'ORDINARY', can_recruit: true });
  });

  test('nobody there: unknown, of the other environment, of another tenant, all the same 404', async () => {
    const member = await client.newMember();
    const others = [apiClient(app, tenant.sandboxKey), apiClient(app, (await app.newTenant()).liveKey)];
    const absent = await client.patch(`/api/v1/users/${randomUUID()}`, { is_active: false });
    expectRefusal(absent, 404, 'USER_NOT_FOUND');
    for (const other of others) {
      const answer = await other.patch(`/api/v1/users/${member.id}`, { is_active: false });
      expect([answer.status, answer.text]).toEqual([404, absent.text]);
    }
    expect((await client.get(`/api/v1/users/status?user_id=${member.id}`)).body.is_active).toBe(true);
    expectRefusal(await client.patch('/api/v1/users/me', { is_active: false }), 400, 'VALIDATION_ERROR', ['user_id']);
  });
});
