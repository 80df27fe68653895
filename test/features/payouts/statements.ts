/** The statements of the operations of payout runs, payouts and accounts, and of the payment vendor's events. */
import { payouts } from '../../../src/features.ts';
import { apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { deliver, eventText, signatureOf } from '../../support/payments/payment-delivery.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { accountsPath, newAccount, newPayee, plantOtherName, sepaAccount } from '../../support/payments/payout-accounts.ts';
import { act, draft, execute, payable, startPayouts } from '../../support/payments/payout-world.ts';
import { alone, type Counted, claim, countStatements, key, read, told, write } from '../../support/statements/statement-row.ts';

const runsPath = '/api/v1/payout-runs';
const drafted = [
  'payouts_read_settings',
  'two_hands_rule',
  'payouts_cutoff',
  'payouts_allow_time',
  'payouts_lock_drafts',
  'plans_in_force',
  'names_unjudged_of_run',
  'built',
  'built',
  'built',
];
const readiness = [
  'payouts_read_settings',
  'payouts_cutoff',
  'readiness_member',
  'readiness_on_its_way',
  'readiness_last_paid',
  'readiness_due',
  'plans_in_force',
  'readiness_judge',
];
const settled = [
  'payouts_lock',
  'commissions_lock_payout_lines',
  'events_lock_keys',
  'commissions_move_payout_lines',
  'payouts_post_moves',
  'payouts_settle',
  'audit_insert',
  'webhooks_heard',
  'payouts_open_of_run',
  'payouts_lock_run',
  'payouts_end_run',
  'payouts_find',
];
const ofRun = ['payouts_open_of_run', 'payouts_lock_run', 'payouts_end_run'];
/** A draft, or what it has become; not part of what is counted. */
async function newRun({ client, forget }: Counted, deed?: 'approve'): Promise<string> {
  const run = await draft(client);
  if (deed) await act(client, run.id, deed);
  forget();
  return run.id;
}
async function newPayout({ app, client, scope, forget }: Counted, status: 'queued' | 'processing'): Promise<string> {
  await payable(app, scope, client);
  const run = status === 'queued' ? await draft(client) : await execute(client);
  if (status === 'processing') await startPayouts(app, scope);
  forget();
  return run.payouts[0]?.id ?? '';
}
const opened = [
  'accounts_lock_member',
  'accounts_read_payee',
  'accounts_find_same',
  'accounts_count',
  'accounts_insert',
  'names_unjudged_of_member',
  'audit_insert',
  'webhooks_heard',
];
const changed = ['accounts_lock_member', 'accounts_read_payee', 'names_unjudged_of_member', 'accounts_find'];
async function newAccountId({ client, payee, forget }: Counted & { payee: MemberBody }): Promise<string> {
  const { id } = await newAccount(client, payee.id);
  forget();
  return id;
}

export { payoutScreenStatements } from './statements-screens.ts';

export const payoutStatements = countStatements(
  async ({ app, client }) => {
    app.composition.offer(payouts).provisioner.provision = () => Promise.resolve(); // counted as what it is: a job's work
    return { payee: await newPayee(client) };
  },
  [
    [
      'createPayoutRun, whoever is paid',
      ({ client }) => client.post('/api/v1/payout-runs', { currency: 'USD' }),
      201,
      write(
        ...drafted,
        'payouts_former_run',
        'payouts_kept_comparison',
        'built',
        'payouts_keep_comparison',
        'webhooks_heard',
        'audit_insert',
      ),
    ],
    [
      'createPayoutRun, dry: the same, undone',
      ({ client }) => client.post('/api/v1/payout-runs', { currency: 'USD', dryRun: true }),
      200,
      write('savepoint_begin', ...drafted, 'savepoint_undo', 'savepoint_release'),
    ],
    ['listPayoutRuns', ({ client }) => client.get('/api/v1/payout-runs?limit=100'), 200, read('payouts_list_runs')],
    [
      'getPayoutRun',
      async (world) => world.client.get(`${runsPath}/${await newRun(world)}`),
      200,
      read('payouts_find_run_hands', 'payouts_count_by_status'),
    ],
    [
      'listBlockedMembers',
      async (world) => world.client.get(`${runsPath}/${await newRun(world)}/blocked`),
      200,
      read('payouts_find_run', 'built'),
    ],
    [
      'approvePayoutRun',
      async (world) => world.client.post(`${runsPath}/${await newRun(world)}/approve`, {}),
      200,
      write(
        'payouts_lock_run',
        'two_hands_rule',
        'payouts_hands_of_run',
        'payouts_approve_run',
        'webhooks_heard',
        'audit_insert',
      ),
    ],
    [
      'executePayoutRun',
      async (world) => world.client.post(`${runsPath}/${await newRun(world, 'approve')}/execute`, {}),
      200,
      write(
        'payouts_lock_run',
        'payouts_freeze_state',
        'two_hands_rule',
        'payouts_hands_of_run',
        'payouts_allow_time',
        'payouts_execute_run',
        'webhooks_heard',
        'audit_insert',
        'payouts_open_of_run',
        'payouts_lock_run',
        'payouts_end_run',
        'payouts_find_run',
      ),
    ],
    [
      'cancelPayoutRun',
      async (world) => world.client.post(`${runsPath}/${await newRun(world)}/cancel`, {}),
      200,
      write('payouts_lock_run', 'payouts_allow_time', 'payouts_cancel_run', 'webhooks_heard', 'audit_insert'),
    ],
    ['getPayoutHold', ({ client, payee }) => client.get(`/api/v1/members/${payee.id}/payout-hold`), 200, read('holds_find')],
    [
      'setPayoutHold',
      ({ client, payee }) => client.put(`/api/v1/members/${payee.id}/payout-hold`, { reason: 'Asked by the bank' }),
      200,
      write('holds_lock_member', 'holds_store', 'holds_await_payouts', 'audit_insert'),
    ],
    [
      'liftPayoutHold',
      ({ client, payee }) => client.delete(`/api/v1/members/${payee.id}/payout-hold`),
      200,
      write('holds_lock_member', 'holds_remove', 'holds_resume_payouts', 'audit_insert'),
    ],
    [
      'getPayoutReadiness',
      ({ client, payee }) => client.get(`/api/v1/members/${payee.id}/payout-readiness`),
      200,
      read(...readiness),
    ],
    [
      'getPayoutReadiness, with a name to compare',
      async ({ client, app, forget }) => {
        const { id } = await newPayee(client);
        const account = await newAccount(client, id);
        await plantOtherName(app, account.id);
        forget();
        return client.get(`/api/v1/members/${id}/payout-readiness?currency=EUR`);
      },
      200,
      read(...readiness, 'names_unjudged_of_member_read'),
    ],
    ['listPayouts of 100', ({ client }) => client.get('/api/v1/payouts?limit=100'), 200, read('built')],
    [
      'getPayout',
      async (world) => world.client.get(`/api/v1/payouts/${await newPayout(world, 'queued')}`),
      200,
      read('payouts_find', 'payouts_attempts'),
    ],
    [
      'listPayoutCommissions',
      async (world) => world.client.get(`/api/v1/payouts/${await newPayout(world, 'queued')}/commissions`),
      200,
      read('payouts_find', 'payouts_lines'),
    ],
    [
      'cancelPayout',
      async (world) => world.client.post(`/api/v1/payouts/${await newPayout(world, 'queued')}/cancel`, {}),
      200,
      write('payouts_lock', 'payouts_cancel', 'webhooks_heard', 'audit_insert', 'payouts_find_run', 'payouts_find'),
    ],
    [
      'settlePayout',
      async (world) =>
        world.client.post(`/api/v1/payouts/${await newPayout(world, 'processing')}/settle`, { reference: 'BANK-1' }),
      200,
      write('payouts_lock', 'payouts_cutoff', ...settled),
    ],
    [
      'returnPayout',
      async (world) =>
        world.client.post(`/api/v1/payouts/${await newPayout(world, 'processing')}/return`, { reason: 'Account closed' }),
      200,
      write('payouts_lock', ...settled),
    ],
    [
      'retryPayout',
      async (world) => {
        const payoutId = await newPayout(world, 'processing');
        await world.client.post(`/api/v1/payouts/${payoutId}/return`, { reason: 'Account closed' });
        world.forget();
        return world.client.post(`/api/v1/payouts/${payoutId}/retry`, {});
      },
      200,
      write(
        'payouts_lock_drafts_beside',
        'payouts_lock',
        'payouts_freeze_state',
        'holds_of_members',
        'two_hands_rule',
        'payouts_hands_of_run',
        'payouts_requeue',
        'webhooks_heard',
        'payouts_lock_run',
        'payouts_reopen_run',
        'audit_insert',
        'payouts_find',
      ),
    ],
    [
      'createSettlement',
      async (world) => {
        const { id } = await payable(world.app, world.scope, world.client);
        world.forget();
        const body = { currency: 'USD', amountMinor: 10_000, reference: 'WIRE-1' };
        return world.client.post(`/api/v1/members/${id}/settlements`, body);
      },
      201,
      write(
        'payouts_freeze_state',
        'payouts_lock_drafts',
        'settlements_lock_member',
        'settlements_find_reference',
        'settlements_insert',
        'commissions_lock_payout_lines',
        'events_lock_keys',
        'settlements_changed',
        'commissions_move_payout_lines',
        'payouts_post_moves',
        ...settled.filter((name) => !ofRun.includes(name)).slice(0, -1),
        'audit_insert',
        'payouts_find',
      ),
    ],
    [
      'listSettlements of 100',
      ({ client, payee }) => client.get(`/api/v1/members/${payee.id}/settlements?limit=100`),
      200,
      read('accounts_find_member', 'settlements_list'),
    ],
    ['listPayoutMethods', ({ client }) => client.get('/api/v1/payout-methods?country=DE'), 200, alone('payouts_read_settings')],
    [
      'validateBankDetails, which does not ask the database',
      ({ client }) => client.post('/api/v1/payout-methods/sepa_bank_transfer/validate', { country: 'DE', bankAccount: {} }),
      200,
      [],
    ],
    [
      'createPayoutAccount',
      ({ client, payee }) => client.post(accountsPath(payee.id), sepaAccount()),
      201,
      [...alone('payouts_read_settings'), ...write(...opened)],
    ],
    [
      'createPayoutAccount as the primary one, with an Idempotency-Key: looked for before the settings are read',
      ({ client, payee }) => client.post(accountsPath(payee.id), sepaAccount(undefined, { isPrimary: true }), key()),
      201,
      [
        ...read('idempotency_find'),
        ...alone('payouts_read_settings'),
        ...write(...claim, ...opened.slice(0, 4), 'accounts_demote', ...opened.slice(4), 'idempotency_store'),
      ],
    ],
    [
      'createPayoutAccount at the payment vendor: committed before it is asked, and read after',
      async ({ app, forget }) => {
        const { tenantId, sandboxKey } = await app.newTenant();
        const sandbox = apiClient(app, sandboxKey);
        await plantPaymentSettings(app, { tenantId, environment: 'SANDBOX' });
        const { id } = await newPayee(sandbox);
        forget();
        return sandbox.post(accountsPath(id), sepaAccount());
      },
      201,
      [
        ...alone('payouts_read_settings'),
        ...write(...opened, ...told('accounts_find_member', 'accounts_find')),
        ...write('accounts_find'),
      ],
    ],
    [
      'listPayoutAccounts of 1',
      ({ client, payee }) => client.get(`${accountsPath(payee.id)}?limit=1`),
      200,
      read('accounts_find_member', 'accounts_list'),
    ],
    [
      'listPayoutAccounts of 100',
      ({ client, payee }) => client.get(`${accountsPath(payee.id)}?limit=100`),
      200,
      read('accounts_find_member', 'accounts_list'),
    ],
    [
      'getPayoutAccount',
      async (world) => world.client.get(accountsPath(world.payee.id, await newAccountId(world))),
      200,
      read('accounts_find_member', 'accounts_find'),
    ],
    [
      'updatePayoutAccount',
      async (world) =>
        world.client.patch(accountsPath(world.payee.id, await newAccountId(world)), { isPrimary: true, displayName: 'Savings' }),
      200,
      write(
        ...changed,
        'accounts_demote',
        'accounts_promote',
        'webhooks_heard',
        'audit_insert',
        'accounts_rename',
        'audit_insert',
        'accounts_find',
      ),
    ],
    [
      'acceptAccountName',
      async (world) => {
        const id = await newAccountId(world);
        await plantOtherName(world.app, id);
        world.forget();
        return world.client.post(`${accountsPath(world.payee.id, id)}/accept-name`, {});
      },
      200,
      // The first write behind the approval compares the names of all accounts of the member.
      write(
        ...changed.slice(0, 3),
        'names_judge',
        'accounts_find',
        'names_accept',
        'webhooks_heard',
        'audit_insert',
        'accounts_find',
      ),
    ],
    [
      'deactivatePayoutAccount, the primary one',
      async (world) => {
        const id = await newAccountId(world);
        await world.client.patch(accountsPath(world.payee.id, id), { isPrimary: true });
        world.forget();
        return world.app.http.delete(accountsPath(world.payee.id, id)).set('x-tenant-api-key', world.liveKey);
      },
      200,
      write(
        ...changed,
        'accounts_lock_payouts',
        'accounts_deactivate',
        'accounts_promote_newest',
        'webhooks_heard',
        'audit_insert',
        'accounts_find',
      ),
    ],
    [
      'exportPayoutRun',
      async ({ app, client, tenantId, forget }) => {
        const [run] = await app.database.asSuperuser<{ id: string }>(
          `insert into payout_run (tenant_id, environment, currency, cutoff_at, status, created_by, created_at, updated_at)
         values ($1, 'LIVE', 'USD', now(), 'draft', 'api_key:' || gen_random_uuid(), now(), now()) returning id`,
          [tenantId],
        );
        forget();
        return client.get(`/api/v1/payout-runs/${run?.id}/payouts.csv`);
      },
      200,
      [...write('payouts_find_run_to_export', 'payouts_freeze_state', 'audit_insert'), ...alone('payouts_export_page')],
    ],
    [
      'receivePaymentEvent of nobody',
      ({ app }) => app.http.post('/api/v1/webhooks/payvendor').send({ account: 'acct_x' }),
      401,
      ['locate_provider_account'],
    ],
    [
      'receivePaymentEvent that is ignored',
      async ({ app, forget }) => {
        const { tenantId } = await app.newTenant();
        await plantPaymentSettings(app, { tenantId, environment: 'LIVE' }, { webhookSecrets: ['whsec_x'] });
        const payload = eventText({ type: 'balance.available', object: { id: 'x' } });
        forget();
        return deliver(app, payload, { signature: signatureOf(payload, 'whsec_x'), query: `?tenant_id=${tenantId}` });
      },
      200,
      ['locate_payment_secrets', ...write('payment_events_insert', 'payment_events_store_outcome')],
    ],
  ],
);
