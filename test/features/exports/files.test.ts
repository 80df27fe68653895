/** The files themselves: nothing in them that must not be, however long, on disk and in a bucket. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';
import { payOut } from '../../support/money/pay-out.ts';
import { newPayee, plantPayoutAccount } from '../../support/payments/plant-payout-account.ts';
import { type S3Double, startS3Double } from '../../support/vendors/s3-double.ts';
import { cellsOf, downloadUrl, exportFile, exportsPath, KINDS, linesOf, newExport, runExports } from './export-calls.ts';

let app: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
});
afterAll(() => app.close());

describe('what somebody wrote', () => {
  const FORMULAS = ['=HYPERLINK("http://x")', '+1+1', '-2+3', '@SUM(A1)', '\t=1', '＝1', '"quoted", with a comma', 'two\nlines'];

  test('is no formula in a CSV, and what it is in NDJSON', async () => {
    const own = await app.newTenant();
    const client = apiClient(app, own.liveKey);
    for (const [n, name] of FORMULAS.entries()) await client.newMember({ name, external_id: `=${n}` });
    const purchase = client.purchaseBody({
      customer: { external_id: '=c()', name: '@n' },
      metadata: { note: '=1' },
      amount_minor: 5,
    });
    expect((await client.post('/api/v1/events/purchase', purchase)).status).toBe(201);

    const members = cellsOf((await exportFile(app, own.liveKey, { kind: 'members', format: 'csv' })).text);
    expect(members.map(({ name }) => name)).toEqual(FORMULAS.map((name) => (/^[=+\-@\t＝]/.test(name) ? `'${name}` : name)));
    expect(members.map(({ externalId }) => externalId)).toEqual(FORMULAS.map((_name, n) => `'=${n}`));
    const [event] = cellsOf((await exportFile(app, own.liveKey, { kind: 'events', format: 'csv' })).text);
    expect(event).toMatchObject({
      'customer.external_id': "'=c()",
      'customer.name': "'@n",
      metadata: '{"note":"=1"}',
      amount_minor: '5',
    });
    const raw = linesOf((await exportFile(app, own.liveKey, { kind: 'members' })).text);
    expect(raw.map(({ name }) => name)).toEqual(FORMULAS);
  });

  test('a negative amount is a number', async () => {
    const own = await app.newTenant();
    const client = apiClient(app, own.liveKey);
    const { id } = await client.newMember();
    await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: id } }));
    const rows = cellsOf((await exportFile(app, own.liveKey, { kind: 'ledger', format: 'csv' })).text);
    expect(rows.some(({ amountMinor }) => /^-\d+$/.test(amountMinor ?? ''))).toBe(true);
  });
});

test('lines end as RFC 4180 has it, the header is always there, and NDJSON has none', async () => {
  const own = await app.newTenant();
  const csv = await exportFile(app, own.liveKey, { kind: 'payouts', format: 'csv' });
  expect(csv.text).toMatch(/^id,runId,userId,[A-Za-z,]+,createdBy\.kind,createdBy\.id,createdBy\.name,createdAt,updatedAt\r\n$/);
  expect(csv.run.rowCount).toBe(0);
  expect((await exportFile(app, own.liveKey, { kind: 'payouts' })).text).toBe('');
});

describe('no file of any kind', () => {
  const ID_NUMBER = '987-65-4321';
  const ACCOUNT_NUMBER = '000987654321';

  test.each(KINDS)('has an ID number, bank details or what is sealed: %s', async (kind) => {
    const own = await app.newTenant();
    const client = apiClient(app, own.liveKey);
    const memberId = await newPayee(client, { idNumber: ID_NUMBER });
    const scope = { tenantId: own.tenantId, environment: 'LIVE' as const };
    await plantPayoutAccount(app, scope, memberId, { accountNumber: ACCOUNT_NUMBER });
    const bought = await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: memberId } }));
    await payOut(
      app,
      (bought.body.commissions as { id: string }[]).map(({ id }) => id),
    );
    const [sealed] = await app.database.asSuperuser<{ bank: string }>(
      `select encode(bank_sealed, 'base64') as bank from payout_account where member_id = $1 and bank_sealed is not null`,
      [memberId],
    );
    for (const format of ['csv', 'ndjson']) {
      const { run, text } = await exportFile(app, own.liveKey, { kind, format });
      expect(run.rowCount).toBeGreaterThan(0);
      const withoutIds = text.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '');
      for (const secret of [
        ID_NUMBER,
        ACCOUNT_NUMBER,
        ACCOUNT_NUMBER.slice(-4),
        '110000000',
        sealed?.bank.slice(0, 40) ?? '',
        'sealed',
      ]) {
        expect(secret.length).toBeGreaterThan(3);
        expect(withoutIds).not.toContain(secret);
      }
    }
  });
});

test('thousands of rows are read page by page, never together', async () => {
  const many = await startTestApp({ EXPORT_PAGE_ROWS: '100' }, app.database);
  try {
    const own = await many.newTenant();
    await app.database.asSuperuser(
      `with m as (
         insert into member (tenant_id, environment, email, email_norm, membership_tier, is_active, can_recruit, is_test_user, pay_currency)
         select $1, 'LIVE', e, e, 'ORDINARY', true, true, false, 'USD'
         from generate_series(1, 5000) n, lateral (select n || '@many.example') x(e)
         returning id)
       insert into referral_code (tenant_id, environment, member_id, code, is_default)
       select $1, 'LIVE', id, upper(substr(replace(id::text, '-', ''), 5)), true from m`,
      [own.tenantId],
    );
    const { storage } = many.composition;
    const sizes: number[] = [];
    const { writePieces } = storage;
    storage.writePieces = (key, pieces, type) =>
      writePieces.call(
        storage,
        key,
        (async function* () {
          for await (const piece of pieces) {
            sizes.push(piece.length);
            yield piece;
          }
        })(),
        type,
      );
    const { run, text } = await exportFile(many, own.liveKey, { kind: 'members' });
    expect(run.rowCount).toBe(5_000);
    expect(new Set(linesOf(text).map(({ id }) => id)).size).toBe(5_000);
    expect(sizes.length).toBeGreaterThan(50);
    expect(Math.max(...sizes)).toBeLessThan(60_000);
  } finally {
    await many.close();
  }
});

describe('the address', () => {
  test('on disk is good for this file and five minutes', async () => {
    await apiClient(app, tenant.liveKey).newMember({ email: 'on-disk@x.example' });
    const { run, text } = await exportFile(app, tenant.liveKey, { kind: 'members', format: 'csv' });
    const url = await downloadUrl(app, tenant.liveKey, run.id);
    const left = Number(new URL(url).searchParams.get('expires')) - Date.now() / 1000;
    expect(left).toBeGreaterThan(290);
    expect(left).toBeLessThanOrEqual(301);
    const answer = await fetch(url);
    expect(answer.headers.get('content-disposition')).toContain(`members-${run.id}.csv`);
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(await answer.text()).toBe(text);
    expect((await fetch(url.replace(run.id, crypto.randomUUID()))).status).toBe(401);
    expect((await fetch(url.replace(/expires=\d+/, 'expires=9999999999'))).status).toBe(401);
    const told = await apiClient(app, tenant.liveKey).post(`${exportsPath}/${run.id}/download-url`, {});
    expect(Date.parse(told.body.expiresAt) - Date.now()).toBeLessThanOrEqual(300_000);
  });

  test('in a bucket, too', async () => {
    const s3: S3Double = await startS3Double();
    const bucket = await startTestApp(
      {
        OBJECT_STORAGE: 's3',
        S3_BUCKET: 'files',
        S3_ENDPOINT: s3.url,
        S3_ACCESS_KEY_ID: s3.accessKeyId,
        S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
        S3_FORCE_PATH_STYLE: 'true',
      },
      app.database,
    );
    try {
      const own = await bucket.newTenant();
      await apiClient(bucket, own.liveKey).newMember({ email: 'in-s3@x.example' });
      const { run, text } = await exportFile(bucket, own.liveKey, { kind: 'members' });
      expect(linesOf(text)).toMatchObject([{ email: 'in-s3@x.example' }]);
      const [[name, object] = []] = [...s3.objects];
      expect(name).toBe(`/files/live/${own.tenantId}/exports/${run.id}/1.ndjson`);
      expect(object?.headers).toEqual({ 'content-type': 'application/x-ndjson' });
      const url = await downloadUrl(bucket, own.liveKey, run.id);
      expect(url).toContain('X-Amz-Expires=300');
      expect((await fetch(url.replace('1.ndjson', '2.ndjson'))).status).toBe(403);

      s3.failWith(503);
      const { id } = await newExport(bucket, own.liveKey, { kind: 'members' });
      await runExports(bucket);
      s3.failWith(undefined);
      const [later] = await app.database.asSuperuser<{ status: string }>('select status from export_run where id = $1', [id]);
      expect(later?.status).toBe('running');

      await app.database.asSuperuser('update export_run set expires_at = now() where id = $1', [run.id]);
      await bucket.runSweep('expire-exports');
      await bucket.runSweep('remove-export-files');
      await runJobs(bucket, 'remove-export-files');
      expect([...s3.objects.keys()]).toEqual([]);
      expect((await fetch(url)).status).toBe(404);
    } finally {
      await bucket.close();
      await s3.close();
    }
  });
});
