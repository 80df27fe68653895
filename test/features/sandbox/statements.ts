/** The statements of the operations of a SANDBOX. A moved clock runs the sweeps of every feature. */
import { apiClient } from '../../support/app/api-client.ts';
import { startFakeKycVendor } from '../../support/kyc/fake-kyc-vendor.ts';
import { openKycSide } from '../../support/kyc/kyc-deliveries.ts';
import { plantKycSettings } from '../../support/kyc/kyc-settings.ts';
import { alone, countStatements, told, write } from '../../support/statements/statement-row.ts';

/** What has become due by a move of the clock, in transactions of their own. */
const sweeps = (check: string[]) => [
  ...write('idempotency_delete_expired'),
  ...write('audit_lock_head'),
  ...write('webhooks_forget_old_secrets', 'webhooks_lock_deleted_endpoint'),
  ...write('webhooks_lock_head_to_forget', 'webhooks_mark_forgotten', 'webhooks_forget_hours', 'webhooks_forget_endpoints'),
  ...write('webhooks_expire_snapshots'),
  ...write('pending_changes_lock_due', 'pending_changes_sweep'),
  ...write('mail_forget'),
  ...write('clicks_forget'),
  ...write('commissions_clear_due'),
  ...write('events_take_due_clawbacks'),
  ...write('events_take_due_settlements'),
  ...write('leads_expire'),
  ...write('imports_take_due'),
  ...write('profile_lock_undigested'),
  ...write('kyc_take_due_checks'),
  ...write('kyc_lock_expired'),
  ...write('kyc_mark_due_removals'),
  ...write('kyc_forget_old_events'),
  ...write('payouts_take_due'),
  ...write('payouts_freeze_state', 'payouts_take_to_check'),
  ...write('schedule_clock', 'schedule_lock_due'),
  ...write('payment_events_take_due'),
  ...write('payouts_take_due_accounts'),
  ...write('payment_events_forget'),
  ...write('accounts_lock_next_kept'),
  ...write('exports_expire'),
  ...write('exports_list_standing'),
  ...write('exports_mark_due_objects'),
  ...write('auth_forget_tokens'),
  ...write('widget_tidy_widget_token', 'widget_tidy_widget_session'),
  ...write('audit_lock_chain', 'audit_seal_block', ...check),
  ...write('events_lock_folding', 'events_fold_sales'),
  ...write('ledger_lock_sealing', 'ledger_seal_block'),
  ...write('genealogy_lock_fold', 'genealogy_fold_pending'),
  ...write('members_lock_folding', 'members_fold_commissions'),
];

export const sandboxStatements = countStatements(
  async ({ app }) => {
    const automated = await openKycSide(app, await startFakeKycVendor(), { environment: 'SANDBOX' });
    await plantKycSettings(app, automated.scope);
    return { sandbox: apiClient(app, automated.key), verified: await automated.newRecord() };
  },
  [
    ['getSandboxClock', ({ sandbox }) => sandbox.get('/api/v1/sandbox/clock'), 200, alone('sandbox_read_clock')],
    [
      'moveSandboxClock ahead',
      ({ sandbox }) => sandbox.post('/api/v1/sandbox/clock', { advanceSeconds: 60 }),
      200,
      // The first block of a day asks for a job that verifies the log.
      [...write('sandbox_advance_clock', 'audit_insert'), ...sweeps(['built'])],
    ],
    [
      'moveSandboxClock, frozen',
      ({ sandbox }) => sandbox.post('/api/v1/sandbox/clock', { frozenAt: '2100-01-01T00:00:00Z' }),
      200,
      [...write('sandbox_freeze_clock', 'audit_insert'), ...sweeps([])],
    ],
    [
      'sendVendorEvent',
      ({ sandbox, verified }) =>
        sandbox.post('/api/v1/sandbox/vendor-events', { kind: 'kyc', userId: verified.memberId, outcome: 'approved' }),
      200,
      [
        ...alone('profile_find'),
        ...alone('kyc_read_settings'),
        ...write(
          'kyc_lock_record_of_member',
          'kyc_store_simulated_review',
          'kyc_lock_records_of_event',
          'kyc_member_erased',
          'kyc_insert_event',
          'profile_identity',
          'kyc_update_status',
          'webhooks_heard',
          'kyc_set_member_approved',
          'audit_insert',
          'audit_insert',
          // The job that tells of the member's accounts.
          'built',
          ...told('kyc_find_record_of_member', 'kyc_documents_of_record'),
        ),
      ],
    ],
    [
      'resetSandbox',
      ({ sandbox }) => sandbox.post('/api/v1/sandbox/reset', {}),
      200,
      write('sandbox_allow_time', 'sandbox_erase', 'audit_insert', 'plans_default_currency', 'plans_lock', 'plans_insert_first'),
    ],
  ],
);
