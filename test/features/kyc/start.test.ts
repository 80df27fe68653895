/** Starting and reading a verification, by hand and at the vendor. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { dumpDatabase } from '../../support/database/dump.ts';
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
let live: KycTenant;

beforeAll(async () => {
  world = await startKycWorld();
  live = await newKycTenant(world);
});
afterAll(() => world.close());

describe('by hand', () => {
  test('a start tells which documents to send and where; reading it before is a 404', async () => {
    const { liveKey } = await world.app.newTenant();
    const client = apiClient(world.app, liveKey);
    const { id } = await client.newMember();
    const before = await client.get(kycPath(id));
    expect([before.status, before.body.code]).toEqual([404, 'NOT_FOUND']);
    const started = await client.post(startPath(id), {});
    expect(started.status).toBe(200);
    expect(started.body).toMatchObject({
      provider: 'manual',
      status: 'not_started',
      uploadUrl: `${world.app.composition.ownAddress.url()}/api/v1/members/${id}/kyc/documents/upload-url`,
      sdkConfig: null,
      message: expect.stringContaining('Upload'),
    });
    expect(
      started.body.requiredDocuments.map((item: { documentType: string; required: boolean }) => [
        item.documentType,
        item.required,
      ]),
    ).toEqual([
      ['government_id_front', true],
      ['government_id_back', true],
      ['selfie', true],
      ['proof_of_address', false],
    ]);
    const read = await client.get(kycPath(id));
    expect(read.status).toBe(200);
    expect(read.body).toEqual({
      id: started.body.kycRecordId,
      userId: id,
      provider: 'manual',
      providerApplicantId: null,
      status: 'not_started',
      verifiedAt: null,
      expiresAt: null,
      rejectionReason: null,
      requestedDocuments: [],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      documents: [],
    });
    expect((await client.post(startPath(id), {})).body).toEqual(started.body);
    expect((await auditOf(world, read.body.id)).map(({ action }) => action)).toEqual(['kyc_record.created']);
  });

  test('twenty starts at once make one record', async () => {
    const { liveKey } = await world.app.newTenant();
    const client = apiClient(world.app, liveKey);
    const { id } = await client.newMember();
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.post(startPath(id), {})));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.kycRecordId)).size).toBe(1);
    expect(await auditOf(world, answers[0]?.body.kycRecordId)).toHaveLength(1);
  });
});

describe('at the vendor', () => {
  test('a start makes the applicant of what the profile has, and answers a token for the SDK', async () => {
    const { id, email } = await live.client.newMember();
    await live.client.patch(`/api/v1/members/${id}/profile`, { givenName: 'Ada', dateOfBirth: '1990-12-31', countryCode: 'DEU' });
    const started = await live.client.post(startPath(id), {});
    expect(started.status).toBe(200);
    const applicant = world.vendor.applicantOf(id);
    expect(applicant).toMatchObject({
      email,
      levelName: world.vendor.account.levelName,
      fixedInfo: { firstName: 'Ada', dob: '1990-12-31', country: 'DEU' },
    });
    expect(started.body).toMatchObject({
      provider: 'kycvendor',
      status: 'not_started',
      uploadUrl: null,
      requiredDocuments: null,
      sdkConfig: {
        accessToken: world.vendor.tokens.at(-1),
        flowName: world.vendor.account.levelName,
        applicantId: applicant?.id,
      },
    });
    const lifetime = Date.parse(started.body.sdkConfig.expiresAt) - Date.now();
    expect(lifetime).toBeGreaterThan(500_000);
    expect(lifetime).toBeLessThanOrEqual(600_000);
    expect((await live.client.get(kycPath(id))).body).toMatchObject({
      providerApplicantId: applicant?.id,
      status: 'not_started',
    });
    expect((await auditOf(world, started.body.kycRecordId)).map(({ action }) => action)).toEqual([
      'kyc_record.created',
      'kyc_record.applicant_linked',
    ]);
  });

  test('without a profile there is no fixedInfo; a second start has another token and the same applicant', async () => {
    const { id } = await live.client.newMember();
    const first = await live.client.post(startPath(id), {});
    expect(world.vendor.applicantOf(id)?.fixedInfo).toEqual({});
    const asked = world.vendor.requests.length;
    const second = await live.client.post(startPath(id), {});
    expect(second.body.sdkConfig.applicantId).toBe(first.body.sdkConfig.applicantId);
    expect(second.body.sdkConfig.accessToken).not.toBe(first.body.sdkConfig.accessToken);
    expect(world.vendor.requests.slice(asked)).toEqual(['POST /resources/accessTokens/sdk']);
  });

  test('starts at once make one record and one applicant', async () => {
    const { id } = await live.client.newMember();
    const answers = await Promise.all(Array.from({ length: 10 }, () => live.client.post(startPath(id), {})));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.sdkConfig.applicantId)).size).toBe(1);
    expect([...world.vendor.applicants.values()].filter(({ externalUserId }) => externalUserId === id)).toHaveLength(1);
    const actions = (await auditOf(world, answers[0]?.body.kycRecordId)).map(({ action }) => action);
    expect(actions).toEqual(['kyc_record.created', 'kyc_record.applicant_linked']);
  });

  test('a repeat with the same Idempotency-Key has a token of its own for the same applicant, and none is stored', async () => {
    const { id } = await live.client.newMember();
    const key = { 'idempotency-key': randomUUID() };
    const first = await live.client.post(startPath(id), {}, key);
    const again = await live.client.post(startPath(id), {}, key);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect(again.body.sdkConfig.applicantId).toBe(first.body.sdkConfig.applicantId);
    expect(again.body.sdkConfig.accessToken).toBe(world.vendor.tokens.at(-1));
    const stored = await world.app.database.asSuperuser('select from idempotency_key where key = $1', [key['idempotency-key']]);
    expect(stored).toEqual([]);
  });

  test('an applicant that is there already is adopted; one that cannot be read is a matter of the settings', async () => {
    const [{ id }, taken] = [await live.client.newMember(), await live.client.newMember()];
    const present = world.vendor.plantApplicant(id);
    expect((await live.client.post(startPath(id), {})).body.sdkConfig.applicantId).toBe(present.id);
    world.vendor.plantApplicant(taken.id, { readable: false });
    const refused = await live.client.post(startPath(taken.id), {});
    expect([refused.status, refused.body.code]).toEqual([502, 'PROVIDER_CONFIGURATION']);
    expect(await recordOf(world, taken.id)).toMatchObject({ status: 'not_started', provider_applicant_id: null });
  });

  test('another tenant and the other environment do not know the member, and nobody is asked', async () => {
    const { id } = await live.client.newMember();
    const other = await newKycTenant(world);
    const sandbox = await world.app.newTenant();
    const asked = world.vendor.requests.length;
    for (const client of [other.client, apiClient(world.app, sandbox.sandboxKey)]) {
      for (const answer of [await client.post(startPath(id), {}), await client.get(kycPath(id))]) {
        expect([answer.status, answer.body.code]).toEqual([404, 'USER_NOT_FOUND']);
      }
    }
    expect(world.vendor.requests).toHaveLength(asked);
  });

  test('what is stored and logged has neither token nor secret', async () => {
    const { id } = await live.client.newMember();
    await live.client.post(startPath(id), {}, { 'idempotency-key': randomUUID() });
    const log = world.app.logLines.join('\n');
    const { appToken, secretKey } = world.vendor.account;
    for (const secret of [appToken, secretKey, ...world.vendor.tokens]) expect(log).not.toContain(secret);
    const dump = await dumpDatabase(world.app.database);
    expect(dump).toContain(id);
    for (const token of world.vendor.tokens) expect(dump).not.toContain(token);
  });
});

describe('the state of the record', () => {
  test.each(['approved', 'rejected'])('a start of one that is %s is a conflict that says what to do', async (status) => {
    const { id } = await live.client.newMember();
    const { kycRecordId } = (await live.client.post(startPath(id), {})).body;
    await world.app.database.asSuperuser(
      `update kyc_record set status = $2, verified_at = case when $2 = 'approved' then now() end, rejection_reason = 'No' where id = $1`,
      [kycRecordId, status],
    );
    const asked = world.vendor.requests.length;
    const refused = await live.client.post(startPath(id), {});
    expect([refused.status, refused.body.code]).toEqual([409, 'STATE_CONFLICT']);
    expect(world.vendor.requests).toHaveLength(asked);
  });

  test('an erased member cannot start', async () => {
    const { id } = await live.client.newMember();
    await live.client.post(`/api/v1/members/${id}/erasure`, {});
    const refused = await live.client.post(startPath(id), {});
    expect([refused.status, refused.body.code]).toEqual([409, 'STATE_CONFLICT']);
    expect(world.vendor.applicantOf(id)).toBeUndefined();
  });

  test('the provider follows the settings, but not while the record is pending', async () => {
    const tenant = await newKycTenant(world);
    const { id } = await tenant.client.newMember();
    await plantKycSettings(world.app, tenant.scope, { provider: 'manual' });
    const { kycRecordId } = (await tenant.client.post(startPath(id), {})).body;
    const become = (status: string, decidedBy: string | null) =>
      world.app.database.asSuperuser('update kyc_record set status = $2, decided_by = $3 where id = $1', [
        kycRecordId,
        status,
        decidedBy,
      ]);
    await become('pending', null);
    await plantKycSettings(world.app, tenant.scope, world.vendor.account);
    expect((await tenant.client.post(startPath(id), {})).body).toMatchObject({ provider: 'manual', status: 'pending' });
    await become('resubmit_required', 'admin');
    expect((await tenant.client.post(startPath(id), {})).body).toMatchObject({
      provider: 'kycvendor',
      status: 'resubmit_required',
    });
    // Else what staff decided on the papers of before would stand against the vendor for good.
    expect(await recordOf(world, id)).toMatchObject({ decided_by: null });
    expect((await auditOf(world, kycRecordId)).map(({ action, details }) => [action, details['to']])).toEqual([
      ['kyc_record.created', undefined],
      ['kyc_record.provider_changed', 'kycvendor'],
      ['kyc_record.applicant_linked', undefined],
    ]);
  });

  test('coming back to the vendor has what it decided before taken back there', async () => {
    const tenant = await newKycTenant(world);
    const { id } = await tenant.client.newMember();
    const { kycRecordId } = (await tenant.client.post(startPath(id), {})).body;
    await plantKycSettings(world.app, tenant.scope, { provider: 'manual' });
    expect((await tenant.client.post(startPath(id), {})).body.provider).toBe('manual');
    await plantKycSettings(world.app, tenant.scope, world.vendor.account);
    expect((await tenant.client.post(startPath(id), {})).body.provider).toBe('kycvendor');
    expect(world.vendor.applicantOf(id)?.resets).toBe(1);
    expect(await recordOf(world, id)).toMatchObject({ decided_by: null });
    expect((await auditOf(world, kycRecordId)).map(({ action }) => action).slice(2)).toEqual([
      'kyc_record.provider_changed',
      'kyc_record.provider_changed',
      'kyc_record.reset',
    ]);
  });

  test('an event that came before the applicant was known has the vendor asked at once', async () => {
    const tenant = await newKycTenant(world);
    const [early, usual] = [await tenant.client.newMember(), await tenant.client.newMember()];
    await world.app.database.asSuperuser(
      `insert into kyc_event (tenant_id, environment, provider, body_digest, type, external_user_id, outcome, body)
       values ($1, $2, 'kycvendor', sha256('x'), 'applicantPending', $3, 'unmatched', '{}')`,
      [tenant.tenantId, tenant.scope.environment, early.id],
    );
    await tenant.client.post(startPath(early.id), {});
    await tenant.client.post(startPath(usual.id), {});
    const dueIn = async (id: string) => (((await recordOf(world, id)).check_at?.getTime() ?? 0) - Date.now()) / 1000;
    expect(await dueIn(early.id)).toBeLessThanOrEqual(0);
    expect(await dueIn(usual.id)).toBeGreaterThan(850);
  });
});

test('without a whole account a LIVE start is a matter of the settings', async () => {
  const tenant = await newKycTenant(world);
  const { appToken: _none, ...lacking } = world.vendor.account;
  await plantKycSettings(world.app, tenant.scope, lacking);
  const { id } = await tenant.client.newMember();
  const refused = await tenant.client.post(startPath(id), {});
  expect([refused.status, refused.body.code, refused.body.details.reason]).toEqual([502, 'PROVIDER_CONFIGURATION', 'no_account']);
});
