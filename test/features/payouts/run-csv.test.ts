/** GET /payout-runs/{id}/payouts.csv: the export for the bank. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { createCipher } from '../../../src/encryption.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { plantAccount, plantPayout } from '../../support/payments/plant-payout.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
});
afterAll(() => app.close());

const sql = (text: string, values: unknown[]) => app.database.asSuperuser(text, values);

async function newRun({ status = 'executing', payoutStatus = 'processing', provider = 'manual', name = 'Ann' } = {}) {
  const [member] = await newUpline(client, 'D');
  await sql('update member set name = $2 where id = $1', [member?.id, name]);
  const { accountId } = await plantAccount(app, scope, member?.id ?? '');
  const { body } = await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: member?.id } }));
  const lineIds = [body.commissions[0].id];
  const { runId, payoutId } = await plantPayout(app, scope, { memberId: member?.id ?? '', accountId, lineIds });
  const details = JSON.stringify({
    accountHolderName: '=Ann',
    accountNumber: '000123456789',
    routingNumber: '110000000',
    clabe: '7',
  });
  const place = ['payout_account', scope.tenantId, 'LIVE', accountId, 'bank'];
  const sealed = createCipher(app.config.secrets.dataKeys).encrypt(Buffer.from(details), place);
  await sql('update payout_account set bank_sealed = $2 where id = $1', [accountId, sealed]);
  await sql('update payout set provider_type = $2, status = $3, paid_at = now() where id = $1', [
    payoutId,
    provider,
    payoutStatus,
  ]);
  await sql('update payout_run set status = $2 where id = $1', [runId, status]);
  return { runId, payoutId, accountId, member, path: `/api/v1/payout-runs/${runId}/payouts.csv` };
}

test('has what a bank needs of each payout by hand, and is in the audit log', async () => {
  const { path, payoutId, accountId, member, runId } = await newRun({ name: '@Ann, "A"' });
  const answer = await client.get(path);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="payouts-${runId}.csv"`,
  });
  const [head, row, end] = answer.text.split('\r\n');
  expect(head).toMatch(/^payoutId,userId,name,email,status,amount,currency,.*,accountNumber,.*,otherDetails$/);
  const plain = `${payoutId},${member?.id},"'@Ann, ""A""",${member?.email},processing,10.00,USD,manual,${accountId},us_bank_transfer,US,,,`;
  expect(row?.startsWith(plain)).toBe(true);
  expect(row?.endsWith("Z,'=Ann,,,000123456789,110000000,,,,,clabe: 7")).toBe(true);
  expect(end).toBe('');
  const audit = await sql("select actor_kind, object_id from audit_log where tenant_id = $1 and action = 'payout_run.exported'", [
    tenant.tenantId,
  ]);
  expect(audit).toEqual([{ actor_kind: 'api_key', object_id: runId }]);
  expect(app.logLines.join('\n')).not.toContain('000123456789');
});

describe('bank details are left out', () => {
  test.each([
    ['of a draft', { status: 'draft', payoutStatus: 'queued' }],
    ['of one that is approved and may still be cancelled', { status: 'approved', payoutStatus: 'queued' }],
    ['of a run that was cancelled', { status: 'cancelled', payoutStatus: 'cancelled' }],
    ['of a payout that was paid', { payoutStatus: 'paid' }],
    ['of a payout that failed', { payoutStatus: 'failed' }],
    ['of one that the vendor pays', { provider: 'payvendor' }],
  ])('%s', async (_what, options) => {
    const { path, payoutId } = await newRun(options);
    const { text } = await client.get(path);
    expect(text).toContain(payoutId);
    expect(text).not.toMatch(/000123456789|=Ann|clabe/);
  });
});

test('bank details of a member on hold are left out, and it says why; a hold that has ended counts no more', async () => {
  const { path, member } = await newRun();
  const hold = `/api/v1/members/${member?.id}/payout-hold`;
  expect((await client.put(hold, { reason: 'Asked by the bank' })).status).toBe(200);
  const { text } = await client.get(path);
  expect(text).not.toMatch(/000123456789|=Ann|clabe|Asked/);
  expect(text).toContain(',US,,HELD,');
  await sql("update payout_hold set until = now() - interval '1 second' where member_id = $1", [member?.id]);
  expect((await client.get(path)).text).toContain('000123456789');
});

test('is for keys that may make payouts, of the tenant and environment of the run', async () => {
  const { path } = await newRun();
  const other = await app.newTenant();
  for (const key of [other.liveKey, tenant.sandboxKey]) expectRefusal(await apiClient(app, key).get(path), 404, 'NOT_FOUND');
  const { apiKey } = await app.tenants.createKey({
    tenantId: tenant.tenantId,
    environment: 'LIVE',
    scopes: ['payouts:read'],
  });
  expectRefusal(await apiClient(app, apiKey).get(path), 403, 'FORBIDDEN');
  expectRefusal(await client.get(path.replace(/[0-9a-f]{8}/, 'x')), 400, 'VALIDATION_ERROR', ['runId']);
});
