/** Approvals that are given for a time. Source: docs/specification/verification.md#expiry. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';
import { sampleDocument, sendDocument } from '../../support/kyc/kyc-documents.ts';
import {
  auditOf,
  type KycWorld,
  kycPath,
  newKycTenant,
  recordOf,
  startKycWorld,
  startPath,
} from '../../support/kyc/kyc-world.ts';

const DAY = 86_400;
const SETTINGS = '/api/v1/admin/settings';
const REQUIRED = ['government_id_front', 'government_id_back', 'selfie'] as const;

let world: KycWorld;
beforeAll(async () => {
  world = await startKycWorld();
});
afterAll(() => world.close());

interface Side {
  client: ApiClient;
  scope: Scope;
}

/** A SANDBOX whose clock is moved, verified by hand. */
async function newSide(): Promise<Side> {
  const { tenantId, sandboxKey } = await world.app.newTenant();
  return { client: apiClient(world.app, sandboxKey), scope: { tenantId, environment: 'SANDBOX' } };
}

const validDays = ({ client }: Side, approvalValidDays: number | null) => client.patch(SETTINGS, { kyc: { approvalValidDays } });
const expire = ({ scope }: Side) => world.app.runSweep('expire-kyc', scope);
const advance = async ({ client }: Side, seconds: number): Promise<Date> =>
  new Date((await client.post('/api/v1/sandbox/clock', { advanceSeconds: seconds })).body.now as string);
const shown = async ({ client }: Side, memberId: string) => (await client.get(kycPath(memberId))).body;
const approvedAt = async (memberId: string): Promise<Date | null> => {
  const text = 'select kyc_approved_at as at from member where id = $1';
  return (await world.app.database.asSuperuser<{ at: Date | null }>(text, [memberId]))[0]?.at ?? null;
};

async function submit({ client }: Side, memberId: string, types: readonly (typeof REQUIRED)[number][] = REQUIRED): Promise<void> {
  for (const documentType of types) {
    const answer = await sendDocument(client, memberId, sampleDocument({ documentType }));
    expect(answer.status, answer.text).toBe(201);
  }
}

async function approved(side: Side): Promise<{ memberId: string; kycId: string; expiresAt: string | null }> {
  const { id: memberId } = await side.client.newMember();
  const kycId = (await side.client.post(startPath(memberId), {})).body.kycRecordId as string;
  await submit(side, memberId);
  const answer = await side.client.post(`/api/v1/admin/kyc/${kycId}/approve`, {});
  expect(answer.status, answer.text).toBe(200);
  return { memberId, kycId, expiresAt: answer.body.expiresAt as string | null };
}

describe('an approval', () => {
  test('is for good where nothing is said', async () => {
    const side = await newSide();
    expect((await side.client.get(SETTINGS)).body.kyc.approvalValidDays).toBeNull();
    const { memberId, expiresAt } = await approved(side);
    expect(expiresAt).toBeNull();
    await advance(side, 5_000 * DAY);
    expect(await expire(side)).toBe(0);
    expect(await shown(side, memberId)).toMatchObject({ status: 'approved', expiresAt: null });
  });

  test('ends at its time and not a second before; then all that is required must come again', async () => {
    const side = await newSide();
    await side.client.post('/api/v1/sandbox/clock', { frozenAt: '2040-01-31T12:00:00Z' });
    expect((await validDays(side, 365)).body.kyc.approvalValidDays).toBe(365);
    const { memberId, kycId, expiresAt } = await approved(side);
    const { verifiedAt } = await shown(side, memberId);
    expect(new Date(expiresAt ?? '').getTime() - new Date(verifiedAt as string).getTime()).toBe(365 * DAY * 1_000);
    expect((await side.client.get(`/api/v1/admin/kyc/${kycId}`)).body.expiresAt).toBe(expiresAt);

    await advance(side, 365 * DAY - 1);
    expect(await expire(side)).toBe(0);
    expect(await shown(side, memberId)).toMatchObject({ status: 'approved', expiresAt });
    expect(await approvedAt(memberId)).not.toBeNull();

    await advance(side, 1);
    await expire(side);
    expect(await shown(side, memberId)).toMatchObject({
      status: 'resubmit_required',
      rejectionReason: 'APPROVAL_EXPIRED',
      requestedDocuments: REQUIRED,
      verifiedAt: null,
      expiresAt: null,
    });
    // Plans and payouts go by this.
    expect(await approvedAt(memberId)).toBeNull();
    expect((await auditOf(world, kycId)).at(-1)).toMatchObject({
      action: 'kyc_record.expired',
      details: { from: 'approved', to: 'resubmit_required' },
    });
    expect(await expire(side)).toBe(0);

    await submit(side, memberId, ['government_id_front', 'government_id_back']);
    expect((await shown(side, memberId)).status).toBe('resubmit_required');
    await submit(side, memberId, ['selfie']);
    expect((await shown(side, memberId)).status).toBe('pending');
    const again = await side.client.post(`/api/v1/admin/kyc/${kycId}/approve`, {});
    expect(again.body.expiresAt > (expiresAt ?? '')).toBe(true);
  });

  test('keeps the end that it was given with, whatever is set later', async () => {
    const side = await newSide();
    await validDays(side, 100);
    const { memberId, expiresAt } = await approved(side);
    await validDays(side, 1);
    expect((await shown(side, memberId)).expiresAt).toBe(expiresAt);
    await validDays(side, null);
    expect((await shown(side, memberId)).expiresAt).toBe(expiresAt);
    expect((await approved(side)).expiresAt).toBeNull();
  });

  test('that staff took back does not expire', async () => {
    const side = await newSide();
    await validDays(side, 1);
    const { memberId, kycId } = await approved(side);
    await side.client.post(`/api/v1/admin/kyc/${kycId}/request-resubmit`, { reason: 'Blurred', documents: ['selfie'] });
    await advance(side, 10 * DAY);
    await expire(side);
    expect(await shown(side, memberId)).toMatchObject({ rejectionReason: 'Blurred', requestedDocuments: ['selfie'] });
  });

  test('of an erased member does not', async () => {
    const side = await newSide();
    await validDays(side, 1);
    const { memberId, kycId } = await approved(side);
    const erased = await side.client.post(`/api/v1/members/${memberId}/erasure`, {});
    expect(erased.status, erased.text).toBe(200);
    await advance(side, 10 * DAY);
    await expire(side);
    expect((await recordOf(world, memberId)).status).toBe('approved');
    expect((await auditOf(world, kycId)).map(({ action }) => action)).not.toContain('kyc_record.expired');
  });

  test('of the other environment and of another tenant stays', async () => {
    const [one, other] = [await newSide(), await newSide()];
    await validDays(one, 1);
    await validDays(other, 1);
    const { memberId } = await approved(other);
    await advance(one, 10 * DAY);
    await advance(other, DAY / 2);
    await expire(one);
    await expire({ ...other, scope: { ...other.scope, environment: 'LIVE' } });
    expect((await shown(other, memberId)).status).toBe('approved');
  });

  test('ends once, of several workers at the same time', async () => {
    const side = await newSide();
    await validDays(side, 1);
    const all = [await approved(side), await approved(side), await approved(side)];
    // Behind the service's back: who moves the clock has what is due carried out.
    await world.app.database.asSuperuser("update kyc_record set expires_at = '2020-01-01' where tenant_id = $1", [
      side.scope.tenantId,
    ]);
    await Promise.all([expire(side), expire(side), expire(side), expire(side)]);
    for (const { kycId } of all) {
      const expired = (await auditOf(world, kycId)).filter(({ action }) => action === 'kyc_record.expired');
      expect(expired).toHaveLength(1);
    }
  });
});

test('at the vendor the application is taken back, and its old word does not count again', async () => {
  const live = await newKycTenant(world);
  await validDays(live, 30);
  const { id: memberId } = await live.client.newMember();
  await live.client.post(startPath(memberId), {});
  const sql = (text: string) => world.app.database.asSuperuser(`update kyc_record set ${text} where member_id = $1`, [memberId]);
  world.vendor.setReview(memberId, { reviewStatus: 'completed', reviewResult: { reviewAnswer: 'GREEN' } });
  await sql("check_at = now() - interval '1 second'");
  await world.app.runSweep('check-kyc', live.scope);
  await runJobs(world.app, 'ask-kyc-vendor');
  expect((await shown(live, memberId)).status).toBe('approved');

  await sql("expires_at = now() - interval '1 second'");
  await expire(live);
  expect(await recordOf(world, memberId)).toMatchObject({ status: 'resubmit_required', decided_by: 'admin' });
  await runJobs(world.app, 'reset-kyc-applicant');
  expect(await recordOf(world, memberId)).toMatchObject({ status: 'resubmit_required', decided_by: null });
  expect((await shown(live, memberId)).requestedDocuments).toEqual([]);
});

test('a longer time, and none, wait for another pair of hands in LIVE; a shorter one does not', async () => {
  const client = apiClient(world.app, (await world.app.newTenant()).liveKey);
  const ask = async (approvalValidDays: number | null) => {
    const { status, body } = await client.patch(SETTINGS, { kyc: { approvalValidDays } });
    const waiting = body.pendingChange?.id as string | undefined;
    if (waiting !== undefined) await client.post(`/api/v1/admin/pending-changes/${waiting}/reject`, {});
    return status;
  };
  expect((await client.patch(SETTINGS, { payments: { dualControl: true } })).status).toBe(200);
  expect([await ask(30), await ask(29), await ask(29), await ask(30), await ask(null)]).toEqual([200, 200, 200, 202, 202]);
  expect((await client.get(SETTINGS)).body.kyc.approvalValidDays).toBe(29);
});

test.each([0, -1, 3_651, 1.5, '30'])('%j days are refused', async (days) => {
  const { client } = await newSide();
  const answer = await client.patch(SETTINGS, { kyc: { approvalValidDays: days } });
  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(answer.text).toContain('kyc.approvalValidDays');
});
