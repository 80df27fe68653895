/** What an erasure takes out of events whose object is not the member (docs/security/erasure.md), and out of answers that are on their way. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { beside, blocked } from '../../support/database/beside.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { credit } from '../../support/money/debts.ts';
import { purchaseOf, refundOf } from '../../support/money/money-calls.ts';
import { act, draft, payable } from '../../support/payments/payout-world.ts';
import { type FakeReceiver, startFakeReceiver } from '../../support/webhooks/fake-receiver.ts';
import {
  forgetTold,
  listAttempts,
  listDeliveries,
  plantEndpoint,
  plantEvents,
  silenceEndpoints,
} from '../../support/webhooks/plant-webhooks.ts';
import { createSendWorker, whileSending } from '../../support/webhooks/send-worker.ts';
import { toldEvents } from '../../support/webhooks/told-events.ts';
import { plantLog } from './plant-log.ts';

let app: TestApp;
let tenantId: string;
let scope: Scope;
let client: ApiClient;
let member: MemberBody;
let other: MemberBody;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  const tenant = await app.newTenant();
  ({ tenantId } = tenant);
  // Here everything is written down.
  scope = { tenantId, environment: 'SANDBOX' };
  client = apiClient(app, tenant.sandboxKey);
  member = await client.newMember();
  other = await client.newMember();
});

async function done(answer: PromiseLike<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer;
  expect(status, text).toBeLessThan(300);
}
const erase = (whom: MemberBody = member) =>
  done(client.post(`/api/v1/members/${whom.id}/erasure`, { reason: 'asked', acknowledgeOwed: true }));
const say = (lineId: string, deed: 'hold' | 'release' | 'void', reason: string) =>
  done(client.post(`/api/v1/commissions/${lineId}/${deed}`, { reason }));
const lineOf = async (eventId: string, whom: MemberBody): Promise<string> => {
  const { body } = await client.get(`/api/v1/commissions?eventId=${eventId}&userId=${whom.id}`);
  return body.data[0].id as string;
};
/** Types of the events that show a word. */
const typesWith = async (word: string): Promise<string[]> =>
  (await toldEvents(app, scope))
    .filter(({ data }) => JSON.stringify(data).includes(word))
    .map(({ type }) => type)
    .toSorted();
/** Whether events of the types on the object show it. */
const shown = async (objectId: string): Promise<Record<string, boolean>> =>
  Object.fromEntries(
    (await toldEvents(app, scope)).filter((event) => event.objectId === objectId).map(({ type, data }) => [type, data !== null]),
  );

describe('an erasure empties', () => {
  test('commissions by hand of the member, and not those of others', async () => {
    const texts = (word: string) => ({ description: `for ${word}`, actor: `boss of ${word}` });
    const { body } = await credit(client, member, 1_000, texts('Adasword'));
    await credit(client, other, 1_000, texts('Bobsword'));
    await say(body.commissions[0].id as string, 'hold', 'Adasword');
    expect(await typesWith('Adasword')).toEqual(['commission.held', 'event.commission_recorded']);
    await erase();
    expect(await typesWith('Adasword')).toEqual([]);
    expect(await shown(body.event_id as string)).toEqual({ 'event.commission_recorded': false, 'commissions.created': false });
    expect(await typesWith('Bobsword')).toEqual(['event.commission_recorded']);
  });

  test("what others were told to earn by the member's purchases, and not by those of others", async () => {
    const sale = (email: string) =>
      purchaseOf(client, { customer: { external_id: randomUUID(), email }, attribution: { user_id: other.id } });
    const lines = [];
    for (const email of [member.email, 'stranger@shop.example']) lines.push(await lineOf((await sale(email)).event_id, other));
    const [theirs = '', strangers = ''] = lines;
    await say(theirs, 'hold', 'Adasword');
    await say(theirs, 'release', 'Adasword');
    await say(theirs, 'hold', 'Adasword');
    await say(theirs, 'void', 'Adasword');
    await say(strangers, 'hold', 'Bobsword');
    expect(await typesWith('Adasword')).toContain('commission.held');
    await erase();
    expect(await typesWith('Adasword')).toEqual([]);
    expect(await shown(theirs)).toEqual({ 'commission.held': false, 'commission.released': false, 'commission.voided': false });
    expect(await typesWith('Bobsword')).toEqual(['commission.held']);
  });

  test("lists with the member's commissions of sales to others, and nothing else of those sales", async () => {
    const sale = () => purchaseOf(client, { attribution: { user_id: member.id } });
    const [held, refunded] = [await sale(), await sale()];
    const elsewhere = await purchaseOf(client, { attribution: { user_id: other.id } });
    await say(await lineOf(held.event_id, member), 'hold', 'Adasword');
    await say(await lineOf(held.event_id, member), 'void', 'Adasword');
    const refund = await refundOf(client, refunded, { amount_minor: 5_000 });
    expect(refund.status, refund.text).toBe(201);
    await erase();
    expect(await typesWith('Adasword')).toEqual([]);
    expect(await shown(held.event_id)).toEqual({
      'event.purchase_recorded': true,
      'commissions.created': false,
      'commissions.reversed': false,
    });
    expect(await shown(refund.body.event_id as string)).toEqual({ 'event.refunded': true, 'commissions.reversed': false });
    expect(await shown(elsewhere.event_id)).toEqual({ 'event.purchase_recorded': true, 'commissions.created': true });
  });

  test("a taking back that shows the member's commission, though none of its lines is the member's", async () => {
    const sale = await purchaseOf(client, { attribution: { user_id: member.id } });
    const refund = await refundOf(client, sale, { amount_minor: 5_000 });
    const { event_id: refundId } = refund.body as { event_id: string };
    await app.database.asSuperuser('update commission_line set beneficiary_id = $2 where event_id = $1', [refundId, other.id]);
    await erase();
    expect(await shown(refundId)).toEqual({ 'event.refunded': true, 'commissions.reversed': false });
  });

  test("lists with the member's payouts, and not those of runs without it, or the runs themselves", async () => {
    await payable(app, scope, client, 5_000);
    const without = await draft(client);
    const paid = await payable(app, scope, client, 10_000);
    const run = await draft(client);
    expect([without, run].map(({ payouts }) => payouts.some(({ userId }) => userId === paid.id))).toEqual([false, true]);
    await runJobs(app, 'tell-payouts');
    await done(act(client, run.id, 'cancel'));
    await runJobs(app, 'tell-payouts');
    await erase(paid);
    expect(await shown(run.id)).toEqual({
      'payout_run.drafted': true,
      'payouts.drafted': false,
      'payout_run.cancelled': true,
      'payouts.cancelled': false,
    });
    expect(await shown(without.id)).toEqual({ 'payout_run.drafted': true, 'payouts.drafted': true });
  });
});

describe('an answer that is on its way', () => {
  let receiver: FakeReceiver;
  beforeEach(async () => {
    receiver = await startFakeReceiver();
    scope = { tenantId, environment: 'LIVE' };
    await forgetTold(app, scope);
  });
  afterEach(async () => {
    receiver.close();
    await silenceEndpoints(app);
  });

  const delivered = (): Promise<void> => eventually(async () => (await listDeliveries(app, scope))[0]?.status === 'delivered');
  const EMPTY = "update outgoing_event set data = null, left_out = '{data}' where id = $1";

  /** What is stored of a delivery's answer, where `meanwhile` happens between its way there and back. */
  async function answerBehind(
    meanwhile: (eventId: string, answerNow: () => void) => Promise<void>,
  ): Promise<string | null | undefined> {
    await plantEndpoint(app, scope, { url: receiver.url });
    const [eventId = ''] = await plantEvents(app, scope, 1);
    let answerNow = (): void => undefined;
    const after = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    receiver.reply = () => ({ status: 200, body: 'heard of Ada', after });
    await whileSending(createSendWorker(app, [receiver]), async () => {
      await eventually(() => Promise.resolve(receiver.received.length === 1));
      await meanwhile(eventId, answerNow);
      answerNow();
      await delivered();
    });
    return (await listAttempts(app, scope))[0]?.answer;
  }

  test('is kept where nobody was erased', async () => {
    expect(await answerBehind(async () => undefined)).toBe('heard of Ada');
  });

  test('is not kept when the event was emptied meanwhile', async () => {
    expect(await answerBehind(async (id) => void (await app.database.asSuperuser(EMPTY, [id])))).toBeNull();
  });

  test('does not wait for an erasure that goes on, and is not kept', async () => {
    const answer = await answerBehind((id, answerNow) =>
      beside(app.database, scope, async (erasing) => {
        await erasing.query(EMPTY, [id]);
        answerNow();
        await delivered();
      }),
    );
    expect(answer).toBeNull();
    expect(receiver.received).toHaveLength(1);
  });

  test('that is being stored when an erasure begins is waited for, and goes', async () => {
    scope = { tenantId, environment: 'SANDBOX' };
    const { eventIds, deliveryIds } = await plantLog(app, scope, { objectId: member.id });
    const erased = await beside(app.database, scope, async (storing) => {
      await storing.query('select from outgoing_event where id = $1 for share', [eventIds[2]]);
      await storing.query(
        `insert into webhook_attempt (tenant_id, environment, delivery_id, number, at, ms, status, answer)
         values ($1, 'SANDBOX', $2, 2, now(), 1, 200, 'heard of Ada')`,
        [tenantId, deliveryIds[2]],
      );
      const erasing = erase();
      await blocked(app.database);
      return { erasing };
    });
    await erased.erasing;
    const attempts = (await listAttempts(app, scope)).filter(({ delivery_id }) => deliveryIds.includes(delivery_id));
    expect(attempts.map(({ answer }) => answer)).toEqual([null, null, null, null]);
  });
});
