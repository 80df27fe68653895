/** Which passwords are taken, and what a link to a new one leaves asked for. Source: docs/specification/people.md#passwords. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPasswords, requireGoodPassword } from '../../../src/features/staff/passwords.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { PASSWORD, plantPerson, staffOf } from '../../support/app/test-people.ts';

const PERSON = { email: 'cleo.harbour@lantern-shop.example', name: 'Cleo Marchetti' };

const faultOf = (password: string): string | undefined => {
  try {
    requireGoodPassword(password, PERSON);
    return undefined;
  } catch (error) {
    return (error as { details: { fields: { message: string }[] } }).details.fields[0]?.message;
  }
};

describe('a password', () => {
  test('has 12 to 128 characters, of any kind', () => {
    expect(faultOf('qzxvkwjpmyt')).toContain('at least 12');
    expect(faultOf('qzxvkwjpmytg')).toBeUndefined();
    expect(faultOf('qzxvkwjp'.repeat(16))).toBeUndefined();
    expect(faultOf(`${'qzxvkwjp'.repeat(16)}x`)).toContain('at most 128');
    // Neither a digit nor a capital is asked for, and no letter is refused.
    for (const password of [
      'four quiet horses',
      '   spaces   all round   ',
      '日本語の長い合言葉をここに',
      '🐴🚪🌊🔑🌙🪵🧭🪨🕯🧵🪶🍃',
    ])
      expect(faultOf(password), password).toBeUndefined();
  });

  test.each(['passwordpassword', 'PasswordPassword', 'qwertyuiop123', '123456789012', 'aaaaaaaaaaaaaaaa', 'ababababababab'])(
    'is not %s, which is tried first',
    (password) => expect(faultOf(password)).toContain('commonest'),
  );

  test.each(['cleo.harbour@lantern-shop.example', 'my CLEO.HARBOUR is mine', 'at lantern-shop since 9', 'the marchetti door 77'])(
    'is not %s, which holds the email address or the name',
    (password) => expect(faultOf(password)).toContain('must not contain'),
  );
});

test('is compared whole, and in its own case', async () => {
  const passwords = createPasswords({ memory: 64, passes: 1, lanes: 1 });
  const right = `${'long enough '.repeat(10)}x`;
  const stored = await passwords.hash(right);
  const matches = async (given: string) => (await passwords.verify(given, stored)).matches;
  expect(await matches(right)).toBe(true);
  for (const given of [right.slice(0, -1), `${right} `, ` ${right}`, right.toUpperCase()])
    expect(await matches(given)).toBe(false);
  expect(await passwords.hash(right)).not.toBe(stored);
});

describe('a link to a new password', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  test('passes no second factor by', async () => {
    const { tenantId } = await app.newTenant();
    const { email } = await plantPerson(app, tenantId, { factor: true });
    const { token } = await staffOf(app).operator.resetPassword(tenantId, email);
    const visitor = { ip: '203.0.113.7', agent: 'Browser/1', requestId: 'of-a-test' };
    const done = await staffOf(app).links.accept(token, { password: `${PASSWORD} anew` }, visitor);
    expect(done).toMatchObject({ kind: 'factor_needed', methods: ['passkey', 'recovery_code'] });
    expect(done).not.toHaveProperty('cookie');
  });
});
