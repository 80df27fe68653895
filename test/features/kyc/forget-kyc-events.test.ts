/**
 * The KYC vendor's events are forgotten when they are old, and do nothing when they come once more after that
 * (docs/specification/webhooks.md#memory, docs/specification/reliability.md#w-4).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import type { VendorDelivery } from '../../support/kyc/fake-kyc-events.ts';
import { type FakeKycVendor, startFakeKycVendor } from '../../support/kyc/fake-kyc-vendor.ts';
import { GREEN, type KycSide, openKycSide, type PlantedRecord, redOf } from '../../support/kyc/kyc-deliveries.ts';

const SWEEP = 'forget-kyc-events';
const AGES = ['900 days', '401 days', '400 days 1 minute', '399 days 23 hours 59 minutes', '1 day'];

let vendor: FakeKycVendor;
let app: TestApp;
let side: KycSide;

beforeAll(async () => {
  vendor = await startFakeKycVendor();
  app = await startTestApp({ OUTGOING_ALLOWED_HOSTS: vendor.host });
});
beforeEach(async () => {
  side = await openKycSide(app, vendor);
});
afterAll(async () => {
  await app.close();
  vendor.close();
});

interface Planted {
  outcome?: string;
  type?: string;
  /** By the vendor's clock; null: it did not say. Default as old as it is here. */
  createdAge?: string | null;
}

/** Events of these ages. */
async function plantEvents(
  { tenantId, environment }: Scope,
  ages: string[],
  { outcome = 'applied', type = 'applicantPending', createdAge }: Planted = {},
): Promise<void> {
  await app.database.asSuperuser(
    `insert into kyc_event (tenant_id, environment, provider, body_digest, type, vendor_created_at, outcome, body, received_at)
     select $1, $2, 'kycvendor', sha256(uuid_send(uuidv7())), $3, now() - case when $5 then $6::interval else age.value::interval end, $4,
            '{"name": "Anna"}', now() - age.value::interval
     from unnest($7::text[]) age(value)`,
    [tenantId, environment, type, outcome, createdAge !== undefined, createdAge ?? null, ages],
  );
}

const agesOf = async ({ tenantId, environment }: Scope): Promise<number[]> => {
  const rows = await app.database.asSuperuser<{ age: number }>(
    `select round(extract(epoch from now() - received_at) / 86400)::int as age from kyc_event
     where tenant_id = $1 and environment = $2 order by received_at`,
    [tenantId, environment],
  );
  return rows.map(({ age }) => age);
};

describe('forgotten are', () => {
  test('those of more than 400 days, in both environments, of every tenant', async () => {
    const other = await app.newTenant();
    const scopes = [side.tenant, other].flatMap(({ tenantId }) =>
      (['LIVE', 'SANDBOX'] as const).map((environment): Scope => ({ tenantId, environment })),
    );
    for (const scope of scopes) await plantEvents(scope, AGES);
    expect(await app.runSweep(SWEEP)).toBe(12);
    for (const scope of scopes) expect(await agesOf(scope)).toEqual([400, 1]);
    expect(await app.runSweep(SWEEP)).toBe(0);
  });

  test('no others than those of the tenant and environment that it runs for', async () => {
    const elsewhere: Scope[] = [
      { tenantId: side.scope.tenantId, environment: 'SANDBOX' },
      { tenantId: (await app.newTenant()).tenantId, environment: 'LIVE' },
    ];
    for (const scope of [side.scope, ...elsewhere]) await plantEvents(scope, ['500 days']);
    expect(await app.runSweep(SWEEP, side.scope)).toBe(1);
    for (const scope of elsewhere) expect(await agesOf(scope)).toEqual([500]);
    expect(await app.runSweep(SWEEP)).toBe(2);
  });

  test.each(['applied', 'no_change', 'older', 'not_confirmed', 'held_by_staff'])('those that were %s', async (outcome) => {
    await plantEvents(side.scope, AGES, { outcome });
    expect(await app.runSweep(SWEEP)).toBe(3);
  });

  test('not those of which nobody knows yet whom they are about', async () => {
    await plantEvents(side.scope, AGES, { outcome: 'unmatched' });
    expect(await app.runSweep(SWEEP)).toBe(0);
    expect(await app.runSweep(SWEEP, side.scope)).toBe(0);
    expect(await agesOf(side.scope)).toHaveLength(5);
  });

  test.each([
    ['without a time', null],
    ['that are younger by the vendor’s clock', '399 days 23 hours'],
    ['that the vendor made in the future', '-1 day'],
  ])('not those %s, which nothing but the row tells when they come again', async (_name, createdAge) => {
    await plantEvents(side.scope, ['900 days'], { createdAge });
    expect([await app.runSweep(SWEEP), await app.runSweep(SWEEP, side.scope)]).toEqual([0, 0]);
    expect(await agesOf(side.scope)).toEqual([900]);
  });

  test('those that are old by the real clock, though that of the SANDBOX is ahead', async () => {
    const scope: Scope = { ...side.scope, environment: 'SANDBOX' };
    await plantEvents(scope, ['1 day', '500 days']);
    const client = apiClient(app, side.tenant.sandboxKey);
    expect((await client.post('/api/v1/sandbox/clock', { frozenAt: '2100-01-01T00:00:00Z' })).status).toBe(200);
    expect(await agesOf(scope)).toEqual([1]);
  });

  test('a batch after the other, by several workers at once, each once', async () => {
    await plantEvents(side.scope, ['3 days', ...Array.from({ length: 2_300 }, (_, n) => `${401 + (n % 50)} days`)]);
    const counts = await Promise.all([1, 2, 3].map(() => app.runSweep(SWEEP, side.scope)));
    const rest = await app.runSweep(SWEEP, side.scope);
    expect(counts.reduce((sum, count) => sum + count, rest)).toBe(2_300);
    expect(await agesOf(side.scope)).toEqual([3]);
  });
});

describe('an event that comes again once it was forgotten', () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

  /** As if it had come when the vendor made it, and was forgotten since. */
  async function forgetAll(days: number): Promise<void> {
    await app.database.asSuperuser(
      "update kyc_event set received_at = received_at - $2 * interval '1 day' where tenant_id = $1",
      [side.scope.tenantId, days],
    );
    await app.runSweep(SWEEP);
    expect(await side.kept()).toEqual([]);
  }

  async function expectNothing(record: PlantedRecord, delivery: VendorDelivery): Promise<void> {
    const before = { state: await side.state(record), asked: vendor.requests.length };
    for (let times = 0; times < 2; times++) {
      expect(await side.send(delivery)).toMatchObject({ status: 200, json: { message: 'Event received' } });
    }
    expect({ state: await side.state(record), asked: vendor.requests.length }).toEqual(before);
    expect(await side.kept()).toEqual([expect.stringMatching(/ older$/)]);
  }

  test('does not outrank what the vendor said since when it was asked', async () => {
    const record = await side.newRecord();
    const createdAt = daysAgo(402);
    await app.database.asSuperuser(
      "update kyc_record set status = 'approved', verified_at = now(), decided_by = 'vendor', last_event_at = $2 where id = $1",
      [record.recordId, createdAt],
    );
    await expectNothing(record, side.event(record, 'applicantReviewed', { ...redOf('FINAL', 'No'), createdAt }));
  });

  test('does not move a record that knew no vendor when it came first', async () => {
    const record = await side.newRecord({ provider: 'manual' });
    const delivery = side.event(record, 'applicantReviewed', { ...redOf('FINAL', 'No'), createdAt: daysAgo(402) });
    await side.send(delivery);
    await forgetAll(402);
    await app.database.asSuperuser("update kyc_record set provider = 'kycvendor' where id = $1", [record.recordId]);
    await expectNothing(record, delivery);
  });

  test.each([
    ['applicantCreated', {}],
    ['applicantPending', {}],
    ['applicantReviewed', GREEN],
    ['applicantReset', {}],
    ['applicantPersonalInfoChanged', {}],
  ])('has neither the vendor asked nor an applicant learned: %s', async (type, fields) => {
    const record = await side.newRecord({ applicantId: null });
    vendor.setReview(record.memberId, GREEN);
    const delivery = side.event(record, type, { ...fields, createdAt: daysAgo(450) });
    await expectNothing(record, delivery);
    expect((await side.state(record)).applicantId).toBeNull();
  });

  test('takes no applicant from a record: the deletion of one was long ago', async () => {
    const record = await side.newRecord();
    await expectNothing(record, side.event(record, 'applicantDeleted', { createdAt: daysAgo(450) }));
  });

  test('counts as long as it is kept', async () => {
    const record = await side.newRecord();
    const delivery = side.event(record, 'applicantPending', { createdAt: daysAgo(398) });
    await side.send(delivery);
    expect(await side.state(record)).toMatchObject({ status: 'pending' });
    expect(await app.runSweep(SWEEP, side.scope)).toBe(0);
    await side.send(delivery);
    expect(await side.kept()).toEqual(['applicantPending applied']);
  });
});
