/** `cli keys reencrypt`: the data key is changed while the service runs, and nobody notices. */
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCipher } from '../../../src/encryption.ts';
import { createKycSettingsReader } from '../../../src/features/kyc/vendor/kyc-settings.ts';
import { openBankDetails } from '../../../src/features/payouts/methods/bank-details.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { CHILD_ENV } from '../../support/app/child-process.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { newAccount, newIban, newPayee, sepaAccount } from '../../support/payments/payout-accounts.ts';

const pepper = randomBytes(32).toString('base64');
const [first, second] = [`k1:${randomBytes(32).toString('base64')}`, `k2:${randomBytes(32).toString('base64')}`];

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

const startWith = (...keys: string[]) => startTestApp({ API_KEY_PEPPER: pepper, DATA_KEYS: keys.join(',') }, app?.database);

beforeAll(async () => {
  app = await startTestApp({ API_KEY_PEPPER: pepper, DATA_KEYS: first });
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

async function reencrypt(dataKeys: string, ...words: string[]) {
  const env = {
    ...CHILD_ENV,
    NODE_ENV: 'test',
    DATABASE_URL: app.database.appUrl,
    DATABASE_ADMIN_URL: app.database.adminUrl,
    API_KEY_PEPPER: pepper,
    DATA_KEYS: dataKeys,
  };
  const { code, stdout } = await promisify(execFile)(
    process.execPath,
    ['src/cli.ts', 'keys', 'reencrypt', '--json', '--tenant', tenant.tenantId, ...words],
    { env },
  ).then(
    (done) => ({ code: 0, stdout: done.stdout }),
    (error: { code: number; stdout: string }) => error,
  );
  return { code, ...(JSON.parse(stdout) as { resealed: number; unreadable: number; activeKeyId: string; sealed: object[] }) };
}

async function memberWith(idNumber: string, by = client): Promise<MemberBody> {
  const member = await by.newMember();
  const answer = await by.patch(`/api/v1/members/${member.id}/profile`, { idNumber });
  expect(answer.status, answer.text).toBe(200);
  return member;
}
const idNumberOf = async (id: string, by: ApiClient) =>
  (await by.get(`/api/v1/members/${id}/data-export`)).body.profile.idNumber as string;
const profiles = (keyId: string, rows: number) => ({ column: 'member_profile.id_number_sealed', keyId, rows });

describe('sealing anew', () => {
  test('needs the old key no more, in either environment', async () => {
    const sandbox = apiClient(app, tenant.sandboxKey);
    const live = await Promise.all(Array.from({ length: 5 }, (_, n) => memberWith(`LIVE-${n}-12345`)));
    const tried = await memberWith('SANDBOX-12345', sandbox);
    const done = await reencrypt(`${second},${first}`);
    expect(done).toMatchObject({ code: 0, activeKeyId: 'k2', resealed: 6, unreadable: 0, sealed: [profiles('k2', 6)] });
    expect(await reencrypt(`${second},${first}`)).toMatchObject({ code: 0, resealed: 0, sealed: [profiles('k2', 6)] });
    const later = await startWith(second);
    try {
      const [liveLater, sandboxLater] = [apiClient(later, tenant.liveKey), apiClient(later, tenant.sandboxKey)];
      for (const [n, { id }] of live.entries()) expect(await idNumberOf(id, liveLater)).toBe(`LIVE-${n}-12345`);
      expect(await idNumberOf(tried.id, sandboxLater)).toBe('SANDBOX-12345');
    } finally {
      await later.close();
    }
  });

  test('reaches bank details, and leaves those of another row that do not open', async () => {
    const payee = await newPayee(client);
    const [one, other] = [newIban(), newIban()];
    const ids = [await newAccount(client, payee.id, sepaAccount(one)), await newAccount(client, payee.id, sepaAccount(other))];
    const [kept, moved] = ids.map(({ id }) => id);
    await app.database.asSuperuser(
      'update payout_account set bank_sealed = (select bank_sealed from payout_account where id = $1) where id = $2',
      [kept, moved],
    );
    const accounts = (keyId: string) => ({ column: 'payout_account.bank_sealed', keyId, rows: 1 });
    const done = await reencrypt(`${second},${first}`);
    // The details of one, and the names of both holders.
    expect(done).toMatchObject({ code: 1, resealed: 3, unreadable: 1 });
    expect(done.sealed).toEqual(expect.arrayContaining([accounts('k1'), accounts('k2')]));
    const [row] = await app.database.asSuperuser<{ bank_sealed: Buffer }>(
      'select bank_sealed from payout_account where id = $1',
      [kept],
    );
    const cipher = createCipher([{ id: 'k2', key: Buffer.from(second.slice(3), 'base64') }]);
    const scope = { tenantId: tenant.tenantId, environment: 'LIVE' as const };
    expect(openBankDetails(cipher, scope, kept ?? '', row?.bank_sealed ?? Buffer.alloc(0))).toMatchObject({ iban: one });
  });

  test('goes through more than a batch, and leaves updatedAt', async () => {
    const cipher = createCipher(app.config.secrets.dataKeys);
    const member = await memberWith('FIRST-12345');
    await app.database.asSuperuser(
      `insert into member (tenant_id, environment, email, email_norm, membership_tier, is_active, can_recruit, is_test_user, pay_currency)
       select $1, 'LIVE', n || '@many.example', n || '@many.example', 'ORDINARY', true, true, false, 'USD' from generate_series(1, 450) n`,
      [tenant.tenantId],
    );
    const rows = await app.database.asSuperuser<{ id: string }>(
      "select id from member where tenant_id = $1 and email like '%@many.example'",
      [tenant.tenantId],
    );
    const sealed = rows.map(({ id }) =>
      cipher.encrypt(Buffer.from(id), ['member_profile', tenant.tenantId, 'LIVE', id, 'id_number']),
    );
    await app.database.asSuperuser(
      `insert into member_profile (tenant_id, environment, member_id, id_number_sealed, id_number_last_four)
       select $1, 'LIVE', x.id, x.sealed, '1234' from unnest($2::uuid[], $3::bytea[]) x(id, sealed)`,
      [tenant.tenantId, rows.map(({ id }) => id), sealed],
    );
    const before = (await client.get(`/api/v1/members/${member.id}/profile`)).body;
    expect(await reencrypt(`${second},${first}`)).toMatchObject({ resealed: 451, sealed: [profiles('k2', 451)] });
    expect((await client.get(`/api/v1/members/${member.id}/profile`)).body).toEqual(before);
  });

  test('leaves alone what it cannot open, and says so', async () => {
    await memberWith('KEPT-12345');
    expect(await reencrypt(second)).toMatchObject({ code: 1, resealed: 0, unreadable: 1, sealed: [profiles('k1', 1)] });
    expect(await reencrypt(`${second},${first}`)).toMatchObject({ code: 0, resealed: 1, unreadable: 0 });
  });

  test('takes the secrets of the KYC vendor along, in either environment', async () => {
    const secrets = { appToken: 'prd:token', secretKey: 'secret', webhookSecret: 'second', previousWebhookSecret: 'first' };
    const settings = (by: ApiClient, kycvendor: object) => by.patch('/api/v1/admin/settings', { kyc: { kycvendor } });
    expect((await settings(client, secrets)).status).toBe(200);
    expect((await settings(apiClient(app, tenant.sandboxKey), { webhookSecret: 'sandbox' })).status).toBe(200);
    const { webhookSecret: _w, ...rest } = secrets;
    const counted = (keyId: string) => [
      { column: 'kyc_settings.app_token_sealed', keyId, rows: 1 },
      { column: 'kyc_settings.previous_webhook_secret_sealed', keyId, rows: 1 },
      { column: 'kyc_settings.secret_key_sealed', keyId, rows: 1 },
      { column: 'kyc_settings.webhook_secret_sealed', keyId, rows: 2 },
    ];
    expect(await reencrypt(second)).toMatchObject({ code: 1, resealed: 0, unreadable: 5, sealed: counted('k1') });
    expect(await reencrypt(`${second},${first}`)).toMatchObject({ code: 0, resealed: 5, unreadable: 0, sealed: counted('k2') });
    const later = await startWith(second);
    try {
      const reader = createKycSettingsReader({
        frames: later.composition.frames,
        cipher: createCipher(later.config.secrets.dataKeys),
      });
      const read = await reader.readWebhookSecrets(tenant.tenantId);
      expect(read.map((of) => of.secrets)).toEqual([['second', 'first'], ['sandbox']]);
      const patched = await settings(apiClient(later, tenant.liveKey), { ...rest, levelName: 'basic' });
      expect(patched.status, patched.text).toBe(200);
      const scope = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
      expect((await reader.readSettings(scope)).account).toMatchObject({ appToken: 'prd:token', secretKey: 'secret' });
    } finally {
      await later.close();
    }
  });

  test('takes the secrets of the payment vendor along', async () => {
    const payvendor = { secretKey: 'sk_live_x', webhookSecrets: ['whsec_a', 'whsec_b'] };
    const settings = (by: ApiClient, changed: object) => by.patch('/api/v1/admin/settings', { payments: { payvendor: changed } });
    expect((await settings(client, payvendor)).status).toBe(200);
    expect((await settings(apiClient(app, tenant.sandboxKey), { webhookSecrets: ['whsec_c'] })).status).toBe(200);
    const counted = (keyId: string) => [
      { column: 'payment_settings.secret_key_sealed', keyId, rows: 1 },
      { column: 'payment_settings.webhook_secrets_sealed', keyId, rows: 2 },
    ];
    expect(await reencrypt(`${second},${first}`)).toMatchObject({ code: 0, resealed: 3, unreadable: 0, sealed: counted('k2') });
    expect(await reencrypt(second)).toMatchObject({ code: 0, resealed: 0, sealed: counted('k2') });
  });

  test('counts the answers of Idempotency-Keys, which expire', async () => {
    await client.post('/api/v1/users', { email: `${randomUUID()}@test.example` }, { 'idempotency-key': 'one' });
    const { resealed, sealed } = await reencrypt(`${second},${first}`);
    expect({ resealed, sealed }).toEqual({ resealed: 0, sealed: [{ column: 'idempotency_key.answer', keyId: 'k1', rows: 1 }] });
  });
});

test('a ciphertext that was moved to another row does not open', async () => {
  const [one, other] = [await memberWith('ONE-12345'), await memberWith('OTHER-12345')];
  await app.database.asSuperuser(
    `update member_profile p set id_number_sealed = o.id_number_sealed from member_profile o
     where p.member_id = $1 and o.member_id = $2`,
    [one.id, other.id],
  );
  expect((await client.get(`/api/v1/members/${one.id}/data-export`)).status).toBe(500);
  expect(await idNumberOf(other.id, client)).toBe('OTHER-12345');
  expect(await reencrypt(`${second},${first}`)).toMatchObject({ code: 1, resealed: 1, unreadable: 1 });
});

test('a change of the key under load fails no request and loses no number', async () => {
  const members = await Promise.all(Array.from({ length: 6 }, (_, n) => memberWith(`START-${n}-12345`)));
  const expected = new Map(members.map(({ id }, n) => [id, `START-${n}-12345`]));
  // As it is rolled out: everybody learns of the new key, then everybody uses it.
  const [knowing, using] = [await startWith(first, second), await startWith(second, first)];
  try {
    const clients = [knowing, using].map((instance) => apiClient(instance, tenant.liveKey));
    const statuses: number[] = [];
    const stop = new AbortController();
    const load = members.map(async ({ id }, n) => {
      for (let turn = 0; !stop.signal.aborted; turn++) {
        const by = clients[turn % 2] ?? client;
        const idNumber = `LOAD-${n}-${turn}-12345`;
        const patched = await by.patch(`/api/v1/members/${id}/profile`, { idNumber });
        expected.set(id, idNumber);
        const read = await (clients[(turn + 1) % 2] ?? client).get(`/api/v1/members/${id}/data-export`);
        statuses.push(patched.status, read.status);
        expect(read.body.profile.idNumber).toBe(idNumber);
      }
    });
    expect((await reencrypt(`${second},${first}`)).code).toBe(0);
    stop.abort();
    await Promise.all(load);
    expect(statuses.length).toBeGreaterThan(20);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(await reencrypt(`${second},${first}`)).toMatchObject({ code: 0, unreadable: 0, sealed: [profiles('k2', 6)] });
  } finally {
    await knowing.close();
    await using.close();
  }
  const later = await startWith(second);
  try {
    for (const [id, idNumber] of expected) expect(await idNumberOf(id, apiClient(later, tenant.liveKey))).toBe(idNumber);
  } finally {
    await later.close();
  }
});
