/** The statements of what people look at before they approve a run, and of what they do with what failed. */
import { draft, execute, payable, startPayouts } from '../../support/payments/payout-world.ts';
import { type Counted, countStatements, read, write } from '../../support/statements/statement-row.ts';

const PATH = '/api/v1/payout-runs';

async function newRun({ client, forget }: Counted): Promise<string> {
  const run = await draft(client);
  forget();
  return run.id;
}

const reviewed = [
  'payouts_find_run_terms',
  'payouts_cutoff',
  'payouts_read_settings',
  'built',
  'payouts_former_run',
  'payouts_largest_of_run',
];

export const payoutScreenStatements = countStatements(
  () => Promise.resolve({}),
  [
    [
      'getBlockedReasons',
      async (world) => world.client.get(`${PATH}/${await newRun(world)}/blocked-reasons`),
      200,
      read('payouts_find_run', 'payouts_blocked_reasons'),
    ],
    [
      'reviewPayoutRun beside the former run of the currency',
      async (world) => {
        const { app, client, scope } = world;
        await payable(app, scope, client);
        const run = await execute(client);
        await startPayouts(app, scope);
        await client.post(`/api/v1/payouts/${run.payouts[0]?.id}/settle`, { reference: 'A' });
        return client.get(`${PATH}/${await newRun(world)}/review`);
      },
      200,
      read(...reviewed, 'built', 'payouts_kept_comparison'),
    ],
    [
      'retryPayoutRun, of one payout',
      async (world) => {
        const { app, client, scope, forget } = world;
        await payable(app, scope, client);
        const run = await execute(client);
        await startPayouts(app, scope);
        await client.post(`/api/v1/payouts/${run.payouts[0]?.id}/return`, { reason: 'Account closed' });
        forget();
        return client.post(`${PATH}/${run.id}/retry`, {});
      },
      200,
      write(
        'payouts_find_run',
        'payouts_freeze_state',
        'two_hands_rule',
        'payouts_hands_of_run',
        'payouts_allow_time',
        'payouts_lock_drafts',
        'payouts_lock_failed',
        'holds_of_members',
        'savepoint_begin',
        'payouts_requeue',
        'savepoint_release',
        'webhooks_heard',
        'audit_insert',
        'payouts_lock_run',
        'payouts_reopen_run',
      ),
    ],
    ['listAllPayoutAccounts of 100', ({ client }) => client.get('/api/v1/payout-accounts?limit=100'), 200, read('built')],
    ['listPayoutHolds of 100', ({ client }) => client.get('/api/v1/payout-holds?limit=100'), 200, read('holds_list')],
    [
      'getPayoutFreeze',
      ({ client }) => client.get('/api/v1/payouts/freeze'),
      200,
      read('payouts_freeze_state', 'reconcile_unanswered'),
    ],
    ['getPayoutSchedule', ({ client }) => client.get('/api/v1/payouts/schedule'), 200, read('schedule_clock', 'schedule_show')],
  ],
);
