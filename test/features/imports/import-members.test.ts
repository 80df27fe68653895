/** Members by CSV: each row as POST /users would have it, sponsors in any order, and a report of what was refused. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { importCsv, listStored, readErrors, readImport, sendCsv } from './csv-imports.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const HEADER =
  'email,name,external_id,membership_tier,sponsor_email,sponsor_external_id,sponsor_code,parent_id,is_active,can_recruit,pay_currency';

test('members are made as POST /users makes them, whatever the order of the file', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const client = apiClient(app, liveKey);
  const root = await client.newMember();
  await client.post('/api/v1/leads/capture', { email: 'Leaf@Shop.example' });
  const run = await importCsv(
    app,
    liveKey,
    [
      HEADER,
      'leaf@shop.example,"Leaf, ΣΟΦΌΣ",x-leaf,SENIOR,MID@shop.example,,,,false,FALSE,EUR',
      'mid@shop.example,,x-mid,,,x-top,,,,,',
      'top@shop.example,Top,x-top,,,,,,true,true,',
      `by-code@shop.example,,,,,,${root.referral_code.toLowerCase()},,,,`,
      `by-id@shop.example,,,,,,,${root.id},,,`,
      `by-email@shop.example,,,,${root.email},,,,,,`,
    ].join('\r\n'),
  );
  expect(run).toMatchObject({ status: 'completed', rowCount: 6, appliedCount: 6, failedCount: 0, progress: 1, errors: [] });
  const plain = {
    name: null,
    external_id: null,
    membership_tier: 'ORDINARY',
    is_active: true,
    can_recruit: true,
    pay_currency: 'USD',
    name_norm: null,
    codes: 1,
  };
  const stored = (await listStored(app, tenantId)).filter(({ email }) => email !== root.email);
  expect(stored).toEqual([
    { ...plain, email: 'by-code@shop.example', sponsor: root.email },
    { ...plain, email: 'by-email@shop.example', sponsor: root.email },
    { ...plain, email: 'by-id@shop.example', sponsor: root.email },
    {
      email: 'leaf@shop.example',
      sponsor: 'mid@shop.example',
      name: 'Leaf, ΣΟΦΌΣ',
      external_id: 'x-leaf',
      membership_tier: 'SENIOR',
      is_active: false,
      can_recruit: false,
      pay_currency: 'EUR',
      name_norm: 'leaf, σοφόσ',
      codes: 1,
    },
    { ...plain, email: 'mid@shop.example', sponsor: 'top@shop.example', external_id: 'x-mid' },
    { ...plain, email: 'top@shop.example', sponsor: null, name: 'Top', external_id: 'x-top', name_norm: 'top' },
  ]);
  const leads = await app.database.asSuperuser(
    `select conversion_status, converted_member_id = (select id from member where tenant_id = $1 and email = 'leaf@shop.example') as his
     from lead where tenant_id = $1`,
    [tenantId],
  );
  expect(leads).toEqual([{ conversion_status: 'converted', his: true }]);
  expect(await app.database.asSuperuser('select from import_row where tenant_id = $1', [tenantId])).toEqual([]);
  await expectSoundBooks(app);
  await app.runSweep('fold-downline');
  await expectSoundBooks(app);
});

test('every fault is told by its row, and the other rows are applied', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const client = apiClient(app, liveKey);
  const taken = await client.newMember({ external_id: 'taken' });
  const closed = await client.newMember({ can_recruit: false });
  const other = await app.newTenant();
  const foreign = await apiClient(app, other.liveKey).newMember({ external_id: 'foreign' });
  const sandboxed = await apiClient(app, (await app.newTenant()).sandboxKey).newMember();
  const file = [
    'email,external_id,membership_tier,sponsor_email,sponsor_external_id,sponsor_code,parent_id,is_active,can_recruit,pay_currency',
    'no address,,,,,,,,,',
    ',,,,,,,,,',
    'tier@x.example,,KING,,,,,yes,,qqq',
    `${taken.email.toUpperCase()},,,,,,,,,`,
    'ext@x.example,taken,,,,,,,,',
    'two@x.example,,,a@x.example,b,,,,,',
    'unknown@x.example,,,nobody@x.example,,,,,,',
    `foreign@x.example,,,${foreign.email},,,,,,`,
    `foreign-id@x.example,,,,,,${foreign.id},,,`,
    `foreign-code@x.example,,,,,${foreign.referral_code},,,,`,
    `foreign-ext@x.example,,,,foreign,,,,,`,
    `sandboxed@x.example,,,${sandboxed.email},,,,,,`,
    `closed@x.example,,,${closed.email},,,,,,`,
    'below-bad-tier@x.example,,,tier@x.example,,,,,,',
    'below-below@x.example,,,below-bad-tier@x.example,,,,,,',
    'circle-1@x.example,,,circle-2@x.example,,,,,,',
    'circle-2@x.example,,,circle-1@x.example,,,,,,',
    'self@x.example,s,,,s,,,,,',
    'below-circle@x.example,,,circle-1@x.example,,,,,,',
    'first@x.example,one,,,,,,,,',
    'FIRST@x.example,,,,,,,,,',
    'second@x.example,one,,,,,,,,',
    'too,few',
    'no-recruits@x.example,,,,,,,,false,',
    'below-no-recruits@x.example,,,no-recruits@x.example,,,,,,',
    `below-taken@x.example,,,${taken.email},,,,,,`,
    'good@x.example,,,first@x.example,,,,,,',
  ].join('\n');
  const report = async (mode: string) => {
    const run = await importCsv(app, liveKey, file, { mode });
    const codes = run.errors.map(({ rowNumber, faults }) => [
      rowNumber,
      ...faults.map(({ field, code = 'invalid' }) => `${field} ${code}`),
    ]);
    return { run, codes };
  };
  const expected = [
    [2, 'email invalid'],
    [3, 'email invalid'],
    [4, 'membership_tier invalid', 'is_active invalid', 'pay_currency invalid'],
    [5, 'email EMAIL_EXISTS'],
    [6, 'external_id EXTERNAL_ID_EXISTS'],
    [7, 'sponsor_external_id invalid'],
    [8, 'sponsor_email USER_NOT_FOUND'],
    [9, 'sponsor_email USER_NOT_FOUND'],
    [10, 'parent_id USER_NOT_FOUND'],
    [11, 'sponsor_code invalid'],
    [12, 'sponsor_external_id USER_NOT_FOUND'],
    [13, 'sponsor_email USER_NOT_FOUND'],
    [14, 'sponsor_email RECRUITING_DISABLED'],
    [15, 'sponsor_email SPONSOR_FAILED'],
    [16, 'sponsor_email SPONSOR_FAILED'],
    [17, ' CYCLE_DETECTED'],
    [18, ' CYCLE_DETECTED'],
    [19, ' CYCLE_DETECTED'],
    [20, 'sponsor_email SPONSOR_FAILED'],
    [22, 'email EMAIL_EXISTS'],
    [23, 'external_id EXTERNAL_ID_EXISTS'],
    [24, ' invalid'],
    [26, 'sponsor_email RECRUITING_DISABLED'],
  ];
  const validated = await report('validate');
  expect(validated.codes).toEqual(expected);
  expect(validated.run).toMatchObject({ status: 'completed', rowCount: 27, appliedCount: 4, failedCount: 23, progress: 1 });
  expect((await listStored(app, tenantId)).length).toBe(2);
  const applied = await report('apply');
  expect(applied.run.errors).toEqual(validated.run.errors);
  expect(applied.run).toMatchObject({ status: 'completed', rowCount: 27, appliedCount: 4, failedCount: 23 });
  expect((await listStored(app, tenantId)).map(({ email }) => email).filter((email) => email.endsWith('x.example'))).toEqual([
    'below-taken@x.example',
    'first@x.example',
    'good@x.example',
    'no-recruits@x.example',
  ]);
  expect(applied.run.errors.find(({ rowNumber }) => rowNumber === 22)?.faults[0]?.message).toContain('Row 21 of this file');
  const told = JSON.stringify(applied.run.errors);
  for (const secret of [foreign.email, sandboxed.email, taken.email]) expect(told).not.toContain(secret);
  const kept = await app.database.asSuperuser(
    `select from import_row where tenant_id = $1 and (state = 'waiting' or num_nonnulls(fields, email_norm, external_id,
       sponsor_email_norm, sponsor_external_id) > 0)`,
    [tenantId],
  );
  expect(kept).toEqual([]);
  await expectSoundBooks(app);

  const csv = await app.http.get(`/api/v1/imports/${applied.run.id}/errors.csv`).set('x-tenant-api-key', liveKey);
  expect(csv.headers['content-type']).toContain('text/csv');
  expect(csv.text.split('\r\n').slice(0, 2)).toEqual(['rowNumber,field,code,message', '2,email,,must be an email address']);
  expect(csv.text.trim().split('\r\n').length).toBe(1 + validated.run.errors.flatMap(({ faults }) => faults).length);
});

test('a file sent again adds nobody, and lets the new rows join under those who are there', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const file = 'email,sponsor_email\nkid@y.example,mum@y.example\nmum@y.example,\n';
  expect(await importCsv(app, liveKey, file)).toMatchObject({ appliedCount: 2, failedCount: 0 });
  const again = await importCsv(app, liveKey, `${file}new@y.example,kid@y.example\n`);
  expect(again).toMatchObject({ appliedCount: 1, failedCount: 2 });
  expect(again.errors.map(({ faults }) => faults[0]?.code)).toEqual(['EMAIL_EXISTS', 'EMAIL_EXISTS']);
  expect((await listStored(app, tenantId)).length).toBe(3);
});

test('two imports of the same file at once: no member twice, no error', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const rows = Array.from(
    { length: 2_500 },
    (_, index) => `m${index}@z.example,x${index},${index === 0 ? '' : `m${Math.floor((index - 1) / 3)}@z.example`}`,
  );
  const file = ['email,external_id,sponsor_email', ...rows.toReversed()].join('\n');
  const sent = await Promise.all([sendCsv(app, liveKey, file), sendCsv(app, liveKey, file)]);
  expect(sent.map(({ status }) => status)).toEqual([201, 201]);
  const posts = Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      apiClient(app, liveKey).post('/api/v1/users', { email: `m${index * 100}@z.example` }),
    ),
  );
  await Promise.all([runJobs(app, 'run-import'), runJobs(app, 'run-import')]);
  const made = (await posts).filter(({ status }) => status === 201).length;
  expect((await posts).every(({ status }) => status === 201 || status === 409)).toBe(true);
  const runs = await Promise.all(sent.map(({ body }) => readImport(app, liveKey, body['id'])));
  for (const run of runs) expect(run).toMatchObject({ status: 'completed', rowCount: 2_500 });
  expect(runs.reduce((sum, run) => sum + run.appliedCount, made)).toBe(2_500);
  const errors = (await Promise.all(runs.map(({ id }) => readErrors(app, liveKey, id)))).flat();
  expect(new Set(errors.flatMap(({ faults }) => faults.map(({ code }) => code)))).toEqual(
    new Set(['EMAIL_EXISTS', 'EXTERNAL_ID_EXISTS']),
  );
  expect((await listStored(app, tenantId)).length).toBe(2_500);
  expect(app.logLines.filter((line) => line.includes('"level":50'))).toEqual([]);
  await expectSoundBooks(app);
});

test('a long line down, and a few thousand rows in reverse', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const rows = Array.from(
    { length: 1_200 },
    (_, index) => `c${index}@line.example,${index === 0 ? '' : `c${index - 1}@line.example`}`,
  );
  const run = await importCsv(app, liveKey, ['email,sponsor_email', ...rows.toReversed()].join('\n'));
  expect(run).toMatchObject({ status: 'completed', appliedCount: 1_200, errors: [] });
  expect((await listStored(app, tenantId)).filter(({ sponsor }) => sponsor === null).length).toBe(1);
  await app.runSweep('fold-downline', { tenantId, environment: 'LIVE' });
  await expectSoundBooks(app);
});

test('members of a SANDBOX are dated by its clock', async () => {
  const { tenantId, sandboxKey } = await app.newTenant();
  const moved = await apiClient(app, sandboxKey).post('/api/v1/sandbox/advance-clock', { to: '2030-05-01T00:00:00Z' });
  const ownNow = await apiClient(app, sandboxKey).newMember();
  const run = await importCsv(app, sandboxKey, 'email\nfuture@sand.example\n');
  expect(run).toMatchObject({ status: 'completed', appliedCount: 1 });
  const [row] = await app.database.asSuperuser<{ same: boolean }>(
    `select abs(extract(epoch from a.created_at - b.created_at)) < 60 as same from member a, member b
     where a.tenant_id = $1 and a.environment = 'SANDBOX' and a.email = 'future@sand.example' and b.id = $2`,
    [tenantId, ownNow.id],
  );
  expect([moved.status < 500, row]).toEqual([true, { same: true }]);
});
