/** What was stated beside what the vendor has found. Source: docs/specification/verification.md#findings. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { type KycTenant, type KycWorld, newKycTenant, recordOf, startKycWorld, startPath } from '../../support/kyc/kyc-world.ts';

const ADA = { givenName: 'Ada', surname: 'Example', dateOfBirth: '1990-12-31', countryCode: 'DEU', idNumber: 'AB-123456789' };
const INFO = { firstName: 'ADA', lastName: 'EXAMPLE', dob: '1990-12-31', country: 'DEU', idDocs: [{ number: 'ab123456789' }] };
const ONE = /^GET \/resources\/applicants\/[0-9a-f]{24}\/one/;
const STEPS = /requiredIdDocsStatus$/;

let world: KycWorld;
let live: KycTenant;
let memberId: string;
let kycId: string;

beforeAll(async () => {
  world = await startKycWorld();
  live = await newKycTenant(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.vendor.workAgain();
  ({ memberId, kycId } = await started(live));
});

async function started({ client }: KycTenant, email?: string): Promise<{ memberId: string; kycId: string }> {
  const { id } = await client.newMember(email === undefined ? {} : { email });
  await client.patch(`/api/v1/members/${id}/profile`, ADA);
  const answer = await client.post(startPath(id), {});
  expect(answer.status, answer.text).toBe(200);
  return { memberId: id, kycId: answer.body.kycRecordId as string };
}
const ask = ({ client }: KycTenant = live, id = kycId) => client.get(`/api/v1/admin/kyc/${id}/findings`);
const applicant = () => {
  const found = world.vendor.applicantOf(memberId);
  if (!found) throw new Error('no applicant');
  return found;
};
const matches = async () => {
  const { fields } = (await ask()).body as { fields: { field: string; matches: boolean | null }[] };
  return Object.fromEntries(fields.map((one) => [one.field, one.matches]));
};

describe('what the vendor has read', () => {
  test('stands beside what was stated, field by field; ID numbers by their end', async () => {
    Object.assign(applicant(), {
      info: INFO,
      steps: {
        IDENTITY: { idDocType: 'PASSPORT', country: 'DEU', imageIds: [1], reviewResult: { reviewAnswer: 'GREEN' } },
        SELFIE: {
          idDocType: 'SELFIE',
          reviewResult: { reviewAnswer: 'RED', moderationComment: 'Blurred', clientComment: 'Staff' },
        },
        PROOF_OF_RESIDENCE: null,
      },
      review: {
        reviewStatus: 'completed',
        reviewResult: {
          reviewAnswer: 'RED',
          reviewRejectType: 'RETRY',
          rejectLabels: ['BAD_SELFIE'],
          moderationComment: 'Again',
        },
      },
    });
    const answer = await ask();
    expect(answer.body).toEqual({
      source: 'kycvendor',
      fields: [
        { field: 'givenName', stated: 'Ada', found: 'ADA', matches: true },
        { field: 'surname', stated: 'Example', found: 'EXAMPLE', matches: true },
        { field: 'dateOfBirth', stated: '1990-12-31', found: '1990-12-31', matches: true },
        { field: 'idNumber', stated: '•••• 6789', found: '•••• 6789', matches: true },
        { field: 'countryCode', stated: 'DEU', found: 'DEU', matches: true },
      ],
      documents: [
        { documentType: 'PASSPORT', verdict: 'accepted', words: null },
        { documentType: 'SELFIE', verdict: 'rejected', words: 'Blurred' },
        { documentType: 'PROOF_OF_RESIDENCE', verdict: 'pending', words: null },
      ],
      words: 'Again',
      rejectLabels: ['BAD_SELFIE'],
    });
    expect(answer.text).not.toContain('123456789');
  });

  test.each([
    [
      { ...INFO, lastName: 'Other' },
      { surname: false, givenName: true },
    ],
    [{ ...INFO, dob: '1990-12-30' }, { dateOfBirth: false }],
    [{ ...INFO, country: 'FRA' }, { countryCode: false }],
    // The ends are equal, the numbers are not.
    [{ ...INFO, idDocs: [{ number: 'XX-000006789' }] }, { idNumber: false }],
    [{ ...INFO, idDocs: [{ number: 'other' }, { number: null, additionalNumber: 'AB 123456789' }] }, { idNumber: true }],
    [{ ...INFO, idDocs: null, tin: 'AB123456789' }, { idNumber: true }],
    [
      { ...INFO, firstName: null, idDocs: [] },
      { givenName: null, idNumber: null, surname: true },
    ],
  ])('is compared whole: %j', async (info, expected) => {
    applicant().info = info;
    expect(await matches()).toMatchObject(expected);
  });

  test('is empty as long as nothing was sent in', async () => {
    const { body } = await ask();
    expect(body).toMatchObject({ source: 'kycvendor', words: null, rejectLabels: [] });
    expect(body.fields).toContainEqual({ field: 'surname', stated: 'Example', found: null, matches: null });
    expect(body.documents).toEqual([
      { documentType: 'IDENTITY', verdict: 'pending', words: null },
      { documentType: 'SELFIE', verdict: 'pending', words: null },
    ]);
  });

  test('is kept nowhere', async () => {
    applicant().info = { ...INFO, lastName: 'Onlyatthevendor' };
    expect((await ask()).text).toContain('Onlyatthevendor');
    const rows = await world.app.database.asSuperuser<{ found: boolean }>(
      "select to_jsonb(k)::text like '%Onlyatthevendor%' as found from kyc_record k where id = $1",
      [kycId],
    );
    expect(rows).toEqual([{ found: false }]);
    expect(world.app.logLines.join('\n')).not.toContain('Onlyatthevendor');
  });
});

const expectUnable = ({ status, body }: Awaited<ReturnType<typeof ask>>, code: string) =>
  expect([status, body.code]).toEqual([502, code]);

describe('a vendor that cannot be asked', () => {
  test.each([
    [ONE, 'drop', 'PROVIDER_UNAVAILABLE'],
    [STEPS, { status: 503 }, 'PROVIDER_UNAVAILABLE'],
    [ONE, { status: 401 }, 'PROVIDER_CONFIGURATION'],
    [STEPS, 'garbage', 'PROVIDER_CONFIGURATION'],
  ] as const)('%s %j is %s', async (call, fault, code) => {
    world.vendor.failNext(call, fault, fault, fault);
    expectUnable(await ask(), code);
    world.vendor.workAgain();
    expect((await ask()).status).toBe(200);
  });

  test('holds nobody up for long', async () => {
    world.vendor.failNext(ONE, { delayMs: 8_000 }, { delayMs: 8_000 });
    const begun = performance.now();
    expectUnable(await ask(), 'PROVIDER_UNAVAILABLE');
    expect(performance.now() - begun).toBeLessThan(6_000);
  });
});

test('an applicant that the vendor does not know, and a record without one, have found nothing', async () => {
  applicant().readable = false;
  const nothing = { source: 'none', documents: [], words: null, rejectLabels: [] };
  const gone = (await ask()).body;
  expect(gone).toMatchObject(nothing);
  expect(gone.fields).toContainEqual({ field: 'idNumber', stated: '•••• 6789', found: null, matches: null });
  await world.app.database.asSuperuser('update kyc_record set provider_applicant_id = null where id = $1', [kycId]);
  const before = world.vendor.requests.length;
  expect((await ask()).body).toMatchObject(nothing);
  expect(world.vendor.requests).toHaveLength(before);
});

test('of a verification by hand no vendor is asked', async () => {
  await world.app.database.asSuperuser("update kyc_record set provider = 'manual', provider_applicant_id = null where id = $1", [
    kycId,
  ]);
  const before = world.vendor.requests.length;
  expect((await ask()).body).toMatchObject({ source: 'none', documents: [] });
  expect(world.vendor.requests).toHaveLength(before);
});

test('of a verification by hand no ID number is opened: one that does not open keeps nothing back', async () => {
  await world.app.database.asSuperuser("update kyc_record set provider = 'manual', provider_applicant_id = null where id = $1", [
    kycId,
  ]);
  await world.app.database.asSuperuser(
    "update member_profile set id_number_sealed = id_number_sealed || '\\x00' where member_id = $1",
    [memberId],
  );
  const answer = await ask();
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.fields).toEqual([
    { field: 'givenName', stated: 'Ada', found: null, matches: null },
    { field: 'surname', stated: 'Example', found: null, matches: null },
    { field: 'dateOfBirth', stated: '1990-12-31', found: null, matches: null },
    { field: 'idNumber', stated: '•••• 6789', found: null, matches: null },
    { field: 'countryCode', stated: 'DEU', found: null, matches: null },
  ]);
});

test('nobody else is shown them', async () => {
  const other = await newKycTenant(world);
  const sandbox = await newKycTenant(world, 'SANDBOX');
  for (const stranger of [other, sandbox]) expectRefusal(await ask(stranger), 404, 'NOT_FOUND');
  const made = await live.client.post('/api/v1/admin/api-keys', { name: 'reader', scopes: ['kyc:read'] });
  const weak = apiClient(world.app, made.body.apiKey as string);
  expectRefusal(await weak.get(`/api/v1/admin/kyc/${kycId}/findings`), 403, 'FORBIDDEN');
});

test('an erased member has stated nothing, and its applicant is asked for nothing', async () => {
  applicant().info = INFO;
  expect((await live.client.post(`/api/v1/members/${memberId}/erasure`, {})).status).toBe(200);
  const { body } = await ask();
  expect(body.source).toBe('none');
  expect(body.fields).toContainEqual({ field: 'surname', stated: null, found: null, matches: null });
});

describe('the simulated vendor of a SANDBOX', () => {
  test('has read what was stated, and thinks of the papers as it decides', async () => {
    const sandbox = await newKycTenant(world, 'SANDBOX');
    const there = await started(sandbox);
    expect((await recordOf(world, there.memberId)).provider_applicant_id).toMatch(/^sim-/);
    await sandbox.client.post('/api/v1/sandbox/vendor-events', {
      kind: 'kyc',
      userId: there.memberId,
      outcome: 'rejected',
      reason: 'The document has expired',
    });
    const { body } = await ask(sandbox, there.kycId);
    expect(body).toMatchObject({ source: 'kycvendor', words: 'The document has expired' });
    expect(body.fields.map((one: { matches: boolean }) => one.matches)).toEqual([true, true, true, true, true]);
    expect(body.documents[0]).toEqual({ documentType: 'ID_CARD', verdict: 'rejected', words: 'The document has expired' });
  });
});
