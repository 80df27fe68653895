/**
 * Killed with -9 behind the commit of an event of the payment vendor's, before its answer
 * (docs/specification/reliability.md#w-7).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApiProcess } from '../../support/app/model-process.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { newEventId } from '../../support/payments/payment-delivery.ts';
import { openShop, paidEvent, type Shop } from '../../support/payments/payment-shop.ts';

let app: TestApp;
let shop: Shop;

beforeAll(async () => {
  app = await startTestApp();
  shop = await openShop(app);
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

/** All that an event of a payout changes. */
async function standing(payoutId: string) {
  const [row] = await app.database.asSuperuser<{
    payout: Record<string, unknown>;
    lines: string[];
    events: Record<string, unknown>[];
    journals: number;
    entries: string[];
  }>(
    `select to_jsonb(p) as payout,
       array(select l.status from commission_line l join payout_line x on x.line_id = l.id and x.payout_id = p.id) as lines,
       (select jsonb_agg(to_jsonb(e) order by e.id) from payment_event e where e.tenant_id = p.tenant_id) as events,
       (select count(*)::int from journal_entry j join payout_attempt a on a.id = j.cause_id where a.payout_id = p.id) as journals,
       array(select a.action from audit_log a where a.object_id = p.id::text order by a.id) as entries
     from payout p where p.id = $1`,
    [payoutId],
  );
  if (!row) throw new Error('there is no such payout');
  return row;
}

test("the vendor's repeat is received, and has no second effect", async () => {
  const payout = await shop.pay();
  const before = await standing(payout.payoutId);
  expect(before).toMatchObject({ payout: { status: 'processing' }, events: null });
  const event = paidEvent(shop, payout, 'payout.paid', { id: newEventId() });
  const doomed = await startApiProcess(app, { FAULT_POINTS: 'payment-event:committed=kill' });
  await expect(shop.send(event, { to: doomed })).rejects.toThrow();
  expect(await doomed.ended).toBe('SIGKILL');
  const left = await standing(payout.payoutId);
  expect(left).toMatchObject({ payout: { status: 'paid' }, lines: ['paid'], events: [{ outcome: 'applied' }] });
  expect(left.journals).toBe(before.journals + 1);

  for (let times = 0; times < 3; times++) {
    // Each repeat is signed anew.
    expect(await shop.send(event)).toMatchObject({ status: 200, body: { message: 'Event received' } });
  }
  expect(await standing(payout.payoutId)).toEqual(left);
});
