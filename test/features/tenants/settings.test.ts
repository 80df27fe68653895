/** A tenant's settings, and what follows a change of them. Source: docs/specification/conventions.md#tenant-settings. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { REFERRAL_DEFAULTS } from '../../../src/features/referrals/open/referral-settings.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { newUpline } from '../../support/money/model-upline.ts';

const PATH = '/api/v1/admin/settings';

let app: TestApp;
let tenant: TestTenant;
let live: ApiClient;
let sandbox: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant({ timeZone: 'Pacific/Auckland' });
  live = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
});
afterAll(() => app.close());

/** Of a tenant that has set nothing. */
const kyc = {
  provider: 'manual',
  approvalValidDays: null,
  kycvendor: {
    appToken: { set: false },
    secretKey: { set: false },
    webhookSecret: { set: false },
    previousWebhookSecret: { set: false },
    levelName: null,
    clientId: null,
    allowedDigestAlgs: ['HMAC_SHA256_HEX', 'HMAC_SHA512_HEX'],
    ttlInSecs: 600,
    baseUrl: null,
  },
};

const payments = {
  provider: 'manual',
  payvendor: {
    secretKey: { set: false },
    webhookSecrets: { count: 0 },
    platformCountry: null,
    capabilities: ['transfers'],
    approvedRecipientCountries: [],
    baseUrl: null,
  },
  requireKyc: true,
  dualControl: false,
  dualControlBy: 'keys',
  accountCooldownHours: 24,
  schedule: null,
};

const settings = async (client = live) => (await client.get(PATH)).body as Record<string, string>;
const audit = () =>
  app.database.asSuperuser(
    `select environment, actor_kind, object_kind, object_id, details from audit_log
     where tenant_id = $1 and action = 'settings.updated' order by id`,
    [tenant.tenantId],
  );

describe('the settings', () => {
  test('are the tenant’s, in both environments, and nobody else’s', async () => {
    const other = apiClient(app, (await app.newTenant()).liveKey);
    const before = {
      defaultCurrency: 'USD',
      reportingTimeZone: 'Pacific/Auckland',
      updatedAt: expect.stringMatching(/Z$/),
      kyc,
      payments,
      referrals: REFERRAL_DEFAULTS,
      mail: { payouts: false },
      staffProvider: { isOn: false, issuerUrl: null, clientId: null, clientSecret: { set: false }, ssoOnly: false },
      members: { downlineVisibility: 'masked' },
      commissions: { manualLimitMinor: {}, manualSecondPairMinor: {}, planPublishSecondPair: false },
      webhooks: { eventLog: false },
    };
    const inSandbox = (settingsOfLive: object) => ({ ...settingsOfLive, webhooks: { eventLog: true } });
    expect([await settings(), await settings(sandbox)]).toEqual([before, inSandbox(before)]);
    const changed = await live.patch(PATH, { defaultCurrency: 'JPY', reportingTimeZone: 'Asia/Tokyo' });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toEqual({ ...before, defaultCurrency: 'JPY', reportingTimeZone: 'Asia/Tokyo' });
    expect([await settings(), await settings(sandbox)]).toEqual([changed.body, inSandbox(changed.body)]);
    expect(await settings(other)).toMatchObject({ defaultCurrency: 'USD', reportingTimeZone: 'UTC' });
    expect(await audit()).toEqual([
      {
        environment: 'LIVE',
        actor_kind: 'api_key',
        object_kind: 'tenant',
        object_id: tenant.tenantId,
        details: {
          changes: {
            defaultCurrency: { from: 'USD', to: 'JPY' },
            reportingTimeZone: { from: 'Pacific/Auckland', to: 'Asia/Tokyo' },
          },
        },
      },
    ]);
  });

  test('cannot be changed with a SANDBOX key, for LIVE goes by them', async () => {
    const before = await settings();
    expectRefusal(await sandbox.patch(PATH, { reportingTimeZone: 'UTC' }), 403, 'ENVIRONMENT_MISMATCH');
    expectRefusal(await sandbox.patch(PATH, { reportingTimeZone: 'nowhere' }), 403, 'ENVIRONMENT_MISMATCH');
    const both = { defaultCurrency: 'EUR', kyc: { provider: 'kycvendor' }, payments: { dualControl: true } };
    expectRefusal(await sandbox.patch(PATH, both), 403, 'ENVIRONMENT_MISMATCH');
    expect(await settings()).toEqual(before);
  });

  test('what changes nothing is not recorded', async () => {
    const before = await settings();
    const answer = await live.patch(PATH, { defaultCurrency: 'USD', reportingTimeZone: 'Pacific/Auckland' });
    expect([answer.status, answer.body]).toEqual([200, before]);
    expect(await audit()).toEqual([]);
  });

  test('changes of different fields at once are both kept, and a repeat is done once', async () => {
    const header = { 'idempotency-key': randomUUID() };
    // Held back until all have come as far as they can without the row.
    const held = app.database.asSuperuser(
      `do $$ begin perform from tenant where id = '${tenant.tenantId}' for update; perform pg_sleep(1); end $$`,
    );
    await app.database.asSuperuser('select pg_sleep(0.1)');
    const answers = await Promise.all([
      live.patch(PATH, { defaultCurrency: 'EUR' }),
      live.patch(PATH, { reportingTimeZone: 'Europe/Berlin' }, header),
      live.patch(PATH, { reportingTimeZone: 'Europe/Berlin' }, header),
    ]);
    await held;
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await settings()).toMatchObject({ defaultCurrency: 'EUR', reportingTimeZone: 'Europe/Berlin' });
    expect(await audit()).toHaveLength(2);
  });

  test('refused: what the database does not know as a zone, or ISO 4217 as a currency', async () => {
    const before = await settings();
    const cases: [object, string][] = [
      [{ reportingTimeZone: 'Europe/Atlantis' }, 'reportingTimeZone'],
      [{ reportingTimeZone: 'europe/berlin' }, 'reportingTimeZone'],
      [{ reportingTimeZone: '+02:00' }, 'reportingTimeZone'],
      [{ reportingTimeZone: "UTC'; drop table tenant; --" }, 'reportingTimeZone'],
      [{ reportingTimeZone: '' }, 'reportingTimeZone'],
      [{ reportingTimeZone: null }, 'reportingTimeZone'],
      [{ defaultCurrency: 'qqq' }, 'defaultCurrency'],
      [{ defaultCurrency: 'XXX' }, 'defaultCurrency'],
      [{ defaultCurrency: 'EUR', reportingTimeZone: 'Mars/Base' }, 'reportingTimeZone'],
      [{ name: 'Other' }, 'name'],
      [{}, 'body'],
      [{ kyc: {} }, 'body'],
      [{ kyc: { kycvendor: {} } }, 'body'],
      [{ payments: {} }, 'body'],
      [{ payments: { payvendor: {} } }, 'body'],
    ];
    for (const [body, field] of cases) expectRefusal(await live.patch(PATH, body), 400, 'VALIDATION_ERROR', [field]);
    expect(await settings()).toEqual(before);
    expect(await audit()).toEqual([]);
  });

  test('need a key with their scope', async () => {
    const { apiKey } = await app.tenants.createKey({
      tenantId: tenant.tenantId,
      environment: 'LIVE',
      scopes: ['admin:keys', 'plans:write'],
    });
    expectRefusal(await apiClient(app, apiKey).get(PATH), 403, 'FORBIDDEN');
    expectRefusal(await apiClient(app, apiKey).patch(PATH, { defaultCurrency: 'EUR' }), 403, 'FORBIDDEN');
  });
});

// 10:59 is still March in Auckland, 11:00 is April; in UTC both are March.
test('in another time zone summaries are right at once, and again once the sweeps have rebuilt what they are read from', async () => {
  const [seller, top] = await newUpline(live, 'O D');
  for (const occurred_at of ['2026-03-31T10:59:00Z', '2026-03-31T11:00:00Z', '2026-04-01T00:00:00Z']) {
    const sale = live.purchaseBody({ occurred_at, attribution: { user_id: seller?.id } });
    expect((await live.post('/api/v1/events/purchase', sale)).status).toBe(201);
  }
  const march = async () => {
    const [breakdown, team] = await Promise.all(
      ['commissions/breakdown', 'team-stats'].map((what) => live.get(`/api/v1/members/${top?.id}/${what}?period=2026-03`)),
    );
    const trend = breakdown?.body.trend as { count: number }[];
    return [trend.reduce((sum, { count }) => sum + count, 0), team?.body.commissions, team?.body.timeZone];
  };
  const states = () =>
    app.database.asSuperuser(
      "select rollup, time_zone from rollup_state where tenant_id = $1 and environment = 'LIVE' order by rollup",
      [tenant.tenantId],
    );
  const sweep = async () => {
    await app.runSweep('fold-downline');
    await app.runSweep('fold-commissions');
  };

  const inAuckland = [1, 1, 'Pacific/Auckland'];
  expect(await march()).toEqual(inAuckland);
  await sweep();
  expect(await march()).toEqual(inAuckland);

  expect((await live.patch(PATH, { reportingTimeZone: 'UTC' })).status).toBe(200);
  const inUtc = [2, 2, 'UTC'];
  expect(await march()).toEqual(inUtc);
  await expectCleanBooks(app);
  await sweep();
  expect(await states()).toEqual([
    { rollup: 'commissions', time_zone: 'UTC' },
    { rollup: 'downline', time_zone: 'UTC' },
  ]);
  expect(await march()).toEqual(inUtc);
  await expectCleanBooks(app);
});

test('in another currency the status of a member is in it, and what was earned stays as it was', async () => {
  const [seller] = await newUpline(live, 'O');
  await live.post('/api/v1/events/purchase', live.purchaseBody({ attribution: { user_id: seller?.id } }));
  const status = async () => (await live.get(`/api/v1/users/status?user_id=${seller?.id}`)).body;
  expect(await status()).toMatchObject({ currency: 'USD', commission_balance: { pending: 10 } });
  await live.patch(PATH, { defaultCurrency: 'EUR' });
  expect(await status()).toMatchObject({ currency: 'EUR', commission_balance: { pending: 0 } });
  const { body: balances } = await live.get(`/api/v1/members/${seller?.id}/balances`);
  expect(balances.balances).toContainEqual(expect.objectContaining({ currency: 'USD', pendingMinor: 1_000 }));
  await live.patch(PATH, { defaultCurrency: 'USD' });
  expect(await status()).toMatchObject({ currency: 'USD', commission_balance: { pending: 10 } });
  await expectCleanBooks(app);
});
