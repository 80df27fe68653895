/** The statements of the operations of purchases, reversals and manual commissions. */
import type { ApiClient } from '../../support/app/api-client.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { newReversal, purchaseOf } from '../../support/statements/made-before.ts';
import { type Counted, countStatements, read, write } from '../../support/statements/statement-row.ts';

const part = (...inner: string[]) => ['savepoint_begin', ...inner, 'savepoint_release'];
const reversal = [
  'webhooks_heard',
  'events_purchase_to_reverse',
  'events_lock_keys',
  'events_find_id',
  'events_prior_reversals',
  'commissions_lock_originals',
  'commissions_lock_purchase_lines',
];
/** Read when a commission was paid out: what its member owes, and what the plan does with that. */
const debts = ['events_lock_keys', 'events_debts', 'events_plan_definitions'];

/** The time of a sale is fixed in front of what it reads. */
const sale = ['events_fix_time', 'events_purchase_facts', 'attribution_candidates'];

/** A batch waits for the one before it, and fixes its one time. */
const turn = [
  'events_batch_wait',
  'events_lock_batches',
  'savepoint_begin',
  'events_fix_time',
  'savepoint_undo',
  'savepoint_release',
  'events_batch_time',
];

const manually = ['webhooks_heard', 'events_manual_facts', 'events_insert'];

const manual = ({ chain }: Counted) => ({
  external_event_id: crypto.randomUUID(),
  type: 'bonus',
  user_id: chain[0]?.id,
  amount_minor: 100,
  currency: 'USD',
  description: 'Bonus',
  actor: 'Kim',
});

/** A plan for sales of one product; those of others are paid as they are. */
async function publishBeside(client: ApiClient, sku: string, change: object): Promise<void> {
  const definition = {
    mode: 'unilevel',
    base: 'gross',
    compression: 'compress',
    personalPurchase: 'sponsor_first',
    holding: { days: 14 },
    tierRules: { ORDINARY: {}, SENIOR: {}, MANAGER: {}, DIRECTOR: {} },
    scope: { skus: [sku], priority: 10 },
    ...change,
  };
  const { body: plan } = await client.post('/api/v1/commission-plans', { name: sku, definition });
  const published = await client.post(`/api/v1/commission-plans/${plan.id}/publish`, {});
  if (published.status !== 201) throw new Error(published.text);
}

const of = (sku: string) => ({ line_items: [{ sku, amount_minor: 10_000 }] });

export const eventStatements = countStatements(
  async ({ client }) => {
    const [moved] = await newUpline(client, 'D D');
    await client.post(`/api/v1/members/${moved?.id}/sponsor`, { sponsorId: null });
    const [agreed] = await newUpline(client, 'D D');
    await client.post('/api/v1/rate-overrides', { target: 'member', targetId: agreed?.id, pay: { rateBps: 1200 } });
    await publishBeside(client, 'agreed', {
      levels: [{ level: 1, rateBps: 1000 }],
      overrides: { levels: [1], maxRateBps: 3000 },
    });
    await publishBeside(client, 'climbing', {
      levels: [{ level: 1, ladder: 'monthly' }],
      ladders: [{ id: 'monthly', measure: 'sales', period: 'month', steps: [0, 5].map((from) => ({ from, rateBps: 100 })) }],
      rules: [
        {
          id: 'first-year',
          levels: [1],
          when: {
            all: [
              { fact: 'customer.monthsSinceFirst', lt: 12 },
              { fact: 'member.activeDirects', gte: 3 },
            ],
          },
          pay: { rateBps: 3000 },
        },
      ],
    });
    await publishBeside(client, 'settled', {
      levels: [{ level: 1, ladder: 'monthly' }],
      ladders: [
        {
          id: 'monthly',
          measure: 'sales',
          period: 'month',
          settle: 'whole_period',
          steps: [0, 5].map((from) => ({ from, rateBps: 100 })),
        },
      ],
    });
    return { moved, agreed };
  },
  [
    ['recordPurchase paying 5 levels', (world) => purchaseOf(world, world.chain[0]), 201, write(...sale, 'events_insert')],
    [
      'recordPurchase through 45 levels: one more read',
      (world) => purchaseOf(world, world.deep[1]),
      201,
      write(...sale, 'events_upline_as_of', 'events_insert'),
    ],
    [
      'recordPurchase that nothing was agreed with: no more',
      (world) => purchaseOf(world, world.chain[0], of('agreed')),
      201,
      write(...sale, 'events_insert'),
    ],
    [
      'recordPurchase of a member that a rate was agreed with: one more read',
      (world) => purchaseOf(world, world.agreed, of('agreed')),
      201,
      write(...sale, 'rates_agreed_at', 'events_insert'),
    ],
    [
      'recordPurchase by a ladder and rules: what they ask for is read together',
      (world) => purchaseOf(world, world.chain[0], of('climbing')),
      201,
      write(...sale, 'events_customer_facts', 'events_qualification', 'events_sales_before', 'events_insert'),
    ],
    [
      'recordPurchase by a ladder of a whole period: what is to be settled travels with the insert',
      (world) => purchaseOf(world, world.chain[0], of('settled')),
      201,
      write(...sale, 'events_sales_before', 'events_note_ladders', 'events_insert'),
    ],
    [
      'recordPurchase with 100 line items',
      ({ client }) =>
        client.post(
          '/api/v1/events/purchase',
          client.purchaseBody({ line_items: Array.from({ length: 100 }, (_, i) => ({ sku: `s${i}`, amount_minor: i })) }),
        ),
      201,
      write(...sale, 'events_insert'),
    ],
    [
      'recordPurchase under a member that was moved: the upline as of the sale is one more read',
      (world) => purchaseOf(world, world.moved),
      201,
      write(...sale, 'events_upline_as_of', 'events_insert'),
    ],
    [
      'recordRefund of 5 lines',
      async (world) => world.client.post('/api/v1/events/refund', { ...(await newReversal(world)), amount_minor: 100 }),
      201,
      write(...reversal, 'events_insert'),
    ],
    [
      'recordRefund, full',
      async (world) => world.client.post('/api/v1/events/refund', await newReversal(world)),
      201,
      write(...reversal, 'commissions_change_status', 'events_insert'),
    ],
    [
      'recordRefund of 5 lines that were paid',
      async (world) => world.client.post('/api/v1/events/refund', await newReversal(world, { paid: true })),
      201,
      write(...reversal, ...debts, 'events_insert'),
    ],
    [
      'recordChargeback, won after it was lost, of 5 lines that were paid',
      async (world) => {
        const dispute = { ...(await newReversal(world, { paid: true })), dispute_id: crypto.randomUUID() };
        await world.client.post('/api/v1/events/chargeback', { ...dispute, stage: 'lost' });
        world.forget();
        return world.client.post('/api/v1/events/chargeback', {
          ...dispute,
          external_event_id: crypto.randomUUID(),
          stage: 'won',
        });
      },
      201,
      write(...reversal, 'events_dispute_elsewhere', ...debts, 'events_end_write_offs', 'events_insert'),
    ],
    [
      'recordChargeback, opened',
      async (world) =>
        world.client.post('/api/v1/events/chargeback', {
          ...(await newReversal(world)),
          dispute_id: crypto.randomUUID(),
          stage: 'opened',
        }),
      201,
      write(...reversal, 'events_dispute_elsewhere', 'commissions_change_status', 'events_insert'),
    ],
    ['recordManualCommission', (world) => world.client.post('/api/v1/events/commission', manual(world)), 201, write(...manually)],
    [
      'recordEventBatch of 1',
      (world) => world.client.post('/api/v1/events/batch', { events: [{ kind: 'commission', ...manual(world) }] }),
      207,
      write(...turn, ...part(...part(...manually))),
    ],
    [
      'previewReversal of 5 lines that were paid',
      async (world) => {
        const { purchase_external_event_id: id } = await newReversal(world, { paid: true });
        const [sale] = (await world.client.get(`/api/v1/events?external_event_id=${id}`)).body.data;
        world.forget();
        return world.client.post(`/api/v1/events/${sale.event_id}/reversal-preview`, { kind: 'refund' });
      },
      200,
      write(
        'events_purchase_to_preview',
        'events_lock_keys',
        'commissions_lock_originals',
        'commissions_lock_purchase_lines',
        'savepoint_begin',
        ...reversal,
        ...debts,
        'events_insert',
        'commissions_lock_originals',
        'commissions_lock_purchase_lines',
        'events_touched_balances',
        'savepoint_undo',
        'savepoint_release',
      ),
    ],
    ['listEvents of 1', ({ client }) => client.get('/api/v1/events?limit=1'), 200, read('built', 'events_find_by_ids')],
    ['listEvents of 100', ({ client }) => client.get('/api/v1/events?limit=100'), 200, read('built', 'events_find_by_ids')],
    [
      'quotePurchase',
      ({ client, chain }) =>
        client.post('/api/v1/commission-plans/quote', {
          amountMinor: 100,
          currency: 'USD',
          attribution: { userId: chain[0]?.id },
        }),
      200,
      write('events_purchase_facts', 'attribution_candidates'),
    ],
  ],
);
