/** The sweep that forgives, in time, what members still owe of clawbacks: docs/specification/commissions.md#recovery. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { debtKey, lockInOrder } from '../../../src/features/events/purchases/plan-limits-queries.ts';
import { events } from '../../../src/features.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startApiProcess } from '../../support/app/model-process.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { testCaller } from '../../support/app/test-caller.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import {
  accept,
  booksOf,
  clear,
  credit,
  forgive,
  linesIn,
  newMember,
  paidSale,
  writtenOffBy,
} from '../../support/money/debts.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { disputeOf, type LineBody, refundOf } from '../../support/money/money-calls.ts';
import { payOut } from '../../support/money/pay-out.ts';

type Policy = NonNullable<PlanDefinitionInput['reversal']>;

const SWEEP = 'write-off-debts';
const DAY_MS = 86_400_000;
const START = Date.parse('2030-03-01T10:00:00.000Z');

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

interface EventBody {
  event_id: string;
  external_event_id: string;
  type: string;
  attribution: { user_id: string };
  amount_minor: number;
  currency: string;
  description: string;
  actor: string;
  occurred_at: string;
  recorded_at: string;
  commissions: LineBody[];
}

/** Write-offs that nobody made by hand, oldest first. */
async function writeOffsOf(member: MemberBody): Promise<EventBody[]> {
  const { body } = await client.get(`/api/v1/events?kind=commission&type=write_off&user_id=${member.id}&limit=100`);
  return (body.data as EventBody[]).filter(({ actor }) => actor === 'plan');
}

const amountsOf = async (member: MemberBody) => (await writeOffsOf(member)).map((event) => event.amount_minor);

describe('by the clock of a SANDBOX', () => {
  beforeEach(async () => {
    tenant = await app.newTenant();
    client = apiClient(app, tenant.sandboxKey);
    scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' };
    await setClock(START);
    await publish({ writeOffAfterDays: 30 });
  });

  async function setClock(at: number): Promise<void> {
    const frozenAt = new Date(at).toISOString();
    const answer = await client.post('/api/v1/sandbox/clock', { frozenAt });
    expect([answer.status, answer.body.now]).toEqual([200, frozenAt]);
  }

  /** In force from the clock's present reading. */
  async function publish(reversal: Policy): Promise<void> {
    const { body: list } = await client.get('/api/v1/commission-plans');
    const path = `/api/v1/commission-plans/${list.data[0].id}`;
    const { body } = await client.get(path);
    await client.patch(path, { definition: { ...body.versions[0].definition, reversal } });
    await accept(client.post(`${path}/publish`, {}));
  }

  async function clawedBack(fields: object = {}, refund: object = {}): Promise<MemberBody> {
    const member = await newMember(client);
    await accept(refundOf(client, await paidSale(app, client, member.id, fields), refund));
    return member;
  }

  test('to the instant: not a millisecond early, and once', async () => {
    const member = await clawedBack();
    await setClock(START + 30 * DAY_MS - 1);
    expect(await booksOf(app, member)).toEqual({ cleared: -1_000, paid: 1_000, borne: 0 });
    await setClock(START + 30 * DAY_MS);
    expect(await booksOf(app, member)).toEqual({ cleared: 0, paid: 1_000, borne: 1_000 });
    await setClock(START + 300 * DAY_MS);
    const events = await writeOffsOf(member);
    expect(events).toMatchObject([{ created_by: { kind: 'system', id: null, name: null } }]);
    const at = new Date(START + 30 * DAY_MS).toISOString();
    expect(events).toMatchObject([
      {
        kind: 'commission',
        type: 'write_off',
        external_event_id: expect.stringMatching(/^write-off-[0-9a-f-]{36}$/),
        description: 'Still owed after 30 days',
        actor: 'plan',
        occurred_at: at,
        recorded_at: at,
        amount_minor: 1_000,
        currency: 'USD',
        attribution: { user_id: member.id },
        commissions: [{ kind: 'write_off', level: 0, amount_minor: 1_000, status: 'cleared', clears_at: at, user_id: member.id }],
      },
    ]);
    const { body } = await client.get(`/api/v1/events/${events[0]?.event_id}/explain`);
    expect(body.journal.postings).toMatchObject([
      { account: 'company:write_off', amount_minor: -1_000 },
      { account: 'member:cleared', amount_minor: 1_000 },
    ]);
    expect(await writtenOffBy(app, scope)).toBe(-1_000);
  });

  test.each([
    ['a part was earned back', 300, 0, [700]],
    ['all of it was earned back', 1_000, 0, []],
    ['more was earned', 1_001, 0, []],
    ['a part was forgiven by hand', 0, 1, [999]],
    ['all of it was forgiven by hand', 0, 1_000, []],
    ['a part was earned, the rest forgiven by hand', 300, 700, []],
  ])('%s: forgives only what is still owed', async (_label, earned, byHand, forgiven) => {
    const member = await clawedBack();
    if (earned > 0) await credit(client, member, earned);
    await clear(app, scope);
    if (byHand > 0) await forgive(client, member, byHand);
    await setClock(START + 30 * DAY_MS);
    expect(await amountsOf(member)).toEqual(forgiven);
    expect(await booksOf(app, member)).toMatchObject({ cleared: Math.max(0, earned - 1_000) });
    await setClock(START + 60 * DAY_MS);
    expect(await amountsOf(member)).toEqual(forgiven);
  });

  test('what clears in the same move of the clock is earned first', async () => {
    const member = await clawedBack();
    await credit(client, member, 400);
    expect(await booksOf(app, member)).toMatchObject({ cleared: -1_000 });
    await setClock(START + 30 * DAY_MS);
    expect(await amountsOf(member)).toEqual([600]);
  });

  test('each clawback in its own time, those of one time together', async () => {
    const member = await newMember(client);
    const sales = [];
    for (let n = 0; n < 4; n++) sales.push(await paidSale(app, client, member.id));
    const [first, second, third, fourth] = sales;
    if (!first || !second || !third || !fourth) throw new Error('no sales');
    await accept(refundOf(client, first, { amount_minor: 2_000 }));
    await accept(refundOf(client, first, { amount_minor: 1_000 }));
    await accept(refundOf(client, second, {}));
    await setClock(START + DAY_MS);
    await accept(refundOf(client, third, {}));
    await setClock(START + 30 * DAY_MS);
    expect(await amountsOf(member)).toEqual([1_300]);
    await accept(refundOf(client, fourth, {}));
    await setClock(START + 31 * DAY_MS);
    expect(await amountsOf(member)).toEqual([1_300, 1_000]);
    expect(await booksOf(app, member)).toMatchObject({ cleared: -1_000 });
    await setClock(START + 60 * DAY_MS);
    expect(await amountsOf(member)).toEqual([1_300, 1_000, 1_000]);
    expect(await booksOf(app, member)).toMatchObject({ cleared: 0, borne: 3_300 });
  });

  test('what is owed for other reasons stays owed', async () => {
    const member = await clawedBack();
    await credit(client, member, -500);
    await setClock(START + 400 * DAY_MS);
    expect(await amountsOf(member)).toEqual([1_000]);
    expect(await booksOf(app, member)).toMatchObject({ cleared: -500 });
  });

  test('a clawback that was netted in a payout forgives no other debt', async () => {
    const member = await newMember(client);
    const refund = await accept(refundOf(client, await paidSale(app, client, member.id), {}));
    const earned = await credit(client, member, 1_000);
    await clear(app, scope);
    await payOut(
      app,
      [refund, earned].map(({ body }) => body.commissions[0].id as string),
    );
    await credit(client, member, -500);
    await setClock(START + 30 * DAY_MS);
    expect(await amountsOf(member)).toEqual([]);
    expect(await booksOf(app, member)).toEqual({ cleared: -500, paid: 1_000, borne: 0 });
  });

  test('what a floor forgave at once is not forgiven again', async () => {
    await publish({ floorMinor: { USD: 400 }, writeOffAfterDays: 30 });
    const member = await clawedBack();
    await credit(client, member, -500);
    expect(await booksOf(app, member)).toEqual({ cleared: -900, paid: 1_000, borne: 600 });
    await setClock(START + 30 * DAY_MS);
    expect(await amountsOf(member)).toEqual([400]);
    expect(await booksOf(app, member)).toEqual({ cleared: -500, paid: 1_000, borne: 1_000 });
  });

  test('each currency by itself', async () => {
    const member = await clawedBack();
    await accept(refundOf(client, await paidSale(app, client, member.id, { currency: 'EUR' }), {}));
    await credit(client, member, 100, { currency: 'EUR' });
    await setClock(START + 30 * DAY_MS);
    const events = await writeOffsOf(member);
    expect(new Set(events.map((event) => `${event.currency} ${event.amount_minor}`))).toEqual(new Set(['USD 1000', 'EUR 900']));
    expect(await booksOf(app, member, 'EUR')).toMatchObject({ cleared: 0, borne: 900 });
  });

  test('by the days of the plan of each sale; a plan without days forgives nothing', async () => {
    const member = await clawedBack();
    await publish({ writeOffAfterDays: 1 });
    await accept(refundOf(client, await paidSale(app, client, member.id), { amount_minor: 5_000 }));
    await publish({ writeOffAfterDays: null });
    const other = await clawedBack();
    const both = await newMember(client);
    await setClock(START + DAY_MS);
    expect(await amountsOf(member)).toEqual([500]);
    expect((await writeOffsOf(member))[0]).toMatchObject({ description: 'Still owed after 1 day' });
    await setClock(START + 3_000 * DAY_MS);
    expect(await amountsOf(member)).toEqual([500, 1_000]);
    expect(await amountsOf(other)).toEqual([]);
    expect(await booksOf(app, other)).toMatchObject({ cleared: -1_000 });
    expect(await amountsOf(both)).toEqual([]);
  });

  test('of different days that have passed at the same time one event tells both', async () => {
    const member = await clawedBack();
    await publish({ writeOffAfterDays: 45 });
    await accept(refundOf(client, await paidSale(app, client, member.id), {}));
    await setClock(START + 50 * DAY_MS);
    expect(await writeOffsOf(member)).toMatchObject([{ amount_minor: 2_000, description: 'Still owed after 30 to 45 days' }]);
  });

  test('a clawback that is undone before its time forgives no other debt', async () => {
    const member = await newMember(client);
    const [first, second] = [await paidSale(app, client, member.id), await paidSale(app, client, member.id)];
    await accept(disputeOf(client, first, 'd-undone', 'lost'));
    await setClock(START + DAY_MS);
    await accept(disputeOf(client, first, 'd-undone', 'won'));
    await accept(refundOf(client, second, {}));
    await setClock(START + 30 * DAY_MS);
    expect(await booksOf(app, member)).toEqual({ cleared: -1_000, paid: 2_000, borne: 0 });
    await setClock(START + 31 * DAY_MS);
    expect(await booksOf(app, member)).toEqual({ cleared: 0, paid: 2_000, borne: 1_000 });
  });

  test('a refund of the same purchase keeps its time when a dispute is undone', async () => {
    const member = await newMember(client);
    const sale = await paidSale(app, client, member.id);
    await accept(refundOf(client, sale, { amount_minor: 3_000 }));
    await accept(disputeOf(client, sale, 'd-beside', 'lost'));
    await accept(disputeOf(client, sale, 'd-beside', 'won'));
    await setClock(START + 30 * DAY_MS);
    expect(await booksOf(app, member)).toEqual({ cleared: 0, paid: 1_000, borne: 300 });
  });

  test.each([
    ['all of it', 0, 'write_off -1000, reinstatement 1000', 0],
    ['what had not been earned back', 300, 'write_off -700, reinstatement 1000', 300],
  ])(
    'a dispute that is won after %s was forgiven in time: the member was paid exactly once',
    async (_label, earned, lines, left) => {
      const member = await newMember(client);
      const sale = await paidSale(app, client, member.id);
      await accept(disputeOf(client, sale, 'd-late', 'lost'));
      if (earned > 0) await credit(client, member, earned);
      await setClock(START + 30 * DAY_MS);
      expect(await booksOf(app, member)).toEqual({ cleared: 0, paid: 1_000, borne: 1_000 - earned });
      expect(linesIn(await accept(disputeOf(client, sale, 'd-late', 'won')))).toBe(lines);
      expect(await booksOf(app, member)).toEqual({ cleared: left, paid: 1_000, borne: 0 });
      expect(await writtenOffBy(app, scope)).toBe(0);
      await setClock(START + 90 * DAY_MS);
      expect(await booksOf(app, member)).toEqual({ cleared: left, paid: 1_000, borne: 0 });
    },
  );
});

describe('as the worker runs it', () => {
  beforeEach(async () => {
    tenant = await app.newTenant();
    await publishPlan(app, tenant, { reversal: { writeOffAfterDays: 30 } });
    client = apiClient(app, tenant.liveKey);
    scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  });

  const run = () => app.runSweep(SWEEP, scope);
  /** As if the days had passed. */
  const passDays = ({ tenantId, environment }: Scope = scope) =>
    app.database.asSuperuser(
      `update commission_line set write_off_at = now() - interval '1 second'
       where tenant_id = $1 and environment = $2 and write_off_at is not null`,
      [tenantId, environment],
    );
  const isDue = async ({ tenantId }: Scope = scope) =>
    (await app.database.asSuperuser('select from due_scopes() where sweep = $1 and tenant_id = $2', [SWEEP, tenantId])).length;

  /** A purchase that paid three members, refunded in `steps` parts. */
  async function debtors(steps: number): Promise<MemberBody[]> {
    const upline = await newUpline(client, 'D D D');
    const sale = await paidSale(app, client, upline[0]?.id ?? '');
    const events = Array.from({ length: steps }, (_, n) => ({
      kind: 'refund',
      external_event_id: `${sale.external_event_id}-${n}`,
      purchase_external_event_id: sale.external_event_id,
      amount_minor: 10_000 / steps,
    }));
    const { body } = await client.post('/api/v1/events/batch', { events });
    expect(body).toMatchObject({ recorded: steps });
    return upline;
  }

  test('is asked for when something is due, in that scope alone, and leaves other scopes alone', async () => {
    const members = await debtors(1);
    const own = scope;
    const other = await app.newTenant();
    await publishPlan(app, other, { reversal: { writeOffAfterDays: 30 } });
    const stranger = apiClient(app, other.liveKey);
    const theirs = await newMember(stranger);
    await accept(refundOf(stranger, await paidSale(app, stranger, theirs.id), {}));
    expect([await isDue(), await run()]).toEqual([0, 0]);
    await passDays();
    await passDays({ tenantId: other.tenantId, environment: 'LIVE' });
    expect(await isDue()).toBe(1);
    expect(await run()).toBe(3);
    expect([await isDue(own), await run()]).toEqual([0, 0]);
    for (const member of members) expect(await booksOf(app, member)).toMatchObject({ cleared: 0 });
    expect(await booksOf(app, theirs)).toMatchObject({ cleared: -1_000, borne: 0 });
    expect(await isDue({ tenantId: other.tenantId, environment: 'LIVE' })).toBe(1);
    await app.runSweep(SWEEP, { tenantId: other.tenantId, environment: 'LIVE' });
  });

  test('several at once, over more than a batch: every debt once, an event for each member and batch', async () => {
    const members = (await Promise.all([debtors(100), debtors(100)])).flat();
    await passDays();
    const handled = await Promise.all(Array.from({ length: 4 }, run));
    expect(handled.reduce((sum, rows) => sum + rows, 0)).toBe(600);
    for (const [n, member] of members.entries()) {
      const amount = [1_000, 500, 300][n % 3];
      expect(await booksOf(app, member)).toEqual({ cleared: 0, paid: amount, borne: amount });
    }
    expect(await run()).toBe(0);
  });

  test('beside refunds, disputes and write-offs by hand of the same members: nobody is forgiven more than it owed', async () => {
    const member = await newMember(client);
    const sales = [];
    for (let n = 0; n < 6; n++) sales.push(await paidSale(app, client, member.id));
    const [lost, ...rest] = sales;
    if (!lost) throw new Error('no sales');
    await accept(disputeOf(client, lost, 'd-beside-sweep', 'lost'));
    for (const sale of rest.slice(0, 3)) await accept(refundOf(client, sale, {}));
    await passDays();
    await Promise.all([
      run(),
      run(),
      accept(disputeOf(client, lost, 'd-beside-sweep', 'won')),
      ...rest.slice(3).map((sale) => accept(refundOf(client, sale, {}))),
      forgive(client, member, 500).catch(() => undefined),
    ]);
    await run();
    const books = await booksOf(app, member);
    // Five of the six were refunded: 5000 of the 6000 paid are either owed or borne.
    const { cleared, borne } = books as { cleared: number; borne: number };
    expect(borne - cleared).toBe(5_000);
    expect(cleared).toBeLessThanOrEqual(0);
    await passDays();
    await run();
    expect(await booksOf(app, member)).toEqual({ cleared: 0, paid: 6_000, borne: 5_000 });
  });

  test('waits for who is forgiving the same debt, and finds nothing left', async () => {
    const member = await newMember(client);
    await accept(refundOf(client, await paidSale(app, client, member.id), {}));
    await passDays();
    const { frames, offer } = app.composition;
    const input = {
      external_event_id: `by-hand-${member.id}`,
      type: 'write_off' as const,
      user_id: member.id,
      amount_minor: 1_000n,
      currency: 'USD',
      description: 'Moved away',
      actor: 'Kim',
    };
    const swept = await frames.write(scope, async (db) => {
      await lockInOrder(db, scope, [debtKey(member.id, 'USD')]);
      const running = run();
      await waitForLock();
      await offer(events).events.recordWithin(db, testCaller(scope), { kind: 'commission', input }, () => Promise.resolve({}));
      return { running };
    });
    expect(await swept.running).toBe(1);
    expect(await amountsOf(member)).toEqual([]);
    expect(await booksOf(app, member)).toEqual({ cleared: 0, paid: 1_000, borne: 1_000 });
  });

  const waitForLock = () =>
    eventually(async () => {
      const waiting = `select from pg_stat_activity
                       where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;
      return (await app.database.asSuperuser(waiting)).length > 0;
    }, 1_500);

  test('leaves a clawback that somebody has locked to the next run', async () => {
    const [member] = await debtors(1);
    if (!member) throw new Error('no member');
    await passDays();
    const { frames } = app.composition;
    await frames.write(scope, async (db) => {
      const text = "select from commission_line where beneficiary_id = $1 and kind = 'clawback' for update";
      await db.rows({ text, values: [member.id] });
      expect(await run()).toBe(2);
    });
    expect(await booksOf(app, member)).toMatchObject({ cleared: -1_000 });
    expect(await run()).toBe(1);
    expect(await booksOf(app, member)).toMatchObject({ cleared: 0, borne: 1_000 });
  });

  test('killed with -9 before its commit: nothing is written, and the next worker does it once', async () => {
    const members = await debtors(2);
    await passDays();
    const doomed = await startApiProcess(app, {
      JOBS: 'inline',
      SWEEP_INTERVAL_MS: '50',
      FAULT_POINTS: 'write-off:written=kill',
    });
    expect(await doomed.ended).toBe('SIGKILL');
    expect(await writtenOffBy(app, scope)).toBe(0);
    expect(await isDue()).toBe(1);
    for (const member of members) expect(await amountsOf(member)).toEqual([]);
    expect(await run()).toBe(6);
    expect(await Promise.all(members.map(amountsOf))).toEqual([[1_000], [500], [300]]);
    expect(await writtenOffBy(app, scope)).toBe(-1_800);
  });
});
