/**
 * The payment vendor's webhook: whose deliveries are taken, and what they do.
 * Source: docs/specification/webhooks.md#the-payment-vendor, docs/specification/reliability.md#vendors-events.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import {
  deliver,
  type EventFields,
  eventText,
  newEventId,
  nowSeconds,
  signatureOf,
} from '../../support/payments/payment-delivery.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { openShop, paidEvent, SECRETS, type Shop } from '../../support/payments/payment-shop.ts';
import type { PlantedAccount, PlantedPayout } from '../../support/payments/plant-payout.ts';

const RECEIVED = { message: 'Event received' };

let app: TestApp;
let shop: Shop;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await newShop();
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

const newShop = (environment: Scope['environment'] = 'LIVE', secrets = SECRETS): Promise<Shop> =>
  openShop(app, environment, secrets);

const sql = <Row extends Record<string, unknown>>(text: string, values: unknown[]) => app.database.asSuperuser<Row>(text, values);
const eventsOf = ({ scope: { tenantId, environment } }: Shop) =>
  sql<{ type: string; outcome: string; retry_at: Date | null; body: object }>(
    'select * from payment_event where tenant_id = $1 and environment = $2 order by id',
    [tenantId, environment],
  );
const outcomes = async (of: Shop) => (await eventsOf(of)).map(({ outcome }) => outcome);
const payoutOf = async ({ payoutId }: PlantedPayout) =>
  (await sql<{ status: string; check_at: Date | null }>('select * from payout where id = $1', [payoutId]))[0];
const accountOf = async ({ accountId }: PlantedAccount) =>
  (
    await sql<{ status: string; status_reason: string | null; is_primary: boolean; check_at: Date | null }>(
      'select * from payout_account where id = $1',
      [accountId],
    )
  )[0];
const linesOf = async ({ payoutId }: PlantedPayout) =>
  (
    await sql<{ status: string }>(
      'select l.status from commission_line l join payout_line p on p.line_id = l.id and p.payout_id = $1',
      [payoutId],
    )
  ).map(({ status }) => status);

const accountEvent = (of: Shop, state: object, fields: Partial<EventFields> = {}): EventFields => ({
  type: 'account.updated',
  account: of.account.providerAccountId,
  object: {
    id: of.account.providerAccountId,
    object: 'account',
    email: 'somebody@private.example',
    individual: { first_name: 'Private', dob: { day: 1 } },
    capabilities: { transfers: 'active' },
    requirements: { disabled_reason: null, currently_due: [], past_due: [] },
    ...state,
  },
  ...fields,
});

describe('a payout', () => {
  test('that was paid is settled, with its commissions, once', async () => {
    const payout = await shop.pay();
    const event = paidEvent(shop, payout, 'payout.paid', { id: newEventId() });
    expect(await shop.send(event)).toEqual({ status: 200, environment: 'LIVE', body: RECEIVED });
    expect([(await payoutOf(payout))?.status, await linesOf(payout)]).toEqual(['paid', ['paid']]);
    expect((await shop.send(event)).status).toBe(200);
    expect((await shop.send({ ...event, id: newEventId() })).status).toBe(200);
    expect(await outcomes(shop)).toEqual(['applied', 'no_change']);
    const journals = await sql('select from journal_entry where cause_id = $1 and cause_type = $2', [
      payout.attemptId,
      'payout_paid',
    ]);
    expect(journals).toHaveLength(1);
  });

  test('delivered sixty times at once has one effect and sixty good answers', async () => {
    const payout = await shop.pay();
    const event = paidEvent(shop, payout, 'payout.paid', { id: newEventId() });
    const answers = await Promise.all(Array.from({ length: 60 }, () => shop.send(event)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await outcomes(shop)).toEqual(['applied']);
    expect(await linesOf(payout)).toEqual(['paid']);
  });

  test.each(['payout.failed', 'payout.canceled', 'transfer.reversed'])(
    'with %s is asked about, so that the money is taken back first',
    async (type) => {
      const payout = await shop.pay();
      expect((await shop.send(paidEvent(shop, payout, type))).status).toBe(200);
      expect(await payoutOf(payout)).toMatchObject({ status: 'processing', check_at: expect.any(Date) });
      expect(await linesOf(payout)).toEqual(['processing']);
      expect(await outcomes(shop)).toEqual(['applied']);
    },
  );

  test('that failed once it was paid is asked about in either order of the events', async () => {
    const [inOrder, reversed] = [await shop.pay(), await shop.pay()];
    const at = nowSeconds();
    const send = (payout: PlantedPayout, type: string, created: number) => shop.send(paidEvent(shop, payout, type, { created }));
    await send(inOrder, 'payout.paid', at - 10);
    await send(inOrder, 'payout.failed', at);
    await send(reversed, 'payout.failed', at);
    await send(reversed, 'payout.paid', at - 10);
    expect(await payoutOf(inOrder)).toMatchObject({ status: 'paid', check_at: expect.any(Date) });
    expect(await payoutOf(reversed)).toMatchObject({ status: 'processing', check_at: expect.any(Date) });
  });

  test('of an earlier attempt is not the present one', async () => {
    const payout = await shop.pay();
    await sql('update payout set attempt = 2 where id = $1', [payout.payoutId]);
    await shop.send(paidEvent(shop, payout));
    expect((await payoutOf(payout))?.status).toBe('processing');
    expect(await outcomes(shop)).toEqual(['older']);
    await sql('update payout set attempt = 1 where id = $1', [payout.payoutId]);
  });

  test('whose id at the vendor is not known yet is parked, and settled once it is', async () => {
    const payout = await shop.pay({ unanswered: true });
    expect((await shop.send(paidEvent(shop, payout))).status).toBe(200);
    expect(await eventsOf(shop)).toMatchObject([{ outcome: 'parked', retry_at: expect.any(Date) }]);
    await sql('update payment_event set retry_at = now() where tenant_id = $1', [shop.scope.tenantId]);
    expect(await app.runSweep('retry-payment-events')).toBe(1);
    const [again] = await eventsOf(shop);
    expect(again).toMatchObject({ outcome: 'parked' });
    expect(Number(again?.retry_at)).toBeGreaterThan(Date.now());
    await sql('update payout_attempt set provider_payout_id = $2 where payout_id = $1', [payout.payoutId, payout.vendorPayoutId]);
    await sql('update payment_event set retry_at = now() where tenant_id = $1', [shop.scope.tenantId]);
    expect(await app.runSweep('retry-payment-events')).toBe(1);
    expect([await outcomes(shop), await linesOf(payout)]).toEqual([['applied'], ['paid']]);
    expect(await app.runSweep('retry-payment-events')).toBe(0);
  });

  test('that is none of ours is ignored, and not waited for', async () => {
    const event = { type: 'payout.paid', account: shop.account.providerAccountId, object: { id: 'po_other', object: 'payout' } };
    expect((await shop.send(event)).status).toBe(200);
    expect(await outcomes(shop)).toEqual(['ignored']);
  });
});

describe('an account', () => {
  const states: [name: string, state: object, status: string, reason: string | null][] = [
    ['active', {}, 'active', null],
    [
      'something is due',
      { capabilities: { transfers: 'pending' }, requirements: { currently_due: ['individual.id_number'] } },
      'action_required',
      'individual.id_number',
    ],
    ['past due', { requirements: { past_due: ['individual.dob.day'] } }, 'action_required', 'individual.dob.day'],
    ['restricted', { requirements: { disabled_reason: 'under_review' } }, 'action_required', 'under_review'],
    ['rejected', { requirements: { disabled_reason: 'rejected.fraud' } }, 'rejected', 'rejected.fraud'],
    ['transfers inactive', { capabilities: { transfers: 'inactive' } }, 'action_required', 'transfers_inactive'],
  ];
  test.each(states)('%s', async (_name, state, status, reason) => {
    expect((await shop.send(accountEvent(shop, state))).status).toBe(200);
    expect(await accountOf(shop.account)).toMatchObject({ status, status_reason: reason });
  });

  test('keeps nothing of the person that the event tells of', async () => {
    await shop.send(accountEvent(shop, {}));
    expect(JSON.stringify(await eventsOf(shop))).not.toMatch(/private/i);
  });

  test('stands as the latest event says, in every order of three and however often they come', async () => {
    const at = nowSeconds() - 100;
    const events = [
      accountEvent(shop, { requirements: { past_due: ['x'] } }, { created: at, id: newEventId() }),
      accountEvent(shop, { requirements: { disabled_reason: 'listed' } }, { created: at + 1, id: newEventId() }),
      accountEvent(shop, {}, { created: at + 2, id: newEventId() }),
    ] as const;
    const orders = ['012', '021', '102', '120', '201', '210'];
    for (const order of orders) {
      const one = await newShop();
      for (const index of order + order) {
        const event = events[Number(index)] ?? events[0];
        const object = { ...event.object, id: one.account.providerAccountId };
        expect((await one.send({ ...event, object, account: one.account.providerAccountId })).status).toBe(200);
      }
      expect([order, (await accountOf(one.account))?.status]).toEqual([order, 'active']);
      expect(await eventsOf(one)).toHaveLength(3);
    }
  });

  test('of which two events of one second disagree is asked about', async () => {
    const created = nowSeconds();
    await shop.send(accountEvent(shop, { requirements: { past_due: ['x'] } }, { created }));
    expect((await accountOf(shop.account))?.check_at).toBeNull();
    await shop.send(accountEvent(shop, {}, { created }));
    expect(await accountOf(shop.account)).toMatchObject({ status: 'action_required', check_at: expect.any(Date) });
  });

  test('is asked about when a capability changes', async () => {
    const object = { id: 'transfers', object: 'capability', account: shop.account.providerAccountId, status: 'inactive' };
    await shop.send({ type: 'capability.updated', account: shop.account.providerAccountId, object });
    expect(await accountOf(shop.account)).toMatchObject({ status: 'active', check_at: expect.any(Date) });
  });

  test('that was rejected stays so', async () => {
    const at = nowSeconds() - 10;
    await shop.send(accountEvent(shop, { requirements: { disabled_reason: 'rejected.fraud' } }, { created: at }));
    await shop.send(accountEvent(shop, {}, { created: at + 5 }));
    expect((await accountOf(shop.account))?.status).toBe('rejected');
  });

  test('that the tenant lost is given up, and does not come back; another account of the member becomes the primary one', async () => {
    const application = { id: 'ca_1', object: 'application' };
    await sql('update payout_account set is_primary = true where id = $1', [shop.account.accountId]);
    const [other] = await sql<{ id: string }>(
      `insert into payout_account
       select (jsonb_populate_record(null::payout_account, to_jsonb(a) || jsonb_build_object('id', uuidv7(), 'provider_type', 'manual',
         'is_primary', false, 'provider_account_ref', null, 'external_account_id', null))).*
       from payout_account a where a.id = $1 returning id`,
      [shop.account.accountId],
    );
    await shop.send({ type: 'account.application.deauthorized', account: shop.account.providerAccountId, object: application });
    expect(await accountOf(shop.account)).toMatchObject({ status: 'deactivated', is_primary: false });
    expect(await accountOf({ ...shop.account, accountId: other?.id ?? '' })).toMatchObject({
      status: 'active',
      is_primary: true,
    });
    await shop.send(accountEvent(shop, {}));
    expect((await accountOf(shop.account))?.status).toBe('deactivated');
    expect(await outcomes(shop)).toEqual(['applied', 'no_change']);
  });

  test('nobody knows yet is parked and applied once it is known', async () => {
    const { providerAccountId, providerRef } = shop.account;
    await sql('update provider_account set provider_account_id = null where id = $1', [providerRef]);
    const event = accountEvent(shop, { requirements: { past_due: ['x'] } });
    expect(
      (await shop.send({ ...event, object: { ...event.object, metadata: { tenant_id: shop.scope.tenantId } } })).status,
    ).toBe(200);
    expect(await outcomes(shop)).toEqual(['parked']);
    await sql('update provider_account set provider_account_id = $2 where id = $1', [providerRef, providerAccountId]);
    await sql('update payment_event set retry_at = now() where tenant_id = $1', [shop.scope.tenantId]);
    await app.runSweep('retry-payment-events');
    expect([await outcomes(shop), (await accountOf(shop.account))?.status]).toEqual([['applied'], 'action_required']);
  });
});

test('three hundred events at once, of three accounts: each is answered, kept once and in its place', async () => {
  const shops = await Promise.all([newShop(), newShop(), newShop('SANDBOX', ['whsec_platform', 'whsec_sandbox'])]);
  const at = nowSeconds() - 200;
  // The last by the vendor's clock is good; those before it say something else each.
  const events = Array.from({ length: 100 }, (_, n) => ({
    requirements: { past_due: n === 99 ? [] : [`item_${n}`] },
    created: at + n,
  }));
  const answers = await Promise.all(
    events.flatMap(({ requirements, created }) => shops.map((one) => one.send(accountEvent(one, { requirements }, { created })))),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  for (const one of shops) {
    expect(await accountOf(one.account)).toMatchObject({ status: 'active', status_reason: null });
    expect(await eventsOf(one)).toHaveLength(100);
    expect(new Set(await outcomes(one))).not.toContain('parked');
  }
});

describe('a bank account', () => {
  const bankEvent = (type: string, status: string, created = nowSeconds()): EventFields => ({
    type: `account.external_account.${type}`,
    account: shop.account.providerAccountId,
    object: { id: shop.account.bankAccountId, object: 'bank_account', status },
    created,
  });

  test('that the vendor cannot pay to needs attention until it can, whatever the account around it', async () => {
    const at = nowSeconds() - 10;
    await shop.send(bankEvent('updated', 'errored', at));
    expect(await accountOf(shop.account)).toMatchObject({ status: 'action_required', status_reason: 'bank_account_errored' });
    await shop.send(accountEvent(shop, {}, { created: at + 1 }));
    expect((await accountOf(shop.account))?.status).toBe('action_required');
    await shop.send(bankEvent('updated', 'new', at - 1));
    expect((await accountOf(shop.account))?.status).toBe('action_required');
    await shop.send(bankEvent('updated', 'verified', at + 2));
    expect(await accountOf(shop.account)).toMatchObject({ status: 'active', status_reason: null });
    expect(await outcomes(shop)).toEqual(['applied', 'no_change', 'older', 'applied']);
  });

  test('that is deleted there is given up here', async () => {
    await shop.send(bankEvent('deleted', 'new'));
    expect(await accountOf(shop.account)).toMatchObject({ status: 'deactivated', is_primary: false });
  });

  test('of no payout account changes none', async () => {
    const event = bankEvent('updated', 'errored');
    await shop.send({ ...event, object: { ...event.object, id: 'ba_other' } });
    expect([(await accountOf(shop.account))?.status, await outcomes(shop)]).toEqual(['active', ['no_change']]);
  });
});

describe('the signature', () => {
  const text = (fields: Partial<EventFields> = {}) =>
    eventText(accountEvent(shop, { requirements: { past_due: ['x'] } }, fields));
  const untouched = async () => {
    expect((await accountOf(shop.account))?.status).toBe('active');
    expect(await eventsOf(shop)).toEqual([]);
  };

  test('may be by any of the secrets, and may have others beside it', async () => {
    for (const secret of SECRETS) {
      const payload = text();
      const signature = `${signatureOf(payload, secret)},v1=${'0'.repeat(64)},v0=abc`;
      expect((await deliver(app, payload, { signature })).status).toBe(200);
    }
  });

  test('is refused alike, whatever is wrong with it', async () => {
    const other = await newShop('LIVE', ['whsec_other']);
    const payload = text();
    const good = signatureOf(payload, 'whsec_connect');
    const swapped = payload.replace('past_due', 'past_dua');
    const unknown = eventText({ type: 'account.updated', account: 'acct_unknown', object: { id: 'acct_unknown' } });
    const cases: [string, string | undefined, string?][] = [
      [payload, undefined],
      [payload, ''],
      [payload, 'v1=abc'],
      [payload, good.replace(/v1=../, 'v1=zz')],
      [payload, good.replace('v1=', 'v0=')],
      [payload, `${good}, ${good}`],
      [payload, signatureOf(payload, 'whsec_other')],
      [payload, signatureOf(payload, 'whsec_connect', nowSeconds() - 302)],
      [payload, signatureOf(payload, 'whsec_connect', nowSeconds() + 320)],
      [payload, signatureOf(payload, 'whsec_connect', Date.now())],
      [swapped, good],
      [`${payload} `, good],
      [unknown, signatureOf(unknown, 'whsec_connect')],
      [unknown, signatureOf(unknown, 'whsec_connect'), `?tenant_id=${crypto.randomUUID()}`],
      ['', good],
      ['[]', signatureOf('[]', 'whsec_connect')],
      ['not json', signatureOf('not json', 'whsec_connect')],
    ];
    const bodies = [];
    for (const [body, signature, query] of cases) {
      const answer = await deliver(app, body, { ...(signature === undefined ? {} : { signature }), ...(query ? { query } : {}) });
      expect([answer.status, body.slice(0, 20), signature]).toEqual([401, body.slice(0, 20), signature]);
      bodies.push(JSON.stringify(answer.body));
    }
    expect(new Set(bodies).size).toBe(1);
    expect(await eventsOf(other)).toEqual([]);
    await untouched();
  });

  test('is good for 300 seconds both ways', async () => {
    for (const offset of [-295, 295]) {
      const payload = text();
      const signature = signatureOf(payload, 'whsec_connect', nowSeconds() + offset);
      expect((await deliver(app, payload, { signature })).status).toBe(200);
    }
  });

  test('of the query’s tenant is enough for what names nobody', async () => {
    const payload = eventText({ type: 'balance.available', object: { object: 'balance' } });
    const signature = signatureOf(payload, 'whsec_platform');
    expect((await deliver(app, payload, { signature })).status).toBe(401);
    expect((await deliver(app, payload, { signature, query: `?tenant_id=${shop.scope.tenantId.toUpperCase()}` })).status).toBe(
      200,
    );
    expect(await outcomes(shop)).toEqual(['ignored']);
  });

  test('does not make another tenant’s account one’s own', async () => {
    const other = await newShop('LIVE', ['whsec_other']);
    const payload = eventText(accountEvent(shop, { requirements: { disabled_reason: 'rejected.fraud' } }));
    const signature = signatureOf(payload, 'whsec_other');
    expect((await deliver(app, payload, { signature, query: `?tenant_id=${other.scope.tenantId}` })).status).toBe(200);
    await untouched();
    expect(await outcomes(other)).toEqual(['foreign']);
    const named = { payout_id: crypto.randomUUID(), tenant_id: shop.scope.tenantId };
    const object = { id: 'po_1', metadata: named };
    const event = { type: 'payout.paid', account: other.account.providerAccountId, object };
    expect((await other.send(event, { secret: 'whsec_other' })).status).toBe(200);
    expect(await outcomes(other)).toEqual(['foreign', 'foreign']);
  });
});

describe('the environment', () => {
  test('is that of the query, the secret and the mode together', async () => {
    const sandbox = await newShop('SANDBOX', ['whsec_sandbox']);
    const event = accountEvent(sandbox, { requirements: { past_due: ['x'] } });
    const wrong: [Partial<EventFields>, { secret?: string; query?: string }, number][] = [
      [{}, { query: '' }, 400],
      [{ livemode: true }, {}, 400],
      [{ livemode: true }, { query: '' }, 400],
      [{}, { secret: 'whsec_platform' }, 401],
    ];
    for (const [fields, options, status] of wrong) {
      expect((await sandbox.send({ ...event, ...fields }, { secret: 'whsec_sandbox', ...options })).status).toBe(status);
    }
    expect(await eventsOf(sandbox)).toEqual([]);
    expect(await sandbox.send(event, { secret: 'whsec_sandbox' })).toEqual({
      status: 200,
      environment: 'SANDBOX',
      body: RECEIVED,
    });
    expect((await accountOf(sandbox.account))?.status).toBe('action_required');
  });

  test('of a LIVE event is never the SANDBOX, even under one secret', async () => {
    const { tenantId } = shop.scope;
    await plantPaymentSettings(app, { tenantId, environment: 'SANDBOX' }, { webhookSecrets: SECRETS });
    const event = accountEvent(shop, { requirements: { past_due: ['x'] } });
    expect((await shop.send(event, { query: '?environment=sandbox' })).status).toBe(400);
    expect((await shop.send({ ...event, livemode: false }, { query: '?environment=sandbox' })).status).toBe(200);
    expect((await accountOf(shop.account))?.status).toBe('active');
    const kept = await sql<{ environment: string; outcome: string }>('select * from payment_event where tenant_id = $1', [
      tenantId,
    ]);
    expect(kept).toMatchObject([{ environment: 'SANDBOX', outcome: 'foreign' }]);
  });

  test.each(['?environment=live', '?environment=', '?tenant_id=x', '?other=1'])('%s is refused', async (query) => {
    const payload = eventText(accountEvent(shop, {}));
    expect((await deliver(app, payload, { signature: signatureOf(payload, 'whsec_connect'), query })).status).toBe(400);
  });
});

describe('what is signed and of no use', () => {
  test.each([
    ['of a type that nobody knows', { type: 'issuing_card.created', object: { id: 'x', amount: 2 ** 60 } }],
    ['named like a method', { type: 'constructor', object: { id: 'x' } }],
    ['with fields of other types', { type: 'account.updated', object: { id: 7, capabilities: 'x', requirements: [] } }],
    ['with text that cannot be stored', { type: 'x\u0000y', object: { id: 'a\ud800b' } }],
  ])('an event %s is taken', async (_name, { type, object }) => {
    expect((await shop.send({ type, object, account: shop.account.providerAccountId })).status).toBe(200);
    expect(await eventsOf(shop)).toHaveLength(1);
    expect((await accountOf(shop.account))?.status).toBe('active');
  });

  test('a thin event is taken and ignored', async () => {
    const thin = JSON.stringify({
      id: newEventId(),
      object: 'v2.core.event',
      type: 'v2.core.account.updated',
      livemode: true,
      created: '2026-01-01T00:00:00Z',
      related_object: { id: shop.account.providerAccountId },
    });
    const query = `?tenant_id=${shop.scope.tenantId}`;
    expect((await deliver(app, thin, { signature: signatureOf(thin, 'whsec_platform'), query })).status).toBe(200);
    expect((await deliver(app, thin, { signature: signatureOf(thin, 'whsec_wrong'), query })).status).toBe(401);
    expect(await outcomes(shop)).toEqual(['ignored']);
  });

  test('one without an id, a type or a mode is refused', async () => {
    for (const missing of ['id', 'type', 'livemode']) {
      const event = JSON.parse(eventText(accountEvent(shop, {}))) as Record<string, unknown>;
      delete event[missing];
      const payload = JSON.stringify(event);
      expect((await deliver(app, payload, { signature: signatureOf(payload, 'whsec_connect') })).status).toBe(400);
    }
    expect(await eventsOf(shop)).toEqual([]);
  });

  test('256 kB is received, more is not', async () => {
    const filled = (filler: string) =>
      eventText({ type: 'x', account: shop.account.providerAccountId, object: { id: 'x', filler }, id: newEventId() });
    const sized = (bytes: number) => filled('x'.repeat(bytes - filled('').length));
    for (const [bytes, status] of [
      [256 * 1024, 200],
      [256 * 1024 + 1, 413],
      [2 * 1024 * 1024, 413],
    ] as const) {
      const payload = sized(bytes);
      expect(payload).toHaveLength(bytes);
      expect((await deliver(app, payload, { signature: signatureOf(payload, 'whsec_connect') })).status).toBe(status);
    }
    expect(await eventsOf(shop)).toHaveLength(1);
  });
});
