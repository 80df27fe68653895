/** The person that an approval was given for. Source: docs/specification/verification.md#verified-person. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { sampleDocument, sendDocument } from '../../support/kyc/kyc-documents.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let memberId: string;
let kycId: string;

const ADA = { givenName: 'Ada', surname: 'Example', dateOfBirth: '1990-12-31', idNumber: 'AB-123 456', countryCode: 'DEU' };

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  memberId = (await client.newMember()).id;
  await patch(ADA);
  kycId = (await client.post(`/api/v1/members/${memberId}/kyc/start`, {})).body.kycRecordId as string;
  await submit();
});
afterAll(() => app.close());

const patch = (body: object, headers: Record<string, string> = {}, by = client) =>
  by.patch(`/api/v1/members/${memberId}/profile`, body, headers);
const decide = (deed: string, body: object = {}) => client.post(`/api/v1/admin/kyc/${kycId}/${deed}`, body);
const shown = async () => (await client.get(`/api/v1/admin/kyc/${kycId}`)).body;
const bearer = async () => {
  const scope = { tenantId: tenant.tenantId, environment: 'LIVE' as const };
  return { authorization: `Bearer ${(await plantSession(app, scope, memberId)).accessToken}` };
};
const rowOf = async () => {
  const [row] = await app.database.asSuperuser<Record<string, unknown>>(
    'select k.*, m.kyc_approved_at from kyc_record k join member m on m.id = k.member_id where k.id = $1',
    [kycId],
  );
  return row ?? {};
};

async function submit(): Promise<void> {
  for (const documentType of ['government_id_front', 'government_id_back', 'selfie'] as const) {
    const answer = await sendDocument(client, memberId, sampleDocument({ documentType }));
    expect(answer.status, answer.text).toBe(201);
  }
}

async function approve(body: object = {}): Promise<void> {
  const answer = await decide('approve', body);
  expect(answer.status, answer.text).toBe(200);
}

test('an approval keeps a digest, in which nothing of the person can be read', async () => {
  await approve();
  const { identity_digest: identity, names_digest: names } = await rowOf();
  expect(identity).toHaveLength(32);
  expect(names).toHaveLength(32);
  expect(identity).not.toEqual(names);
});

describe('an approval falls', () => {
  const OTHERS = [
    { givenName: 'Eve' },
    { surname: 'Other' },
    { dateOfBirth: '1990-12-30' },
    { idNumber: 'AB-123 457' },
    { countryCode: 'FRA' },
    { givenName: null },
    { idNumber: null },
  ];

  test.each(OTHERS)('by %j', async (change) => {
    await approve();
    expect((await patch(change)).status).toBe(200);
    expect(await shown()).toMatchObject({ status: 'resubmit_required', rejectionReason: 'IDENTITY_CHANGED', verifiedAt: null });
    const row = await rowOf();
    expect(row).toMatchObject({ identity_digest: null, names_digest: null, kyc_approved_at: null });
    expect(row['identity_changed_at']).toBeInstanceOf(Date);
    const { data } = (await client.get(`/api/v1/admin/audit-logs?objectId=${kycId}&action=kyc_record.identity_changed`)).body;
    expect(data).toMatchObject([
      { actor: { kind: 'api_key' }, details: { from: 'approved', to: 'resubmit_required', fields: Object.keys(change) } },
    ]);
    // The values are in no entry.
    expect(JSON.stringify(data)).not.toContain(Object.values(change)[0] ?? 'Example');
  });

  test('by the member itself, and by it alone', async () => {
    const other = await client.newMember();
    await approve();
    expect((await client.patch(`/api/v1/members/${other.id}/profile`, { givenName: 'Eve' })).status).toBe(200);
    expect((await rowOf())['status']).toBe('approved');
    expect((await patch({ surname: 'Other' }, await bearer())).status).toBe(200);
    const { data } = (await client.get(`/api/v1/admin/audit-logs?objectId=${kycId}&action=kyc_record.identity_changed`)).body;
    expect(data).toMatchObject([{ actor: { kind: 'member', id: memberId } }]);
  });

  test('and stays fallen when what was verified is put back', async () => {
    await approve();
    await patch({ surname: 'Other' });
    await patch({ surname: 'Example' });
    expect((await rowOf())['status']).toBe('resubmit_required');
    await sendDocument(client, memberId, sampleDocument({ documentType: 'selfie' }));
    await approve();
    expect(await rowOf()).toMatchObject({ status: 'approved', identity_changed_at: null });
  });

  test('also one of before digests were kept', async () => {
    await approve();
    await app.database.asSuperuser('update kyc_record set identity_digest = null, names_digest = null where id = $1', [kycId]);
    await patch({ givenName: 'ADA' });
    expect((await rowOf())['status']).toBe('approved');
    await patch({ givenName: 'Eve' });
    expect((await rowOf())['status']).toBe('resubmit_required');
  });
});

test.each([
  { givenName: 'ADA ' },
  { surname: ' exAmple' },
  { idNumber: 'ab123456' },
  { givenName: 'Ada', surname: 'Example' },
  { name: 'Another' },
  { address: { city: 'Berlin' } },
])('%j is the same person', async (change) => {
  await approve();
  expect((await patch(change)).status).toBe(200);
  expect((await rowOf())['status']).toBe('approved');
});

describe('a typing error', () => {
  const keepVerification = { reason: 'A letter was missing' };

  test('is corrected by whoever may approve, and the verification stays', async () => {
    await approve();
    const before = await rowOf();
    expect((await patch({ surname: 'Exampel', keepVerification })).status).toBe(200);
    const after = await rowOf();
    expect(after).toMatchObject({ status: 'approved', kyc_approved_at: before['kyc_approved_at'], identity_changed_at: null });
    expect(after['identity_digest']).not.toEqual(before['identity_digest']);
    const { auditLogs } = await shown();
    expect(auditLogs[0]).toMatchObject({
      action: 'kyc_record.identity_corrected',
      details: { fields: ['surname'], note: 'A letter was missing' },
    });
    const [entry] = await app.database.asSuperuser<{ details: object }>(
      "select details from audit_log where object_id = $1 and action = 'kyc_record.identity_corrected'",
      [kycId],
    );
    expect(JSON.stringify(entry)).not.toContain('letter');
    // What was corrected is what was verified now.
    await patch({ surname: 'Example' });
    expect((await rowOf())['status']).toBe('resubmit_required');
  });

  test('is not kept by a key without admin:kyc, and changes nothing then', async () => {
    await approve();
    const key = (await client.post('/api/v1/admin/api-keys', { name: 'profiles', scopes: ['members:write'] })).body;
    const weak = apiClient(app, key.apiKey as string);
    expectRefusal(await patch({ surname: 'Other', keepVerification }, {}, weak), 403, 'FORBIDDEN');
    expectRefusal(await patch({ surname: 'Other', keepVerification }, await bearer()), 403, 'FORBIDDEN');
    expect((await rowOf())['status']).toBe('approved');
    expect((await client.get(`/api/v1/members/${memberId}/profile`)).body.surname).toBe('Example');
  });

  test('without a change is refused', async () => {
    expectRefusal(await patch({ keepVerification }), 400, 'VALIDATION_ERROR');
  });
});

describe('who becomes another person during the review', () => {
  test('is not approved unseen', async () => {
    await patch({ surname: 'Other' });
    const { identityVersion, identityChanged } = await shown();
    expect(identityChanged).toBe(true);
    const refused = await decide('approve');
    expectRefusal(refused, 409, 'STATE_CONFLICT');
    expect(refused.body.details).toEqual({ reason: 'IDENTITY_CHANGED', identityVersion });
    await patch({ surname: 'Third' });
    expectRefusal(await decide('approve', { identityVersion }), 409, 'STATE_CONFLICT');
    await approve({ identityVersion: (await shown()).identityVersion });
    expect(await shown()).toMatchObject({ status: 'approved', identityChanged: false });
  });

  test('at the moment of the approval is approved as one or not at all', async () => {
    const [changed, decided] = await Promise.all([patch({ surname: 'Other' }), decide('approve')]);
    expect(changed.status).toBe(200);
    expect([200, 409]).toContain(decided.status);
    const { status } = await rowOf();
    expect(status).toBe(decided.status === 200 ? 'resubmit_required' : 'pending');
  });
});
