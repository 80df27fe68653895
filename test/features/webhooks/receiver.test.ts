/**
 * A tenant's receiver as docs/webhooks.md tells to write one, with the official package, against the service and its worker:
 * it hears a purchase, misses nothing while its secret is changed, and knows what every member has.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { plantKycSettings } from '../../support/kyc/kyc-settings.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { accountsPath, newPayee } from '../../support/payments/payout-accounts.ts';
import { act, draft } from '../../support/payments/payout-world.ts';
import { type FakeReceiver, type Received, startFakeReceiver, verifies } from '../../support/webhooks/fake-receiver.ts';
import { type Balance, balancesOf, type Copy, openCopy, type Shown } from '../../support/webhooks/fold-events.ts';
import { newSnapshot, readSnapshot, snapshotsPath } from './snapshot-calls.ts';

interface Event {
  id: string;
  type: string;
  sequence: number;
  objectId: string;
  data: Shown;
}

let server: FakeReceiver;
let app: TestApp;
let scope: Scope;
let client: ApiClient;
/** What it believes in, and what it was told. */
let secrets: string[];
let heard: Map<string, Event>;
let refused: Received[];

beforeAll(async () => {
  server = await startFakeReceiver({ trusted: true });
  app = await startTestApp({ JOBS: 'inline', SWEEP_INTERVAL_MS: '50', OUTGOING_ALLOWED_HOSTS: server.host }, 'own');
});
afterAll(async () => {
  await app.close();
  server.close();
});

beforeEach(async () => {
  const tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' };
  client = apiClient(app, tenant.sandboxKey);
  secrets = [];
  heard = new Map();
  refused = [];
  server.received.length = 0;
  server.reply = (received) => {
    try {
      const [secret = ''] = secrets;
      const event = new Webhook(secret).verify(received.body, received.headers as Record<string, string>) as Event;
      heard.set(event.id, event);
      return { status: 204 };
    } catch {
      refused.push(received);
      return { status: 400 };
    }
  };
});
afterEach(() => expect(refused).toEqual([]));

async function subscribe(eventTypes: string[]): Promise<string> {
  const answer = await client.post('/api/v1/webhook-endpoints', { url: server.url, eventTypes });
  expect(answer.status, answer.text).toBe(201);
  secrets = [answer.body.secret];
  return answer.body.id as string;
}

const lastSequence = async (): Promise<number> => (await client.get('/api/v1/webhook-events?limit=1')).body.lastSequence;

async function accept<Body = Shown>(path: string, body: object): Promise<Body> {
  const answer = await client.post(`/api/v1/${path}`, body);
  expect([200, 201, 202], answer.text).toContain(answer.status);
  return answer.body as Body;
}

const sell = async (by: { id: string }, amountMinor = 10_000): Promise<{ external_event_id: string; event_id: string }> => {
  const body = client.purchaseBody({ amount_minor: amountMinor, attribution: { user_id: by.id } });
  const { event_id } = await accept<{ event_id: string }>('events/purchase', body);
  return { external_event_id: String(body['external_event_id']), event_id };
};

test('a purchase is heard with all that it pays', async () => {
  await subscribe(['event.*', 'commissions.*']);
  const seller = await client.newMember();
  const { event_id } = await sell(seller);
  await eventually(async () => heard.size >= 2);
  const { body: sale } = await client.get(`/api/v1/events/${event_id}`);
  const { body: lines } = await client.get(`/api/v1/commissions?eventId=${event_id}`);
  const told = [...heard.values()].toSorted((a, b) => a.sequence - b.sequence);
  expect(told).toMatchObject([
    { type: 'event.purchase_recorded', objectId: event_id, environment: 'SANDBOX', actor: { kind: 'api_key' } },
    { type: 'commissions.created', objectId: event_id, data: { commissions: lines.data } },
  ]);
  expect(told[0]?.data).toEqual(sale);
});

test('a purchase is heard within 2 s, by the worker within the API', async () => {
  await subscribe(['event.*']);
  const seller = await client.newMember();
  /** From before the request until the receiver has it, verified. */
  const hear = async (): Promise<number> => {
    const before = Date.now();
    const { event_id } = await sell(seller);
    const receipt = () => [...heard.values()].find(({ objectId }) => objectId === event_id);
    await eventually(async () => receipt() !== undefined);
    return (server.received.find(({ id }) => id === receipt()?.id)?.at ?? Number.POSITIVE_INFINITY) - before;
  };
  const p95 = async (): Promise<number> => {
    const took: number[] = [];
    while (took.length < 40) took.push(await hear());
    return took.toSorted((a, b) => a - b)[Math.ceil(took.length * 0.95) - 1] ?? 0;
  };
  // Other tests may take the machine for a while: a service that is slow is slow each time.
  const measured = [await p95()];
  while (Math.min(...measured) >= 2_000 && measured.length < 3) measured.push(await p95());
  expect(Math.min(...measured), `p95 of each round: ${measured.join(', ')} ms`).toBeLessThan(2_000);
});

test('a rotation under load loses nothing and leaves nothing unverified (O-4)', async () => {
  const id = await subscribe(['*']);
  const [old = ''] = secrets;
  const seller = await client.newMember();
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const sold: string[] = [];
  const load = Array.from({ length: 3 }, async () => {
    while (!over.signal.aborted) sold.push((await sell(seller)).event_id);
  });
  const more = async (count: number): Promise<void> => {
    const until = heard.size + count;
    await eventually(async () => heard.size >= until);
  };
  await more(30);
  const { secret: fresh } = await accept<{ secret: string }>(`webhook-endpoints/${id}/rotate-secret`, {});
  // For a while the receiver has the old one alone: then it is deployed with the new one.
  await more(30);
  await eventually(async () => verifies(server.received.at(-1) as Received, fresh));
  secrets = [fresh];
  await more(30);
  over.abort();
  await Promise.all(load);
  // An event gets its number after its commit: until all are heard, the last number may not be that of the last sale.
  const unheard = (): string[] => {
    const known = new Set([...heard.values()].map(({ type, objectId }) => `${type} ${objectId}`));
    return sold
      .flatMap((id) => ['event.purchase_recorded', 'commissions.created'].map((type) => `${type} ${id}`))
      .filter((one) => !known.has(one));
  };
  await expect.poll(unheard, { timeout: 60_000 }).toEqual([]);
  // What came before the endpoint was there is in the log alone.
  const first = Math.min(...[...heard.values()].map(({ sequence }) => sequence));
  const missing = async (): Promise<number[]> => {
    const last = await lastSequence();
    const known = new Set([...heard.values()].map(({ sequence }) => sequence));
    return Array.from({ length: last - first + 1 }, (_, n) => first + n).filter((sequence) => !known.has(sequence));
  };
  await expect.poll(missing, { timeout: 60_000 }).toEqual([]);
  const { received } = server;
  const rotatedAt = received.findIndex((one) => verifies(one, fresh));
  expect(rotatedAt).toBeGreaterThan(0);
  expect(received.every((one) => verifies(one, old))).toBe(true);
  // Without an overlap the old one ends at once.
  const { secret: last } = await accept<{ secret: string }>(`webhook-endpoints/${id}/rotate-secret`, { overlapHours: 0 });
  secrets = [last];
  await sell(seller);
  // The sale and what it pays: nothing is on its way when the next test begins.
  await more(2);
  const final = received.at(-1) as Received;
  expect([old, fresh, last].map((secret) => verifies(final, secret))).toEqual([false, false, true]);
});

/** Who is paid through the simulated vendor: an account whose number ends in 0001 keeps a payout on its way. */
async function newEarner(): Promise<MemberBody> {
  const address = { addressLine1: '1 Main St', city: 'Austin', state: 'TX', postalCode: '78701' };
  const member = await newPayee(client, { countryCode: 'USA', address });
  await accept(`members/${member.id}/kyc/start`, {});
  await accept('sandbox/vendor-events', { kind: 'kyc', userId: member.id, outcome: 'approved' });
  const bankAccount = {
    accountHolderName: 'Ada Example',
    routingNumber: '110000000',
    accountNumber: `${Math.random()}`.slice(2, 8).padEnd(6, '7').concat('0001'),
  };
  const account = { methodType: 'us_bank_transfer', currency: 'USD', bankAccount };
  await accept(accountsPath(member.id).replace('/api/v1/', ''), account);
  return member;
}

const reference = (): { external_event_id: string } => ({ external_event_id: randomUUID() });

test('what every member has, by status, follows from a snapshot and the events behind it', async () => {
  await plantKycSettings(app, scope);
  await plantPaymentSettings(app, scope, { accountCooldownHours: 0 });
  await subscribe(['*']);
  const [paid, failed, returned, onItsWay] = [await newEarner(), await newEarner(), await newEarner(), await newEarner()];
  const outside = await client.newMember();
  const members = [paid, failed, returned, onItsWay, outside];
  const give = (member: MemberBody, amountMinor: number) =>
    accept('events/commission', {
      ...reference(),
      type: 'adjustment',
      user_id: member.id,
      amount_minor: amountMinor,
      currency: 'USD',
      description: 'By hand',
      actor: 'Kim',
    });
  const months = async (count: number): Promise<void> => {
    await accept('sandbox/clock', { advanceSeconds: count * 31 * 86_400 });
    // What the worker has in hand is passed over here, and cleared when the worker is done.
    await eventually(async () => (await client.get('/api/v1/commissions?status=pending')).body.data.length === 0);
  };
  for (const member of members) await give(member, 7_000);
  const early = await sell(paid, 40_000);

  const copy = await copyNow();
  const check = () => expectSameBalances(copy, members);
  await check();

  for (const member of members) await sell(member, 20_000);
  await check();
  await months(2);
  await check();

  const run = await draft(client);
  expect(run.payouts.map(({ userId }) => userId).toSorted()).toEqual(
    [paid, failed, returned, onItsWay].map(({ id }) => id).toSorted(),
  );
  const payoutOf = (member: MemberBody): string => run.payouts.find(({ userId }) => userId === member.id)?.id ?? '';
  await check();
  for (const deed of ['approve', 'execute'] as const) expect((await act(client, run.id, deed)).status).toBe(200);
  const sent = async () => (await client.get(`/api/v1/payouts?runId=${run.id}&status=processing`)).body.data.length === 4;
  await eventually(sent);
  await check();
  // Refused until the worker has sent it.
  const end = (member: MemberBody, outcome: string) =>
    eventually(async () => {
      const body = { kind: 'payout', payoutId: payoutOf(member), outcome };
      return (await client.post('/api/v1/sandbox/vendor-events', body)).body.effect === 'applied';
    });
  await end(paid, 'paid');
  await end(failed, 'failed');
  await end(returned, 'paid');
  await check();
  await end(returned, 'returned');
  await check();

  const { body: mine } = await client.get(`/api/v1/commissions?userId=${outside.id}&status=cleared`);
  const amountMinor = (mine.data as { amountMinor: number }[]).reduce((sum, line) => sum + line.amountMinor, 0);
  await accept(`members/${outside.id}/settlements`, { currency: 'USD', amountMinor, reference: 'WIRE-1' });
  await check();
  // What is paid already, or on its way, is clawed back.
  await accept('events/refund', { ...reference(), purchase_external_event_id: early.external_event_id, amount_minor: 15_000 });
  await check();

  const lines = (await Promise.all(members.map((member) => sell(member, 30_000)))).map(({ external_event_id: of }) => of);
  const dispute = { purchase_external_event_id: lines[1], dispute_id: 'd-1', amount_minor: 30_000 };
  await accept('events/chargeback', { ...dispute, ...reference(), stage: 'opened' });
  await accept('events/refund', { ...reference(), purchase_external_event_id: lines[2] });
  const { body: pending } = await client.get(`/api/v1/commissions?userId=${paid.id}&status=pending`);
  await accept(`commissions/${pending.data[0].id}/hold`, { reason: 'Looks odd' });
  const { body: cleared } = await client.get(`/api/v1/commissions?userId=${failed.id}&status=cleared`);
  await accept(`commissions/${cleared.data[0].id}/hold`, { reason: 'Looks odd' });
  await check();
  await months(1);
  const next = await draft(client);
  await check();
  for (const deed of ['approve', 'execute'] as const) expect((await act(client, next.id, deed)).status).toBe(200);
  await eventually(async () => (await client.get(`/api/v1/payouts?runId=${next.id}&status=queued`)).body.data.length === 0);
  await accept('events/chargeback', { ...dispute, ...reference(), stage: 'lost' });
  await sell(paid, 9_000);
  await check();

  const totals: Balance = { pending: 0, held: 0, cleared: 0, processing: 0, paid: 0 };
  for (const balance of balancesOf(copy.state).values())
    for (const [status, amount] of Object.entries(balance)) totals[status as keyof Balance] += amount;
  expect(Object.entries(totals).filter(([, amount]) => amount === 0)).toEqual([]);
});

/** A snapshot as the worker makes it. Events are taken from what was heard. */
async function copyNow(): Promise<Copy> {
  const id = await newSnapshot(client);
  await eventually(async () => (await client.get(`${snapshotsPath}/${id}`)).body.status === 'completed');
  const { head, lines } = await readSnapshot(client, id);
  return openCopy({ sequence: head.sequence, lines });
}

/** Waits until the copy has all that happened, and what it knows of these members is what the API shows. */
async function expectSameBalances(copy: Copy, members: readonly MemberBody[]): Promise<void> {
  const nothing: Balance = { pending: 0, held: 0, cleared: 0, processing: 0, paid: 0 };
  const differences = async (): Promise<object[]> => {
    for (const event of heard.values()) copy.take(event);
    const [last, shown] = [await lastSequence(), await Promise.all(members.map(shownBalance))];
    if (copy.sequence() < last) return [{ has: copy.sequence(), last }];
    const balances = balancesOf(copy.state);
    const rows = shown.map(({ id, ...balance }) => ({ id, balance, known: balances.get(`${id} USD`) ?? nothing }));
    return rows.filter(({ balance, known }) => !isDeepStrictEqual(balance, known));
  };
  await expect.poll(differences, { timeout: 60_000, interval: 100 }).toEqual([]);
}

/** In `GET /members/{userId}/balances` and `GET /users/status` what is held counts as pending. */
async function shownBalance({ id }: MemberBody): Promise<Balance & { id: string }> {
  const [ledger, status, lines] = await Promise.all([
    client.get(`/api/v1/members/${id}/balances`),
    client.get(`/api/v1/users/status?user_id=${id}`),
    client.get(`/api/v1/commissions?userId=${id}&status=held&limit=100`),
  ]);
  const { pendingMinor, clearedMinor, processingMinor, paidMinor } = ledger.body.balances[0];
  const held = (lines.body.data as { amountMinor: number }[]).reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const minor = (amount: number): number => Math.round(amount * 100);
  const { pending, cleared, paid } = status.body.commission_balance;
  expect([pending, cleared, paid].map(minor)).toEqual([pendingMinor, clearedMinor, paidMinor]);
  return { id, pending: pendingMinor - held, held, cleared: clearedMinor, processing: processingMinor, paid: paidMinor };
}
