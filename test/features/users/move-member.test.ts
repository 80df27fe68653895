/** POST /members/{userId}/sponsor: moves in the tree, dated (docs/specification/hierarchy.md#moves). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { newUpline } from '../../support/money/model-upline.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

const move = (member: MemberBody | undefined, body: object, headers?: Record<string, string>) =>
  client.post(`/api/v1/members/${member?.id}/sponsor`, body, headers);

async function parentOf(member: MemberBody | undefined): Promise<string | null> {
  const rows = await app.database.asSuperuser<{ parent_id: string | null }>('select parent_id from member where id = $1', [
    member?.id,
  ]);
  return rows[0]?.parent_id ?? null;
}

/** `sponsor from` of each row kept, oldest first. */
async function sponsorHistory(member: MemberBody | undefined): Promise<[sponsorId: string | null, validFrom: string | null][]> {
  const { body } = await client.get(`/api/v1/members/${member?.id}/history`);
  return body.sponsor.map((entry: { sponsorId: string; validFrom: string }) => [entry.sponsorId, entry.validFrom]);
}

/** How many the pending rows count below each of these members. */
async function counted(members: readonly (MemberBody | undefined)[]): Promise<number[]> {
  const rows = await app.database.asSuperuser<{ id: string; total: number }>(
    'select a.id, sum(delta)::int as total from downline_pending p cross join unnest(p.ancestor_ids) as a(id) group by 1',
  );
  return members.map((member) => rows.find(({ id }) => id === member?.id)?.total ?? 0);
}

describe('a move', () => {
  test('is an entry of the audit log with the two sponsors and without the reason, which is free text', async () => {
    const [member, , top] = await newUpline(client, 'O O O');
    const { body } = await move(member, { sponsorId: top?.id, reason: 'Kim asked for it' });
    const entries = await client.get(`/api/v1/admin/audit-logs?objectId=${member?.id}&action=member.moved`);
    const { sponsorId, formerSponsorId, effectiveAt } = body;
    expect(entries.body.data).toMatchObject([
      {
        actor: { kind: 'api_key', id: expect.any(String) },
        operationId: 'moveMember',
        objectKind: 'member',
        details: { sponsorId, formerSponsorId, effectiveAt },
      },
    ]);
    expect(entries.text).not.toContain('Kim');
    await move(member, { sponsorId: top?.id });
    expect((await client.get(`/api/v1/admin/audit-logs?objectId=${member?.id}&action=member.moved`)).body.data).toHaveLength(1);
  });

  test('takes the downline along, and is counted for those above before and after', async () => {
    const [leaf, mid, moved, from, top] = await newUpline(client, 'O O O O O');
    const to = await client.newMember({ parent_id: top?.id });
    await client.newMember({ parent_id: moved?.id });
    expect(await counted([moved, from, to, top])).toEqual([3, 4, 0, 6]);
    const answer = await move(moved, { sponsorId: to.id, reason: 'new team' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      userId: moved?.id,
      sponsorId: to.id,
      formerSponsorId: from?.id,
      effectiveAt: expect.stringMatching(/^\d{4}-.*Z$/),
      reason: 'new team',
      downlineMoved: 3,
    });
    expect(Math.abs(Date.parse(answer.body.effectiveAt) - Date.now())).toBeLessThan(60_000);
    expect(await parentOf(moved)).toBe(to.id);
    expect(await parentOf(mid)).toBe(moved?.id);
    expect(await counted([mid, leaf, moved, from, to, top])).toEqual([1, 0, 3, 0, 4, 6]);
    const { body } = await client.get(`/api/v1/users?parent_id=${to.id}`);
    expect(body.data).toMatchObject([{ id: moved?.id, parent_id: to.id }]);
  });

  test('to null makes a root, and back again a member below', async () => {
    const [moved, from] = await newUpline(client, 'O O');
    expect((await move(moved, { sponsorId: null })).body).toMatchObject({
      sponsorId: null,
      formerSponsorId: from?.id,
      reason: null,
    });
    expect([await parentOf(moved), ...(await counted([from]))]).toEqual([null, 0]);
    expect((await move(moved, { sponsorId: from?.id })).body).toMatchObject({ sponsorId: from?.id, formerSponsorId: null });
    expect([await parentOf(moved), ...(await counted([from]))]).toEqual([from?.id, 1]);
  });

  test('up its own upline and down a sibling: only those that change are counted anew', async () => {
    const [moved, a, b, c] = await newUpline(client, 'O O O O');
    const sibling = await client.newMember({ parent_id: a?.id });
    await move(moved, { sponsorId: c?.id });
    expect(await counted([a, b, c, sibling])).toEqual([1, 2, 4, 0]);
    await move(moved, { sponsorId: sibling.id });
    expect(await counted([a, b, c, sibling])).toEqual([2, 3, 4, 1]);
  });

  test('to the present sponsor changes nothing and says since when it is', async () => {
    const [moved, from] = await newUpline(client, 'O O');
    const before = await app.database.asSuperuser('select * from member where id = $1', [moved?.id]);
    const first = await move(moved, { sponsorId: from?.id, reason: 'again' });
    expect([first.status, first.body]).toEqual([
      200,
      { userId: moved?.id, sponsorId: from?.id, formerSponsorId: from?.id, effectiveAt: null, reason: null, downlineMoved: 0 },
    ]);
    expect(await app.database.asSuperuser('select * from member where id = $1', [moved?.id])).toEqual(before);
    expect(await sponsorHistory(moved)).toEqual([[from?.id, null]]);

    await move(moved, { sponsorId: null, effectiveAt: '2026-03-01T00:00:00Z', reason: 'left' });
    const again = await move(moved, { sponsorId: null });
    expect(again.body).toMatchObject({ effectiveAt: '2026-03-01T00:00:00.000Z', reason: 'left', downlineMoved: 0 });
    expect(await sponsorHistory(moved)).toHaveLength(2);
  });

  test('to the present sponsor is answered so even when that one may no longer recruit', async () => {
    const [moved, from] = await newUpline(client, 'O O');
    await client.patch(`/api/v1/users/${from?.id}`, { can_recruit: false });
    expect((await move(moved, { sponsorId: from?.id })).status).toBe(200);
    expectRefusal(await move(moved, { sponsorId: from?.id, effectiveAt: '2026-03-01T00:00:00Z' }), 403, 'RECRUITING_DISABLED');
  });

  test('takes a sponsor that is inactive but may recruit, and ids in capitals', async () => {
    const [moved] = await newUpline(client, 'O O');
    const to = await client.newMember({ is_active: false });
    const answer = await client.post(`/api/v1/members/${moved?.id.toUpperCase()}/sponsor`, { sponsorId: to.id.toUpperCase() });
    expect(answer.body).toMatchObject({ userId: moved?.id, sponsorId: to.id });
  });

  test('leaves tier, activity and their history alone', async () => {
    const [moved] = await newUpline(client, 'S O');
    await client.patch(`/api/v1/users/${moved?.id}`, { is_active: false, effective_at: '2026-02-01T00:00:00Z' });
    await move(moved, { sponsorId: null });
    const { body } = await client.get(`/api/v1/members/${moved?.id}/history`);
    expect([body.tier.length, body.activity.length, body.sponsor.length]).toEqual([1, 2, 2]);
    await client.patch(`/api/v1/users/${moved?.id}`, { is_active: true });
    expect(await parentOf(moved)).toBeNull();
  });
});

describe('dated', () => {
  const MARCH = '2026-03-01T00:00:00.000Z';
  const APRIL = '2026-04-01T00:00:00.000Z';
  const MAY = '2026-05-01T00:00:00.000Z';

  test('before a later move it fills its interval; nobody moves now', async () => {
    const [moved, first] = await newUpline(client, 'O O');
    const [a, b] = [await client.newMember(), await client.newMember()];
    await move(moved, { sponsorId: b.id, effectiveAt: MAY });
    const answer = await move(moved, { sponsorId: a.id, effectiveAt: MARCH });
    expect(answer.body).toMatchObject({ sponsorId: a.id, formerSponsorId: first?.id, effectiveAt: MARCH, downlineMoved: 0 });
    expect(await parentOf(moved)).toBe(b.id);
    expect(await counted([a, b])).toEqual([0, 1]);
    expect(await sponsorHistory(moved)).toEqual([
      [first?.id, null],
      [a.id, MARCH],
      [b.id, MAY],
    ]);
    const between = await move(moved, { sponsorId: null, effectiveAt: APRIL });
    expect(between.body).toMatchObject({ formerSponsorId: a.id });
  });

  test('of two moves of one instant the last recorded counts', async () => {
    const [moved] = await newUpline(client, 'O O');
    const [a, b] = [await client.newMember(), await client.newMember()];
    await move(moved, { sponsorId: a.id, effectiveAt: MARCH });
    expect((await move(moved, { sponsorId: b.id, effectiveAt: MARCH })).body.formerSponsorId).toBe(a.id);
    expect(await parentOf(moved)).toBe(b.id);
    expect(await counted([a, b])).toEqual([0, 1]);
  });

  test('to the sponsor it has, an earlier date is recorded', async () => {
    const [moved, first] = await newUpline(client, 'O O');
    const answer = await move(moved, { sponsorId: first?.id, effectiveAt: MARCH });
    expect(answer.body).toMatchObject({ formerSponsorId: first?.id, effectiveAt: MARCH, downlineMoved: 0 });
    expect(await sponsorHistory(moved)).toEqual([
      [first?.id, null],
      [first?.id, MARCH],
    ]);
  });

  test('an undated move counts behind all others, though the clock were to lag', async () => {
    const [moved] = await newUpline(client, 'O O');
    const [a, b] = [await client.newMember(), await client.newMember()];
    await move(moved, { sponsorId: a.id });
    await app.database.asSuperuser(
      "update member_sponsor_history set valid_from = now() + interval '20 seconds' where member_id = $1 and isfinite(valid_from)",
      [moved?.id],
    );
    expect((await move(moved, { sponsorId: b.id })).body.formerSponsorId).toBe(a.id);
    expect(await parentOf(moved)).toBe(b.id);
  });
});

describe('no cycle, now or ever', () => {
  test('under itself, under a child, under a grandchild: 409, nothing written', async () => {
    const [leaf, mid, moved] = await newUpline(client, 'O O O');
    for (const sponsorId of [moved?.id, mid?.id, leaf?.id]) {
      for (const dated of [{}, { effectiveAt: '2026-03-01T00:00:00Z' }]) {
        expectRefusal(await move(moved, { sponsorId, ...dated }), 409, 'CYCLE_DETECTED');
      }
    }
    expect([await parentOf(moved), await sponsorHistory(moved)]).toEqual([null, [[null, null]]]);
    await app.database.asSuperuser('update member set can_recruit = false where id = $1', [leaf?.id]);
    expectRefusal(await move(moved, { sponsorId: leaf?.id }), 409, 'CYCLE_DETECTED');
  });

  test('a back-dated move under who was below at the time is refused, though it is below no more', async () => {
    const [below, moved] = await newUpline(client, 'O O');
    await move(below, { sponsorId: null, effectiveAt: '2026-04-01T00:00:00Z' });
    expectRefusal(await move(moved, { sponsorId: below?.id, effectiveAt: '2026-03-31T23:59:59.999Z' }), 409, 'CYCLE_DETECTED');
    expectRefusal(await move(moved, { sponsorId: below?.id, effectiveAt: '2026-03-01T00:00:00Z' }), 409, 'CYCLE_DETECTED');
    expect((await move(moved, { sponsorId: below?.id, effectiveAt: '2026-04-01T00:00:00Z' })).status).toBe(200);
  });

  test('a back-dated move that meets a later one below is refused unless its interval ends before', async () => {
    const moved = await client.newMember();
    const other = await client.newMember();
    await move(other, { sponsorId: moved.id, effectiveAt: '2026-04-01T00:00:00Z' });
    expectRefusal(await move(moved, { sponsorId: other.id, effectiveAt: '2026-03-01T00:00:00Z' }), 409, 'CYCLE_DETECTED');
    await move(moved, { sponsorId: null, effectiveAt: '2026-04-01T00:00:00Z' }); // from here on it is a root again
    expect((await move(moved, { sponsorId: other.id, effectiveAt: '2026-03-01T00:00:00Z' })).status).toBe(200);
    expectRefusal(await move(moved, { sponsorId: other.id, effectiveAt: '2026-04-01T00:00:00Z' }), 409, 'CYCLE_DETECTED');
  });

  test('the interval is that of the whole way up, not of each step', async () => {
    // low was under mid in March, mid was under moved in May: never was low below moved.
    const [moved, mid, low] = [await client.newMember(), await client.newMember(), await client.newMember()];
    await move(low, { sponsorId: mid.id, effectiveAt: '2026-03-01T00:00:00Z' });
    await move(low, { sponsorId: null, effectiveAt: '2026-04-01T00:00:00Z' });
    await move(mid, { sponsorId: moved.id, effectiveAt: '2026-05-01T00:00:00Z' });
    await move(mid, { sponsorId: null, effectiveAt: '2026-06-01T00:00:00Z' });
    expect((await move(moved, { sponsorId: low.id, effectiveAt: '2026-02-01T00:00:00Z' })).status).toBe(200);
    await move(moved, { sponsorId: null, effectiveAt: '2026-02-01T00:00:00Z' });
    await move(low, { sponsorId: mid.id, effectiveAt: '2026-05-31T00:00:00Z' });
    expectRefusal(await move(moved, { sponsorId: low.id, effectiveAt: '2026-02-01T00:00:00Z' }), 409, 'CYCLE_DETECTED');
  });
});

describe('refused', () => {
  test.each<[label: string, body: object, named: string[]]>([
    ['an empty body', {}, ['sponsorId']],
    ['no sponsor', { reason: 'x' }, ['sponsorId']],
    ['a sponsor that is no uuid', { sponsorId: 'me' }, ['sponsorId']],
    ['a sponsor nobody knows', { sponsorId: randomUUID() }, ['sponsorId']],
    ['an empty reason', { sponsorId: null, reason: '' }, ['reason']],
    ['a reason of 501 characters', { sponsorId: null, reason: 'x'.repeat(501) }, ['reason']],
    ['a date without a zone', { sponsorId: null, effectiveAt: '2026-03-01T00:00:00' }, ['effectiveAt']],
    ['the future', { sponsorId: null, effectiveAt: new Date(Date.now() + 60_000).toISOString() }, ['effectiveAt']],
    ['another field', { sponsorId: null, sponsor_id: null }, ['sponsor_id']],
  ])('%s is a 400', async (_label, body, named) => {
    const [moved, from] = await newUpline(client, 'O O');
    expectRefusal(await move(moved, body), 400, 'VALIDATION_ERROR', named);
    expect(await parentOf(moved)).toBe(from?.id);
  });

  test('500 characters and nulls are allowed', async () => {
    const [moved] = await newUpline(client, 'O O');
    expect((await move(moved, { sponsorId: null, effectiveAt: null, reason: 'x'.repeat(500) })).body.reason).toHaveLength(500);
    expect((await move(moved, { sponsorId: null, effectiveAt: null, reason: null })).status).toBe(200);
  });

  test('a sponsor that may not recruit is a 403', async () => {
    const [moved, from] = await newUpline(client, 'O O');
    const to = await client.newMember({ can_recruit: false });
    expectRefusal(await move(moved, { sponsorId: to.id }), 403, 'RECRUITING_DISABLED');
    expect(await parentOf(moved)).toBe(from?.id);
  });

  test('nobody there: unknown, of the other environment, of another tenant, all the same 404', async () => {
    const [moved, from] = await newUpline(client, 'O O');
    const absent = await client.post(`/api/v1/members/${randomUUID()}/sponsor`, { sponsorId: null });
    expectRefusal(absent, 404, 'USER_NOT_FOUND');
    for (const key of [tenant.sandboxKey, (await app.newTenant()).liveKey]) {
      const answer = await apiClient(app, key).post(`/api/v1/members/${moved?.id}/sponsor`, { sponsorId: null });
      expect([answer.status, answer.text]).toEqual([404, absent.text]);
    }
    expect(await parentOf(moved)).toBe(from?.id);
    expectRefusal(await client.post('/api/v1/members/me/sponsor', { sponsorId: null }), 400, 'VALIDATION_ERROR', ['userId']);
  });

  test('a sponsor of the other environment or of another tenant is a 400 like one nobody knows', async () => {
    const [moved] = await newUpline(client, 'O O');
    const absent = await move(moved, { sponsorId: randomUUID() });
    for (const key of [tenant.sandboxKey, (await app.newTenant()).liveKey]) {
      const foreign = await apiClient(app, key).newMember();
      const answer = await move(moved, { sponsorId: foreign.id });
      expect([answer.status, answer.text]).toEqual([400, absent.text]);
    }
  });
});

describe('with an Idempotency-Key', () => {
  test('a repeat is answered as the first and moves nobody back', async () => {
    const [moved, from] = await newUpline(client, 'O O');
    const key = { 'idempotency-key': randomUUID() };
    const first = await move(moved, { sponsorId: null }, key);
    await move(moved, { sponsorId: from?.id });
    const again = await move(moved, { sponsorId: null }, key);
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
    expect(await parentOf(moved)).toBe(from?.id);
    expectRefusal(await move(moved, { sponsorId: from?.id }, key), 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  test('a move that changes nothing is stored too, a refused one is not', async () => {
    const [below, moved, from] = await newUpline(client, 'O O O');
    const key = { 'idempotency-key': randomUUID() };
    expectRefusal(await move(moved, { sponsorId: below?.id }, key), 409, 'CYCLE_DETECTED');
    const first = await move(moved, { sponsorId: from?.id }, key);
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect((await move(moved, { sponsorId: from?.id }, key)).headers['idempotent-replayed']).toBe('true');
  });

  test('twenty at once move once', async () => {
    const [moved, from] = await newUpline(client, 'O O');
    const key = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => move(moved, { sponsorId: null }, key)));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(await sponsorHistory(moved)).toHaveLength(2);
    expect(await counted([from])).toEqual([0]);
  });
});

test('without one, twenty equal moves at once: one moves, the others find it there', async () => {
  const [moved, from] = await newUpline(client, 'O O');
  const answers = await Promise.all(Array.from({ length: 20 }, () => move(moved, { sponsorId: null })));
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
  expect(answers.filter((answer) => answer.body.formerSponsorId === from?.id)).toHaveLength(1);
  expect(await sponsorHistory(moved)).toHaveLength(2);
});
