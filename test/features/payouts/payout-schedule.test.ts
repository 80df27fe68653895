/** Runs that are drafted by the calendar of the tenant. Source: docs/specification/payouts.md#schedule. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { approvePayoutRun } from '../../../src/features/payouts/runs/runs-operations.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { invokeAs, plantSignedIn } from '../../support/app/test-people.ts';
import { act, draft, earn, payable } from '../../support/payments/payout-world.ts';
import { keyMadeBy, newRoot } from '../../support/two-hands/hands-world.ts';
import { plantEndpoint } from '../../support/webhooks/plant-webhooks.ts';
import { openEar } from '../../support/webhooks/told-events.ts';

const SETTINGS = '/api/v1/admin/settings';
const CLOCK = '/api/v1/sandbox/clock';
const SWEEP = 'draft-payouts';

let app: TestApp;
let tenant: TestTenant;
let live: ApiClient;
let sandbox: ApiClient;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  tenant = await app.newTenant();
  live = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
  scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' };
});

const FIFTEENTH = { currency: 'USD', cadence: 'monthly', days: [15] };
const set = (client: ApiClient, schedule: unknown) => client.patch(SETTINGS, { payments: { schedule } });

async function setOk(client: ApiClient, schedule: unknown): Promise<unknown> {
  const { status, body, text } = await set(client, schedule);
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ');
  return body.payments.schedule;
}

/** The clock of the SANDBOX stands at an instant; what is due by then is done. */
async function clockTo(frozenAt: string): Promise<void> {
  const { status, text } = await sandbox.post(CLOCK, { frozenAt });
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ');
}

/** The same, and nothing is done yet. */
const clockOnly = (frozenAt: string) =>
  app.database.asSuperuser('update sandbox_clock set frozen_at = $2 where tenant_id = $1', [tenant.tenantId, frozenAt]);

interface Run {
  id: string;
  status: string;
  cutoffAt: string;
  currency: string;
  payoutCount: number;
  createdBy: { kind: string };
  createdAt: string;
}
const runsOf = async (client = sandbox): Promise<Run[]> => (await client.get('/api/v1/payout-runs')).body.data;
const scheduleOf = async (client = sandbox) => (await client.get('/api/v1/payouts/schedule')).body.data;

describe('the setting', () => {
  test('is shown with its defaults, by currency, and null is none', async () => {
    expect((await live.get(SETTINGS)).body.payments.schedule).toBeNull();
    const shown = await setOk(live, [
      { currency: 'usd', cadence: 'twice_a_month', days: [1, 'last'], localTime: '23:59', cutoff: 'end_of_previous_month' },
      { currency: 'EUR', cadence: 'weekly', days: [7] },
    ]);
    expect(shown).toEqual([
      { currency: 'EUR', cadence: 'weekly', days: [7], localTime: '06:00', cutoff: 'now' },
      { currency: 'USD', cadence: 'twice_a_month', days: [1, 'last'], localTime: '23:59', cutoff: 'end_of_previous_month' },
    ]);
    expect((await live.get(SETTINGS)).body.payments.schedule).toEqual(shown);
    expect((await sandbox.get(SETTINGS)).body.payments.schedule).toBeNull();
    expect(await setOk(live, null)).toBeNull();
    expect(await scheduleOf(live)).toEqual([]);
  });

  test.each([
    ['two days of a week', { cadence: 'weekly', days: [1, 2] }, 'days'],
    ['the last day of a week', { cadence: 'weekly', days: ['last'] }, 'days'],
    ['an eighth day of the week', { cadence: 'weekly', days: [8] }, 'days'],
    ['one day twice', { cadence: 'twice_a_month', days: [1, 1] }, 'days'],
    ['one day of two', { cadence: 'twice_a_month', days: [1] }, 'days'],
    ['the 29th', { cadence: 'monthly', days: [29] }, 'days[0]'],
    ['no day', { cadence: 'monthly', days: [] }, 'days'],
    ['no time', { cadence: 'monthly', days: [1], localTime: '24:00' }, 'localTime'],
    ['no currency', { cadence: 'monthly', days: [1], currency: 'XXQ' }, 'currency'],
  ])('%s is refused', async (_what, entry, field) => {
    const { status, body } = await set(live, [{ currency: 'USD', ...entry }]);
    expect(status).toBe(400);
    expect(body.details.fields[0].field).toBe(`payments.schedule[0].${field}`);
  });

  test('a currency twice, and more than twenty, are refused; a weaker key does not set it', async () => {
    expect((await set(live, [FIFTEENTH, { ...FIFTEENTH, currency: 'usd' }])).status).toBe(400);
    const many = [
      'AED',
      'ARS',
      'AUD',
      'BGN',
      'BRL',
      'CAD',
      'CHF',
      'CLP',
      'CNY',
      'COP',
      'CZK',
      'DKK',
      'EGP',
      'EUR',
      'GBP',
      'HKD',
      'HUF',
    ];
    const all = [...many, 'IDR', 'ILS', 'INR', 'JPY'].map((currency) => ({ ...FIFTEENTH, currency }));
    expect((await set(live, all)).status).toBe(400);
    expect((await set(live, all.slice(1))).status).toBe(200);
    const weak = await app.tenants.createKey({ tenantId: tenant.tenantId, environment: 'LIVE', scopes: ['payouts:write'] });
    expect((await set(apiClient(app, weak.apiKey), null)).status).toBe(403);
  });
});

describe('by the calendar', () => {
  test('one is drafted at its time, in the zone of the tenant, as a request would', async () => {
    await live.patch(SETTINGS, { reportingTimeZone: 'Europe/Berlin' });
    await clockTo('2030-07-01T00:00:00Z');
    await setOk(sandbox, [FIFTEENTH]);
    const member = await payable(app, scope, sandbox, 6_000);
    await plantEndpoint(app, scope, { url: 'https://shop.example/hook' });
    const ear = openEar(app, scope);
    expect(await scheduleOf()).toMatchObject([{ ...FIFTEENTH, nextAt: '2030-07-15T04:00:00.000Z', last: null }]);
    await clockTo('2030-07-15T03:59:59Z');
    expect(await runsOf()).toEqual([]);
    await clockTo('2030-07-15T04:00:00Z');
    const [run, ...others] = await runsOf();
    expect(others).toEqual([]);
    expect(run).toMatchObject({ status: 'draft', currency: 'USD', payoutCount: 1, createdBy: { kind: 'system' } });
    expect(run?.cutoffAt).toBe('2030-07-15T04:00:00.000Z');
    expect((await sandbox.get(`/api/v1/payouts?runId=${run?.id}`)).body.data).toMatchObject([{ userId: member.id }]);
    expect(await scheduleOf()).toMatchObject([
      {
        nextAt: '2030-08-15T04:00:00.000Z',
        last: { date: '2030-07-15', outcome: 'DRAFTED', runId: run?.id, at: '2030-07-15T04:00:00.000Z' },
      },
    ]);
    const audit = await app.database.asSuperuser(
      `select actor_kind, operation_id from audit_log where tenant_id = $1 and action = 'payout_run.drafted'`,
      [tenant.tenantId],
    );
    expect(audit).toEqual([{ actor_kind: 'system', operation_id: SWEEP }]);
    const told = (await ear.heard()).filter(({ type }) => type.startsWith('payout_run.'));
    expect(told.map(({ type }) => type)).toEqual(['payout_run.drafted']);
  });

  test('a schedule that is turned on drafts nothing for what was due before, also earlier the same day', async () => {
    await clockTo('2030-07-15T07:00:00Z');
    await payable(app, scope, sandbox, 6_000);
    await setOk(sandbox, [FIFTEENTH]);
    await clockTo('2030-08-15T05:59:59Z');
    expect(await runsOf()).toEqual([]);
    await setOk(sandbox, null);
    await clockTo('2030-08-16T00:00:00Z');
    await setOk(sandbox, [FIFTEENTH]);
    await clockTo('2030-09-14T00:00:00Z');
    expect(await runsOf()).toEqual([]);
  });

  test('after an outage there is one draft, for the latest of the dates', async () => {
    await clockTo('2030-01-01T00:00:00Z');
    await setOk(sandbox, [{ currency: 'USD', cadence: 'weekly', days: [1] }]);
    await payable(app, scope, sandbox, 6_000);
    await clockTo('2030-06-20T00:00:00Z');
    expect(await runsOf()).toHaveLength(1);
    expect(await scheduleOf()).toMatchObject([{ last: { date: '2030-06-17' }, nextAt: '2030-06-24T06:00:00.000Z' }]);
  });

  test('currencies are drafted each by its own', async () => {
    await clockTo('2030-01-01T00:00:00Z');
    await setOk(sandbox, [FIFTEENTH, { ...FIFTEENTH, currency: 'EUR', days: ['last'] }]);
    await payable(app, scope, sandbox, 6_000);
    await payable(app, scope, sandbox, 6_000, { currency: 'EUR' });
    await clockTo('2030-01-31T06:00:00Z');
    expect((await runsOf()).map(({ currency }) => currency).toSorted()).toEqual(['EUR', 'USD']);
    expect((await scheduleOf()).map((one: { last: { date: string } }) => one.last.date)).toEqual(['2030-01-31', '2030-01-15']);
  });

  test('with the cutoff at the end of the month before', async () => {
    await live.patch(SETTINGS, { reportingTimeZone: 'America/Santiago' });
    await clockTo('2030-01-01T12:00:00Z');
    await setOk(sandbox, [{ ...FIFTEENTH, cutoff: 'end_of_previous_month' }]);
    const member = await payable(app, scope, sandbox, 6_000);
    const lineId = await earn(app, scope, sandbox, member, 1_000);
    await app.database.asSuperuser("update commission_line set clears_at = '2030-01-01T03:00:01Z' where id = $1", [lineId]);
    await clockTo('2030-01-15T12:00:00Z');
    const [run] = await runsOf();
    expect(run).toMatchObject({ cutoffAt: '2030-01-01T03:00:00.000Z', payoutCount: 1 });
    expect((await sandbox.get(`/api/v1/payouts?runId=${run?.id}`)).body.data).toMatchObject([{ amountMinor: 6_000 }]);
  });

  test('another zone moves what is due next, and no date is drafted twice for it', async () => {
    await clockTo('2030-07-01T00:00:00Z');
    await setOk(sandbox, [FIFTEENTH]);
    await payable(app, scope, sandbox, 6_000);
    await live.patch(SETTINGS, { reportingTimeZone: 'Asia/Kolkata' });
    const due = await app.database.asSuperuser(
      "select environment from due_scopes() where sweep = 'draft-payouts' and tenant_id = $1",
      [tenant.tenantId],
    );
    expect(due).toEqual([{ environment: 'SANDBOX' }]);
    expect(await app.runSweep(SWEEP, scope)).toBe(1);
    expect(await scheduleOf()).toMatchObject([{ nextAt: '2030-07-15T00:30:00.000Z' }]);
    await clockTo('2030-07-15T00:30:00Z');
    expect(await runsOf()).toHaveLength(1);
    await act(sandbox, (await runsOf())[0]?.id ?? '', 'cancel');
    await live.patch(SETTINGS, { reportingTimeZone: 'America/Santiago' });
    await clockTo('2030-07-16T00:00:00Z');
    expect(await runsOf()).toHaveLength(1);
    expect(await scheduleOf()).toMatchObject([{ nextAt: '2030-08-15T10:00:00.000Z' }]);
  });
});

describe('exactly one', () => {
  beforeEach(async () => {
    await clockTo('2030-07-01T00:00:00Z');
    await setOk(sandbox, [FIFTEENTH]);
    await payable(app, scope, sandbox, 6_000);
    await clockOnly('2030-07-15T06:00:00Z');
  });

  test('however many workers look at once', async () => {
    await Promise.all(Array.from({ length: 6 }, () => app.runSweep(SWEEP, scope)));
    await app.runSweep(SWEEP, scope);
    expect(await runsOf()).toHaveLength(1);
  });

  test('a worker that dies before its commit has drafted nothing, and the next one does', async () => {
    const { frames, sweeps } = app.composition.background;
    const sweep = sweeps.find(({ name }) => name === SWEEP);
    const died = frames.write(scope, async (db) => {
      expect(await sweep?.run(db, scope, 1)).toBe(1);
      throw new Error('died');
    });
    await expect(died).rejects.toThrow('died');
    expect(await runsOf()).toEqual([]);
    expect(await scheduleOf()).toMatchObject([{ last: null }]);
    await app.runSweep(SWEEP, scope);
    expect(await runsOf()).toHaveLength(1);
  });

  test('one that a person drafts at the same moment: both are there, or the scheduled one is left out', async () => {
    const [byHand] = await Promise.all([draft(sandbox), app.runSweep(SWEEP, scope)]);
    const [{ last }] = await scheduleOf();
    const ids = (await runsOf()).map(({ id }) => id);
    expect(ids).toContain(byHand.id);
    expect([last.outcome, ids.length]).toEqual(
      last.runId === null ? [expect.stringMatching(/SKIPPED|NOTHING/), 1] : ['DRAFTED', 2],
    );
  });

  test('an open draft of the currency: none is made; one of another currency is in nobody’s way', async () => {
    const open = await draft(sandbox, { dryRun: false });
    await app.runSweep(SWEEP, scope);
    expect((await runsOf()).map(({ id }) => id)).toEqual([open.id]);
    expect(await scheduleOf()).toMatchObject([
      { last: { date: '2030-07-15', outcome: 'SKIPPED_OPEN_DRAFT', runId: null }, nextAt: '2030-08-15T06:00:00.000Z' },
    ]);
    await act(sandbox, open.id, 'cancel');
    expect(await app.runSweep(SWEEP, scope)).toBe(0);
    await draft(sandbox, { currency: 'EUR' });
    await clockTo('2030-08-15T06:00:00Z');
    expect(await scheduleOf()).toMatchObject([{ last: { date: '2030-08-15', outcome: 'DRAFTED' } }]);
  });

  test('frozen payouts are drafted all the same: it moves no money', async () => {
    await app.database.asSuperuser('update payout_freeze set frozen_at = now()');
    try {
      await app.runSweep(SWEEP, scope);
    } finally {
      await app.database.asSuperuser('update payout_freeze set frozen_at = null');
    }
    expect(await runsOf()).toHaveLength(1);
  });

  test('a reset of the SANDBOX keeps the schedule and begins it anew', async () => {
    await app.runSweep(SWEEP, scope);
    const { status, text } = await sandbox.post('/api/v1/sandbox/reset', {});
    expect(status, text).toBe(200);
    await app.runSweep(SWEEP, scope);
    const [schedule] = await scheduleOf();
    expect(schedule.last).toBeNull();
    expect(Date.parse(schedule.nextAt) - Date.now()).toBeLessThan(32 * 86_400_000);
    expect(await runsOf()).toEqual([]);
  });
});

test('nothing due is no run; somebody who is owed and blocked is one', async () => {
  await clockTo('2030-07-01T00:00:00Z');
  await setOk(sandbox, [FIFTEENTH]);
  await clockTo('2030-07-15T06:00:00Z');
  expect(await runsOf()).toEqual([]);
  expect(await scheduleOf()).toMatchObject([{ last: { date: '2030-07-15', outcome: 'NOTHING_DUE', runId: null } }]);
  await earn(app, scope, sandbox, await sandbox.newMember(), 6_000);
  await clockTo('2030-08-15T06:00:00Z');
  expect(await runsOf()).toMatchObject([{ payoutCount: 0, blockedCount: 1 }]);
});

test('another tenant and a weaker key see no schedule', async () => {
  await setOk(live, [FIFTEENTH]);
  const other = await app.newTenant();
  expect(await scheduleOf(apiClient(app, other.liveKey))).toEqual([]);
  expect(await scheduleOf()).toEqual([]);
  const weak = await app.tenants.createKey({ tenantId: tenant.tenantId, environment: 'LIVE', scopes: ['accounts:read'] });
  expect((await apiClient(app, weak.apiKey).get('/api/v1/payouts/schedule')).status).toBe(403);
});

describe('two pairs of hands, in LIVE', () => {
  let liveScope: Scope;
  let second: ApiClient;

  beforeEach(async () => {
    liveScope = { tenantId: tenant.tenantId, environment: 'LIVE' };
    second = (await newRoot(app, liveScope)).client;
    await payable(app, liveScope, live, 6_000);
  });

  /** By whoever set it, as if it had been due. */
  async function drafted(by: ApiClient, schedule: object = FIFTEENTH): Promise<string> {
    await setOk(by, [schedule]);
    await app.database.asSuperuser(
      "update payout_schedule set after_at = now() - interval '39 days', due_at = now() - interval '1 second' where tenant_id = $1",
      [tenant.tenantId],
    );
    expect(await app.runSweep(SWEEP, liveScope)).toBe(1);
    const [run] = await runsOf(live);
    expect(run).toMatchObject({ status: 'draft', createdBy: { kind: 'system' } });
    return run?.id ?? '';
  }

  test('without dual control anybody with the right approves', async () => {
    const runId = await drafted(live);
    expect((await act(live, runId, 'approve')).status).toBe(200);
  });

  test('keys: whoever set the schedule is the first pair, with all keys of that root', async () => {
    await live.patch(SETTINGS, { payments: { dualControl: true } });
    const runId = await drafted(live);
    const own = await keyMadeBy(app, live);
    for (const by of [live, own.client]) expect((await act(by, runId, 'approve')).body.code).toBe('SECOND_PERSON_REQUIRED');
    expect((await act(second, runId, 'approve')).status).toBe(200);
    expect((await act(live, runId, 'execute')).status).toBe(200);
  });

  test('another who changes another currency does not take the schedule over; who changes it does', async () => {
    await live.patch(SETTINGS, { payments: { dualControl: true } });
    await setOk(live, [FIFTEENTH]);
    await setOk(second, [FIFTEENTH, { ...FIFTEENTH, currency: 'EUR' }]);
    const roots = await app.database.asSuperuser<{ currency: string; set_root: string }>(
      'select currency, set_root from payout_schedule where tenant_id = $1 order by currency',
      [tenant.tenantId],
    );
    expect(new Set(roots.map(({ set_root }) => set_root)).size).toBe(2);
    const runId = await drafted(second, { ...FIFTEENTH, days: [14] });
    expect((await act(second, runId, 'approve')).body.code).toBe('SECOND_PERSON_REQUIRED');
    expect((await act(live, runId, 'approve')).status).toBe(200);
  });

  test('persons: a person approves what the schedule of a key has drafted, and no key does', async () => {
    await live.patch(SETTINGS, { payments: { dualControl: true, dualControlBy: 'persons' } });
    const runId = await drafted(live);
    expect((await act(second, runId, 'approve')).body.code).toBe('SECOND_PERSON_REQUIRED');
    const person = await plantSignedIn(app, tenant.tenantId, { name: 'Second' });
    const { body } = await invokeAs(app, person, approvePayoutRun, { params: { runId }, body: {} });
    expect(body).toMatchObject({ status: 'approved', approvedBy: { kind: 'staff' } });
  });
});
