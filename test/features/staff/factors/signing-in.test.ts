/** Signing in by a second factor, and giving it once more. Source: docs/specification/people-factors.md#proof. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRecoveryCodes } from '../../../../src/features/staff/factors/factors-operations.ts';
import { codeOf, stepAt } from '../../../../src/features/staff/factors/totp.ts';
import type { FactorMethod, SignInResult } from '../../../../src/features/staff/open/sign-in.ts';
import { inviteStaff } from '../../../../src/features/staff/staff-operations.ts';
import { startTestApp, type TestApp } from '../../../support/app/test-app.ts';
import {
  invokeAs,
  PASSWORD,
  plantSignedIn,
  refusalOf,
  type SignedIn,
  signIn,
  staffOf,
} from '../../../support/app/test-people.ts';
import { type Lies, SoftwareAuthenticator } from '../../../support/staff/authenticator.ts';
import { addAuthenticator, addDevice, originOf } from '../../../support/staff/own-factors.ts';

const VISITOR = { ip: '203.0.113.7', agent: 'Browser/1', requestId: 'of-a-test' };
const REFUSED = { kind: 'refused' };

let app: TestApp;
let tenantId: string;
let slug: string;

beforeAll(async () => {
  app = await startTestApp();
  ({ tenantId } = await app.newTenant());
  slug = await slugOf(tenantId);
});
afterAll(() => app.close());

const factors = () => staffOf(app).factors;

async function slugOf(id: string): Promise<string> {
  const [row] = await app.database.asSuperuser<{ slug: string }>('select slug from tenant where id = $1', [id]);
  return row?.slug ?? '';
}

interface Equipped extends SignedIn {
  device: SoftwareAuthenticator;
  passkeyId: string;
}

async function withPasskey(of = tenantId, device?: SoftwareAuthenticator): Promise<Equipped> {
  const person = await plantSignedIn(app, of, { role: 'owner', factor: false, fresh: false });
  return { ...person, ...(await addDevice(app, person, device)) };
}

async function byPasskey(device: SoftwareAuthenticator, lies?: Lies, where = slug): Promise<SignInResult> {
  const asked = await factors().askToSignIn(where);
  if (!asked) throw new Error('no such tenant');
  return factors().signInByPasskey(JSON.stringify(device.use(asked.publicKey, lies)), VISITOR);
}

async function challengeFor(person: SignedIn): Promise<string> {
  const result = await staffOf(app).signIn.signIn({ tenantSlug: slug, email: person.email, password: PASSWORD }, VISITOR);
  if (result.kind !== 'factor_needed') throw new Error(result.kind);
  return result.challenge;
}

const give = (challenge: string, method: FactorMethod, answer: string) =>
  factors().finishSignIn(challenge, { method, answer }, VISITOR);
const now = (secret: Buffer, by = 0): string => codeOf(secret, stepAt(new Date()) + by);

async function auditOf(person: SignedIn): Promise<string[]> {
  const rows = await app.database.asSuperuser<{ action: string }>(
    'select action from audit_log where tenant_id = $1 and object_id = $2 order by id',
    [tenantId, person.staffId],
  );
  return rows.map(({ action }) => action);
}

describe('by a passkey alone', () => {
  it('whoever it is of is signed in, with the factor given', async () => {
    const person = await withPasskey();
    const result = await byPasskey(person.device);
    expect(result).toMatchObject({
      kind: 'signed_in',
      session: { staffId: person.staffId, hasFreshFactor: true, hasFactor: true },
    });
    expect(await auditOf(person)).toContain('staff_factor.given');
  });

  it.each<[string, Lies]>([
    ['another origin', { origin: 'https://evil.test' }],
    ['another service', { rpId: 'evil.test' }],
    ['a challenge of its own', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['the person not verified', { verified: false }],
    ['a broken signature', { brokenSignature: true }],
    ['the handle of somebody else', { userHandle: Buffer.alloc(16).toString('base64url') }],
  ])('nobody is, with %s', async (_what, lies) => {
    const { device } = await withPasskey();
    expect(await byPasskey(device, lies)).toEqual(REFUSED);
    expect((await byPasskey(device)).kind).toBe('signed_in');
  });

  it('an answer works once, also one that was refused', async () => {
    const { device } = await withPasskey();
    const asked = await factors().askToSignIn(slug);
    if (!asked) throw new Error('no such tenant');
    const [key] = device.held;
    if (!key) throw new Error('no key');
    const bad = JSON.stringify(device.useKey(key, asked.publicKey, { verified: false }));
    const good = JSON.stringify(device.useKey(key, asked.publicKey));
    expect(await factors().signInByPasskey(bad, VISITOR)).toEqual(REFUSED);
    expect(await factors().signInByPasskey(good, VISITOR)).toEqual(REFUSED);
    const again = await factors().askToSignIn(slug);
    const answer = JSON.stringify(device.use(again?.publicKey as never));
    const both = await Promise.all([factors().signInByPasskey(answer, VISITOR), factors().signInByPasskey(answer, VISITOR)]);
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['refused', 'signed_in']);
    expect(await factors().signInByPasskey(answer, VISITOR)).toEqual(REFUSED);
  });

  it('an answer that is too late is refused', async () => {
    const { device } = await withPasskey();
    const asked = await factors().askToSignIn(slug);
    await app.database.asSuperuser(
      `update staff_challenge set expires_at = now() where tenant_id = $1 and kind = 'passkey_sign_in'`,
      [tenantId],
    );
    expect(await factors().signInByPasskey(JSON.stringify(device.use(asked?.publicKey as never)), VISITOR)).toEqual(REFUSED);
  });

  it('a counter that goes back is refused and told in the audit log; one that is always zero is not', async () => {
    const person = await withPasskey();
    expect((await byPasskey(person.device, { counter: 41 })).kind).toBe('signed_in');
    expect(await byPasskey(person.device, { counter: 41 })).toEqual(REFUSED);
    expect(await byPasskey(person.device, { counter: 40 })).toEqual(REFUSED);
    expect((await auditOf(person)).filter((action) => action === 'staff_passkey.counter_went_back')).toHaveLength(2);
    expect((await byPasskey(person.device, { counter: 42 })).kind).toBe('signed_in');
    const synced = await withPasskey(tenantId, new SoftwareAuthenticator(originOf(app), { counts: false }));
    expect((await byPasskey(synced.device)).kind).toBe('signed_in');
    expect((await byPasskey(synced.device)).kind).toBe('signed_in');
  });

  it('nobody is at another tenant, nor once disabled or after the passkey was removed', async () => {
    const other = (await app.newTenant()).tenantId;
    const person = await withPasskey();
    expect(await byPasskey(person.device, {}, await slugOf(other))).toEqual(REFUSED);
    expect(await factors().askToSignIn('no-such-tenant')).toBeUndefined();
    await app.database.asSuperuser(`update staff set state = 'disabled' where id = $1`, [person.staffId]);
    expect(await byPasskey(person.device)).toEqual(REFUSED);
    await app.database.asSuperuser(`update staff set state = 'active' where id = $1`, [person.staffId]);
    await app.database.asSuperuser('delete from staff_passkey where staff_id = $1', [person.staffId]);
    expect(await byPasskey(person.device)).toEqual(REFUSED);
  });

  it('wrong passwords do not lock anybody out', async () => {
    const person = await withPasskey();
    const tries: string[] = [];
    for (let count = 0; count < 8; count++) {
      tries.push((await staffOf(app).signIn.signIn({ tenantSlug: slug, email: person.email, password: 'wrong' }, VISITOR)).kind);
    }
    expect(tries).toContain('wait');
    expect((await byPasskey(person.device)).kind).toBe('signed_in');
  });

  it.each([
    '',
    '{}',
    'null',
    '[]',
    '"x"',
    JSON.stringify({ id: 'a', rawId: 'a', type: 'public-key', response: {} }),
    'x'.repeat(1_000_000),
  ])('what is no answer is refused', async (answer) => {
    expect(await factors().signInByPasskey(answer, VISITOR)).toEqual(REFUSED);
  });
});

describe('behind a password', () => {
  it('a passkey of the person signs in, and the step is done once', async () => {
    const person = await withPasskey();
    const challenge = await challengeFor(person);
    const asked = await factors().askInSignIn(challenge);
    expect(asked?.publicKey.allowCredentials).toHaveLength(1);
    const answer = JSON.stringify(person.device.use(asked?.publicKey as never));
    expect(await give(challenge, 'passkey', answer)).toMatchObject({ kind: 'signed_in', session: { hasFreshFactor: true } });
    expect(await give(challenge, 'passkey', answer)).toEqual(REFUSED);
    expect(await factors().askInSignIn(challenge)).toBeUndefined();
  });

  it('the passkey of another person does not, nor an answer from another sign-in', async () => {
    const [person, other] = [await withPasskey(), await withPasskey()];
    const challenge = await challengeFor(person);
    const asked = await factors().askInSignIn(challenge);
    const [key] = other.device.held;
    if (!key || !asked) throw new Error('no key');
    expect(await give(challenge, 'passkey', JSON.stringify(other.device.useKey(key, asked.publicKey)))).toEqual(REFUSED);
    const elsewhere = await factors().askInSignIn(await challengeFor(person));
    const answer = JSON.stringify(person.device.use(elsewhere?.publicKey as never));
    expect(await give(challenge, 'passkey', answer)).toEqual(REFUSED);
    const alone = await factors().askToSignIn(slug);
    expect(await give(challenge, 'passkey', JSON.stringify(person.device.use(alone?.publicKey as never)))).toEqual(REFUSED);
    const stepping = await factors().askToStepUp(await person.session());
    expect(await give(challenge, 'passkey', JSON.stringify(person.device.use(stepping.publicKey)))).toEqual(REFUSED);
  });

  it('a code signs in once', async () => {
    const person = await plantSignedIn(app, tenantId, { role: 'owner', factor: false, fresh: false });
    const secret = await addAuthenticator(app, person);
    const code = now(secret);
    expect(await give(await challengeFor(person), 'totp', code)).toMatchObject({
      kind: 'signed_in',
      session: { hasFreshFactor: true },
    });
    expect(await give(await challengeFor(person), 'totp', code)).toEqual(REFUSED);
    expect(await give(await challengeFor(person), 'totp', now(secret, 1))).toMatchObject({ kind: 'signed_in' });
  });

  it('of two that send one code at once, one is signed in', async () => {
    const person = await plantSignedIn(app, tenantId, { role: 'owner', factor: false, fresh: false });
    const secret = await addAuthenticator(app, person);
    const [one, other] = [await challengeFor(person), await challengeFor(person)];
    const code = now(secret);
    const both = await Promise.all([give(one, 'totp', code), give(other, 'totp', code)]);
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['refused', 'signed_in']);
  });

  it('wrong codes have to wait, a passkey does not', async () => {
    const person = await withPasskey();
    const secret = await addAuthenticator(app, await signIn(app, person));
    const challenge = await challengeFor(person);
    const wrong = [now(secret), now(secret, 1), now(secret, -1)].includes('000000') ? '111111' : '000000';
    const tried: string[] = [];
    for (let count = 0; count < 7; count++) tried.push((await give(challenge, 'totp', wrong)).kind);
    expect(tried.slice(0, 5)).toEqual(['refused', 'refused', 'refused', 'refused', 'refused']);
    expect(tried).toContain('wait');
    expect((await give(challenge, 'totp', now(secret))).kind).toBe('wait');
    const asked = await factors().askInSignIn(challenge);
    expect((await give(challenge, 'passkey', JSON.stringify(person.device.use(asked?.publicKey as never)))).kind).toBe(
      'signed_in',
    );
    expect(await auditOf(person)).toContain('staff_factor.refused');
  });

  it('a recovery code signs in once, of the last set alone', async () => {
    const person = await withPasskey();
    const fresh = await signIn(app, person);
    const old = (await invokeAs(app, fresh, makeRecoveryCodes)).body?.codes ?? [];
    const codes = (await invokeAs(app, fresh, makeRecoveryCodes)).body?.codes ?? [];
    expect(await give(await challengeFor(person), 'recovery_code', old[0] ?? '')).toEqual(REFUSED);
    const typed = ` ${(codes[0] ?? '').toUpperCase().replaceAll('-', ' ')} `;
    expect(await give(await challengeFor(person), 'recovery_code', typed)).toMatchObject({ kind: 'signed_in' });
    expect(await give(await challengeFor(person), 'recovery_code', codes[0] ?? '')).toEqual(REFUSED);
    const other = await withPasskey();
    expect(await give(await challengeFor(other), 'recovery_code', codes[1] ?? '')).toEqual(REFUSED);
  });

  it('a recovery code is no step-up: for ten minutes factors are added and removed by it, and nothing else is done', async () => {
    const person = await withPasskey();
    const codes = (await invokeAs(app, await signIn(app, person), makeRecoveryCodes)).body?.codes ?? [];
    const signedIn = await give(await challengeFor(person), 'recovery_code', codes[0] ?? '');
    if (signedIn.kind !== 'signed_in') throw new Error(signedIn.kind);
    expect(signedIn.session).toMatchObject({ hasFreshFactor: false, factorAt: null });
    const lost = { ...person, cookie: signedIn.cookie, sessionId: signedIn.session.id, session: async () => signedIn.session };
    const invite = { body: { email: 'by-code@example.com', role: 'reviewer' } };
    expect(await refusalOf(invokeAs(app, lost, inviteStaff, invite))).toBe('STEP_UP_REQUIRED');
    expect(await refusalOf(invokeAs(app, lost, makeRecoveryCodes))).toBe('STEP_UP_REQUIRED');
    // Another session of the same person, by whatever else, may not.
    expect(await refusalOf(addDevice(app, await signIn(app, person, { fresh: false })))).toBe('STEP_UP_REQUIRED');
    const { device } = await addDevice(app, lost);
    const asked = await factors().askToStepUp(signedIn.session);
    const answer = JSON.stringify(device.use(asked.publicKey));
    expect((await factors().stepUp(signedIn.session, { method: 'passkey', answer }, VISITOR)).kind).toBe('given');

    const late = await give(await challengeFor(person), 'recovery_code', codes[1] ?? '');
    if (late.kind !== 'signed_in') throw new Error(late.kind);
    await app.database.asSuperuser(
      `with s as (update staff_session set created_at = created_at - interval '11 minutes' where id = $1 returning created_at)
       update staff_recovery_code r set used_at = s.created_at from s
       where r.staff_id = $2 and r.used_at = s.created_at + interval '11 minutes'`,
      [late.session.id, person.staffId],
    );
    const tooLate = { ...lost, sessionId: late.session.id, session: async () => late.session };
    expect(await refusalOf(addDevice(app, tooLate))).toBe('STEP_UP_REQUIRED');
  });

  it('a challenge that nobody made opens nothing', async () => {
    const { secret } = { secret: Buffer.alloc(20) };
    expect(await give('x'.repeat(43), 'totp', now(secret))).toEqual(REFUSED);
    expect(await give('', 'totp', now(secret))).toEqual(REFUSED);
  });
});

describe('a step-up', () => {
  it('by a passkey makes the factor fresh and the cookie another', async () => {
    const person = await withPasskey();
    const session = await person.session();
    expect(session.hasFreshFactor).toBe(false);
    const asked = await factors().askToStepUp(session);
    const answer = JSON.stringify(person.device.use(asked.publicKey));
    const result = await factors().stepUp(session, { method: 'passkey', answer }, VISITOR);
    if (result.kind !== 'given') throw new Error(result.kind);
    expect(result.session).toMatchObject({ id: session.id, hasFreshFactor: true });
    expect(result.cookie).not.toBe(person.cookie);
    staffOf(app).sessions.forget(person.cookie);
    expect(await staffOf(app).sessions.resolve(person.cookie)).toBeUndefined();
    expect(await factors().stepUp(session, { method: 'passkey', answer }, VISITOR)).toEqual(REFUSED);
  });

  it('takes no answer of another session, and no recovery code', async () => {
    const person = await withPasskey();
    const codes = (await invokeAs(app, await signIn(app, person), makeRecoveryCodes)).body?.codes ?? [];
    const [one, other] = [await person.session(), await (await signIn(app, person, { fresh: false })).session()];
    const asked = await factors().askToStepUp(other);
    const answer = JSON.stringify(person.device.use(asked.publicKey));
    expect(await factors().stepUp(one, { method: 'passkey', answer }, VISITOR)).toEqual(REFUSED);
    expect(await factors().stepUp(one, { method: 'recovery_code', answer: codes[0] ?? '' }, VISITOR)).toEqual(REFUSED);
  });

  it('by a code counts wrong ones, whatever session they come from', async () => {
    const person = await plantSignedIn(app, tenantId, { role: 'owner', factor: false, fresh: false });
    const secret = await addAuthenticator(app, person);
    expect(await factors().factorsOf(await person.session())).toEqual(['totp']);
    const session = await person.session();
    expect((await factors().stepUp(session, { method: 'totp', answer: now(secret) }, VISITOR)).kind).toBe('given');
    const kinds: string[] = [];
    const again = await (await signIn(app, person, { fresh: false })).session();
    for (let count = 0; count < 7; count++)
      kinds.push((await factors().stepUp(again, { method: 'totp', answer: now(secret) }, VISITOR)).kind);
    expect(kinds).toContain('wait');
    expect(kinds).not.toContain('given');
  });
});
