/** What a person does with the own second factors. Source: docs/specification/people-factors.md. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addPasskey,
  askForPasskey,
  beginAuthenticator,
  confirmAuthenticator,
  getOwnFactors,
  makeRecoveryCodes,
  removeAuthenticator,
  removePasskey,
  renamePasskey,
  resetFactors,
} from '../../../../src/features/staff/factors/factors-operations.ts';
import { codeOf, stepAt } from '../../../../src/features/staff/factors/totp.ts';
import type { Role } from '../../../../src/features/staff/open/roles.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../../support/app/test-app.ts';
import {
  invokeAs,
  plantPerson,
  plantSignedIn,
  refusalOf,
  type SignedIn,
  signIn,
  staffOf,
} from '../../../support/app/test-people.ts';
import { SoftwareAuthenticator } from '../../../support/staff/authenticator.ts';
import { addAuthenticator, addDevice, fromBase32, originOf } from '../../../support/staff/own-factors.ts';

let app: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
});
afterAll(() => app.close());

const newcomer = (role: Role = 'owner'): Promise<SignedIn> =>
  plantSignedIn(app, tenant.tenantId, { role, factor: false, fresh: false });

/** The same person with a second factor given just now. */
const freshly = (person: SignedIn): Promise<SignedIn> => signIn(app, person, { fresh: true });
const now = (secret: Buffer, by = 0): string => codeOf(secret, stepAt(new Date()) + by);

async function actionsOn(person: SignedIn): Promise<string[]> {
  const rows = await app.database.asSuperuser<{ action: string }>(
    `select action from audit_log where tenant_id = $1 and object_id = $2 order by id`,
    [tenant.tenantId, person.staffId],
  );
  return rows.map(({ action }) => action);
}

describe('passkeys', () => {
  it('are added, named and listed, each with an entry of the audit log', async () => {
    const person = await newcomer();
    const { passkeyId } = await addDevice(app, person);
    const later = await freshly(person);
    expect((await invokeAs(app, later, renamePasskey, { params: { passkeyId }, body: { name: 'Phone' } })).body).toMatchObject({
      id: passkeyId,
      name: 'Phone',
    });
    const { body } = await invokeAs(app, later, getOwnFactors);
    expect(body).toMatchObject({
      passkeys: [{ id: passkeyId, name: 'Phone' }],
      authenticator: null,
      recoveryCodesLeft: 0,
      required: true,
    });
    expect(await actionsOn(person)).toEqual(['staff_passkey.added', 'staff_passkey.renamed']);
  });

  it('are added behind a fresh factor once there is one', async () => {
    const person = await newcomer();
    await addDevice(app, person);
    const stale = await signIn(app, person, { fresh: false });
    expect(await refusalOf(invokeAs(app, stale, askForPasskey))).toBe('STEP_UP_REQUIRED');
    const fresh = await freshly(person);
    const asked = await invokeAs(app, fresh, askForPasskey);
    const response = new SoftwareAuthenticator(originOf(app)).create(asked.body?.publicKey as never);
    expect(await refusalOf(invokeAs(app, stale, addPasskey, { body: { name: 'x', response } }))).toBe('STEP_UP_REQUIRED');
    expect((await invokeAs(app, fresh, addPasskey, { body: { name: 'x', response } })).status).toBe(201);
  });

  it('begin with a sign-in of the last ten minutes, and the first ends the other sessions', async () => {
    const person = await newcomer();
    const other = await signIn(app, person, { fresh: false });
    const begun = (minutes: number) =>
      app.database.asSuperuser(`update staff_session set created_at = now() - make_interval(mins => $2) where id = $1`, [
        person.sessionId,
        minutes,
      ]);
    await begun(11);
    expect(await refusalOf(invokeAs(app, person, askForPasskey))).toBe('UNAUTHORIZED');
    expect(await refusalOf(invokeAs(app, person, beginAuthenticator))).toBe('UNAUTHORIZED');
    await begun(9);
    const asked = await invokeAs(app, person, askForPasskey);
    const response = new SoftwareAuthenticator(originOf(app)).create(asked.body?.publicKey as never);
    await begun(11);
    expect(await refusalOf(invokeAs(app, person, addPasskey, { body: { name: 'x', response } }))).toBe('UNAUTHORIZED');
    await begun(9);
    expect((await invokeAs(app, person, addPasskey, { body: { name: 'x', response } })).status).toBe(201);
    const open = async (): Promise<string[]> =>
      (
        await app.database.asSuperuser<{ id: string }>('select id from staff_session where staff_id = $1 and ended_at is null', [
          person.staffId,
        ])
      ).map(({ id }) => id);
    expect(await open()).toEqual([person.sessionId]);
    // The second one ends none.
    const [fresh, third] = [await freshly(person), await signIn(app, person)];
    await addAuthenticator(app, fresh);
    expect((await open()).toSorted()).toEqual([person.sessionId, fresh.sessionId, third.sessionId].toSorted());
    expect(await open()).not.toContain(other.sessionId);
  });

  it('are not added twice by one answer, nor by the answer to a question that was put to another', async () => {
    const [person, other] = [await newcomer(), await newcomer()];
    const asked = await invokeAs(app, person, askForPasskey);
    const response = new SoftwareAuthenticator(originOf(app)).create(asked.body?.publicKey as never);
    const body = { name: 'x', response };
    expect(await refusalOf(invokeAs(app, other, addPasskey, { body }))).toBe('FACTOR_REFUSED');
    expect(await refusalOf(invokeAs(app, await signIn(app, person), addPasskey, { body }))).toBe('FACTOR_REFUSED');
    const both = await Promise.all([
      refusalOf(invokeAs(app, person, addPasskey, { body })),
      refusalOf(invokeAs(app, person, addPasskey, { body })),
    ]);
    // Whoever comes second has a factor by then, and is asked for it.
    expect(both.toSorted()).toEqual(['STEP_UP_REQUIRED', 'nothing']);
    const fresh = await freshly(person);
    expect(await refusalOf(invokeAs(app, fresh, addPasskey, { body }))).toBe('FACTOR_REFUSED');
  });

  it('are not added by an answer that is too late', async () => {
    const person = await newcomer();
    const asked = await invokeAs(app, person, askForPasskey);
    const response = new SoftwareAuthenticator(originOf(app)).create(asked.body?.publicKey as never);
    const [row] = await app.database.asSuperuser<{ minutes: string }>(
      `update staff_challenge set expires_at = now() where staff_id = $1
       returning extract(epoch from expires_at - created_at) as minutes`,
      [person.staffId],
    );
    expect(row).toBeDefined();
    expect(await refusalOf(invokeAs(app, person, addPasskey, { body: { name: 'x', response } }))).toBe('FACTOR_REFUSED');
  });

  it('wait five minutes for an answer', async () => {
    const person = await newcomer();
    await invokeAs(app, person, askForPasskey);
    const rows = await app.database.asSuperuser<{ seconds: number }>(
      'select extract(epoch from expires_at - created_at)::int as seconds from staff_challenge where staff_id = $1',
      [person.staffId],
    );
    expect(rows).toEqual([{ seconds: 300 }]);
  });

  it('of another person are neither seen nor changed', async () => {
    const [person, other] = [await newcomer(), await newcomer()];
    const { passkeyId } = await addDevice(app, person);
    await addDevice(app, other);
    const fresh = await freshly(other);
    const params = { passkeyId };
    expect(await refusalOf(invokeAs(app, fresh, renamePasskey, { params, body: { name: 'mine' } }))).toBe('NOT_FOUND');
    expect(await refusalOf(invokeAs(app, fresh, removePasskey, { params }))).toBe('NOT_FOUND');
    expect((await invokeAs(app, fresh, getOwnFactors)).body?.passkeys).toHaveLength(1);
  });

  it('are removed save for the last factor of a role that requires one', async () => {
    const owner = await newcomer('finance');
    const { passkeyId: first } = await addDevice(app, owner);
    const fresh = await freshly(owner);
    expect(await refusalOf(invokeAs(app, fresh, removePasskey, { params: { passkeyId: first } }))).toBe('LAST_FACTOR');
    expect((await invokeAs(app, fresh, getOwnFactors)).body?.passkeys).toHaveLength(1);
    await addDevice(app, fresh);
    expect((await invokeAs(app, fresh, removePasskey, { params: { passkeyId: first } })).body?.passkeys).toHaveLength(1);
    const reader = await newcomer('read-only');
    const { passkeyId } = await addDevice(app, reader);
    const freshReader = await freshly(reader);
    await invokeAs(app, freshReader, makeRecoveryCodes);
    const left = (await invokeAs(app, freshReader, removePasskey, { params: { passkeyId } })).body;
    // Nothing stands in for a factor that there is not.
    expect(left).toMatchObject({ passkeys: [], recoveryCodesLeft: 0, required: false });
  });

  it('removed both at once, one stays where the role requires one', async () => {
    const owner = await newcomer();
    const { passkeyId: first } = await addDevice(app, owner);
    const fresh = await freshly(owner);
    const { passkeyId: second } = await addDevice(app, fresh);
    const both = [first, second].map((passkeyId) => refusalOf(invokeAs(app, fresh, removePasskey, { params: { passkeyId } })));
    expect((await Promise.all(both)).toSorted()).toEqual(['LAST_FACTOR', 'nothing']);
  });
});

describe('an authenticator', () => {
  it('is set up by a secret that is sealed, and is in use from its first code on', async () => {
    const person = await newcomer();
    const begun = (await invokeAs(app, person, beginAuthenticator)).body;
    expect(begun?.uri).toMatch(/^otpauth:\/\/totp\/Test:.+%40example.com\?secret=[A-Z2-7]{32}&issuer=Test&/);
    expect(begun?.qrSvg).toMatch(/^<svg /);
    const secret = fromBase32(begun?.secret ?? '');
    const [row] = await app.database.asSuperuser<{ sealed: Buffer }>(
      'select secret_sealed as sealed from staff_totp where staff_id = $1',
      [person.staffId],
    );
    expect(row?.sealed.includes(secret)).toBe(false);
    expect((await invokeAs(app, person, getOwnFactors)).body?.authenticator).toBeNull();
    expect(await staffOf(app).factors.factorsOf(await person.session())).toEqual([]);
    const code = now(secret);
    expect((await invokeAs(app, person, confirmAuthenticator, { body: { code } })).body?.authenticator).not.toBeNull();
    expect(await actionsOn(person)).toEqual(['staff_authenticator.begun', 'staff_authenticator.confirmed']);
    expect(await refusalOf(invokeAs(app, await freshly(person), confirmAuthenticator, { body: { code } }))).toBe(
      'STATE_CONFLICT',
    );
  });

  it('is begun anew until it is confirmed, and then not', async () => {
    const person = await newcomer();
    const first = fromBase32((await invokeAs(app, person, beginAuthenticator)).body?.secret ?? '');
    const second = fromBase32((await invokeAs(app, person, beginAuthenticator)).body?.secret ?? '');
    expect(await refusalOf(invokeAs(app, person, confirmAuthenticator, { body: { code: now(first) } }))).toBe('FACTOR_REFUSED');
    await invokeAs(app, person, confirmAuthenticator, { body: { code: now(second) } });
    expect(await refusalOf(invokeAs(app, await freshly(person), beginAuthenticator))).toBe('STATE_CONFLICT');
  });

  it('is confirmed by five wrong codes in a row at the most', async () => {
    const person = await newcomer();
    const secret = fromBase32((await invokeAs(app, person, beginAuthenticator)).body?.secret ?? '');
    const wrong = now(secret) === '000000' ? '111111' : '000000';
    const tried: string[] = [];
    for (let count = 0; count < 7; count++)
      tried.push(await refusalOf(invokeAs(app, person, confirmAuthenticator, { body: { code: wrong } })));
    expect(tried.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'FACTOR_REFUSED'));
    expect(tried).toContain('RATE_LIMITED');
    expect((await actionsOn(person)).filter((action) => action === 'staff_factor.refused')).toHaveLength(
      tried.filter((code) => code === 'FACTOR_REFUSED').length,
    );
    expect(await refusalOf(invokeAs(app, person, confirmAuthenticator, { body: { code: now(secret) } }))).toBe('RATE_LIMITED');
  });

  it('is removed where there is another factor', async () => {
    const person = await newcomer();
    await addAuthenticator(app, person);
    const fresh = await freshly(person);
    expect(await refusalOf(invokeAs(app, fresh, removeAuthenticator))).toBe('LAST_FACTOR');
    await addDevice(app, fresh);
    expect((await invokeAs(app, fresh, removeAuthenticator)).body?.authenticator).toBeNull();
    expect(await refusalOf(invokeAs(app, fresh, removeAuthenticator))).toBe('NOT_FOUND');
  });
});

describe('recovery codes', () => {
  it('are ten, shown once, and stored as digests', async () => {
    const person = await newcomer();
    expect(await refusalOf(invokeAs(app, person, makeRecoveryCodes))).toBe('STATE_CONFLICT');
    await addDevice(app, person);
    const fresh = await freshly(person);
    const idempotencyKey = 'make-my-codes';
    const codes = (await invokeAs(app, fresh, makeRecoveryCodes, {}, { idempotencyKey })).body?.codes ?? [];
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[2-9a-z]{4}-[2-9a-z]{4}-[2-9a-z]{4}$/);
    const repeated = await invokeAs(app, fresh, makeRecoveryCodes, {}, { idempotencyKey });
    expect(repeated).toMatchObject({ replayed: true, body: { codes: null } });
    expect((await invokeAs(app, fresh, getOwnFactors)).body?.recoveryCodesLeft).toBe(10);
    const rows = await app.database.asSuperuser<{ text: string }>(
      'select r::text as text from staff_recovery_code r where staff_id = $1',
      [person.staffId],
    );
    for (const code of codes) expect(rows.map(({ text }) => text).join()).not.toContain(code.replaceAll('-', ''));
  });
});

describe('a reset', () => {
  const reset = (by: SignedIn, staffId: string) => invokeAs(app, by, resetFactors, { params: { staffId } });

  it('takes all factors of another away, ends the sessions, and ties the person for seven days', async () => {
    const owner = await plantSignedIn(app, tenant.tenantId, { role: 'owner' });
    const person = await newcomer('finance');
    await addDevice(app, person);
    await addAuthenticator(app, await freshly(person));
    expect((await reset(owner, person.staffId)).body).toEqual({
      staffId: person.staffId,
      passkeysRemoved: 1,
      authenticatorRemoved: true,
    });
    const [row] = await app.database.asSuperuser<{ factors: number; open: number }>(
      `select (select count(*) from staff_passkey where staff_id = $1) + (select count(*) from staff_totp where staff_id = $1)
         + (select count(*) from staff_recovery_code where staff_id = $1) as factors,
         (select count(*) from staff_session where staff_id = $1 and ended_at is null) as open`,
      [person.staffId],
    );
    expect(row).toEqual({ factors: '0', open: '0' });
    const ties = await app.database.asSuperuser<{ counts_as: string; reason: string; days: number }>(
      `select counts_as, reason, round(extract(epoch from until - now()) / 86400)::int as days from approval_tie where subject = $1`,
      [`staff:${person.staffId}`],
    );
    expect(ties).toEqual([{ counts_as: `staff:${owner.staffId}`, reason: 'factor_given', days: 7 }]);
    expect(await actionsOn(person)).toContain('staff_factors.reset');
  });

  it('is for owners who have just given a factor, and not of oneself', async () => {
    const person = await newcomer('read-only');
    for (const role of ['admin', 'finance', 'developer', 'reviewer', 'read-only'] as const) {
      const weaker = await plantSignedIn(app, tenant.tenantId, { role });
      expect(await refusalOf(reset(weaker, person.staffId))).toBe('FORBIDDEN');
    }
    const stale = await plantSignedIn(app, tenant.tenantId, { role: 'owner', fresh: false });
    expect(await refusalOf(reset(stale, person.staffId))).toBe('STEP_UP_REQUIRED');
    const owner = await plantSignedIn(app, tenant.tenantId, { role: 'owner' });
    expect(await refusalOf(reset(owner, owner.staffId))).toBe('STATE_CONFLICT');
    const elsewhere = await plantPerson(app, (await app.newTenant()).tenantId);
    expect(await refusalOf(reset(owner, elsewhere.staffId))).toBe('NOT_FOUND');
  });
});

it('no key reaches the factors of people', async () => {
  const paths = ['/api/v1/staff/me/factors', `/api/v1/admin/staff/${tenant.tenantId}/factors/reset`];
  for (const path of paths) {
    const call = path.endsWith('reset') ? app.http.post(path) : app.http.get(path);
    const { status } = await call.set('x-tenant-api-key', tenant.liveKey);
    expect(status).toBe(403);
  }
});
