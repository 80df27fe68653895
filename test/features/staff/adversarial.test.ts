/** What people, and whoever would be one, may not get by haste, by old sessions, or by other ways in. Source: docs/specification/people.md. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOf, stepAt } from '../../../src/features/staff/factors/totp.ts';
import type { SignInResult } from '../../../src/features/staff/open/sign-in.ts';
import {
  changeOwnPassword,
  endOwnSessions,
  inviteStaff,
  listStaff,
  removeStaffMember,
  updateStaffMember,
} from '../../../src/features/staff/staff-operations.ts';
import type { Operation } from '../../../src/http/operation.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import {
  callerOf,
  invokeAs,
  PASSWORD,
  plantPerson,
  plantSignedIn,
  refusalOf,
  type SignedIn,
  signIn,
  staffOf,
} from '../../support/app/test-people.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { payable } from '../../support/payments/payout-world.ts';
import { addAuthenticator } from '../../support/staff/own-factors.ts';

const VISITOR = { ip: '203.0.113.7', agent: 'Browser/1', requestId: 'of-a-test' };
const origin = { ip: '203.0.113.9', userAgent: 'a test' };
let app: TestApp;
let tenant: TestTenant;
let slug: string;
let owner: SignedIn;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  tenant = await app.newTenant();
  owner = await plantSignedIn(app, tenant.tenantId);
  const [row] = await app.database.asSuperuser<{ slug: string }>('select slug from tenant where id = $1', [tenant.tenantId]);
  slug = row?.slug ?? '';
});

const byPassword = (email: string, password = PASSWORD): Promise<SignInResult> =>
  staffOf(app).signIn.signIn({ tenantSlug: slug, email, password }, VISITOR);
const update = (person: SignedIn, staffId: string, body: object) =>
  invokeAs(app, person, updateStaffMember, { params: { staffId }, body });
/** By its name and path: all that a call in the process goes by. */
const operation = (operationId: string, path: string, method: Operation['method'] = 'post') =>
  ({ operationId, path, method }) as unknown as Operation;
const createApiKey = operation('createApiKey', '/api/v1/admin/api-keys');
const keysOf = (staffId: string) =>
  app.database.asSuperuser<{ root: string; scopes: string[]; environment: string }>(
    'select root, scopes, environment from api_key where root = $1',
    [`staff:${staffId}`],
  );

describe('keys that people make', () => {
  test('have the person as their root, and no scope that the role lacks', async () => {
    const developer = await plantSignedIn(app, tenant.tenantId, { role: 'developer' });
    const made = await invokeAs(app, developer, createApiKey, { body: { scopes: ['events:read'] } });
    expect(made.status).toBe(201);
    const key = (made.body as { apiKey: string }).apiKey;
    expect(await keysOf(developer.staffId)).toEqual([
      { root: `staff:${developer.staffId}`, scopes: ['events:read'], environment: 'LIVE' },
    ]);
    // A key's key has the same root.
    const further = await apiClient(app, key).post('/api/v1/admin/api-keys', { scopes: ['events:read'] });
    expect(further.status).toBe(403);
    for (const scopes of [['payouts:read'], ['*'], ['admin:staff'], ['admin:settings']]) {
      const refusal = await refusalOf(invokeAs(app, developer, createApiKey, { body: { scopes } }));
      expect(['FORBIDDEN', 'VALIDATION_ERROR'], scopes.join()).toContain(refusal);
    }
    expect(await keysOf(developer.staffId)).toHaveLength(1);
    expect(await refusalOf(invokeAs(app, owner, createApiKey, { body: { scopes: ['admin:staff'] } }))).not.toBe('nothing');
  });

  test.each([
    ['demoted', { role: 'read-only' }],
    ['disabled', { disabled: true }],
  ])('are not made by somebody who was %s, though the session is still remembered', async (_name, change) => {
    const admin = await plantSignedIn(app, tenant.tenantId, { role: 'admin' });
    const remembered = await callerOf(app, admin);
    await update(owner, admin.staffId, change);
    for (const scopes of [['*'], ['members:read'], ['admin:keys']]) {
      const call = app.composition.invoke(createApiKey, { body: { scopes } }, { caller: remembered, origin });
      expect(await refusalOf(call), scopes.join()).not.toBe('nothing');
    }
    expect(await keysOf(admin.staffId)).toEqual([]);
  });

  test('are not made at the same time with rights that go', async () => {
    for (let round = 0; round < 8; round += 1) {
      const admin = await plantSignedIn(app, tenant.tenantId, { role: 'admin' });
      const remembered = await callerOf(app, admin);
      const [made, demoted] = await Promise.allSettled([
        app.composition.invoke(createApiKey, { body: { scopes: ['admin:settings'] } }, { caller: remembered, origin }),
        update(owner, admin.staffId, { role: 'read-only' }),
      ]);
      expect(demoted.status).toBe('fulfilled');
      const keys = await keysOf(admin.staffId);
      expect(keys).toHaveLength(made.status === 'fulfilled' ? 1 : 0);
      if (made.status === 'fulfilled') {
        const entries = await app.database.asSuperuser<{ action: string }>(
          `select action from audit_log where tenant_id = $1 and action in ('api_key.created', 'staff.changed') order by id desc limit 2`,
          [tenant.tenantId],
        );
        expect(entries.map(({ action }) => action)).toEqual(['staff.changed', 'api_key.created']);
      }
    }
  });
});

describe('dual control with persons', () => {
  const SETTINGS = { dualControl: true, dualControlBy: 'persons' as const };
  const approve = (person: SignedIn, runId: string) =>
    invokeAs(app, person, operation('approvePayoutRun', '/api/v1/payout-runs/{runId}/approve'), { params: { runId } });

  async function drafted(by: SignedIn): Promise<string> {
    const scope = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
    await plantPaymentSettings(app, scope, SETTINGS);
    await payable(app, scope, apiClient(app, tenant.liveKey), 6_000);
    const made = await invokeAs(app, by, operation('createPayoutRun', '/api/v1/payout-runs'), { body: { currency: 'USD' } });
    return (made.body as { id: string }).id;
  }

  test('a run is approved by neither the drafter, a key, a tied person, nor an old second factor, but by another person', async () => {
    const finance = await plantSignedIn(app, tenant.tenantId, { role: 'finance' });
    const runId = await drafted(finance);
    expect(await refusalOf(approve(finance, runId))).toBe('SECOND_PERSON_REQUIRED');
    const again = await signIn(app, finance);
    expect(await refusalOf(approve(again, runId))).toBe('SECOND_PERSON_REQUIRED');
    const key = await apiClient(app, tenant.liveKey).post(`/api/v1/payout-runs/${runId}/approve`, {});
    expect(key.body.code).toBe('SECOND_PERSON_REQUIRED');
    const stale = await plantSignedIn(app, tenant.tenantId, { role: 'finance', fresh: false });
    expect(await refusalOf(approve(stale, runId))).toBe('STEP_UP_REQUIRED');
    const tied = await plantSignedIn(app, tenant.tenantId, { role: 'finance' });
    await app.database.asSuperuser(
      `insert into approval_tie (tenant_id, environment, subject, counts_as, reason, until)
       values ($1, 'LIVE', $2, $3, 'invited', now() + interval '7 days')`,
      [tenant.tenantId, `staff:${tied.staffId}`, `staff:${finance.staffId}`],
    );
    expect(await refusalOf(approve(tied, runId))).toBe('SECOND_PERSON_REQUIRED');
    const other = await plantSignedIn(app, tenant.tenantId, { role: 'finance' });
    expect((await approve(other, runId)).status).toBe(200);
  });

  test('a role that approves payments waits for another person, also where it is an invitation or somebody enabled', async () => {
    const scope = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
    await plantPaymentSettings(app, scope, SETTINGS);
    const reviewer = await plantPerson(app, tenant.tenantId, { role: 'reviewer' });
    expect((await update(owner, reviewer.staffId, { role: 'finance' })).status).toBe(202);
    const invited = await invokeAs(app, owner, inviteStaff, { body: { email: 'f@example.com', role: 'finance' } });
    expect(invited.status).toBe(202);
    const off = await plantPerson(app, tenant.tenantId, { role: 'finance' });
    await app.database.asSuperuser("update staff set state = 'disabled' where id = $1", [off.staffId]);
    expect((await update(owner, off.staffId, { disabled: false })).status).toBe(202);
    const rows = await app.database.asSuperuser<{ role: string; state: string }>(
      'select role, state from staff where id = any ($1) order by role',
      [[reviewer.staffId, off.staffId]],
    );
    expect(rows).toEqual([
      { role: 'finance', state: 'disabled' },
      { role: 'reviewer', state: 'active' },
    ]);
    // Nobody has to wait to take rights away.
    expect((await update(owner, off.staffId, { role: 'reviewer' })).status).toBe(200);
  });
});

test('a session of the highest role opens no operation of the API but those that say so', async () => {
  const all = app.composition.app.operations.filter(({ path }) => path.startsWith('/api/v1/'));
  expect(all.length).toBeGreaterThan(150);
  const taken: string[] = [];
  for (const { method, path, operationId, scope, session } of all) {
    if (scope === 'none') continue;
    const filled = path.replace(/\{\w+\}/g, '01890000-0000-7000-8000-000000000000');
    const answer = await app.http[method](filled)
      .set('cookie', `mcr=${owner.cookie}; __Host-mcr=${owner.cookie}`)
      .set('sec-fetch-site', 'same-origin');
    if (answer.status !== 401) taken.push(operationId);
    if (session) expect(answer.status, operationId).not.toBe(401);
  }
  expect(taken).toEqual(all.filter(({ session }) => session).map(({ operationId }) => operationId));
  expect(taken).toEqual(['getProfile']);
});

describe('a session', () => {
  const age = (sessionId: string, created: string, seen: string) =>
    app.database.asSuperuser(
      'update staff_session set created_at = now() - $2::interval, last_seen_at = now() - $3::interval where id = $1',
      [sessionId, created, seen],
    );

  test.each([
    ['59 minutes idle', '59 minutes', '59 minutes', true],
    ['60 minutes idle', '60 minutes', '60 minutes', false],
    ['11 hours 59 minutes old and in use', '11 hours 59 minutes', '1 minute', true],
    ['12 hours old and in use', '12 hours', '0 minutes', false],
  ])('that is %s', async (_name, created, seen, works) => {
    const person = await plantSignedIn(app, tenant.tenantId);
    await age(person.sessionId, created, seen);
    expect((await staffOf(app).sessions.resolve(person.cookie)) !== undefined).toBe(works);
  });

  test('is prolonged by being used, and never beyond 12 hours', async () => {
    const person = await plantSignedIn(app, tenant.tenantId);
    await age(person.sessionId, '5 hours', '50 minutes');
    await staffOf(app).sessions.resolve(person.cookie);
    const seen = async () =>
      (
        await app.database.asSuperuser<{ recent: boolean }>(
          "select last_seen_at > now() - interval '1 minute' as recent from staff_session where id = $1",
          [person.sessionId],
        )
      )[0]?.recent;
    for (let tries = 0; tries < 100 && !(await seen()); tries += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await seen()).toBe(true);
    // Stepping up does not make it younger.
    await age(person.sessionId, '12 hours 1 minute', '0 minutes');
    const session = { id: person.sessionId, tenantId: tenant.tenantId, staffId: person.staffId };
    const scope = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
    const by = { actor: { kind: 'staff', id: person.staffId }, operationId: 'step-up', requestId: null, ip: null } as const;
    const renewing = app.composition.frames.write(scope, (db) => staffOf(app).sessions.stepUp(db, session, by));
    expect(await refusalOf(renewing)).toBe('UNAUTHORIZED');
  });

  test('has another value after each sign-in and each step-up, and the one before is good for nothing', async () => {
    const person = await plantSignedIn(app, tenant.tenantId, { factor: false, role: 'reviewer' });
    const secret = await addAuthenticator(app, person);
    const begun = await byPassword(person.email);
    if (begun.kind !== 'factor_needed') throw new Error(begun.kind);
    const proof = (step: number) => ({ method: 'totp' as const, answer: codeOf(secret, stepAt(new Date()) + step) });
    const entered = await staffOf(app).factors.finishSignIn(begun.challenge, proof(0), VISITOR);
    if (entered.kind !== 'signed_in') throw new Error(entered.kind);
    expect(entered.cookie).not.toBe(person.cookie);
    const stepped = await staffOf(app).factors.stepUp(entered.session, proof(1), VISITOR);
    if (stepped.kind !== 'given') throw new Error(stepped.kind);
    expect(stepped.cookie).not.toBe(entered.cookie);
    expect(stepped.session).toMatchObject({ id: entered.session.id, hasFreshFactor: true });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await staffOf(app).sessions.resolve(entered.cookie)).toBeUndefined();
    expect(await staffOf(app).sessions.resolve(stepped.cookie)).toBeDefined();
    // A value that somebody set beforehand is never taken over.
    expect(await staffOf(app).sessions.resolve('A'.repeat(43))).toBeUndefined();
  });
});

describe('the last owner', () => {
  test('stays, however two owners demote, disable and remove each other at once', async () => {
    for (const [first, second] of [
      ['demote', 'demote'],
      ['disable', 'remove'],
      ['remove', 'demote'],
      ['remove', 'remove'],
    ] as const) {
      const { tenantId } = await app.newTenant();
      const [a, b] = [await plantSignedIn(app, tenantId), await plantSignedIn(app, tenantId)];
      const act = (by: SignedIn, on: SignedIn, deed: 'demote' | 'disable' | 'remove'): Promise<unknown> => {
        const params = { staffId: on.staffId };
        if (deed === 'remove') return invokeAs(app, by, removeStaffMember, { params });
        return update(by, on.staffId, deed === 'demote' ? { role: 'admin' } : { disabled: true });
      };
      const done = await Promise.allSettled([act(a, b, first), act(b, a, second)]);
      const owners = await app.database.asSuperuser(
        "select 1 from staff where tenant_id = $1 and role = 'owner' and state = 'active'",
        [tenantId],
      );
      expect(owners.length, `${first} and ${second}: ${done.map(({ status }) => status).join()}`).toBeGreaterThan(0);
    }
  });

  test('stays, when one leaves by itself twice at once and the operator disables the other', async () => {
    const { tenantId } = await app.newTenant();
    const [a, b] = [await plantSignedIn(app, tenantId), await plantSignedIn(app, tenantId)];
    await Promise.allSettled([
      invokeAs(app, a, removeStaffMember, { params: { staffId: a.staffId } }),
      invokeAs(app, a, removeStaffMember, { params: { staffId: a.staffId } }),
      staffOf(app).operator.disable(tenantId, b.email),
    ]);
    const owners = await app.database.asSuperuser(
      "select 1 from staff where tenant_id = $1 and role = 'owner' and state = 'active'",
      [tenantId],
    );
    expect(owners).toHaveLength(1);
  });
});

describe('guessing', () => {
  test('of the own password by a stolen session is held off, also twice at once, and locks nobody out of signing in', async () => {
    const person = await plantSignedIn(app, tenant.tenantId, { factor: false, role: 'reviewer' });
    const change = (password: string) =>
      refusalOf(invokeAs(app, person, changeOwnPassword, { body: { password, newPassword: 'seven brown boots 9' } }));
    const all = await Promise.all(Array.from({ length: 9 }, (_, count) => change(`guess ${count}`)));
    expect(all.filter((code) => code === 'WRONG_PASSWORD')).toHaveLength(5);
    expect(all.filter((code) => code === 'RATE_LIMITED')).toHaveLength(4);
    expect(await change(PASSWORD)).toBe('RATE_LIMITED');
    expect((await byPassword(person.email)).kind).toBe('signed_in');
  });

  test('of codes behind a right password is held off, also from several sign-ins at once', async () => {
    const person = await plantSignedIn(app, tenant.tenantId, { factor: false, role: 'reviewer' });
    const secret = await addAuthenticator(app, person);
    const begin = async (): Promise<string> => {
      const begun = await byPassword(person.email);
      return begun.kind === 'factor_needed' ? begun.challenge : '';
    };
    const challenges = [await begin(), await begin(), await begin()];
    const right = codeOf(secret, stepAt(new Date()));
    const wrong = right === '000000' ? '000001' : '000000';
    const all = await Promise.all(
      Array.from({ length: 9 }, (_, count) =>
        staffOf(app).factors.finishSignIn(challenges[count % 3] ?? '', { method: 'totp', answer: wrong }, VISITOR),
      ),
    );
    expect(all.filter(({ kind }) => kind === 'refused')).toHaveLength(5);
    expect(all.filter(({ kind }) => kind === 'wait')).toHaveLength(4);
    const next = await staffOf(app).factors.finishSignIn(challenges[0] ?? '', { method: 'totp', answer: right }, VISITOR);
    expect(next.kind).toBe('wait');
  });

  test('of one tenant’s people holds off nobody of another', async () => {
    const elsewhere = await plantPerson(app, (await app.newTenant()).tenantId, { factor: false, email: 'same@example.com' });
    await plantPerson(app, tenant.tenantId, { factor: false, email: 'same@example.com' });
    for (let count = 0; count < 6; count += 1) await byPassword('same@example.com', 'wrong');
    expect((await byPassword('same@example.com')).kind).toBe('wait');
    const [row] = await app.database.asSuperuser<{ slug: string }>('select slug from tenant where id = $1', [elsewhere.tenantId]);
    const other = await staffOf(app).signIn.signIn(
      { tenantSlug: row?.slug ?? '', email: 'same@example.com', password: PASSWORD },
      VISITOR,
    );
    expect(other.kind).toBe('signed_in');
  });
});

describe('erasure', () => {
  test('of a person takes the address, the password, factors, links and sessions, and leaves the name beside its acts', async () => {
    const person = await plantSignedIn(app, tenant.tenantId, { role: 'reviewer', name: 'Gone Soon' });
    await addAuthenticator(app, person).catch(() => undefined);
    await byPassword(person.email, 'a wrong one');
    expect((await invokeAs(app, owner, removeStaffMember, { params: { staffId: person.staffId } })).status).toBe(200);
    const tables = await app.database.asSuperuser<{ name: string }>(
      `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'staff_id'`,
    );
    expect(tables.length).toBeGreaterThan(5);
    for (const name of ['staff_passkey', 'staff_totp', 'staff_recovery_code']) {
      expect(await app.database.asSuperuser(`select 1 from ${name} where staff_id = $1`, [person.staffId]), name).toEqual([]);
    }
    const [row] = await app.database.asSuperuser<{ text: string }>('select p::text as text from staff p where id = $1', [
      person.staffId,
    ]);
    expect(row?.text).toContain('Gone Soon');
    expect(row?.text).not.toContain(person.email);
    expect(row?.text).not.toContain('argon2id');
    const logs = await app.database.asSuperuser<{ text: string }>(
      'select audit_log::text as text from audit_log where tenant_id = $1',
      [tenant.tenantId],
    );
    expect(logs.map(({ text }) => text).join()).not.toContain(person.email);
    // The address is free for whoever has it next.
    const again = await invokeAs(app, owner, inviteStaff, { body: { email: person.email, role: 'reviewer' } });
    expect(again.status).toBe(201);
    expect(again.body?.staffId).not.toBe(person.staffId);
  });

  test('of a member’s data says nothing of people, and a reset of the SANDBOX leaves them', async () => {
    const before = await app.database.asSuperuser<{ count: number }>('select count(*)::int as count from staff');
    await apiClient(app, tenant.sandboxKey).post('/api/v1/sandbox/reset', {});
    expect(await app.database.asSuperuser('select count(*)::int as count from staff')).toEqual(before);
    expect(await staffOf(app).sessions.resolve(owner.cookie)).toBeDefined();
  });
});

describe('slugs', () => {
  const slugFor = async (name: string): Promise<string> => {
    const id = await app.tenants.createTenant({ name, defaultCurrency: 'USD', reportingTimeZone: 'UTC' });
    const [row] = await app.database.asSuperuser<{ slug: string }>('select slug from tenant where id = $1', [id]);
    return row?.slug ?? '';
  };

  test('are made of names, unlike each other, and never of anything that an address could not have', async () => {
    const made = [
      await slugFor('Zoë & Söhne GmbH'),
      await slugFor('Zoe - Sohne Gmbh'),
      await slugFor('東京'),
      await slugFor('東京'),
      await slugFor('../../etc/passwd'),
      await slugFor('x'),
      await slugFor('A'.repeat(100)),
    ];
    expect(new Set(made).size).toBe(made.length);
    for (const one of made) expect(one).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(made[0]).toBe('zoe-sohne-gmbh');
    expect(made[1]).toBe('zoe-sohne-gmbh-2');
  });

  test('are unlike each other, made at once', async () => {
    const made = await Promise.allSettled(Array.from({ length: 6 }, () => slugFor('At The Same Time')));
    const slugs = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(new Set(slugs).size).toBe(6);
  });
});

test('a person of another tenant sees and changes nobody here', async () => {
  const strange = await plantSignedIn(app, (await app.newTenant()).tenantId);
  expect(await refusalOf(update(strange, owner.staffId, { role: 'read-only' }))).toBe('NOT_FOUND');
  const listed = await invokeAs(app, strange, listStaff);
  expect(JSON.stringify(listed.body)).not.toContain(owner.email);
  await invokeAs(app, strange, endOwnSessions, { body: { which: 'not_me' } });
  expect(await staffOf(app).sessions.resolve(owner.cookie)).toBeDefined();
});
