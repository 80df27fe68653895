/** What a start makes of a vendor that fails, refuses or babbles; and what a repeat makes of the rest. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FakeFault } from '../../support/kyc/fake-kyc-vendor.ts';
import { plantKycSettings } from '../../support/kyc/kyc-settings.ts';
import { type KycTenant, type KycWorld, newKycTenant, recordOf, startKycWorld, startPath } from '../../support/kyc/kyc-world.ts';

let world: KycWorld;
let live: KycTenant;
let memberId: string;

const CREATE = /^POST \/resources\/applicants\?/;
const TOKEN = /^POST \/resources\/accessTokens/;
const SECRET_WORDS = 'Chan Tai Man lives at 1 Secret Street';

beforeAll(async () => {
  world = await startKycWorld();
  live = await newKycTenant(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.vendor.workAgain();
  memberId = (await live.client.newMember()).id;
});

const start = () => live.client.post(startPath(memberId), {});
const applicants = () => [...world.vendor.applicants.values()].filter(({ externalUserId }) => externalUserId === memberId);

describe('passing trouble is not noticed', () => {
  test.each<[string, RegExp, FakeFault[]]>([
    ['500 and 503 to the making of the applicant', CREATE, [{ status: 500 }, { status: 503 }]],
    ['a dropped connection', CREATE, ['drop']],
    ['an answer lost after the applicant was made', CREATE, ['lost']],
    ['two answers lost', CREATE, ['lost', 'lost']],
    ['429 without a word when to come back', TOKEN, [{ status: 429 }]],
    ['429 with a second to wait', TOKEN, [{ status: 429, headers: { 'retry-after': '1' } }]],
  ])('%s', async (_name, call, faults) => {
    world.vendor.failNext(call, ...faults);
    const started = await start();
    expect([started.status, started.text]).toEqual([200, expect.any(String)]);
    expect(applicants()).toHaveLength(1);
    expect(started.body.sdkConfig.applicantId).toBe(applicants()[0]?.id);
  });
});

describe("a failure is told without the vendor's words, and the next start goes on", () => {
  test.each<[string, RegExp, FakeFault[], string, string]>([
    ['three times 500', CREATE, [{ status: 500 }, { status: 502 }, { status: 503 }], 'PROVIDER_UNAVAILABLE', 'server_error'],
    ['three dropped connections', TOKEN, ['drop', 'drop', 'drop'], 'PROVIDER_UNAVAILABLE', 'connection'],
    ['429 for long', TOKEN, [{ status: 429, headers: { 'retry-after': '120' } }], 'PROVIDER_UNAVAILABLE', 'rate_limited'],
    ['401', CREATE, [{ status: 401, description: SECRET_WORDS }], 'PROVIDER_CONFIGURATION', 'unauthorized'],
    ['403', TOKEN, [{ status: 403, description: SECRET_WORDS }], 'PROVIDER_CONFIGURATION', 'unauthorized'],
    ['400', CREATE, [{ status: 400, description: SECRET_WORDS }], 'PROVIDER_CONFIGURATION', 'refused'],
    ['404', TOKEN, [{ status: 404, description: SECRET_WORDS }], 'PROVIDER_CONFIGURATION', 'refused'],
    ['302', CREATE, [{ status: 302, headers: { location: 'https://evil.example' } }], 'PROVIDER_CONFIGURATION', 'refused'],
    ['an answer that is no JSON', CREATE, ['garbage'], 'PROVIDER_CONFIGURATION', 'unusable_answer'],
    ['a token that is no JSON', TOKEN, ['garbage'], 'PROVIDER_CONFIGURATION', 'unusable_answer'],
  ])('%s', async (_name, call, faults, code, reason) => {
    world.vendor.failNext(call, ...faults);
    const failed = await start();
    expect([failed.status, failed.body.code, failed.body.details.reason]).toEqual([502, code, reason]);
    expect(failed.headers['retry-after']).toBe(reason === 'rate_limited' ? '120' : undefined);
    expect(failed.text).not.toContain(SECRET_WORDS);
    expect(world.app.logLines.join('\n')).not.toContain(SECRET_WORDS);
    expect(await recordOf(world, memberId)).toMatchObject({ status: 'not_started' });
    const again = await start();
    expect(again.status).toBe(200);
    expect(applicants()).toHaveLength(1);
  });

  test('what the vendor refused is in the log by status and correlation id', async () => {
    world.vendor.failNext(CREATE, { status: 400 });
    await start();
    const line = world.app.logLines
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .findLast(({ vendor }) => vendor === 'kycvendor');
    expect(line).toMatchObject({ call: 'createApplicant', status: 400, correlationId: expect.stringMatching(/^req-/) });
  });
});

test('a vendor that does not answer holds no request up for long, and no connection of the database', async () => {
  world.vendor.failNext(CREATE, { delayMs: 30_000 }, { delayMs: 30_000 }, { delayMs: 30_000 });
  let open: unknown;
  world.vendor.meanwhile = async () => {
    [open] = await world.app.database.asSuperuser(
      "select count(*)::int as held from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
    );
  };
  expect((await start()).body.code).toBe('PROVIDER_UNAVAILABLE');
  expect(open).toEqual({ held: 0 });
});

test('a clock that is a minute off and a wrong secret are matters of the settings', async () => {
  world.vendor.clockOffset = 90;
  expect((await start()).body).toMatchObject({ code: 'PROVIDER_CONFIGURATION', details: { reason: 'unauthorized' } });
  world.vendor.clockOffset = 0;
  const tenant = await newKycTenant(world);
  for (const wrong of [{ secretKey: 'other' }, { appToken: 'sbx:other' }, { levelName: "no such level, Bob's" }]) {
    await plantKycSettings(world.app, tenant.scope, { ...world.vendor.account, ...wrong });
    const { id } = await tenant.client.newMember();
    const refused = await tenant.client.post(startPath(id), {});
    expect([refused.status, refused.body.code]).toEqual([502, 'PROVIDER_CONFIGURATION']);
  }
});

test('an address that the deployment does not vouch for any more is not asked', async () => {
  const tenant = await newKycTenant(world);
  await plantKycSettings(world.app, tenant.scope, { ...world.vendor.account, baseUrl: 'http://127.0.0.1:9' });
  const { id } = await tenant.client.newMember();
  const refused = await tenant.client.post(startPath(id), {});
  expect(refused.body).toMatchObject({ code: 'PROVIDER_CONFIGURATION', details: { reason: 'blocked_address' } });
});

describe('what happens while the vendor is asked', () => {
  test('staff reject the member: no applicant is linked, and the start is a conflict', async () => {
    world.vendor.meanwhile = async (request) => {
      if (CREATE.test(request)) {
        await world.app.database.asSuperuser(
          "update kyc_record set status = 'rejected', rejection_reason = 'No' where member_id = $1",
          [memberId],
        );
      }
    };
    const refused = await start();
    expect([refused.status, refused.body.code]).toEqual([409, 'STATE_CONFLICT']);
    expect(await recordOf(world, memberId)).toMatchObject({ provider_applicant_id: null });
  });
});
