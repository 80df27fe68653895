/** What a schedule promises, whose hands its drafts are in, and one that fails. Source: docs/specification/payouts.md#schedule. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { act, draft, payable } from '../../support/payments/payout-world.ts';
import { keyMadeBy } from '../../support/two-hands/hands-world.ts';

const SETTINGS = '/api/v1/admin/settings';
const SWEEP = 'draft-payouts';

let app: TestApp;
let tenant: TestTenant;
let live: ApiClient;
let sandbox: ApiClient;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
});
afterAll(() => app.close());
beforeEach(async () => {
  tenant = await app.newTenant();
  live = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
  scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' };
});

const FIFTEENTH = { currency: 'USD', cadence: 'monthly', days: [15] };
const EURO = { ...FIFTEENTH, currency: 'EUR' };

const patch = (client: ApiClient, payments: object) => client.patch(SETTINGS, { payments });

async function setOk(client: ApiClient, schedule: unknown): Promise<void> {
  const { status, text } = await patch(client, { schedule });
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ');
}

async function clockTo(frozenAt: string): Promise<void> {
  const { status, text } = await sandbox.post('/api/v1/sandbox/clock', { frozenAt });
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ');
}

/** Nothing is done yet of what is due by then. */
const clockOnly = (frozenAt: string) =>
  app.database.asSuperuser('update sandbox_clock set frozen_at = $2 where tenant_id = $1', [tenant.tenantId, frozenAt]);

const zoneIs = async (reportingTimeZone: string) => expect((await live.patch(SETTINGS, { reportingTimeZone })).status).toBe(200);

const runsOf = async (client = sandbox): Promise<{ id: string; currency: string }[]> =>
  (await client.get('/api/v1/payout-runs')).body.data;
const currenciesOf = async () => (await runsOf()).map(({ currency }) => currency);
const scheduleOf = async () => (await sandbox.get('/api/v1/payouts/schedule')).body.data;
const nextAt = async (): Promise<string> => (await scheduleOf())[0].nextAt;

describe('one currency whose draft fails', () => {
  beforeAll(() =>
    app.database.asSuperuser(
      `create table broken_currency (currency text);
       grant select on broken_currency to public;
       create function refuse_broken() returns trigger language plpgsql as $$ begin
         if exists (select from broken_currency b where b.currency = new.currency) then raise exception 'is broken'; end if;
         return new;
       end $$;
       create trigger refuse_broken before insert on payout_run for each row execute function refuse_broken()`,
    ),
  );
  beforeEach(async () => {
    await clockTo('2030-07-01T00:00:00Z');
    await setOk(sandbox, [EURO, FIFTEENTH]);
    await payable(app, scope, sandbox, 6_000);
    await payable(app, scope, sandbox, 6_000, { currency: 'EUR' });
    await app.database.asSuperuser("insert into broken_currency values ('EUR')");
  });

  test('keeps none of the others; it is logged, and its date is drafted later', async () => {
    await clockOnly('2030-07-15T06:00:00Z');
    const before = app.logLines.length;
    expect(await app.runSweep(SWEEP, scope)).toBe(2);
    expect(await currenciesOf()).toEqual(['USD']);
    const lines = app.logLines.slice(before).map((line) => JSON.parse(line));
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
      { ...scope, currency: 'EUR', date: '2030-07-15', err: { message: 'is broken' }, msg: expect.stringContaining('failed') },
    ]);
    const [euro] = await scheduleOf();
    expect(euro).toMatchObject({ currency: 'EUR', nextAt: '2030-07-15T06:05:00.000Z', last: null });
    expect(await app.runSweep(SWEEP, scope)).toBe(0);

    await clockOnly('2030-07-15T06:05:00Z');
    expect(await app.runSweep(SWEEP, scope)).toBe(1);
    expect(await currenciesOf()).toEqual(['USD']);
    await app.database.asSuperuser('delete from broken_currency');
    await clockTo('2030-07-15T06:10:00Z');
    expect(await currenciesOf()).toEqual(['EUR', 'USD']);
    const last = { date: '2030-07-15', outcome: 'DRAFTED', at: '2030-07-15T06:10:00.000Z' };
    expect((await scheduleOf())[0]).toMatchObject({ currency: 'EUR', last, nextAt: '2030-08-15T06:00:00.000Z' });
  });

  test('leaves nothing half done, and is drafted once when another date has come meanwhile', async () => {
    await clockTo('2030-07-15T06:00:00Z');
    const told = `select count(*)::int as n from audit_log where tenant_id = $1 and action = 'payout_run.drafted'`;
    expect(await app.database.asSuperuser(told, [tenant.tenantId])).toEqual([{ n: 1 }]);
    await app.database.asSuperuser('delete from broken_currency');
    await clockTo('2030-08-20T00:00:00Z');
    expect((await currenciesOf()).filter((currency) => currency === 'EUR')).toHaveLength(1);
    expect((await scheduleOf())[0]).toMatchObject({ last: { date: '2030-08-15' }, nextAt: '2030-09-15T06:00:00.000Z' });
  });
});

describe('the next draft that is promised', () => {
  beforeEach(async () => {
    await clockTo('2030-07-01T00:00:00Z');
    await payable(app, scope, sandbox, 6_000);
  });

  test('is none of a date that is done, though its new time is still to come', async () => {
    await setOk(sandbox, [FIFTEENTH]);
    await clockTo('2030-07-15T07:00:00Z');
    await setOk(sandbox, [{ ...FIFTEENTH, localTime: '18:00' }]);
    expect(await nextAt()).toBe('2030-08-15T18:00:00.000Z');
    await clockTo('2030-07-16T00:00:00Z');
    expect(await nextAt()).toBe('2030-08-15T18:00:00.000Z');
    expect(await runsOf()).toHaveLength(1);
  });

  test('is none of a date that another zone brings once more, before it and behind it', async () => {
    await zoneIs('Asia/Kolkata');
    await setOk(sandbox, [FIFTEENTH]);
    await clockTo('2030-07-15T00:30:00Z');
    expect(await runsOf()).toHaveLength(1);
    await zoneIs('America/Santiago');
    expect(await nextAt()).toBe('2030-08-15T10:00:00.000Z');
    await clockOnly('2030-07-15T12:00:00Z');
    expect(await nextAt()).toBe('2030-08-15T10:00:00.000Z');
    await clockTo('2030-07-15T12:00:00Z');
    expect(await nextAt()).toBe('2030-08-15T10:00:00.000Z');
    expect(await runsOf()).toHaveLength(1);
    await clockTo('2030-08-15T10:00:00Z');
    expect((await scheduleOf())[0].last.date).toBe('2030-08-15');
  });

  test('is one that has come and is not done', async () => {
    await setOk(sandbox, [FIFTEENTH]);
    await clockOnly('2030-07-15T09:00:00Z');
    expect(await nextAt()).toBe('2030-07-15T06:00:00.000Z');
  });
});

describe('a change that says what it was made of', () => {
  const shown = async () => (await live.get(SETTINGS)).body.payments.schedule;

  test('is refused where the schedule is another by now, and nothing changes', async () => {
    await setOk(live, [EURO, FIFTEENTH]);
    const drawn = await shown();
    await setOk(live, [FIFTEENTH]);
    const late = await patch(live, { schedule: [EURO, { ...FIFTEENTH, days: [1] }], expectedSchedule: drawn, requireKyc: false });
    expectRefusal(late, 409, 'STATE_CONFLICT');
    expect(late.text).toContain('changed meanwhile');
    expect((await live.get(SETTINGS)).body.payments.requireKyc).toBe(true);
    expect(await shown()).toMatchObject([FIFTEENTH]);
    const again = await patch(live, { schedule: [{ ...FIFTEENTH, days: [1] }], expectedSchedule: await shown() });
    expect(again.body.payments.schedule).toMatchObject([{ currency: 'USD', days: [1] }]);
  });

  test('none is expected by null or an empty list; of two at once one is refused', async () => {
    const both = await Promise.all(
      [EURO, FIFTEENTH].map((one, index) => patch(live, { schedule: [one], expectedSchedule: index === 0 ? null : [] })),
    );
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await shown()).toHaveLength(1);
    expect((await patch(live, { schedule: null, expectedSchedule: null })).status).toBe(409);
    expect((await patch(live, { schedule: null, expectedSchedule: await shown() })).status).toBe(200);
    expect(await shown()).toBeNull();
  });
});

describe('the first pair of hands of a run', () => {
  const first = async (runId: string) => {
    const { createdBy, firstHands } = (await live.get(`/api/v1/payout-runs/${runId}`)).body;
    const listed = (await live.get('/api/v1/payout-runs')).body.data as { id: string; firstHands: unknown }[];
    expect(listed.find(({ id }) => id === runId)?.firstHands).toEqual(firstHands);
    return { createdBy, firstHands };
  };

  test('is whoever set the schedule, of a key its root, else whoever drafted it', async () => {
    const own = await keyMadeBy(app, live);
    const liveScope: Scope = { ...scope, environment: 'LIVE' };
    await payable(app, liveScope, live, 6_000);
    const byHand = await draft(live);
    const { createdBy: root } = await first(byHand.id);
    expect(await first(byHand.id)).toEqual({ createdBy: root, firstHands: root });
    expect(root.kind).toBe('api_key');
    await act(live, byHand.id, 'cancel');
    const byOwn = await draft(own.client);
    expect(await first(byOwn.id)).toMatchObject({ createdBy: { id: own.keyId }, firstHands: root });
    await act(live, byOwn.id, 'cancel');

    await setOk(own.client, [FIFTEENTH]);
    await app.database.asSuperuser(
      "update payout_schedule set after_at = now() - interval '39 days', due_at = now() where tenant_id = $1",
      [tenant.tenantId],
    );
    expect(await app.runSweep(SWEEP, liveScope)).toBe(1);
    const [scheduled] = await runsOf(live);
    const system = { kind: 'system', id: null, name: null };
    expect(await first(scheduled?.id ?? '')).toEqual({ createdBy: system, firstHands: root });
  });
});
