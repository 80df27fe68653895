/** What is told of verifications: docs/specification/webhooks.md#types. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { kycEvents } from '../../../src/features/kyc/kyc-events.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';
import { sampleDocument, sendDocument } from '../../support/kyc/kyc-documents.ts';
import { plantKycSettings } from '../../support/kyc/kyc-settings.ts';
import { type KycTenant, type KycWorld, kycPath, newKycTenant, startKycWorld, startPath } from '../../support/kyc/kyc-world.ts';
import { openEar, type ToldRow } from '../../support/webhooks/told-events.ts';

let world: KycWorld;
let side: KycTenant;
let ear: ReturnType<typeof openEar>;
let memberId: string;
const produced = new Set<string>();

beforeAll(async () => {
  world = await startKycWorld();
});
afterAll(async () => {
  expect(Object.keys(kycEvents).filter((type) => !produced.has(type))).toEqual([]);
  await world.close();
});

async function open(environment: 'LIVE' | 'SANDBOX'): Promise<void> {
  side = await newKycTenant(world, environment);
  await world.app.database.asSuperuser(
    "insert into webhook_hearing (tenant_id, environment, patterns) values ($1, $2, '{kyc.*}')",
    [side.tenantId, environment],
  );
  ear = openEar(world.app, side.scope);
  memberId = (await side.client.newMember()).id;
  await ear.heard();
}

/** What came since the last call: each of this member's record, the last as the API shows it now. */
async function heard(): Promise<ToldRow[]> {
  const events = await ear.heard();
  if (events.length > 0) {
    const { body } = await side.client.get(kycPath(memberId));
    expect(new Set(events.map(({ objectId }) => objectId))).toEqual(new Set([body.id]));
    expect(events.at(-1)?.data).toEqual(body);
  }
  for (const { type } of events) produced.add(type);
  return events;
}

const types = async (): Promise<string[]> => (await heard()).map(({ type }) => type);
const KEY = expect.stringMatching(/^api_key:[0-9a-f-]{36}$/);
const start = () => side.client.post(startPath(memberId), {});

describe('by hand', () => {
  beforeEach(async () => {
    await open('SANDBOX');
    await plantKycSettings(world.app, side.scope, { provider: 'manual' });
  });

  const REQUIRED = ['government_id_front', 'government_id_back', 'selfie'] as const;
  async function submit(): Promise<string> {
    await start();
    for (const documentType of REQUIRED) await sendDocument(side.client, memberId, sampleDocument({ documentType }));
    return (await side.client.get(kycPath(memberId))).body.id as string;
  }

  test('the start, each document and the submission are told, by whoever sent them', async () => {
    await start();
    const [started, ...rest] = await heard();
    expect(rest).toEqual([]);
    expect(started).toMatchObject({ type: 'kyc.started', actor: KEY, data: { status: 'not_started', userId: memberId } });
    await start();
    expect(await heard()).toEqual([]);
    const answer = await sendDocument(side.client, memberId, sampleDocument({ documentType: 'government_id_front' }));
    expect(answer.status).toBe(201);
    const [came] = await heard();
    expect(came).toMatchObject({ type: 'kyc.updated', data: { documents: [{ documentType: 'government_id_front' }] } });
    await sendDocument(side.client, memberId, sampleDocument({ documentType: 'government_id_back' }));
    await sendDocument(side.client, memberId, sampleDocument({ documentType: 'selfie' }));
    expect(await types()).toEqual(['kyc.updated', 'kyc.submitted']);
  });

  test('reviews and decisions are told, those that are refused are not', async () => {
    const id = await submit();
    await heard();
    const { body } = await side.client.get(kycPath(memberId));
    const review = `/api/v1/admin/kyc/${id}/documents/${body.documents[0].id}/review`;
    const accepted = await side.client.post(review, { decision: 'accepted' });
    expect(accepted.status).toBe(200);
    await side.client.post(review, { decision: 'accepted' });
    const [reviewed, ...again] = await heard();
    expect(again).toEqual([]);
    expect(reviewed?.type).toBe('kyc.updated');
    expect(reviewed?.data['documents'][0].status).toBe('accepted');
    const decide = (deed: string, fields: object = {}) => side.client.post(`/api/v1/admin/kyc/${id}/${deed}`, fields);
    expect((await decide('approve', { expectedStatus: 'rejected' })).status).toBe(409);
    expect(await heard()).toEqual([]);
    await decide('approve');
    expect(await heard()).toMatchObject([{ type: 'kyc.approved', actor: KEY, data: { status: 'approved' } }]);
    await decide('request-resubmit', { reason: 'Blurred', documents: ['selfie', 'government_id_back'] });
    expect(await types()).toEqual(['kyc.resubmit_required']);
    await sendDocument(side.client, memberId, sampleDocument({ documentType: 'selfie' }));
    await sendDocument(side.client, memberId, sampleDocument({ documentType: 'government_id_back' }));
    expect(await types()).toEqual(['kyc.updated', 'kyc.submitted']);
    await decide('reject', { reason: 'Not genuine' });
    expect(await types()).toEqual(['kyc.rejected']);
  });

  test('a member that is another person, or is erased, is told of', async () => {
    const id = await submit();
    await side.client.post(`/api/v1/admin/kyc/${id}/approve`, {});
    await heard();
    await side.client.patch(`/api/v1/members/${memberId}/profile`, { givenName: 'Eve', surname: 'Other' });
    expect(await heard()).toMatchObject([{ type: 'kyc.resubmit_required', data: { rejectionReason: 'IDENTITY_CHANGED' } }]);
    await side.client.patch(`/api/v1/members/${memberId}/profile`, { givenName: 'Ann' });
    expect(await types()).toEqual(['kyc.updated']);
    await side.client.post(`/api/v1/members/${memberId}/erasure`, {});
    const [erased] = await heard();
    expect(erased).toMatchObject({ type: 'kyc.updated', data: { documents: [], status: 'resubmit_required' } });
  });

  test('the end of an approval that was given for a time is told, by the system', async () => {
    await side.client.patch('/api/v1/admin/settings', { kyc: { approvalValidDays: 30 } });
    const id = await submit();
    await side.client.post(`/api/v1/admin/kyc/${id}/approve`, {});
    await heard();
    await side.client.post('/api/v1/sandbox/clock', { advanceSeconds: 30 * 86_400 + 60 });
    const told = { status: 'resubmit_required', rejectionReason: 'APPROVAL_EXPIRED', requestedDocuments: REQUIRED };
    expect(await heard()).toMatchObject([{ type: 'kyc.expired', actor: 'system', data: told }]);
  });

  test('another provider is told of', async () => {
    await start();
    await heard();
    await plantKycSettings(world.app, side.scope, { provider: 'kycvendor' });
    await start();
    const events = await heard();
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['kyc.updated']));
    expect(events[0]?.data['provider']).toBe('kycvendor');
    expect(events.at(-1)?.data['providerApplicantId']).not.toBeNull();
  });
});

describe('at the vendor', () => {
  test.each([
    ['pending', 'kyc.submitted'],
    ['approved', 'kyc.approved'],
    ['rejected', 'kyc.rejected'],
    ['resubmit_required', 'kyc.resubmit_required'],
  ])('%s is told as the word of the simulated vendor', async (outcome, type) => {
    await open('SANDBOX');
    await start();
    await heard();
    const send = (what: string) =>
      side.client.post('/api/v1/sandbox/vendor-events', { kind: 'kyc', userId: memberId, outcome: what });
    expect((await send(outcome)).status).toBe(200);
    expect(await heard()).toMatchObject([{ type, actor: 'vendor:kycvendor', data: { status: outcome } }]);
    await send('reset');
    expect(await types()).toEqual(['kyc.updated']);
  });

  test('what it is asked about, and what is taken back there, is told', async () => {
    world.vendor.workAgain();
    await open('LIVE');
    await start();
    expect((await types()).slice(0, 2)).toEqual(['kyc.started', 'kyc.updated']);
    world.vendor.setReview(memberId, { reviewStatus: 'completed', reviewResult: { reviewAnswer: 'GREEN' } });
    await world.app.database.asSuperuser("update kyc_record set check_at = now() - interval '1 second' where member_id = $1", [
      memberId,
    ]);
    await world.app.runSweep('check-kyc', side.scope);
    await runJobs(world.app, 'ask-kyc-vendor');
    const [approved, ...rest] = await heard();
    expect(rest).toEqual([]);
    expect(approved).toMatchObject({ type: 'kyc.approved', actor: 'vendor:kycvendor' });
    const path = `/api/v1/admin/kyc/${approved?.objectId}/request-resubmit`;
    await side.client.post(path, { reason: 'Expired' });
    expect(await types()).toEqual(['kyc.resubmit_required']);
    await runJobs(world.app, 'reset-kyc-applicant');
    expect(await heard()).toMatchObject([{ type: 'kyc.updated', actor: 'vendor:kycvendor' }]);
  });
});
