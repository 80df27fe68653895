import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createPasskeyChecks,
  goesBack,
  handleOf,
  type MadePasskey,
} from '../../../../src/features/staff/factors/passkey-checks.ts';
import { type Lies, SoftwareAuthenticator } from '../../../support/staff/authenticator.ts';

const origin = 'https://pay.example.com';
const checks = createPasskeyChecks({
  url: () => `${origin}/commissions`,
  numericUrl: () => `${origin}/commissions`,
  isSaid: true,
  listensOn: () => undefined,
});
const person = { id: '0192f0c1-2222-7333-8444-555566667777', email: 'ann@example.com', name: 'Ann', tenantName: 'Acme' };

const newChallenge = (): string => randomBytes(32).toString('base64url');

const device = new SoftwareAuthenticator(origin);
let made: MadePasskey;

async function makeNew(lies: Lies = {}): Promise<MadePasskey | undefined> {
  const asked = await checks.askForNew(newChallenge(), person, []);
  return checks.checkNew(device.create(asked, lies), asked.challenge);
}

async function use(lies: Lies = {}, staffId = person.id) {
  const asked = await checks.askFor(newChallenge(), [made]);
  return checks.checkUsed(device.use(asked, lies), asked.challenge, { ...made, staffId });
}

beforeEach(async () => {
  const fresh = await makeNew();
  if (!fresh) throw new Error('no passkey was made');
  made = fresh;
});

describe('a new passkey', () => {
  it('is asked for by the host of the service, discoverable and with the person verified', async () => {
    const asked = await checks.askForNew(newChallenge(), person, [made]);
    expect(asked).toMatchObject({
      rp: { id: 'pay.example.com', name: 'Acme' },
      user: { id: handleOf(person.id).toString('base64url'), name: 'ann@example.com' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: made.credentialId.toString('base64url') }],
    });
    expect(Buffer.from(asked.challenge, 'base64url')).toHaveLength(32);
  });

  it('is taken, with its key and counter', () => {
    expect(made).toMatchObject({ counter: 0, transports: ['internal'], backedUp: false });
    expect(made.publicKey.length).toBeGreaterThan(70);
  });

  it.each<[string, Lies]>([
    ['another origin', { origin: 'https://pay.example.com.evil.test' }],
    ['the origin on http', { origin: 'http://pay.example.com' }],
    ['the origin on another port', { origin: 'https://pay.example.com:8443' }],
    ['another service', { rpId: 'evil.test' }],
    ['the parent domain', { rpId: 'example.com' }],
    ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['the person not verified', { verified: false }],
    ['nobody present', { present: false }],
    ['an answer to another question', { type: 'webauthn.get' }],
    ['a page in a frame', { crossOrigin: true }],
    ['certificates', { attestation: 'packed with a certificate' }],
  ])('is refused with %s', async (_what, lies) => {
    expect(await makeNew(lies)).toBeUndefined();
  });
});

describe('a passkey that is used', () => {
  it('is taken', async () => {
    expect(await use()).toEqual({ counter: 1, backedUp: false });
  });

  it.each<[string, Lies]>([
    ['another origin', { origin: 'https://evil.test' }],
    ['another service', { rpId: 'evil.test' }],
    ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['the person not verified', { verified: false }],
    ['nobody present', { present: false }],
    ['an answer to another question', { type: 'webauthn.create' }],
    ['a page in a frame', { crossOrigin: true }],
    ['the handle of another person', { userHandle: handleOf('0192f0c1-2222-7333-8444-000000000000').toString('base64url') }],
    ['a signature that does not hold', { brokenSignature: true }],
  ])('is refused with %s', async (_what, lies) => {
    expect(await use(lies)).toBeUndefined();
  });

  it('is refused with the key of another passkey', async () => {
    const other = await makeNew();
    const asked = await checks.askFor(newChallenge(), undefined);
    const answer = device.use(asked);
    expect(await checks.checkUsed(answer, asked.challenge, { ...made, staffId: person.id })).toBeUndefined();
    const mixed = { ...answer, id: made.credentialId.toString('base64url'), rawId: made.credentialId.toString('base64url') };
    expect(await checks.checkUsed(mixed, asked.challenge, { ...made, staffId: person.id })).toBeUndefined();
    if (!other) throw new Error('no passkey was made');
    expect(await checks.checkUsed(answer, asked.challenge, { ...other, staffId: person.id })).toMatchObject({ counter: 1 });
  });

  it('is asked for without a name where the person is to be found by it', async () => {
    const asked = await checks.askFor(newChallenge(), undefined);
    expect(asked.allowCredentials ?? []).toEqual([]);
    expect(asked.userVerification).toBe('required');
  });

  it.each([
    [0, 0, false],
    [0, 1, false],
    [4, 5, false],
    [5, 5, true],
    [5, 4, true],
    [5, 0, true],
  ])('with a counter of %d before and %d now goes back: %s', (stored, counter, back) => {
    expect(goesBack(stored, counter)).toBe(back);
  });
});
