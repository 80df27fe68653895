/** Secrets that were planted are nowhere in the database or the log. Source: data.md (Secrets and personal data). */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCipher } from '../../src/encryption.ts';
import { fingerprintOf } from '../../src/http/idempotency.ts';
import { apiClient } from '../support/api-client.ts';
import { dumpDatabase, findForms, formsOf } from '../support/dump.ts';
import { accountsPath, COMPLETE_PROFILE } from '../support/payout-accounts.ts';
import { plantSession } from '../support/sessions.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/test-app.ts';

let app: TestApp;
let tenant: TestTenant;
let dump: string;
let visible: string;
let secrets: Record<string, string | Buffer>;
let vendorSecrets: Record<string, string>;
let answers: string;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  const idNumber = `ID-${randomInt(1e12, 1e13)}-Q`;
  const former = `ID-${randomInt(1e12, 1e13)}-R`;
  visible = `Visible${randomBytes(6).toString('hex')}`;
  const client = apiClient(app, tenant.liveKey);
  const member = await client.newMember({ name: visible });
  const path = `/api/v1/members/${member.id}/profile`;
  await client.patch(path, { idNumber: former });
  // With a key, so that request and answer are remembered.
  const answer = await client.patch(path, { idNumber, surname: visible }, { 'idempotency-key': randomUUID() });
  expect(answer.body.idNumber).toBe(`•••• ${idNumber.slice(-4)}`);
  await client.patch(path, { idNumber: `${idNumber}§` });
  expect((await client.get(`/api/v1/members/${member.id}/data-export`)).body.profile.idNumber).toBe(idNumber);
  await client.patch(path, { ...COMPLETE_PROFILE, countryCode: 'USA' });
  const accountNumber = String(randomInt(1e12, 1e13));
  const holder = `Holder${randomBytes(6).toString('hex')}`;
  const bankAccount = { accountHolderName: holder, routingNumber: '110000000', accountNumber };
  const method = { methodType: 'us_bank_transfer', currency: 'USD' };
  const payoutAccount = { ...method, bankAccount };
  const accountAnswer = await client.post(accountsPath(member.id), payoutAccount, { 'idempotency-key': randomUUID() });
  expect(accountAnswer.body.displayName).toBe(`•••• ${accountNumber.slice(-4)}`);
  await client.post(accountsPath(member.id), { ...payoutAccount, currency: 'EUR' });
  const check = { country: 'US', bankAccount };
  await client.post('/api/v1/payout-methods/us_bank_transfer/validate', check, { 'idempotency-key': randomUUID() });
  await client.post('/api/v1/payout-methods/us_bank_transfer/validate', {
    ...check,
    bankAccount: { ...bankAccount, bsb: accountNumber },
  });
  await client.get(`/api/v1/members?name=${visible}`);
  const session = await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, member.id);
  const pair = (await client.post('/api/v1/auth/refresh', { refreshToken: session.refreshToken })).body;
  const kycvendor = Object.fromEntries(
    ['appToken', 'secretKey', 'webhookSecret', 'previousWebhookSecret'].map((name) => [
      name,
      `${name}-${randomBytes(12).toString('hex')}`,
    ]),
  );
  const settings = '/api/v1/admin/settings';
  // With a key, so that request and answer are remembered; one is refused, which says why.
  const kept = await client.patch(settings, { kyc: { kycvendor } }, { 'idempotency-key': randomUUID() });
  const refused = await client.patch(settings, { kyc: { kycvendor: { ...kycvendor, levelName: '' } } });
  expect([kept.status, refused.status]).toEqual([200, 400]);
  const payvendor = {
    secretKey: `sk_live_${randomBytes(12).toString('hex')}`,
    webhookSecrets: [`whsec_${randomBytes(12).toString('hex')}`],
  };
  const paying = await client.patch(settings, { payments: { payvendor } }, { 'idempotency-key': randomUUID() });
  const refusedToo = await client.patch(settings, { payments: { payvendor: { ...payvendor, platformCountry: 'XX' } } });
  expect([paying.status, refusedToo.status]).toEqual([200, 400]);
  answers = [kept, refused, paying, refusedToo, await client.get(settings), await client.get('/api/v1/admin/audit-logs')]
    .map(({ text }) => text)
    .join();
  vendorSecrets = { ...kycvendor, paymentKey: payvendor.secretKey, paymentWebhooks: payvendor.webhookSecrets[0] ?? '' };
  const [signing] = await app.database.asSuperuser<{ kid: string; private_sealed: Buffer }>(
    'select kid, private_sealed from signing_key',
  );
  if (!signing) throw new Error('there is no signing key');
  secrets = {
    'a refresh token': session.refreshToken.replace('svcr_', ''),
    'its successor': pair.refreshToken.replace('svcr_', ''),
    'an access token': pair.accessToken,
    'the private half of the signing key': createCipher(app.config.secrets.dataKeys).decrypt(signing.private_sealed, [
      'signing_key',
      signing.kid,
    ]),
    'the ID number': idNumber,
    'a former ID number': former,
    'the number of a bank account': accountNumber,
    'its holder': holder,
    'the LIVE key': tenant.liveKey,
    'the SANDBOX key': tenant.sandboxKey,
    'the LIVE key without its prefix': tenant.liveKey.replace('svc_live_', ''),
    'the pepper': app.config.secrets.apiKeyPepper,
    // A digest of the whole request would do to guess the number by.
    'the remembered request': fingerprintOf({
      method: 'PATCH',
      url: path,
      body: { idNumber, surname: visible },
      subject: 'tenant',
    }),
    ...vendorSecrets,
    'the data key': app.config.secrets.dataKeys[0]?.key ?? Buffer.alloc(0),
  };
  dump = await dumpDatabase(app.database);
});
afterAll(() => app.close());

test('the dump has the rows, also of the tables with the secrets', () => {
  expect(dump).toContain(visible);
  for (const table of [
    'member_profile',
    'api_key',
    'idempotency_key',
    'audit_log',
    'signing_key',
    'refresh_token',
    'kyc_settings',
    'payout_account',
    'payment_settings',
  ]) {
    expect(dump).toContain(`-- public.${table}\n`);
  }
  expect(dump).toMatch(/-- pgboss\./);
  expect(dump).toMatch(/\\x01\w{40,}/);
});

test('no secret is in the database, in any form', () => {
  const found = Object.entries(secrets).flatMap(([name, secret]) => findForms(dump, secret).map((form) => `${name}, ${form}`));
  expect(found).toEqual([]);
});

test('no secret of a vendor is in an answer', () => {
  expect(answers).toContain('payments.payvendor.secretKey');
  expect(answers).toContain('kyc.kycvendor.appToken');
  const found = Object.entries(vendorSecrets).flatMap(([name, secret]) =>
    findForms(answers, secret).map((form) => `${name}, ${form}`),
  );
  expect(found).toEqual([]);
});

test('no secret is in the log', () => {
  const log = app.logLines.join('\n');
  expect(app.logLines.length).toBeGreaterThan(3);
  const found = Object.entries(secrets).flatMap(([name, secret]) => findForms(log, secret).map((form) => `${name}, ${form}`));
  expect(found).toEqual([]);
});

describe('a secret that is left behind is found', () => {
  const leaks: [how: string, leave: (secret: string) => string | Buffer][] = [
    ['as it is', (secret) => `before ${secret} after`],
    ['in upper case', (secret) => secret.toUpperCase()],
    ['as bytes', (secret) => Buffer.from(`x${secret}y`)],
    ['as bytes in UTF-16', (secret) => Buffer.from(secret, 'utf16le')],
    ...[0, 1, 2].flatMap((shift): typeof leaks => [
      [`in base64 behind ${shift}`, (secret) => Buffer.from(`${'a'.repeat(shift)}${secret}`).toString('base64')],
      [`in base64 between ${shift}`, (secret) => Buffer.from(`${'b'.repeat(shift)}${secret}cd`).toString('base64url')],
    ]),
    ['percent-encoded', (secret) => encodeURIComponent(secret)],
    ...['md5', 'sha256'].map((name): (typeof leaks)[number] => [`by its ${name}`, (secret) => formsOf(secret).get(name) ?? '']),
  ];

  test.each(leaks)('%s', async (_how, leave) => {
    const secret = `ID/${randomInt(1e12, 1e13)}/Z`;
    const left = leave(secret);
    const [text, bytes] = typeof left === 'string' ? [left, null] : [null, left];
    await app.database.asSuperuser('insert into leak (text, bytes) values ($1, $2)', [text, bytes]);
    expect(findForms(await dumpDatabase(app.database), secret)).not.toEqual([]);
  });

  beforeAll(() => app.database.asSuperuser('create table leak (text text, bytes bytea)'));
});
