/** Commissions that were paid, clawed back in part and came back with their payout: what is left can be paid, whatever is refunded next. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { accept, booksOf, clear, credit, newMember, paidSale } from '../../support/money/debts.ts';
import { payOut, returnPayout } from '../../support/money/pay-out.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';

let app: TestApp;
let scope: Scope;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  const tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

interface LineRow extends Record<string, unknown> {
  id: string;
  kind: string;
  status: string;
  amount_minor: bigint;
}

const linesOf = (memberId: string) =>
  app.database.asSuperuser<LineRow>('select id, kind, status, amount_minor from commission_line where beneficiary_id = $1', [
    memberId,
  ]);

/** 10.00 paid, 3.00 of it clawed back and netted in another payout of 50.00; then the first payout comes back. */
async function comeBack() {
  const member = await newMember(client);
  const sale = await paidSale(app, client, member.id);
  const refund = { purchase_external_event_id: sale.external_event_id };
  await accept(client.post('/api/v1/events/refund', { ...refund, external_event_id: crypto.randomUUID(), amount_minor: 3_000 }));
  await credit(client, member, 5_000);
  await clear(app, scope);
  const cleared = (await linesOf(member.id)).filter(({ status }) => status === 'cleared').map(({ id }) => id);
  await payOut(app, cleared);
  await returnPayout(
    app,
    sale.commissions.map(({ id }) => id),
  );
  expect(await booksOf(app, member)).toMatchObject({ cleared: 1_000, paid: 4_700 });
  return { member, sale, refund };
}

/** What is cleared by the ledger is what a run could take. */
async function expectPayable(member: MemberBody, amountMinor: number): Promise<void> {
  const cleared = (await linesOf(member.id)).filter(({ status }) => status === 'cleared');
  expect(cleared.reduce((sum, line) => sum + Number(line.amount_minor), 0)).toBe(amountMinor);
  expect(await booksOf(app, member)).toMatchObject({ cleared: amountMinor });
  await expectSoundBooks(app);
}

test('the rest of the purchase is refunded: the 3.00 that were netted too early stay the member’s', async () => {
  const { member, refund } = await comeBack();
  await accept(client.post('/api/v1/events/refund', { ...refund, external_event_id: crypto.randomUUID() }));
  await expectPayable(member, 300);
});

test('the commission is voided: the same', async () => {
  const { member, sale } = await comeBack();
  expect((await client.post(`/api/v1/commissions/${sale.commissions[0]?.id}/void`, {})).status).toBe(200);
  await expectPayable(member, 300);
});
