/** GET /payout-methods and POST /payout-methods/{methodId}/validate. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { newIban } from '../../support/payments/payout-accounts.ts';

let app: TestApp;
let tenant: TestTenant;
let live: ApiClient;
let sandbox: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  live = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
});
afterAll(() => app.close());

const methodsIn = async (country: string, client = live) => client.get(`/api/v1/payout-methods?country=${country}`);
const validate = (methodId: string, body: object, client = live, headers = {}) =>
  client.post(`/api/v1/payout-methods/${methodId}/validate`, body, headers);

describe('methods', () => {
  test('say what to ask for', async () => {
    const { status, body } = await methodsIn('HK');
    expect(status).toBe(200);
    expect(body.country).toBe('HK');
    expect(body.methods).toHaveLength(1);
    const [method] = body.methods;
    expect(method).toMatchObject({
      id: 'hk_bank_transfer',
      category: 'bank_transfer',
      provider: 'manual',
      currency: 'HKD',
      enabled: true,
    });
    expect(method.fields.map(({ key }: { key: string }) => key)).toEqual([
      'accountHolderName',
      'bankCode',
      'branchCode',
      'accountNumber',
    ]);
    expect(method.fields[3]).toEqual({
      key: 'accountNumber',
      label: 'Account number',
      type: 'text',
      placeholder: '123456789',
      helpText: '6 to 12 digits',
      validation: { required: true, minLength: 6, maxLength: 12, pattern: '^[0-9]{6,12}$' },
      options: [],
    });
  });

  test('are none in a country that is not in the catalogue', async () => {
    expect((await methodsIn('AQ')).body).toEqual({ country: 'AQ', methods: [] });
  });

  test.each(['QQ', 'DEU', 'D', '', '344', '12', 'constructor'])('are refused for %j, which is no country', async (country) => {
    const answer = await methodsIn(country);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.details.fields[0].field).toBe('country');
  });

  test('need the country', async () => {
    expect((await live.get('/api/v1/payout-methods')).status).toBe(400);
  });

  test('follow the settings of the environment', async () => {
    await plantPaymentSettings(
      app,
      { tenantId: tenant.tenantId, environment: 'LIVE' },
      { secretKey: 'sk_live_x', platformCountry: 'US' },
    );
    const shown = async (country: string, client: ApiClient) => {
      const [method] = (await methodsIn(country, client)).body.methods;
      return [method.provider, method.enabled];
    };
    expect(await shown('DE', live)).toEqual(['payvendor', true]);
    expect(await shown('ZA', live)).toEqual(['payvendor', false]);
    expect(await shown('ZA', sandbox)).toEqual(['manual', true]);
    expect(await shown('ZA', apiClient(app, (await app.newTenant()).liveKey))).toEqual(['manual', true]);
  });

  test('are shown to a member with its bearer token', async () => {
    const member = await live.newMember();
    const { accessToken } = await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, member.id);
    const answer = await live.get('/api/v1/payout-methods?country=DE', { authorization: `Bearer ${accessToken}` });
    expect(answer.status).toBe(200);
  });
});

describe('checking bank details', () => {
  const holder = { accountHolderName: ' Ada Example ' };

  test('shows what it understood, with the number masked', async () => {
    const iban = newIban();
    const spaced = iban.toLowerCase().replaceAll(/(.{4})/g, '$1 ');
    const { status, body } = await validate('sepa_bank_transfer', { country: 'DE', bankAccount: { ...holder, iban: spaced } });
    expect(status).toBe(200);
    const normalised = { accountHolderName: 'Ada Example', iban: `•••• ${iban.slice(-4)}` };
    expect(body).toEqual({ valid: true, errors: [], normalised });
  });

  test('names every fault at once, and repeats no value', async () => {
    const answer = await validate('us_bank_transfer', {
      country: 'US',
      bankAccount: { routingNumber: '021000022', sortCode: '1' },
    });
    expect(answer.body).toEqual({
      valid: false,
      errors: [
        { field: 'bankAccount.sortCode', message: 'is not a field of this method' },
        { field: 'bankAccount.accountHolderName', message: 'is required' },
        {
          field: 'bankAccount.routingNumber',
          message: 'is no routing number: its check digit or its first two digits are wrong',
        },
        { field: 'bankAccount.accountNumber', message: 'is required' },
      ],
      normalised: null,
    });
    expect(answer.text).not.toContain('021000022');
  });

  test("takes the vendor's test numbers in a SANDBOX alone", async () => {
    const body = { country: 'SE', bankAccount: { ...holder, iban: 'SE89370400440532013000' } };
    expect((await validate('se_bank_transfer', body, sandbox)).body.valid).toBe(true);
    expect((await validate('se_bank_transfer', body, live)).body.valid).toBe(false);
  });

  test('knows no such method, and none such in the country', async () => {
    const body = { country: 'DE', bankAccount: holder };
    expect((await validate('xx_bank_transfer', body)).body.code).toBe('NOT_FOUND');
    expect((await validate('constructor', body)).body.code).toBe('NOT_FOUND');
    const elsewhere = await validate('us_bank_transfer', body);
    expect([elsewhere.status, elsewhere.body.code]).toEqual([422, 'METHOD_NOT_SUPPORTED']);
  });

  test('refuses what is no set of fields', async () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`field${index}`, 'x']));
    for (const bankAccount of [null, [], 'DE', { iban: 1 }, { iban: 'x'.repeat(201) }, { ['k'.repeat(65)]: 'x' }, many]) {
      expect((await validate('sepa_bank_transfer', { country: 'DE', bankAccount })).status, JSON.stringify(bankAccount)).toBe(
        400,
      );
    }
  });

  test('leaves nothing in the log, and replays a repeat', async () => {
    const iban = newIban();
    const key = { 'idempotency-key': randomUUID() };
    const body = { country: 'DE', bankAccount: { ...holder, iban } };
    const first = await validate('sepa_bank_transfer', body, live, key);
    const again = await validate('sepa_bank_transfer', body, live, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(app.logLines.join('\n')).not.toContain(iban.slice(4));
  });
});
