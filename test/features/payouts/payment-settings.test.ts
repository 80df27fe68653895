/** The payments part of the settings: of one environment, with secrets that are written and never read. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCipher } from '../../../src/encryption.ts';
import { createPaymentSettingsReader } from '../../../src/features/payouts/settings/payment-settings.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

const PATH = '/api/v1/admin/settings';
const FIELD = 'payments.payvendor.';

let app: TestApp;
let tenant: TestTenant;
let live: ApiClient;
let sandbox: ApiClient;
let secretKey: string;
let webhookSecrets: string[];

beforeAll(async () => {
  app = await startTestApp({ OUTGOING_ALLOWED_HOSTS: '127.0.0.1:4010,vendor.test:443' });
});
beforeEach(async () => {
  tenant = await app.newTenant();
  live = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
  secretKey = `sk_live_${random()}`;
  webhookSecrets = [`whsec_${random()}`, `whsec_${random()}`];
});
afterAll(() => app.close());

const random = () => randomBytes(12).toString('hex');
const paymentsOf = async (client = live) => (await client.get(PATH)).body.payments;
const change = (payvendor: object, client = live) => client.patch(PATH, { payments: { payvendor } });
const choose = (payvendor: object = {}, client = live) => {
  const whole = { secretKey, webhookSecrets, platformCountry: 'US', ...payvendor };
  return client.patch(PATH, { payments: { provider: 'payvendor', payvendor: whole } });
};
const reader = () =>
  createPaymentSettingsReader({ frames: app.composition.frames, cipher: createCipher(app.config.secrets.dataKeys) });
const audited = async () =>
  (
    await app.database.asSuperuser<{ environment: string; details: { fields?: string[] } }>(
      "select environment, details from audit_log where tenant_id = $1 and action = 'settings.updated' order by id",
      [tenant.tenantId],
    )
  ).map(({ environment, details }) => [environment, details.fields]);

test('are stored, open where they are used, and show secrets only as there', async () => {
  const more = {
    capabilities: ['transfers', 'card_payments'],
    approvedRecipientCountries: ['HK', 'JP'],
    baseUrl: 'https://vendor.test',
  };
  const answer = await choose(more);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.payments).toEqual({
    provider: 'payvendor',
    payvendor: { secretKey: { set: true }, webhookSecrets: { count: 2 }, platformCountry: 'US', ...more },
    requireKyc: true,
    dualControl: false,
    dualControlBy: 'keys',
    accountCooldownHours: 24,
    schedule: null,
  });
  expect(await paymentsOf()).toEqual(answer.body.payments);
  expect((await paymentsOf(sandbox)).provider).toBe('manual');
  const used = await reader().readSettings({ tenantId: tenant.tenantId, environment: 'LIVE' });
  expect(used.account).toEqual({ secretKey, platformCountry: 'US', capabilities: more.capabilities, baseUrl: more.baseUrl });
  expect(await reader().readWebhookSecrets(tenant.tenantId)).toEqual([{ environment: 'LIVE', secrets: webhookSecrets }]);
  expect(answer.text).not.toContain(secretKey);
});

test('change field by field; lists as a whole; what stays the same is not a change', async () => {
  await choose();
  expect((await live.patch(PATH, { payments: { requireKyc: false, dualControl: true, accountCooldownHours: 0 } })).status).toBe(
    200,
  );
  expect(await paymentsOf()).toMatchObject({
    requireKyc: false,
    dualControl: true,
    accountCooldownHours: 0,
    provider: 'payvendor',
  });
  expect((await change({ secretKey, webhookSecrets, platformCountry: 'US' })).status).toBe(200);
  expect((await change({ webhookSecrets: [webhookSecrets[1]] })).body.payments.payvendor.webhookSecrets).toEqual({ count: 1 });
  expect((await reader().readWebhookSecrets(tenant.tenantId))[0]?.secrets).toEqual([webhookSecrets[1]]);
  expect(await audited()).toEqual([
    ['LIVE', ['payments.provider', `${FIELD}secretKey`, `${FIELD}webhookSecrets`, `${FIELD}platformCountry`]],
    ['LIVE', ['payments.requireKyc', 'payments.dualControl', 'payments.accountCooldownHours']],
    ['LIVE', [`${FIELD}webhookSecrets`]],
  ]);
});

test('go together with the KYC part, in one change', async () => {
  const both = { payments: { dualControl: true }, kyc: { kycvendor: { levelName: 'basic' } } };
  expect((await live.patch(PATH, both)).status).toBe(200);
  expect(await audited()).toEqual([['LIVE', ['kyc.kycvendor.levelName', 'payments.dualControl']]]);
  const half = { payments: { provider: 'payvendor' }, kyc: { kycvendor: { levelName: 'other' } } };
  expectRefusal(await live.patch(PATH, half), 400, 'VALIDATION_ERROR');
  expect((await live.get(PATH)).body.kyc.kycvendor.levelName).toBe('basic');
});

describe('refused', () => {
  test('is the vendor in LIVE without what it needs, and taking that away', async () => {
    const missing = ['secretKey', 'webhookSecrets', 'platformCountry'].map((field) => FIELD + field);
    expectRefusal(await live.patch(PATH, { payments: { provider: 'payvendor' } }), 400, 'VALIDATION_ERROR', missing);
    await choose();
    for (const [field, value] of [
      ['secretKey', null],
      ['webhookSecrets', []],
      ['webhookSecrets', null],
      ['platformCountry', null],
    ] as const) {
      // biome-ignore format: a table
      expectRefusal(await change({ [field]: value }), 400, 'VALIDATION_ERROR', [FIELD + field]);
    }
    expect((await live.patch(PATH, { payments: { provider: 'manual', payvendor: { secretKey: null } } })).status).toBe(200);
  });

  test('is nothing of that in a SANDBOX, where the vendor is simulated', async () => {
    expect((await sandbox.patch(PATH, { payments: { provider: 'payvendor' } })).status).toBe(200);
    expect((await reader().readSettings({ tenantId: tenant.tenantId, environment: 'SANDBOX' })).account).toBeUndefined();
    expect((await change({ secretKey: 'sk_test_x' }, sandbox)).status).toBe(200);
  });

  test('is a key of the other mode', async () => {
    for (const key of ['sk_test_x', 'rk_test_x'])
      expectRefusal(await change({ secretKey: key }), 400, 'VALIDATION_ERROR', [`${FIELD}secretKey`]);
    for (const key of ['sk_live_x', 'rk_live_x']) {
      expectRefusal(await change({ secretKey: key }, sandbox), 400, 'VALIDATION_ERROR', [`${FIELD}secretKey`]);
    }
    expect((await change({ secretKey: 'rk_live_x' })).status).toBe(200);
    expect((await change({ secretKey: 'unmarked' }, sandbox)).status).toBe(200);
  });

  test('is every address but the vendor’s and those the deployment vouches for', async () => {
    for (const baseUrl of ['https://api.stripe.com', 'http://127.0.0.1:4010', 'https://vendor.test']) {
      expect((await change({ baseUrl })).body.payments?.payvendor.baseUrl).toBe(baseUrl);
    }
    const refused = [
      'https://api.sumsub.com',
      'http://api.stripe.com',
      'https://api.stripe.com.evil.test',
      'https://127.0.0.1',
      'x',
      '',
    ];
    for (const baseUrl of refused) expectRefusal(await change({ baseUrl }), 400, 'VALIDATION_ERROR', [`${FIELD}baseUrl`]);
  });

  test.each([
    [{ secretKey: 'two words' }, 'secretKey'],
    [{ secretKey: '' }, 'secretKey'],
    [{ webhookSecrets: 'whsec' }, 'webhookSecrets'],
    [{ webhookSecrets: [''] }, 'webhookSecrets[0]'],
    [{ webhookSecrets: ['a', 'a'] }, 'webhookSecrets'],
    [{ webhookSecrets: Array.from({ length: 11 }, (_, n) => `s${n}`) }, 'webhookSecrets'],
    [{ platformCountry: 'qq' }, 'platformCountry'],
    [{ platformCountry: 'XX' }, 'platformCountry'],
    [{ capabilities: ['card_payments'] }, 'capabilities'],
    [{ capabilities: ['transfers', 'transfers'] }, 'capabilities'],
    [{ capabilities: ['transfers', 'other'] }, 'capabilities[1]'],
    [{ approvedRecipientCountries: ['HKG'] }, 'approvedRecipientCountries[0]'],
    [{ token: 'x' }, 'token'],
  ])('%j', async (payvendor, field) => {
    expectRefusal(await change(payvendor), 400, 'VALIDATION_ERROR', [FIELD + field]);
  });

  test.each([{ provider: 'other' }, { requireKyc: 'yes' }, { accountCooldownHours: 721 }, { accountCooldownHours: -1 }])(
    '%j',
    async (own) => {
      expectRefusal(await live.patch(PATH, { payments: own }), 400, 'VALIDATION_ERROR', [`payments.${Object.keys(own)[0]}`]);
    },
  );
});
