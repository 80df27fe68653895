/** The simulated vendor of a SANDBOX without an account, with the jobs running as they do in a service. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { plantKycSettings } from '../../support/kyc/kyc-settings.ts';
import {
  auditOf,
  type KycTenant,
  type KycWorld,
  kycPath,
  newKycTenant,
  recordOf,
  startKycWorld,
  startPath,
} from '../../support/kyc/kyc-world.ts';

let world: KycWorld;
let sandbox: KycTenant;

beforeAll(async () => {
  world = await startKycWorld({ JOBS: 'inline', SWEEP_INTERVAL_MS: '50' });
  sandbox = await newKycTenant(world, 'SANDBOX');
});
afterAll(() => world.close());

const member = (suffix: string) => sandbox.client.newMember({ email: `${randomUUID()}${suffix}@test.example` });
const becomes = (id: string, status: string) => eventually(async () => (await recordOf(world, id)).status === status);
const movesOf = async (id: string) =>
  (await auditOf(world, (await recordOf(world, id)).id)).flatMap(({ action, details }) =>
    action === 'kyc_record.reconciled' ? [details['to']] : [],
  );

describe('the end of the email before the @ decides', () => {
  test.each([
    ['+kyc-approve', 'approved', null],
    ['+KYC-Approve', 'approved', null],
    ['+kyc-reject', 'rejected', 'The document is not genuine'],
    ['+kyc-resubmit', 'resubmit_required', 'The photograph is not readable'],
  ])('%s: pending, then %s', async (suffix, status, reason) => {
    const { id } = await member(suffix);
    const started = await sandbox.client.post(startPath(id), {});
    expect(started.body).toMatchObject({
      provider: 'kycvendor',
      status: 'not_started',
      sdkConfig: { accessToken: expect.stringMatching(/^sim_/), flowName: 'simulated', applicantId: `sim-${id}` },
    });
    await becomes(id, status);
    expect(await movesOf(id)).toEqual(['pending', status]);
    const read = (await sandbox.client.get(kycPath(id))).body;
    expect(read).toMatchObject({ status, rejectionReason: reason });
    expect(read.verifiedAt !== null).toBe(status === 'approved');
  });

  test('+kyc-pending stays pending; no end at all waits to be told', async () => {
    const [waiting, silent, near] = [await member('+kyc-pending'), await member(''), await member('+kyc-approve+x')];
    for (const { id } of [silent, near, waiting]) await sandbox.client.post(startPath(id), {});
    await becomes(waiting.id, 'pending');
    await eventually(async () => (await recordOf(world, waiting.id)).checks > 0);
    expect((await recordOf(world, waiting.id)).status).toBe('pending');
    for (const { id } of [silent, near]) {
      await eventually(async () => (await recordOf(world, id)).checks > 0);
      expect((await recordOf(world, id)).status).toBe('not_started');
    }
  });

  test.each([
    ['+kyc-unavailable', 'PROVIDER_UNAVAILABLE'],
    ['+kyc-misconfigured', 'PROVIDER_CONFIGURATION'],
  ])('%s: 502 %s, every time', async (suffix, code) => {
    const { id } = await member(suffix);
    for (let i = 0; i < 2; i++) {
      const refused = await sandbox.client.post(startPath(id), {});
      expect([refused.status, refused.body.code]).toEqual([502, code]);
    }
    expect(await recordOf(world, id)).toMatchObject({ status: 'not_started', provider_applicant_id: null });
  });

  test('what was to be sent in again is sent by another start, and found wanting again', async () => {
    const { id } = await member('+kyc-resubmit');
    await sandbox.client.post(startPath(id), {});
    await becomes(id, 'resubmit_required');
    await sandbox.client.post(startPath(id), {});
    await eventually(async () => (await movesOf(id)).length === 4);
    expect(await movesOf(id)).toEqual(['pending', 'resubmit_required', 'pending', 'resubmit_required']);
  });

  test('what the vendor was told since is not overruled by another start', async () => {
    const { id } = await member('+kyc-pending');
    await sandbox.client.post(startPath(id), {});
    await becomes(id, 'pending');
    const told = { reviewStatus: 'completed', reviewResult: { reviewAnswer: 'RED', reviewRejectType: 'FINAL' } };
    await world.app.database.asSuperuser('update kyc_record set simulated_review = $2 where member_id = $1', [id, told]);
    await sandbox.client.post(startPath(id), {});
    await becomes(id, 'rejected');
  });

  test('under a clock that stands still too', async () => {
    const frozen = await newKycTenant(world, 'SANDBOX');
    const { id } = await frozen.client.newMember({ email: `${randomUUID()}+kyc-approve@test.example` });
    await frozen.client.post('/api/v1/sandbox/clock', { frozenAt: '2050-01-01T00:00:00Z' });
    await frozen.client.post(startPath(id), {});
    await becomes(id, 'approved');
    expect((await frozen.client.get(kycPath(id))).body.verifiedAt).toBe('2050-01-01T00:00:00.000Z');
  });
});

test('in LIVE the email decides nothing, and the vendor is asked', async () => {
  const live = await newKycTenant(world);
  const { id } = await live.client.newMember({ email: `${randomUUID()}+kyc-unavailable@test.example` });
  const started = await live.client.post(startPath(id), {});
  expect(started.status).toBe(200);
  expect(started.body.sdkConfig.applicantId).toBe(world.vendor.applicantOf(id)?.id);
});

test('a SANDBOX that gets an account has the real vendor make the applicant', async () => {
  const tenant = await newKycTenant(world, 'SANDBOX');
  const { id } = await tenant.client.newMember();
  expect((await tenant.client.post(startPath(id), {})).body.sdkConfig.applicantId).toBe(`sim-${id}`);
  await plantKycSettings(world.app, tenant.scope, world.vendor.account);
  const again = (await tenant.client.post(startPath(id), {})).body.sdkConfig;
  expect(again.applicantId).toBe(world.vendor.applicantOf(id)?.id);
  expect(await recordOf(world, id)).toMatchObject({ provider_applicant_id: again.applicantId });
});
