/** The KYC part of the settings: of one environment, with secrets that are written and never read. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCipher } from '../../../src/encryption.ts';
import { createKycSettingsReader } from '../../../src/features/kyc/vendor/kyc-settings.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

const PATH = '/api/v1/admin/settings';
const FIELD = 'kyc.kycvendor.';

let app: TestApp;
let tenant: TestTenant;
let live: ApiClient;
let sandbox: ApiClient;
let secrets: Record<'appToken' | 'secretKey' | 'webhookSecret', string>;

beforeAll(async () => {
  app = await startTestApp({ OUTGOING_ALLOWED_HOSTS: '127.0.0.1:4010,vendor.test:443' });
});
beforeEach(async () => {
  tenant = await app.newTenant();
  live = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
  secrets = { appToken: `prd:${random()}`, secretKey: random(), webhookSecret: random() };
});
afterAll(() => app.close());

const random = () => randomBytes(12).toString('hex');
const kycOf = async (client = live) => (await client.get(PATH)).body.kyc;
const change = (kycvendor: object, client = live) => client.patch(PATH, { kyc: { kycvendor } });
const choose = (client = live, kycvendor: object = { ...secrets, levelName: 'basic' }) =>
  client.patch(PATH, { kyc: { provider: 'kycvendor', kycvendor } });
const audited = () =>
  app.database.asSuperuser<{ environment: string; details: { fields?: string[] } }>(
    "select environment, details from audit_log where tenant_id = $1 and action = 'settings.updated' order by id",
    [tenant.tenantId],
  );

/** As the service reads them. */
function reader() {
  return createKycSettingsReader({ frames: app.composition.frames, cipher: createCipher(app.config.secrets.dataKeys) });
}
const webhookSecrets = async () =>
  (await reader().readWebhookSecrets(tenant.tenantId)).map(({ environment, secrets: accepted }) => [environment, accepted]);

describe('the vendor account', () => {
  test('is stored, opens where it is used, and is shown only as set', async () => {
    const answer = await choose(live, { ...secrets, levelName: 'basic-kyc', clientId: 'shop', ttlInSecs: 1200 });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.kyc).toEqual({
      provider: 'kycvendor',
      approvalValidDays: null,
      kycvendor: {
        appToken: { set: true },
        secretKey: { set: true },
        webhookSecret: { set: true },
        previousWebhookSecret: { set: false },
        levelName: 'basic-kyc',
        clientId: 'shop',
        allowedDigestAlgs: ['HMAC_SHA256_HEX', 'HMAC_SHA512_HEX'],
        ttlInSecs: 1200,
        baseUrl: null,
      },
    });
    expect(await kycOf()).toEqual(answer.body.kyc);
    for (const secret of Object.values(secrets)) expect(answer.text).not.toContain(secret);
    const { appToken, secretKey } = secrets;
    expect(await reader().readSettings({ tenantId: tenant.tenantId, environment: 'LIVE' })).toEqual({
      provider: 'kycvendor',
      levelName: 'basic-kyc',
      ttlInSecs: 1200,
      account: { appToken, secretKey, levelName: 'basic-kyc', ttlInSecs: 1200, baseUrl: null },
    });
  });

  test('is of one environment of one tenant', async () => {
    const other = apiClient(app, (await app.newTenant()).liveKey);
    const untouched = [await kycOf(sandbox), await kycOf(other)];
    await choose();
    expect([await kycOf(sandbox), await kycOf(other)]).toEqual(untouched);
    expect((await choose(sandbox, {})).status).toBe(200);
    expect((await kycOf(sandbox)).kycvendor.appToken).toEqual({ set: false });
    expect((await kycOf()).kycvendor.appToken).toEqual({ set: true });
  });

  test('is changed field by field, and null clears', async () => {
    await choose();
    await change({ ttlInSecs: 60 });
    await change({ clientId: 'shop' });
    expect((await kycOf()).kycvendor).toMatchObject({
      ttlInSecs: 60,
      clientId: 'shop',
      levelName: 'basic',
      secretKey: { set: true },
    });
    expect((await change({ clientId: null })).body.kyc.kycvendor.clientId).toBeNull();
    await live.patch(PATH, { kyc: { provider: 'manual' } });
    expect((await change({ appToken: null, levelName: null })).body.kyc.kycvendor).toMatchObject({
      appToken: { set: false },
      levelName: null,
      secretKey: { set: true },
    });
  });

  test('goes with currency and time zone in one change', async () => {
    const answer = await live.patch(PATH, { defaultCurrency: 'EUR', kyc: { kycvendor: { levelName: 'basic' } } });
    expect(answer.body).toMatchObject({ defaultCurrency: 'EUR', kyc: { kycvendor: { levelName: 'basic' } } });
    expect(await audited()).toEqual([
      {
        environment: 'LIVE',
        details: { changes: { defaultCurrency: { from: 'USD', to: 'EUR' } }, fields: [`${FIELD}levelName`] },
      },
    ]);
    const refused = await live.patch(PATH, { defaultCurrency: 'JPY', kyc: { provider: 'kycvendor' } });
    expectRefusal(
      refused,
      400,
      'VALIDATION_ERROR',
      ['appToken', 'secretKey', 'webhookSecret'].map((name) => FIELD + name),
    );
    expect((await live.get(PATH)).body).toEqual(answer.body);
  });

  test('is in the audit log by the names of what changed, once', async () => {
    await choose();
    await choose();
    await change({ webhookSecret: secrets.webhookSecret, allowedDigestAlgs: ['HMAC_SHA1_HEX'] });
    const entries = await audited();
    expect(entries.map(({ details }) => details.fields)).toEqual([
      ['kyc.provider', ...['appToken', 'secretKey', 'webhookSecret', 'levelName'].map((name) => FIELD + name)],
      [`${FIELD}allowedDigestAlgs`],
    ]);
    for (const secret of [...Object.values(secrets), 'basic']) expect(JSON.stringify(entries)).not.toContain(secret);
  });

  test('changed by many at once loses no field', async () => {
    await choose();
    const header = { 'idempotency-key': randomUUID() };
    const body = { kyc: { kycvendor: { clientId: 'shop' } } };
    const answers = await Promise.all([
      change({ ttlInSecs: 3600 }),
      change({ levelName: 'other' }),
      change({ webhookSecret: 'next' }),
      live.patch(PATH, body, header),
      live.patch(PATH, body, header),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await kycOf()).kycvendor).toMatchObject({ ttlInSecs: 3600, levelName: 'other', clientId: 'shop' });
    expect(await webhookSecrets()).toEqual([['LIVE', ['next', secrets.webhookSecret]]]);
    expect(await audited()).toHaveLength(5);
  });
});

describe('a new webhook secret', () => {
  beforeEach(() => choose());

  test('keeps the former until it is told to go', async () => {
    await change({ webhookSecret: 'second' });
    expect(await webhookSecrets()).toEqual([['LIVE', ['second', secrets.webhookSecret]]]);
    await change({ webhookSecret: 'second' });
    expect(await webhookSecrets()).toEqual([['LIVE', ['second', secrets.webhookSecret]]]);
    await change({ webhookSecret: 'third' });
    expect(await webhookSecrets()).toEqual([['LIVE', ['third', 'second']]]);
    await change({ previousWebhookSecret: null });
    expect(await webhookSecrets()).toEqual([['LIVE', ['third']]]);
  });

  test('with a previous one beside it takes that', async () => {
    await change({ webhookSecret: 'second', previousWebhookSecret: null });
    expect(await webhookSecrets()).toEqual([['LIVE', ['second']]]);
    await change({ webhookSecret: 'third', previousWebhookSecret: 'elsewhere' });
    expect(await webhookSecrets()).toEqual([['LIVE', ['third', 'elsewhere']]]);
  });

  test('that is none ends the previous one too', async () => {
    await change({ webhookSecret: 'second' });
    await live.patch(PATH, { kyc: { provider: 'manual', kycvendor: { webhookSecret: null } } });
    expect(await webhookSecrets()).toEqual([['LIVE', []]]);
  });
});

describe('refused', () => {
  test('in LIVE is a vendor without all that it needs, now or later', async () => {
    expectRefusal(
      await choose(live, {}),
      400,
      'VALIDATION_ERROR',
      ['appToken', 'secretKey', 'levelName', 'webhookSecret'].map((name) => FIELD + name),
    );
    await choose();
    const before = await kycOf();
    for (const name of ['appToken', 'secretKey', 'levelName', 'webhookSecret']) {
      expectRefusal(await change({ [name]: null }), 400, 'VALIDATION_ERROR', [FIELD + name]);
    }
    expect(await kycOf()).toEqual(before);
    expect(await audited()).toHaveLength(1);
  });

  test('in SANDBOX is half an account; none at all is the simulated vendor', async () => {
    expect((await choose(sandbox, {})).status).toBe(200);
    expectRefusal(await change({ secretKey: 'x' }, sandbox), 400, 'VALIDATION_ERROR', [`${FIELD}appToken`, `${FIELD}levelName`]);
    expectRefusal(await change({ appToken: 'sbx:x', secretKey: 'x' }, sandbox), 400, 'VALIDATION_ERROR', [`${FIELD}levelName`]);
    const whole = { appToken: 'sbx:x', secretKey: 'x', levelName: 'basic' };
    expect((await change(whole, sandbox)).status).toBe(200);
    expect((await change({ appToken: null, secretKey: null, levelName: null }, sandbox)).status).toBe(200);
  });

  test('is an app token of the other environment', async () => {
    expectRefusal(await change({ appToken: 'sbx:token' }), 400, 'VALIDATION_ERROR', [`${FIELD}appToken`]);
    expectRefusal(await change({ appToken: 'prd:token' }, sandbox), 400, 'VALIDATION_ERROR', [`${FIELD}appToken`]);
    expect((await change({ appToken: 'sbx:token' }, sandbox)).status).toBe(200);
    expect((await change({ appToken: 'unmarked' })).status).toBe(200);
  });

  test('is every address but the vendor’s and those the deployment vouches for', async () => {
    for (const baseUrl of ['https://api.sumsub.com', 'http://127.0.0.1:4010', 'https://vendor.test']) {
      expect((await change({ baseUrl })).body.kyc?.kycvendor.baseUrl).toBe(baseUrl);
    }
    const refused = [
      'https://api.sumsub.com.evil.test',
      'http://api.sumsub.com',
      'https://127.0.0.1',
      'http://127.0.0.1:4011',
      'http://vendor.test',
      'https://vendor.test/api',
      'https://vendor.test@evil.test',
      'https://vendor.test\\@evil.test',
      'https://evil.test#vendor.test:443',
      'https://vendor.test?x=1',
      'file:///etc/passwd',
      'vendor.test',
      '',
      `https://vendor.test/${'x'.repeat(2000)}`,
    ];
    for (const baseUrl of refused) expectRefusal(await change({ baseUrl }), 400, 'VALIDATION_ERROR', [`${FIELD}baseUrl`]);
    expect((await change({ baseUrl: null })).body.kyc.kycvendor.baseUrl).toBeNull();
  });

  test.each([
    [{ appToken: '' }, 'appToken'],
    [{ appToken: 'two words' }, 'appToken'],
    [{ appToken: 'x'.repeat(501) }, 'appToken'],
    [{ secretKey: { set: true } }, 'secretKey'],
    [{ webhookSecret: 'x'.repeat(501) }, 'webhookSecret'],
    [{ webhookSecret: '   ' }, 'webhookSecret'],
    [{ levelName: ' ' }, 'levelName'],
    [{ levelName: 'x'.repeat(256) }, 'levelName'],
    [{ clientId: '' }, 'clientId'],
    [{ allowedDigestAlgs: [] }, 'allowedDigestAlgs'],
    [{ allowedDigestAlgs: ['HMAC_SHA256_HEX', 'HMAC_SHA256_HEX'] }, 'allowedDigestAlgs'],
    [{ allowedDigestAlgs: ['HMAC_MD5_HEX'] }, 'allowedDigestAlgs[0]'],
    [{ allowedDigestAlgs: null }, 'allowedDigestAlgs'],
    [{ ttlInSecs: 59 }, 'ttlInSecs'],
    [{ ttlInSecs: 86_401 }, 'ttlInSecs'],
    [{ ttlInSecs: 60.5 }, 'ttlInSecs'],
    [{ token: 'x' }, 'token'],
  ])('%j', async (kycvendor, field) => {
    expectRefusal(await change(kycvendor), 400, 'VALIDATION_ERROR', [FIELD + field]);
  });

  test('are providers that nobody knows, and the settings of a key without the scope', async () => {
    expectRefusal(await live.patch(PATH, { kyc: { provider: 'other' } }), 400, 'VALIDATION_ERROR', ['kyc.provider']);
    expectRefusal(await live.patch(PATH, { kyc: { provider: null } }), 400, 'VALIDATION_ERROR', ['kyc.provider']);
    const { apiKey } = await app.tenants.createKey({
      tenantId: tenant.tenantId,
      environment: 'SANDBOX',
      scopes: ['admin:kyc'],
    });
    expectRefusal(await choose(apiClient(app, apiKey), {}), 403, 'FORBIDDEN');
  });
});

test('the bounds are allowed', async () => {
  const kycvendor = {
    appToken: 'x'.repeat(500),
    secretKey: 'x'.repeat(500),
    webhookSecret: '1',
    levelName: 'x'.repeat(255),
    clientId: 'x'.repeat(255),
    allowedDigestAlgs: ['HMAC_SHA1_HEX', 'HMAC_SHA256_HEX', 'HMAC_SHA512_HEX'],
    ttlInSecs: 86_400,
  };
  const answer = await choose(live, kycvendor);
  expect(answer.status, answer.text).toBe(200);
  const { appToken: _a, secretKey: _s, webhookSecret: _w, ...plain } = kycvendor;
  expect(answer.body.kyc.kycvendor).toMatchObject(plain);
});
