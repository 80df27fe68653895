/** People with second factors that a test can answer for. */
import {
  addPasskey,
  askForPasskey,
  beginAuthenticator,
  confirmAuthenticator,
} from '../../../src/features/staff/factors/factors-operations.ts';
import { codeOf, stepAt } from '../../../src/features/staff/factors/totp.ts';
import type { TestApp } from '../app/test-app.ts';
import { invokeAs, type SignedIn } from '../app/test-people.ts';
import { SoftwareAuthenticator } from './authenticator.ts';

/** Where browsers are, for the app under test. */
export function originOf({ composition }: TestApp): string {
  return new URL(composition.ownAddress.url()).origin;
}

export async function addDevice(
  app: TestApp,
  person: SignedIn,
  device = new SoftwareAuthenticator(originOf(app)),
): Promise<{ device: SoftwareAuthenticator; passkeyId: string }> {
  const asked = await invokeAs(app, person, askForPasskey);
  if (!asked.body) throw new Error('nothing was asked');
  const response = device.create(asked.body.publicKey as never);
  const made = await invokeAs(app, person, addPasskey, { body: { name: 'Laptop', response } });
  return { device, passkeyId: made.body?.id ?? '' };
}

/** A secret as base32, by which its app shows codes. */
export async function addAuthenticator(app: TestApp, person: SignedIn): Promise<Buffer> {
  const begun = await invokeAs(app, person, beginAuthenticator);
  const secret = fromBase32(begun.body?.secret ?? '');
  // The step before: that of now is left for the test. It is too old once the next step has begun on the way there.
  for (;;) {
    const step = stepAt(new Date());
    try {
      await invokeAs(app, person, confirmAuthenticator, { body: { code: codeOf(secret, step - 1) } });
      return secret;
    } catch (error) {
      if (stepAt(new Date()) === step) throw error;
    }
  }
}

export function fromBase32(text: string): Buffer {
  const bits = text
    .split('')
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
