/** Signing in by email and password. Source: docs/specification/people.md#sign-in, #guessing, #passwords. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignInResult } from '../../../src/features/staff/open/sign-in.ts';
import { createPasswords } from '../../../src/features/staff/passwords.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { PASSWORD, plantPerson, staffOf } from '../../support/app/test-people.ts';

const VISITOR = { ip: '203.0.113.7', agent: 'Browser/1', requestId: 'of-a-test' };

let app: TestApp;
let tenant: TestTenant;
let slug: string;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  slug = await slugOf(tenant.tenantId);
});
afterAll(() => app.close());

async function slugOf(tenantId: string): Promise<string> {
  const [row] = await app.database.asSuperuser<{ slug: string }>('select slug from tenant where id = $1', [tenantId]);
  return row?.slug ?? '';
}

const signIn = (email: string, password: string, tenantSlug = slug): Promise<SignInResult> =>
  staffOf(app).signIn.signIn({ tenantSlug, email, password }, VISITOR);

async function failuresIn(): Promise<number> {
  const [row] = await app.database.asSuperuser<{ count: number }>(
    `select count(*)::int as count from audit_log where tenant_id = $1 and action = 'staff.sign_in_failed'`,
    [tenant.tenantId],
  );
  return row?.count ?? 0;
}

describe('with the right password', () => {
  test('a person without a second factor is signed in, in any case of the address', async () => {
    const { email, staffId } = await plantPerson(app, tenant.tenantId, { factor: false, role: 'read-only' });
    const result = await signIn(email.toUpperCase(), PASSWORD, slug.toUpperCase());
    if (result.kind !== 'signed_in') throw new Error(result.kind);
    expect(result.session).toMatchObject({ staffId, tenantId: tenant.tenantId, slug, role: 'read-only', hasFactor: false });
    expect(result.cookie).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(result.newDevice).toBe(true);
    expect(await staffOf(app).sessions.resolve(result.cookie)).toMatchObject({ staffId });
    const again = await signIn(email, PASSWORD);
    expect(again).toMatchObject({ kind: 'signed_in', newDevice: false });
    expect(again.kind === 'signed_in' && again.cookie).not.toBe(result.cookie);
  });

  test('a second factor is asked for, and no session begins', async () => {
    const { email } = await plantPerson(app, tenant.tenantId);
    const result = await signIn(email, PASSWORD);
    expect(result).toMatchObject({ kind: 'factor_needed', methods: ['passkey', 'recovery_code'] });
    expect(result).not.toHaveProperty('cookie');
  });

  test('the stored form is made anew where its parameters were others', async () => {
    const { email, staffId } = await plantPerson(app, tenant.tenantId, { factor: false });
    const stored = async () =>
      (await app.database.asSuperuser<{ hash: string }>('select password_hash as hash from staff where id = $1', [staffId]))[0]
        ?.hash;
    expect(await stored()).toContain('m=64,t=1');
    expect(await signIn(email, PASSWORD)).toMatchObject({ kind: 'signed_in' });
    expect(await stored()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await signIn(email, PASSWORD)).toMatchObject({ kind: 'signed_in' });
  });
});

describe('refused alike', () => {
  test('are a wrong password, an unknown address, another tenant, and somebody who is disabled or removed', async () => {
    const { email } = await plantPerson(app, tenant.tenantId, { factor: false });
    const off = await plantPerson(app, tenant.tenantId, { factor: false });
    await app.database.asSuperuser(`update staff set state = 'disabled' where id = $1`, [off.staffId]);
    const other = await slugOf((await app.newTenant()).tenantId);
    const answers = [
      await signIn(email, 'not the one that it is'),
      await signIn('nobody@example.com', PASSWORD),
      await signIn(email, PASSWORD, other),
      await signIn(email, PASSWORD, 'no-such-tenant'),
      await signIn(off.email, PASSWORD),
      await signIn(email, ''),
      await signIn(email, 'x'.repeat(100_000)),
    ];
    expect(answers).toEqual(answers.map(() => ({ kind: 'refused' })));
  });

  test('is everybody of a tenant that is disabled', async () => {
    const { tenantId } = await app.newTenant();
    const { email } = await plantPerson(app, tenantId, { factor: false });
    await app.tenants.setDisabled(tenantId, true);
    expect(await signIn(email, PASSWORD, await slugOf(tenantId))).toEqual({ kind: 'refused' });
  });

  test('the same work is done for an unknown address', async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash(PASSWORD);
    const timed = async (text: string | null): Promise<number> => {
      const before = performance.now();
      await passwords.verify('some other password', text);
      return performance.now() - before;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      known.push(await timed(stored));
      unknown.push(await timed(null));
    }
    // The quickest of each: what else the machine does makes no round quicker.
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 2);
    expect(Math.min(...unknown)).toBeLessThan(Math.min(...known) * 2);
  });
});

describe('guessing', () => {
  test.each(['known', 'unknown'])('five failures are free, then the wait doubles, for an address that is %s', async (which) => {
    const { email } =
      which === 'known' ? await plantPerson(app, tenant.tenantId, { factor: false }) : { email: 'guessed@example.com' };
    const before = await failuresIn();
    for (let count = 0; count < 5; count += 1) expect(await signIn(email, `wrong ${count}`)).toEqual({ kind: 'refused' });
    // The right one is not looked at either.
    expect(await signIn(email, PASSWORD)).toEqual({ kind: 'wait', seconds: 1 });
    expect(await failuresIn()).toBe(before + 5);
    const later = (): Promise<unknown> =>
      app.database.asSuperuser(`update staff_failure set blocked_until = now() - interval '1 ms' where tenant_id = $1`, [
        tenant.tenantId,
      ]);
    for (const seconds of [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      await later();
      expect(await signIn(email, 'wrong again')).toEqual({ kind: 'refused' });
      expect(await signIn(email, 'wrong again')).toEqual({ kind: 'wait', seconds });
    }
    await later();
    expect((await signIn(email, PASSWORD)).kind).toBe(which === 'known' ? 'signed_in' : 'refused');
    if (which === 'known') expect(await signIn(email, 'wrong')).toEqual({ kind: 'refused' });
  });

  test('attempts at the same time are counted too', async () => {
    const { email } = await plantPerson(app, tenant.tenantId, { factor: false });
    const all = await Promise.all(Array.from({ length: 12 }, (_, count) => signIn(email, `wrong ${count}`)));
    expect(all.filter(({ kind }) => kind === 'refused')).toHaveLength(5);
    expect(all.filter(({ kind }) => kind === 'wait')).toHaveLength(7);
  });

  test('no entry of the audit log names an address', async () => {
    await signIn('canary-address@example.com', 'wrong');
    const rows = await app.database.asSuperuser<{ text: string }>('select audit_log::text as text from audit_log');
    expect(rows.filter(({ text }) => /canary-address/i.test(text))).toEqual([]);
    expect(await failuresIn()).toBeGreaterThan(0);
  });
});
