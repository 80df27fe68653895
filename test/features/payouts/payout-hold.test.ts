/** Holds: who sets them, what they stop, and what goes on beside them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { executePayouts } from '../../../src/features/payouts/payouts/execute-payouts.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { booksOf } from '../../support/money/debts.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { books } from '../../support/payments/books-of-payouts.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { createPayoutVendorDouble, type PayoutVendorDouble } from '../../support/payments/payout-vendor-double.ts';
import {
  act,
  checkAll,
  draft,
  earn,
  execute,
  payable,
  payoutOf,
  runJobs,
  runOf,
  startPayouts,
} from '../../support/payments/payout-world.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
});

const pathOf = (memberId: string) => `/api/v1/members/${memberId}/payout-hold`;
const reason = 'Bank account is being checked';

async function hold(memberId: string, fields: object = {}, by = client): Promise<void> {
  const answer = await by.put(pathOf(memberId), { reason, ...fields });
  expect(answer.status, answer.text).toBe(200);
}
async function lift(memberId: string): Promise<void> {
  expect((await client.delete(pathOf(memberId))).status).toBe(200);
}
const change = (payoutId: string, deed: string, body: object = {}) => client.post(`/api/v1/payouts/${payoutId}/${deed}`, body);
const ahead = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const auditOf = (memberId: string) =>
  app.database.asSuperuser<{ action: string; actor: string; details: object }>(
    `select action, actor_kind || ' ' || actor_id as actor, details from audit_log
     where object_id = $1 and action like 'payout_hold.%' order by id`,
    [memberId],
  );

describe('setting and lifting', () => {
  test('is read, replaced and lifted; each is in the audit log with its key, the reason is not', async () => {
    const { id } = await client.newMember();
    expect((await client.get(pathOf(id))).body).toEqual({ userId: id, payoutHold: null });
    const until = ahead(3_600);
    await hold(id, { until });
    const [key] = await app.database.asSuperuser<{ id: string }>(
      "select id from api_key where tenant_id = $1 and environment = 'LIVE'",
      [tenant.tenantId],
    );
    expect((await client.get(pathOf(id))).body).toEqual({
      userId: id,
      payoutHold: { reason, until, createdBy: { kind: 'api_key', id: key?.id, name: null }, createdAt: expect.any(String) },
    });
    await hold(id, { reason: 'Another', until: null });
    expect((await client.get(pathOf(id))).body.payoutHold).toMatchObject({ reason: 'Another', until: null });
    for (let i = 0; i < 2; i++) {
      expect((await client.delete(pathOf(id))).body).toEqual({ userId: id, payoutHold: null });
    }
    expect((await client.get(pathOf(id))).body.payoutHold).toBeNull();
    const actor = `api_key ${key?.id}`;
    expect(await auditOf(id)).toEqual([
      { action: 'payout_hold.set', actor, details: { until } },
      { action: 'payout_hold.set', actor, details: { until: null } },
      { action: 'payout_hold.lifted', actor, details: {} },
    ]);
  });

  test('an end that is not in the future, no reason, a long one and an unknown field are 400', async () => {
    const { id } = await client.newMember();
    for (const [body, field] of [
      [{ reason, until: ahead(-1) }, 'until'],
      [{ reason, until: 'tomorrow' }, 'until'],
      [{}, 'reason'],
      [{ reason: '' }, 'reason'],
      [{ reason: 'x'.repeat(501) }, 'reason'],
      [{ reason, by: 'me' }, 'by'],
    ] as const) {
      const answer = await client.put(pathOf(id), body);
      expect([answer.status, answer.body.details.fields[0].field]).toEqual([400, field]);
    }
    expect((await client.get(pathOf(id))).body.payoutHold).toBeNull();
  });

  test('goes by the clock of a SANDBOX, and ends by itself there', async () => {
    const sandbox: Scope = { ...scope, environment: 'SANDBOX' };
    const sandboxClient = apiClient(app, tenant.sandboxKey);
    await sandboxClient.post('/api/v1/sandbox/clock', { advanceSeconds: 86_400 });
    const member = await payable(app, sandbox, sandboxClient, 6_000);
    expect((await sandboxClient.put(pathOf(member.id), { reason, until: ahead(86_000) })).status).toBe(400);
    await hold(member.id, { until: ahead(90_000) }, sandboxClient);
    expect((await draft(sandboxClient)).blocked).toMatchObject([{ reason: 'HELD', payoutHold: { reason } }]);
    await sandboxClient.post('/api/v1/sandbox/clock', { advanceSeconds: 3_601 });
    expect((await sandboxClient.get(pathOf(member.id))).body.payoutHold).toBeNull();
    expect((await draft(sandboxClient)).payouts).toMatchObject([{ userId: member.id }]);
  });

  test('twice at once: one of them stands, whole', async () => {
    const { id } = await client.newMember();
    const given = Array.from({ length: 6 }, (_, n) => ({ reason: `Reason ${n}`, until: ahead(3_600 + n) }));
    const answers = await Promise.all(given.map((body) => client.put(pathOf(id), body)));
    expect(answers.map(({ status }) => status)).toEqual(given.map(() => 200));
    const { payoutHold } = (await client.get(pathOf(id))).body;
    expect(given).toContainEqual({ reason: payoutHold.reason, until: payoutHold.until });
    const lifts = await Promise.all(given.map(() => client.delete(pathOf(id))));
    expect(lifts.map(({ status }) => status)).toEqual(given.map(() => 200));
    expect((await auditOf(id)).filter(({ action }) => action === 'payout_hold.lifted')).toHaveLength(1);
  });

  test('another tenant, the other environment and an unknown member are 404, and change nothing', async () => {
    const { id } = await client.newMember();
    await hold(id);
    const other = apiClient(app, (await app.newTenant()).liveKey);
    const sandbox = apiClient(app, tenant.sandboxKey);
    for (const answer of [
      ...(await Promise.all([other, sandbox].map((one) => one.get(pathOf(id))))),
      ...(await Promise.all([other, sandbox].map((one) => one.put(pathOf(id), { reason: 'x' })))),
      ...(await Promise.all([other, sandbox].map((one) => one.delete(pathOf(id))))),
      await client.get(pathOf(tenant.tenantId)),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'USER_NOT_FOUND']);
    }
    expect((await client.get(pathOf(id))).body.payoutHold).toMatchObject({ reason });
  });

  test("a member's bearer token is refused, and so are keys without the scope", async () => {
    const { id } = await client.newMember();
    await hold(id);
    const { accessToken } = await plantSession(app, scope, id);
    const bearer = { authorization: `Bearer ${accessToken}` };
    for (const answer of [
      await client.get(pathOf(id), bearer),
      await client.put(pathOf(id), { reason: 'x' }, bearer),
      await client.delete(pathOf(id), bearer),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
    }
    const keyed = async (scopes: string[]) =>
      apiClient(app, (await app.tenants.createKey({ tenantId: tenant.tenantId, environment: 'LIVE', scopes })).apiKey);
    const reader = await keyed(['payouts:read']);
    expect((await reader.get(pathOf(id))).status).toBe(200);
    expect((await reader.put(pathOf(id), { reason: 'x' })).status).toBe(403);
    expect((await reader.delete(pathOf(id))).status).toBe(403);
    expect((await (await keyed(['members:read'])).get(pathOf(id))).status).toBe(403);
  });

  test('the export has it; an erasure takes the reason and leaves the hold, which is not set again', async () => {
    const { id } = await client.newMember();
    await hold(id);
    const exported = () => client.get(`/api/v1/members/${id}/data-export`);
    expect((await exported()).body.payoutHold).toMatchObject({ reason, until: null });
    await client.post(`/api/v1/members/${id}/erasure`, {});
    expect((await client.get(pathOf(id))).body.payoutHold).toMatchObject({ reason: 'erased' });
    expect((await exported()).text).not.toContain(reason);
    expect(await client.put(pathOf(id), { reason })).toMatchObject({ status: 409, body: { code: 'STATE_CONFLICT' } });
    await lift(id);
    expect((await client.get(pathOf(id))).body.payoutHold).toBeNull();
  });
});

describe('what it stops', () => {
  test('drafts leave the member out, whatever else is true; one that has ended counts no more', async () => {
    const member = await payable(app, scope, client, 6_000);
    await hold(member.id);
    const run = await draft(client);
    expect(run).toMatchObject({ payoutCount: 0, blocked: [{ userId: member.id, reason: 'HELD', amountMinor: 6_000 }] });
    const listed = async () => (await client.get(`/api/v1/payout-runs/${run.id}/blocked?reason=HELD`)).body.data;
    expect(await listed()).toMatchObject([{ payoutHold: { reason, until: null } }]);
    expect((await client.post('/api/v1/payout-runs', { currency: 'USD', dryRun: true })).body.blocked).toMatchObject([
      { reason: 'HELD' },
    ]);
    await app.database.asSuperuser("update payout_hold set until = now() - interval '1 ms' where member_id = $1", [member.id]);
    expect((await client.get(pathOf(member.id))).body.payoutHold).toBeNull();
    expect((await draft(client)).payouts).toMatchObject([{ userId: member.id, amountMinor: 6_000 }]);
    await lift(member.id);
    expect(await listed()).toMatchObject([{ reason: 'HELD', payoutHold: null }]);
  });

  test.each(['draft', 'approve', 'execute'] as const)(
    'set behind %s: the payout is cancelled, the run ends, and the next one pays once it is lifted',
    async (last) => {
      const member = await payable(app, scope, client, 6_000);
      const other = await payable(app, scope, client, 7_000);
      const run = await draft(client);
      const payoutId = run.payouts.find(({ userId }) => userId === member.id)?.id ?? '';
      if (last === 'draft') await hold(member.id);
      await act(client, run.id, 'approve');
      if (last === 'approve') await hold(member.id);
      await act(client, run.id, 'execute');
      if (last === 'execute') await hold(member.id);
      await startPayouts(app, scope);
      expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'cancelled', failureCode: 'HELD', attempt: 0 });
      const paid = run.payouts.find(({ userId }) => userId === other.id)?.id ?? '';
      expect((await change(paid, 'settle', { reference: 'BANK-1' })).body.status).toBe('paid');
      expect((await runOf(client, run.id)).status).toBe('completed');
      expect(await booksOf(app, member)).toMatchObject({ cleared: 6_000, paid: 0 });
      await lift(member.id);
      expect((await draft(client)).payouts).toMatchObject([{ userId: member.id, amountMinor: 6_000 }]);
    },
  );

  test('a hold that has ended by the execution stops nothing', async () => {
    const member = await payable(app, scope, client, 6_000);
    const run = await execute(client);
    await hold(member.id, { until: ahead(60) });
    await app.database.asSuperuser('update payout_hold set until = now() where member_id = $1', [member.id]);
    await startPayouts(app, scope);
    expect((await payoutOf(client, run.payouts[0]?.id ?? '')).status).toBe('processing');
  });

  test('set while the execution is under way it waits for it: the payout goes on', async () => {
    const member = await payable(app, scope, client, 6_000);
    const payoutId = (await execute(client)).payouts[0]?.id ?? '';
    const isWaitedFor = async () =>
      (
        await app.database.asSuperuser(
          "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        )
      ).length > 0;
    let isDone = false;
    const { setting } = await app.composition.background.frames.write(scope, async (db) => {
      await executePayouts(books, db, scope, () => Promise.reject(new Error('nothing is asked of a vendor')));
      const setting = hold(member.id).then(() => {
        isDone = true;
      });
      await eventually(isWaitedFor);
      expect(isDone).toBe(false);
      return { setting };
    });
    await setting;
    expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'processing', attempt: 1 });
  });

  test('beside sweeps: a payout goes on or is cancelled, and what was still queued when it answered is not started', async () => {
    const members: MemberBody[] = [];
    for (let i = 0; i < 6; i++) members.push(await payable(app, scope, client, 6_000));
    const run = await execute(client);
    const queued = new Map<string, string>();
    await Promise.all([
      startPayouts(app, scope),
      ...members.map(async ({ id }) => {
        await hold(id);
        const { body } = await client.get(`/api/v1/payouts?userId=${id}`);
        queued.set(id, body.data[0].status);
      }),
      startPayouts(app, scope),
    ]);
    await startPayouts(app, scope);
    for (const { userId, id } of run.payouts) {
      const before = queued.get(userId);
      expect((await payoutOf(client, id)).status).toBe(before === 'queued' ? 'cancelled' : before);
    }
  });

  test('a failed payout is not retried; it stays failed until the hold is lifted', async () => {
    const member = await payable(app, scope, client, 6_000);
    const payoutId = (await execute(client)).payouts[0]?.id ?? '';
    await startPayouts(app, scope);
    await change(payoutId, 'return', { reason: 'No such account' });
    await hold(member.id);
    expect(await change(payoutId, 'retry')).toMatchObject({
      status: 409,
      body: { code: 'STATE_CONFLICT', details: { reason: 'HELD' } },
    });
    expect((await payoutOf(client, payoutId)).status).toBe('failed');
    await lift(member.id);
    expect((await change(payoutId, 'retry')).status).toBe(200);
    await hold(member.id);
    await startPayouts(app, scope);
    expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'cancelled', failureCode: 'HELD' });
  });

  test('what was paid by hand is told all the same', async () => {
    const member = await payable(app, scope, client, 6_000);
    const payoutId = (await execute(client)).payouts[0]?.id ?? '';
    await startPayouts(app, scope);
    await hold(member.id);
    expect((await change(payoutId, 'settle', { reference: 'BANK-1' })).body).toMatchObject({ status: 'paid' });
    expect(await booksOf(app, member)).toMatchObject({ paid: 6_000 });
  });
});

describe('through the vendor', () => {
  let vendor: PayoutVendorDouble;
  beforeEach(async () => {
    vendor = createPayoutVendorDouble();
    await plantPaymentSettings(app, scope, {});
    await app.database.asSuperuser("update pgboss.job set state = 'completed', completed_on = now() where state = 'created'");
  });

  async function started(): Promise<{ member: MemberBody; payoutId: string; runId: string }> {
    const member = await payable(app, scope, client, 6_000, { provider: 'payvendor' });
    const run = await execute(client);
    await startPayouts(app, scope);
    return { member, payoutId: run.payouts[0]?.id ?? '', runId: run.id };
  }
  const grownOld = (payoutId: string) =>
    app.database.asSuperuser("update payout_attempt set started_at = now() - interval '23 hours' where payout_id = $1", [
      payoutId,
    ]);

  test('nothing is asked for that was not; lifted, it goes on by itself and is paid once', async () => {
    const { member, payoutId } = await started();
    await hold(member.id);
    await runJobs(app, vendor);
    await checkAll(app, scope, vendor);
    expect(vendor.calls).toEqual([]);
    expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'processing', failureCode: 'HELD' });
    await lift(member.id);
    await app.runSweep('check-payouts', scope);
    vendor.outcome = 'paid';
    await runJobs(app, vendor);
    expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'paid', failureCode: null });
    expect([vendor.transfers.size, vendor.payouts.size]).toEqual([1, 1]);
  });

  test('after a day what the vendor does not know has failed: the run ends, the commissions are free', async () => {
    const { member, payoutId, runId } = await started();
    await hold(member.id);
    await runJobs(app, vendor);
    await grownOld(payoutId);
    await checkAll(app, scope, vendor);
    expect(vendor.transfers.size).toBe(0);
    expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'failed', failureCode: 'HELD' });
    expect((await runOf(client, runId)).status).toBe('partially_failed');
    expect(await booksOf(app, member)).toMatchObject({ cleared: 6_000, paid: 0 });
    await lift(member.id);
    expect((await change(payoutId, 'retry')).status).toBe(200);
  });

  test('a transfer whose answer was lost is looked for after a day, and goes on', async () => {
    const { member, payoutId } = await started();
    vendor.failNext('createTransfer', 'lost');
    await runJobs(app, vendor);
    await hold(member.id);
    await checkAll(app, scope, vendor);
    expect(vendor.payouts.size).toBe(0);
    await grownOld(payoutId);
    vendor.outcome = 'paid';
    await checkAll(app, scope, vendor);
    expect((await payoutOf(client, payoutId)).status).toBe('paid');
    expect([vendor.transfers.size, vendor.payouts.size]).toEqual([1, 1]);
  });

  test('set while the transfer is asked for: what the vendor has goes on', async () => {
    const { member, payoutId } = await started();
    vendor.meanwhile = async () => {
      vendor.meanwhile = undefined;
      await hold(member.id);
    };
    vendor.outcome = 'paid';
    await runJobs(app, vendor);
    expect((await payoutOf(client, payoutId)).status).toBe('paid');
    await earn(app, scope, client, member, 6_000);
    expect((await draft(client)).blocked).toMatchObject([{ userId: member.id, reason: 'HELD' }]);
  });

  test('held members do not keep the others of a job waiting', async () => {
    const members: MemberBody[] = [];
    for (let i = 0; i < 20; i++) members.push(await payable(app, scope, client, 6_000, { provider: 'payvendor' }));
    const run = await execute(client);
    await startPayouts(app, scope);
    const last = run.payouts.at(-1)?.userId;
    for (const { id } of members) if (id !== last) await hold(id);
    await runJobs(app, vendor);
    expect([...vendor.transfers.values()].map(({ metadata }) => metadata['user_id'])).toEqual([last]);
  });
});
