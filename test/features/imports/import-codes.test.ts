/** Members by CSV who bring their own referral codes, as from another system: under the rules of POST /referrals/codes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { importCsv, listStored } from './csv-imports.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const emailOf = async (client: ApiClient, code: string) => {
  const { status, body } = await client.get(`/api/v1/referrals/resolve?referral_code=${code}`);
  if (status !== 200) return status;
  const members = await client.get('/api/v1/users?limit=100');
  return (members.body.data as { id: string; email: string; referral_code: string }[]).find(({ id }) => id === body.user_id);
};

test('a code is the default one of its member and refers from then on; others have theirs drawn', async () => {
  const { liveKey } = await app.newTenant();
  const client = apiClient(app, liveKey);
  const run = await importCsv(
    app,
    liveKey,
    'email,referral_code\nada@old.example,Ada-2019\nlee@old.example,\nkim@old.example,abc\n',
  );
  expect(run).toMatchObject({ status: 'completed', appliedCount: 3, errors: [] });
  expect(await emailOf(client, 'ada-2019')).toMatchObject({ email: 'ada@old.example', referral_code: 'ADA-2019' });
  expect(await emailOf(client, 'ABC')).toMatchObject({ email: 'kim@old.example', referral_code: 'ABC' });
  const listed = await client.get('/api/v1/referrals/codes');
  expect((listed.body.data as { code: string; is_default: boolean }[]).map(({ is_default: isDefault }) => isDefault)).toEqual([
    true,
    true,
    true,
  ]);
  const recruit = await client.post('/api/v1/users', { email: 'new@old.example', referral_code: 'ada-2019' });
  expect(recruit.status).toBe(201);
});

test('a sponsor is named by the code that its row brings, before or behind it', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const run = await importCsv(
    app,
    liveKey,
    [
      'email,referral_code,sponsor_code,can_recruit',
      'leaf@old.example,LEAF,mid-1,',
      'mid@old.example,Mid-1,TOP,',
      'top@old.example,top,,',
      'closed@old.example,CLOSED,,false',
      'below-closed@old.example,,closed,',
      'nobody@old.example,,NOBODYS,',
      'odd@old.example,,ſharp,',
      'ring-1@old.example,RING1,ring2,',
      'ring-2@old.example,RING2,ring1,',
      'failed@old.example,FAIL-1,ring2,',
    ].join('\n'),
  );
  expect(run.errors.map(({ rowNumber, faults }) => [rowNumber, ...faults.map(({ field, code }) => `${field} ${code}`)])).toEqual([
    [6, 'sponsor_code RECRUITING_DISABLED'],
    [7, 'sponsor_code undefined'],
    [8, 'sponsor_code undefined'],
    [9, ' CYCLE_DETECTED'],
    [10, ' CYCLE_DETECTED'],
    [11, 'sponsor_code SPONSOR_FAILED'],
  ]);
  expect((await listStored(app, tenantId)).map(({ email, sponsor }) => [email, sponsor])).toEqual([
    ['closed@old.example', null],
    ['leaf@old.example', 'mid@old.example'],
    ['mid@old.example', 'top@old.example'],
    ['top@old.example', null],
  ]);
});

describe.each(['validate', 'apply'])('the code of a row that fails, %s', (mode) => {
  const faultsOf = (run: Awaited<ReturnType<typeof importCsv>>) =>
    run.errors.map(({ rowNumber, faults }) => [rowNumber, ...faults.map(({ field, code }) => `${field} ${code}`)]);

  test('puts nobody under whoever else has it', async () => {
    const { tenantId, liveKey } = await app.newTenant();
    const client = apiClient(app, liveKey);
    const stranger = await client.newMember();
    for (const code of ['LEE', 'MAX']) await client.post('/api/v1/referrals/codes', { user_id: stranger.id, code });
    const file = [
      'email,referral_code,sponsor_code,membership_tier',
      'lee@old.example,LEE,,',
      'kid-of-lee@old.example,,lee,',
      'not-an-address,MAX,,',
      'kid-of-max@old.example,,MAX,',
    ].join('\n');
    expect(faultsOf(await importCsv(app, liveKey, file, { mode }))).toEqual([
      [2, 'referral_code CODE_TAKEN'],
      [3, 'sponsor_code SPONSOR_FAILED'],
      [4, 'email undefined'],
      [5, 'sponsor_code SPONSOR_FAILED'],
    ]);
    expect((await listStored(app, tenantId)).filter(({ email }) => email.endsWith('old.example'))).toEqual([]);
  });

  test('means its person, who is here already', async () => {
    const { tenantId, liveKey } = await app.newTenant();
    const boss = await apiClient(app, liveKey).newMember({ email: 'boss@old.example' });
    const file = 'email,referral_code,sponsor_code\nboss@old.example,BOSS,\nkid@old.example,,boss\n';
    expect(faultsOf(await importCsv(app, liveKey, file, { mode }))).toEqual([[2, 'email EMAIL_EXISTS']]);
    const stored = (await listStored(app, tenantId)).map(({ email, sponsor }) => [email, sponsor]);
    expect(stored).toEqual([['boss@old.example', null], ...(mode === 'apply' ? [['kid@old.example', boss.email]] : [])]);
  });
});

test('bad, taken and repeated codes are faults of their rows, in both modes', async () => {
  const { tenantId, liveKey, sandboxKey } = await app.newTenant();
  const client = apiClient(app, liveKey);
  const owner = await client.newMember();
  for (const code of ['TAKEN', 'RETIRED']) await client.post('/api/v1/referrals/codes', { user_id: owner.id, code });
  const codes = (await client.get('/api/v1/referrals/codes')).body.data as { id: string; code: string }[];
  const retired = codes.find(({ code }) => code === 'RETIRED');
  expect((await client.patch(`/api/v1/referrals/codes/${retired?.id}`, { status: 'retired' })).status).toBe(200);
  await apiClient(app, sandboxKey)
    .newMember()
    .then(({ id }) => apiClient(app, sandboxKey).post('/api/v1/referrals/codes', { user_id: id, code: 'ELSEWHERE' }));
  const file = [
    'email,referral_code,membership_tier',
    'short@x.example,ab,',
    'form@x.example,a_b_c,',
    'letters@x.example,ſharp,',
    'taken@x.example,taken,',
    'retired@x.example,Retired,',
    `default@x.example,${owner.referral_code.toLowerCase()},`,
    'bad-tier@x.example,first,KING',
    'second@x.example,FIRST,',
    'one@x.example,same,',
    'two@x.example,Same,',
    'elsewhere@x.example,elsewhere,',
  ].join('\n');
  const expected = [
    [2, 'referral_code undefined'],
    [3, 'referral_code undefined'],
    [4, 'referral_code undefined'],
    [5, 'referral_code CODE_TAKEN'],
    [6, 'referral_code CODE_TAKEN'],
    [7, 'referral_code CODE_TAKEN'],
    [8, 'membership_tier undefined'],
    [9, 'referral_code CODE_TAKEN'],
    [11, 'referral_code CODE_TAKEN'],
  ];
  for (const mode of ['validate', 'apply']) {
    const run = await importCsv(app, liveKey, file, { mode });
    expect(run).toMatchObject({ status: 'completed', appliedCount: 2, failedCount: expected.length });
    expect(
      run.errors.map(({ rowNumber, faults }) => [rowNumber, ...faults.map(({ field, code }) => `${field} ${code}`)]),
    ).toEqual(expected);
    expect(run.errors.find(({ rowNumber }) => rowNumber === 11)?.faults[0]?.message).toContain('Row 10 of this file');
  }
  expect((await listStored(app, tenantId)).map(({ email }) => email).filter((email) => email.endsWith('x.example'))).toEqual([
    'elsewhere@x.example',
    'one@x.example',
  ]);
  const kept = await app.database.asSuperuser(
    'select from import_row where tenant_id = $1 and num_nonnulls(own_code, sponsor_code) > 0',
    [tenantId],
  );
  expect(kept).toEqual([]);
});

test('a code that somebody is given while the file is at work: one of them has it', async () => {
  const { liveKey } = await app.newTenant();
  const client = apiClient(app, liveKey);
  const owner = await client.newMember();
  const [run, given] = await Promise.all([
    importCsv(app, liveKey, 'email,referral_code\nrace@x.example,RACED\n'),
    client.post('/api/v1/referrals/codes', { user_id: owner.id, code: 'raced' }),
  ]);
  expect([run.appliedCount, given.status]).toEqual(run.appliedCount === 1 ? [1, 409] : [0, 201]);
  expect(run.status).toBe('completed');
});
