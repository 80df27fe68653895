/** GET and POST /sandbox/clock: a clock of the tenant's own, forward only (docs/specification/sandbox.md#clock). */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { createSandboxService } from '../../../src/features/sandbox/sandbox-service.ts';
import { commissions } from '../../../src/features.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { testCaller } from '../../support/app/test-caller.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';

const CLOCK = '/api/v1/sandbox/clock';
const TEN_YEARS = 315_360_000;
const MINUTE_MS = 60_000;

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.sandboxKey);
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

const advance = (seconds: number) => client.post(CLOCK, { advanceSeconds: seconds });
const freeze = (at: string) => client.post(CLOCK, { frozenAt: at });
const read = async () => (await client.get(CLOCK)).body as { now: string; frozen: boolean };
/** How far ahead of ours a reading is. */
const aheadMs = (now: string) => Date.parse(now) - Date.now();

test('unmoved it is the database’s and runs', async () => {
  const { now, frozen } = await read();
  expect(frozen).toBe(false);
  expect(Math.abs(aheadMs(now))).toBeLessThan(MINUTE_MS);
});

describe('advanced', () => {
  test('it runs on, further ahead; advances add up', async () => {
    const first = await advance(3_600);
    expect([first.status, first.body.frozen]).toEqual([200, false]);
    expect(Math.abs(aheadMs(first.body.now) - 3_600_000)).toBeLessThan(MINUTE_MS);
    const { body: second } = await advance(86_400);
    expect(Math.abs(aheadMs(second.now) - 90_000_000)).toBeLessThan(MINUTE_MS);
    const later = await read();
    expect(Date.parse(later.now)).toBeGreaterThanOrEqual(Date.parse(second.now));
  });

  test('by a second, and by ten years at most', async () => {
    expect((await advance(1)).status).toBe(200);
    const { body } = await advance(TEN_YEARS);
    expect(Math.abs(aheadMs(body.now) - (TEN_YEARS + 1) * 1_000)).toBeLessThan(MINUTE_MS);
    expectRefusal(await advance(TEN_YEARS + 1), 400, 'VALIDATION_ERROR', ['advanceSeconds']);
  });

  test('while frozen it moves and stays frozen, to the millisecond', async () => {
    await freeze('2100-02-28T23:59:59.123Z');
    expect((await advance(1)).body).toEqual({ now: '2100-03-01T00:00:00.123Z', frozen: true });
    expect(await read()).toEqual({ now: '2100-03-01T00:00:00.123Z', frozen: true });
  });

  test('fifty at once all count', async () => {
    await freeze('2100-01-01T00:00:00Z');
    const answers = await Promise.all(Array.from({ length: 50 }, () => advance(60)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.now)).size).toBe(50);
    expect((await read()).now).toBe('2100-01-01T00:50:00.000Z');
  });

  test('fifty at once count on a clock that was never moved, too', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => advance(3_600)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(Math.abs(aheadMs((await read()).now) - 180_000_000)).toBeLessThan(MINUTE_MS);
  });
});

describe('frozen', () => {
  test('it stands', async () => {
    expect((await freeze('2100-01-01T01:00:00+02:00')).body).toEqual({ now: '2099-12-31T23:00:00.000Z', frozen: true });
    expect(await read()).toEqual({ now: '2099-12-31T23:00:00.000Z', frozen: true });
  });

  test('never backward: not before the database’s time, a running clock or a frozen one', async () => {
    expectRefusal(await freeze(new Date(Date.now() - 1_000).toISOString()), 409, 'STATE_CONFLICT');
    expectRefusal(await freeze('0001-01-01T00:00:00Z'), 409, 'STATE_CONFLICT');
    expect(await app.database.asSuperuser('select from sandbox_clock where tenant_id = $1', [tenant.tenantId])).toEqual([]);
    await advance(3_600);
    expectRefusal(await freeze(new Date(Date.now() + 3_500_000).toISOString()), 409, 'STATE_CONFLICT');
    expect((await read()).frozen).toBe(false);
    await freeze('2100-01-01T00:00:00.500Z');
    expectRefusal(await freeze('2100-01-01T00:00:00.499Z'), 409, 'STATE_CONFLICT');
    expect(await read()).toEqual({ now: '2100-01-01T00:00:00.500Z', frozen: true });
  });

  test('again where it stands changes nothing, though it was given finer than it can say', async () => {
    const { body } = await freeze('2100-01-01T00:00:00.1239999Z');
    expect(body.now).toBe('2100-01-01T00:00:00.123Z');
    expect((await freeze(body.now)).body).toEqual(body);
  });

  test('of many at once the latest stays', async () => {
    const at = (minute: number) => `2100-01-01T00:${String(minute).padStart(2, '0')}:00Z`;
    const answers = await Promise.all(Array.from({ length: 30 }, (_, minute) => freeze(at((minute * 7) % 30))));
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect((await read()).now).toBe('2100-01-01T00:29:00.000Z');
  });
});

describe('its end', () => {
  test('a frozen clock may stand at the last instant of the year 9999, and goes no further', async () => {
    expect((await freeze('9999-12-31T23:59:59.9999999Z')).body.now).toBe('9999-12-31T23:59:59.999Z');
    expectRefusal(await advance(1), 400, 'VALIDATION_ERROR', ['advanceSeconds']);
    expectRefusal(await freeze('9999-12-31T23:59:59-00:01'), 400, 'VALIDATION_ERROR', ['frozenAt']);
    expect(await read()).toEqual({ now: '9999-12-31T23:59:59.999Z', frozen: true });
  });

  test('a running clock stops being moved long before, for it goes on by itself', async () => {
    await advance(1);
    const nearly = "update sandbox_clock set ahead = '9899-12-31T23:00:00Z'::timestamptz - now() where tenant_id = $1";
    await app.database.asSuperuser(nearly, [tenant.tenantId]);
    expect((await advance(60)).status).toBe(200);
    expectRefusal(await advance(3_600), 400, 'VALIDATION_ERROR', ['advanceSeconds']);
    expect((await freeze('9999-01-01T00:00:00Z')).status).toBe(200);
  });
});

describe('refused', () => {
  test.each<[label: string, body: object, named: string[]]>([
    ['nothing', {}, ['body']],
    ['both', { advanceSeconds: 1, frozenAt: '2100-01-01T00:00:00Z' }, ['body']],
    ['no seconds', { advanceSeconds: 0 }, ['advanceSeconds']],
    ['backward', { advanceSeconds: -1 }, ['advanceSeconds']],
    ['half a second', { advanceSeconds: 0.5 }, ['advanceSeconds']],
    ['text', { advanceSeconds: '60' }, ['advanceSeconds']],
    ['no zone', { frozenAt: '2100-01-01T00:00:00' }, ['frozenAt']],
    ['null', { frozenAt: null }, ['frozenAt']],
    ['a stranger', { advanceSeconds: 1, tenantId: randomUUID() }, ['tenantId']],
  ])('%s', async (_label, body, named) => {
    expectRefusal(await client.post(CLOCK, body), 400, 'VALIDATION_ERROR', named);
    expect(Math.abs(aheadMs((await read()).now))).toBeLessThan(MINUTE_MS);
  });

  test('LIVE has no such clock', async () => {
    const live = apiClient(app, tenant.liveKey);
    expectRefusal(await live.get(CLOCK), 403, 'ENVIRONMENT_MISMATCH');
    expectRefusal(await live.post(CLOCK, { advanceSeconds: 60 }), 403, 'ENVIRONMENT_MISMATCH');
    expectRefusal(await live.post(CLOCK, { advanceSeconds: 60 }, { 'idempotency-key': 'k' }), 403, 'ENVIRONMENT_MISMATCH');
    expect(await app.database.asSuperuser('select from sandbox_clock where tenant_id = $1', [tenant.tenantId])).toEqual([]);
  });
});

test('an Idempotency-Key counts an advance once', async () => {
  await freeze('2100-01-01T00:00:00Z');
  const send = () => client.post(CLOCK, { advanceSeconds: 60 }, { 'idempotency-key': 'once' });
  const answers = await Promise.all(Array.from({ length: 10 }, send));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect((await read()).now).toBe('2100-01-01T00:01:00.000Z');
});

test('each tenant has its own', async () => {
  const other = apiClient(app, (await app.newTenant()).sandboxKey);
  await freeze('2100-01-01T00:00:00Z');
  await other.post(CLOCK, { advanceSeconds: 3_600 });
  expect((await read()).now).toBe('2100-01-01T00:00:00.000Z');
  const { body } = await other.get(CLOCK);
  expect(body.frozen).toBe(false);
  expect(Math.abs(aheadMs(body.now) - 3_600_000)).toBeLessThan(MINUTE_MS);
});

describe('members’ changes go by it', () => {
  test('the present is the clock’s: undated changes begin there, and what is later is the future', async () => {
    await freeze('2100-01-01T00:00:00Z');
    const [sponsor, member] = [await client.newMember(), await client.newMember()];
    const url = `/api/v1/users/${member.id}`;
    const move = (body: object) => client.post(`/api/v1/members/${member.id}/sponsor`, body);
    expect((await client.patch(url, { membership_tier: 'SENIOR' })).status).toBe(200);
    expect((await move({ sponsorId: sponsor.id })).body.effectiveAt).toBe('2100-01-01T00:00:00.000Z');
    const ahead = '2100-01-01T00:00:00.001Z';
    expectRefusal(await client.patch(url, { is_active: false, effective_at: ahead }), 400, 'VALIDATION_ERROR', ['effective_at']);
    expectRefusal(await move({ sponsorId: null, effectiveAt: ahead }), 400, 'VALIDATION_ERROR', ['effectiveAt']);
    expect((await client.patch(url, { is_active: false, effective_at: '2099-06-01T00:00:00Z' })).status).toBe(200);
    await advance(1);
    expect((await move({ sponsorId: null, effectiveAt: ahead })).status).toBe(200);
    const { body } = await client.get(`/api/v1/members/${member.id}/history`);
    expect(body.tier[1]).toMatchObject({ membershipTier: 'SENIOR', validFrom: '2100-01-01T00:00:00.000Z' });
    expect(body.activity[1].validFrom).toBe('2099-06-01T00:00:00.000Z');
    expect(body.sponsor.map((entry: { validFrom: string }) => entry.validFrom)).toEqual([
      null,
      '2100-01-01T00:00:00.000Z',
      ahead,
    ]);
    expect(Math.abs(aheadMs(body.tier[1].recordedAt))).toBeLessThan(MINUTE_MS); // recorded when it was recorded
  });

  test('of undated changes while it stands the last one counts', async () => {
    await freeze('2100-01-01T00:00:00Z');
    const member = await client.newMember();
    const sponsors = [await client.newMember(), await client.newMember(), await client.newMember()];
    for (const [index, tier] of ['SENIOR', 'MANAGER', 'DIRECTOR'].entries()) {
      expect((await client.patch(`/api/v1/users/${member.id}`, { membership_tier: tier })).body.membership_tier).toBe(tier);
      await client.post(`/api/v1/members/${member.id}/sponsor`, { sponsorId: sponsors[index]?.id });
      const { body } = await client.get(`/api/v1/users?parent_id=${sponsors[index]?.id}`);
      expect(body.data).toHaveLength(1);
    }
  });

  test('LIVE and another tenant keep the database’s time', async () => {
    await freeze('2100-01-01T00:00:00Z');
    for (const key of [tenant.liveKey, (await app.newTenant()).sandboxKey]) {
      const other = apiClient(app, key);
      const member = await other.newMember();
      const change = { membership_tier: 'SENIOR', effective_at: '2099-01-01T00:00:00Z' };
      expectRefusal(await other.patch(`/api/v1/users/${member.id}`, change), 400, 'VALIDATION_ERROR', ['effective_at']);
      await other.patch(`/api/v1/users/${member.id}`, { membership_tier: 'SENIOR' });
      const { body } = await other.get(`/api/v1/members/${member.id}/history`);
      expect(Math.abs(aheadMs(body.tier[1].validFrom))).toBeLessThan(MINUTE_MS);
    }
  });
});

describe('the sweeps', () => {
  /** A service that notes for whom it swept and what the clock said then, to others too. */
  function sweeping() {
    const swept: [tenantId: string, now: string][] = [];
    const runSweeps = async (scope: Scope) => {
      swept.push([scope.tenantId, (await read()).now]);
    };
    const service = createSandboxService({
      frames: app.composition.frames,
      plans: app.composition.offer(commissions).plans,
      runSweeps,
    });
    const context = { scope: testCaller({ tenantId: tenant.tenantId, environment: 'SANDBOX' }), guard: undefined };
    return { swept, service, context };
  }

  test('run once behind each move, when it is committed', async () => {
    const { swept, service, context } = sweeping();
    await service.moveClock(context, { frozenAt: '2100-01-01T00:00:00Z' });
    await service.moveClock(context, { advanceSeconds: 60 });
    expect(swept).toEqual([
      [tenant.tenantId, '2100-01-01T00:00:00.000Z'],
      [tenant.tenantId, '2100-01-01T00:01:00.000Z'],
    ]);
  });

  test('do not run when the clock was not moved', async () => {
    const { swept, service, context } = sweeping();
    await service.readClock(context);
    await expect(service.moveClock(context, { frozenAt: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
    });
    const live = { ...context, scope: { ...context.scope, environment: 'LIVE' as const } };
    await expect(service.moveClock(live, { advanceSeconds: 1 })).rejects.toMatchObject({ code: 'ENVIRONMENT_MISMATCH' });
    expect(swept).toEqual([]);
  });
});
