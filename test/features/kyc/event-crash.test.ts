/** Killed with -9 behind the commit of an event, before its answer (docs/specification/reliability.md#w-7). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApiProcess } from '../../support/app/model-process.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { type FakeKycVendor, startFakeKycVendor } from '../../support/kyc/fake-kyc-vendor.ts';
import { deliver, GREEN, type KycSide, openKycSide } from '../../support/kyc/kyc-deliveries.ts';

let vendor: FakeKycVendor;
let app: TestApp;
let side: KycSide;

beforeAll(async () => {
  vendor = await startFakeKycVendor();
  app = await startTestApp({ OUTGOING_ALLOWED_HOSTS: vendor.host });
  side = await openKycSide(app, vendor);
});
afterAll(async () => {
  await app.close();
  vendor.close();
});

test("the vendor's retry is received, and has no second effect", async () => {
  const record = await side.newRecord();
  vendor.setReview(record.memberId, GREEN);
  const delivery = side.event(record, 'applicantReviewed', GREEN);
  const doomed = await startApiProcess(app, {
    FAULT_POINTS: 'kyc-event:committed=kill',
    OUTGOING_ALLOWED_HOSTS: vendor.host,
  });
  await expect(deliver(doomed.baseUrl, side.scope.tenantId, delivery)).rejects.toThrow();
  expect(await doomed.ended).toBe('SIGKILL');
  const left = await side.state(record);
  expect(left).toMatchObject({ status: 'approved', memberApproved: true });

  expect(await side.send(delivery)).toMatchObject({ status: 200, json: { message: 'Event received' } });
  expect(await side.state(record)).toEqual(left);
  expect(await side.log(record)).toEqual(['kyc_record.approved approved']);
  expect(vendor.requests.filter((request) => request.endsWith('/status'))).toHaveLength(1);
});
