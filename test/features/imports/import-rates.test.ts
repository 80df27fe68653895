/** Agreed rates by CSV: as POST /rate-overrides takes them. docs/specification/rates.md#overrides */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';
import { openEar } from '../../support/webhooks/told-events.ts';
import { openChangesShop } from '../pending-changes/changes-shop.ts';
import { codeOf, EARLY, linkOf, OVERRIDES, openRateShop, person, told, type Wire } from '../rates/support/rate-shop.ts';
import { type Finished, importCsv, readErrors, readImport, type SentFile, sendCsv } from './csv-imports.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const KIND = 'rate_overrides';
const file = (...lines: string[]): string => lines.join('\n');
const rates = (key: string, csv: string, options: SentFile = {}) => importCsv(app, key, csv, { kind: KIND, ...options });
const faultsOf = ({ errors }: Pick<Finished, 'errors'>) =>
  errors.map(({ rowNumber, faults }) => [
    rowNumber,
    ...faults.map(({ field, code = 'invalid', message }) => `${field} ${code}: ${message}`),
  ]);
const listed = async (key: string): Promise<Wire[]> => (await apiClient(app, key).get(`${OVERRIDES}?limit=100`)).body.data;
const stateOf = async (tenantId: string) =>
  (
    await app.database.asSuperuser<{ rows: number; audited: number; marked: number }>(
      `select (select count(*)::int from rate_override where tenant_id = $1) as rows,
              (select count(*)::int from audit_log where tenant_id = $1 and action = 'rate_override.agreed') as audited,
              (select count(*)::int from member where tenant_id = $1 and has_override) as marked`,
      [tenantId],
    )
  )[0];

test('rates of a member, a link and a code, by ids and by names, pay sales that come afterwards', async () => {
  const shop = await openRateShop(app);
  const { liveKey, tenantId } = shop.tenant;
  const [seller, boss] = [person(shop), person(shop, 1)];
  const named = await shop.client.newMember({ external_id: 'old-7' });
  const link = await linkOf(shop, seller);
  const csv = file(
    'target,target_id,email,external_id,referral_code,plan_id,level,skus,categories,rate_bps,flat_minor,currency,per,valid_from,reason',
    `member,,${seller.email.toUpperCase()},,,,,,,1500,,,,${EARLY},VIP partner`,
    `member,${seller.id},,,,${shop.planId},,,,1600,,,,${EARLY},`,
    `link,${link},,,,,,,,1700,,,,${EARLY},`,
    `code,,,,${boss.referral_code.toLowerCase()},,,,,1800,,,,${EARLY},`,
    `member,,,old-7,,,2,A | B,tea,,250,eur,unit,${EARLY},`,
  );
  const before = await stateOf(tenantId);
  const looked = await rates(liveKey, csv, { mode: 'validate' });
  expect(looked).toMatchObject({ status: 'completed', appliedCount: 5, failedCount: 0 });
  expect(await stateOf(tenantId)).toEqual(before);

  expect(await rates(liveKey, csv)).toMatchObject({ status: 'completed', appliedCount: 5, errors: [] });
  const about = { level: 1, planId: null, items: null, validFrom: EARLY, validTo: null, reason: null };
  const createdBy = { kind: 'api_key', id: expect.any(String) };
  const stored = await listed(liveKey);
  expect(stored).toMatchObject([
    {
      ...about,
      target: 'member',
      targetId: seller.id,
      userId: seller.id,
      pay: { rateBps: 1500 },
      reason: 'VIP partner',
      createdBy,
    },
    { ...about, target: 'member', targetId: seller.id, planId: shop.planId, pay: { rateBps: 1600 } },
    { ...about, target: 'link', targetId: link, userId: seller.id, pay: { rateBps: 1700 } },
    { ...about, target: 'code', targetId: await codeOf(shop, boss), userId: boss.id, pay: { rateBps: 1800 } },
    {
      ...about,
      target: 'member',
      targetId: named.id,
      level: 2,
      items: { skus: ['A', 'B'], categories: ['tea'] },
      pay: { flatMinor: { EUR: 250 }, per: 'unit' },
    },
  ]);
  expect(await stateOf(tenantId)).toMatchObject({ rows: 5, audited: 5, marked: 3 });
  const [first] = stored;
  const [entry] = await app.database.asSuperuser<{
    operation_id: string;
    actor_kind: string;
    object_id: string;
    details: object;
  }>(
    "select operation_id, actor_kind, object_id, details from audit_log where tenant_id = $1 and action = 'rate_override.agreed' order by id",
    [tenantId],
  );
  expect(entry).toMatchObject({
    operation_id: 'createImport',
    actor_kind: 'api_key',
    object_id: first.id,
    details: { target: 'member', level: 1, pay: { rateBps: 1500 }, weakens: [`rateOverrides.member.${seller.id}.1.any.`] },
  });
  expect(JSON.stringify(entry)).not.toContain('VIP');

  // One for this plan comes before one for any; what brought the sale comes before both.
  expect(await told(shop)).toMatchObject({ paid: [1600, 500], chosen: [stored[1].id, null] });
  const brought = await told(shop, { attribution: { link_id: link } });
  expect([brought.paid[0], brought.chosen[0]]).toEqual([1700, stored[2].id]);
  const byCode = await told(shop, { attribution: { referral_code: boss.referral_code } });
  expect([byCode.paid[0], byCode.chosen[0]]).toEqual([1800, stored[3].id]);
});

test('each override is told of', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  await app.database.asSuperuser(
    "insert into webhook_hearing (tenant_id, environment, patterns) values ($1, 'LIVE', '{rate_override.*}')",
    [tenantId],
  );
  const member = await apiClient(app, liveKey).newMember();
  const ear = openEar(app, { tenantId, environment: 'LIVE' });
  const csv = file('target,email,rate_bps', `member,${member.email},900`);
  await rates(liveKey, csv, { mode: 'validate' });
  expect(await ear.heard()).toEqual([]);
  await rates(liveKey, csv);
  const [override] = await listed(liveKey);
  const told = await ear.heard();
  expect(told.map(({ type, objectId, data }) => [type, objectId, data])).toEqual([
    ['rate_override.changed', override.id, override],
  ]);
});

describe.each(['validate', 'apply'])('what is refused, %s', (mode) => {
  test('names its column, and the other rows are applied', async () => {
    const shop = await openRateShop(app);
    const other = await openRateShop(app);
    const sandbox = await apiClient(app, shop.tenant.sandboxKey).newMember();
    const [own, foreign] = [person(shop), person(other)];
    const far = new Date(Date.now() + 400 * 86_400_000).toISOString();
    const csv = file(
      'target,target_id,email,external_id,referral_code,plan_id,level,skus,rate_bps,flat_minor,currency,per,valid_from,reason',
      `member,${own.id},,,,,1,,1500,,,,,`,
      `partner,${own.id},,,,,9,,15.5,,,,soon,`,
      'member,,,,,,,,1500,,,,,',
      `member,${own.id},,,,,,,,,,,,`,
      `member,${own.id},,,,,,,1500,100,USD,,,`,
      `member,${own.id},,,,,,,,100,,,,`,
      `member,${own.id},,,,,,,,-1,qqq,,,`,
      `member,${own.id},,,,,,,1500,,USD,unit,,`,
      `member,${own.id},${own.email},,,,,A||B,1500,,,,,${'x'.repeat(501)}`,
      `link,,${own.email},,,,,,1500,,,,,`,
      `member,,,,${own.referral_code},,,,1500,,,,,`,
      `member,${foreign.id},,,,,,,1500,,,,,`,
      `member,${sandbox.id},,,,,,,1500,,,,,`,
      `member,,${foreign.email},,,,,,1500,,,,,`,
      `link,${await linkOf(other, foreign)},,,,,,,1500,,,,,`,
      `code,${await codeOf(other, foreign)},,,,,,,1500,,,,,`,
      `code,,,,${foreign.referral_code},,,,1500,,,,,`,
      `member,,,nobody,,,,,1500,,,,,`,
      `member,${own.id},,,,${other.planId},,,1500,,,,,`,
      `member,${own.id},,,,,,,1500,,,,${far},`,
      `member,${own.id},,,,,,B,1500,,,,,`,
    );
    const run = await rates(shop.tenant.liveKey, csv, { mode });
    expect(faultsOf(run)).toMatchInlineSnapshot(`
      [
        [
          3,
          "target invalid: must be one of link, code, member",
          "level invalid: must be at most 5",
          "rate_bps invalid: must be an integer, not a string",
          "valid_from invalid: must be an ISO 8601 date-time with a zone, such as 2026-01-31T12:00:00Z",
        ],
        [
          4,
          "target_id invalid: is required",
        ],
        [
          5,
          "rate_bps invalid: must have either rate_bps or flat_minor",
        ],
        [
          6,
          "rate_bps invalid: must have either rate_bps or flat_minor",
        ],
        [
          7,
          "currency invalid: must stand beside flat_minor",
        ],
        [
          8,
          "flat_minor invalid: must be at least 0",
          "currency invalid: is not a known currency; send an ISO 4217 code such as EUR or USD",
        ],
        [
          9,
          "per invalid: stands beside flat_minor only",
          "currency invalid: stands beside flat_minor only",
        ],
        [
          10,
          "skus invalid: must not be empty",
          "reason invalid: must have at most 500 characters",
          "email invalid: must be empty beside target_id",
        ],
        [
          11,
          "email invalid: stands beside the target member only",
        ],
        [
          12,
          "referral_code invalid: stands beside the target code only",
        ],
        [
          13,
          "target_id invalid: is not a member of this tenant and environment",
        ],
        [
          14,
          "target_id invalid: is not a member of this tenant and environment",
        ],
        [
          15,
          "email invalid: is of no member of this tenant and environment",
        ],
        [
          16,
          "target_id invalid: is not a link of this tenant and environment",
        ],
        [
          17,
          "target_id invalid: is not a code of this tenant and environment",
        ],
        [
          18,
          "referral_code invalid: is of no code of this tenant and environment",
        ],
        [
          19,
          "external_id invalid: is of no member of this tenant and environment",
        ],
        [
          20,
          "plan_id invalid: is not a plan of this tenant and environment",
        ],
        [
          21,
          "valid_from invalid: must be at most a year ahead",
        ],
      ]
    `);
    expect(run).toMatchObject({ status: 'completed', appliedCount: 2 });
    expect((await listed(shop.tenant.liveKey)).map(({ items }) => items)).toEqual(
      mode === 'apply' ? [null, { skus: ['B'] }] : [],
    );
    expect(await listed(other.tenant.liveKey)).toEqual([]);
  });

  test('in LIVE with dual control what raises a rate, which waits where it is sent alone', async () => {
    const changes = await openChangesShop(app);
    const { liveKey, tenantId } = changes.tenant;
    const [known, fresh] = [await changes.first.newMember(), await changes.first.newMember()];
    const answer = await changes.first.post(OVERRIDES, {
      target: 'member',
      targetId: known.id,
      pay: { rateBps: 1500 },
      validFrom: EARLY,
    });
    expect((await changes.confirm(answer.body.pendingChange.id)).status).toBe(200);
    const open = await changes.first.post(OVERRIDES, { target: 'member', targetId: known.id, pay: { rateBps: 2000 } });
    expect(open.status).toBe(202);
    const csv = file(
      'target,target_id,rate_bps,valid_from',
      `member,${known.id},1600,`,
      `member,${fresh.id},1,`,
      `member,${known.id},1500,`,
      `member,${known.id},1200,`,
      `member,${known.id},1201,`,
      `member,${known.id},1500,2026-02-01T00:00:00Z`,
    );
    const run = await rates(liveKey, csv, { mode });
    const refused =
      ' SECOND_PERSON_REQUIRED: Dual control: this takes another pair of hands; send it alone, by POST /rate-overrides, where it waits for them';
    expect(faultsOf(run)).toEqual([
      [2, refused],
      [3, refused],
      [6, refused],
    ]);
    expect(run.appliedCount).toBe(3);
    const stored = (await listed(liveKey)).map(({ pay, validFrom }) => [pay.rateBps, validFrom]);
    expect(stored).toEqual(
      mode === 'validate'
        ? [[1500, EARLY]]
        : [
            [1500, EARLY],
            [1200, expect.any(String)],
            [1500, '2026-02-01T00:00:00.000Z'],
          ],
    );
    // What is less cancels what waits to be more.
    const [waiting] = await app.database.asSuperuser<{ status: string }>(
      "select status from pending_change where tenant_id = $1 and operation_id = 'createRateOverride' order by id desc",
      [tenantId],
    );
    expect(waiting?.status).toBe(mode === 'validate' ? 'open' : 'cancelled');
  });
});

test('a SANDBOX does not wait', async () => {
  const { sandboxKey } = await app.newTenant();
  const client = apiClient(app, sandboxKey);
  expect((await client.patch('/api/v1/admin/settings', { payments: { dualControl: true } })).status).toBe(200);
  const member = await client.newMember();
  expect(await rates(sandboxKey, file('target,email,rate_bps', `member,${member.email},900`))).toMatchObject({ appliedCount: 1 });
});

test('a key without rates:write sends no such file and stops none', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const member = await apiClient(app, liveKey).newMember();
  const csv = file('target,target_id,rate_bps', `member,${member.id},900`);
  const keyOf = async (scopes: string[]) => (await app.tenants.createKey({ tenantId, environment: 'LIVE', scopes })).apiKey;
  const weak = await keyOf(['imports:read', 'imports:write', 'users:write', 'events:write', 'leads:write', 'rates:read']);
  for (const mode of ['validate', 'apply']) {
    const refused = await sendCsv(app, weak, csv, { kind: KIND, mode });
    expect([refused.status, refused.body['code']]).toEqual([403, 'FORBIDDEN']);
  }
  const right = await keyOf(['imports:read', 'imports:write', 'rates:write']);
  const sent = await sendCsv(app, right, csv, { kind: KIND });
  expect(sent.status).toBe(201);
  expect((await apiClient(app, weak).post(`/api/v1/imports/${String(sent.body['id'])}/cancel`, {})).status).toBe(403);
  await runJobs(app, 'run-import');
  expect(await readImport(app, right, sent.body['id'])).toMatchObject({ appliedCount: 1, failedCount: 0 });
  expect(await readErrors(app, right, sent.body['id'])).toEqual([]);
});

test('what is said already adds nothing: twice in a file, the same file again, and beside POST /rate-overrides', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const client = apiClient(app, liveKey);
  const member = await client.newMember();
  const targetId = member.id;
  const csv = file(
    'target,target_id,rate_bps,flat_minor,currency,per,skus,valid_from,reason',
    `member,${targetId},1000,,,,,2026-01-01T00:00:00Z,`,
    `member,${targetId},1000,,,,,2026-01-01T00:00:00Z,another reason`,
    `member,${targetId},1200,,,,,2026-03-01T00:00:00Z,`,
    `member,${targetId},1000,,,,,2026-01-01T02:00:00+02:00,`,
    `member,${targetId},,500,USD,,A|B,,`,
    `member,${targetId},,500,usd,sale,B|A,,`,
  );
  for (const round of [1, 2, 3]) {
    expect(await rates(liveKey, csv), `round ${round}`).toMatchObject({ appliedCount: 6, failedCount: 0 });
    expect(await stateOf(tenantId)).toMatchObject({ rows: 3, audited: 3 });
  }
  // Another start says something else, and so does what comes behind an end.
  const later = file('target,target_id,rate_bps,valid_from', `member,${targetId},1200,2026-04-01T00:00:00Z`);
  await rates(liveKey, later);
  expect(await stateOf(tenantId)).toMatchObject({ rows: 4 });
  const counting = (await listed(liveKey)).find(({ validTo, items }) => validTo === null && items === null);
  expect((await client.post(`${OVERRIDES}/${counting.id}/end`, {})).status).toBe(200);
  const again = file('target,target_id,rate_bps', `member,${targetId},1200`);
  await rates(liveKey, again);
  await rates(liveKey, again);
  expect(await stateOf(tenantId)).toMatchObject({ rows: 6 });
});

test('two files at once with the same rates, beside sales of their members, agree each once', async () => {
  const shop = await openRateShop(app);
  const { liveKey, tenantId } = shop.tenant;
  const members = await Promise.all(Array.from({ length: 60 }, () => shop.client.newMember()));
  const csv = file('target,target_id,rate_bps,valid_from', ...members.map(({ id }) => `member,${id},2000,${EARLY}`));
  const backwards = file(
    'target,target_id,rate_bps,valid_from',
    ...members.toReversed().map(({ id }) => `member,${id},2000,${EARLY}`),
  );
  const sell = ({ id }: { id: string }) =>
    shop.client.post(
      '/api/v1/events/purchase',
      shop.client.purchaseBody({ external_event_id: randomUUID(), attribution: { user_id: id } }),
    );
  const [one, two, ...sold] = await Promise.all([
    rates(liveKey, csv),
    rates(liveKey, backwards),
    ...members.slice(0, 20).map(sell),
  ]);
  expect([one.appliedCount, two.appliedCount, one.failedCount, two.failedCount]).toEqual([60, 60, 0, 0]);
  expect(sold.map(({ status }) => status).filter((status) => status !== 201)).toEqual([]);
  expect(await stateOf(tenantId)).toMatchObject({ rows: 60, audited: 60, marked: 60 });
});
