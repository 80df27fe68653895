/** What a reviewer is shown of a member's answer is what the member is answered. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { whatMemberReads } from '../../../src/features/kyc/open/what-member-reads.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { plantRecord, plantRequired } from '../../support/kyc/kyc-records.ts';

let app: TestApp;
let client: ApiClient;
let tenantId: string;

beforeAll(async () => {
  app = await startTestApp();
  const tenant = await app.newTenant();
  ({ tenantId } = tenant);
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

/** The status, the reason and what a start says then. */
async function answered(deed: string, body: object): Promise<string[]> {
  const { id } = await client.newMember();
  const scope = { tenantId, environment: 'LIVE' as const };
  const kycId = await plantRecord(app, scope, { memberId: id });
  await plantRequired(app, scope, kycId);
  expect((await client.post(`/api/v1/admin/kyc/${kycId}/${deed}`, body)).status).toBe(200);
  const { status, rejectionReason } = (await client.get(`/api/v1/members/${id}/kyc`)).body;
  const { message } = (await client.post(`/api/v1/members/${id}/kyc/start`, {})).body;
  return [status, rejectionReason, message].filter((part) => typeof part === 'string');
}

const REASON = 'The name is <b>another</b>';

test('of an approval, a rejection and a request for something anew', async () => {
  expect(whatMemberReads('approve')).toBe((await answered('approve', {})).join());
  expect(whatMemberReads('reject', REASON)).toBe((await answered('reject', { reason: REASON })).join(': '));
  const [status, reason, message] = await answered('request-resubmit', { reason: REASON, documents: ['selfie'] });
  expect(whatMemberReads('resubmit', REASON)).toBe(`${status}: ${reason}. ${message}`);
  expect(whatMemberReads('resubmit', REASON, ['selfie', 'government_id_front'])).toBe(
    `${status}: ${reason} (Government ID, front; Selfie). ${message}`,
  );
});
