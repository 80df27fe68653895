/** The statements of the operations of profiles, their erasure and export. */
import { alone, type StatementRow, write } from '../../support/statements/statement-row.ts';

export const profileStatements: StatementRow[] = [
  ['getProfile', ({ client, chain }) => client.get(`/api/v1/members/${chain[4]?.id}/profile`), 200, alone('profile_find')],
  [
    'updateProfile',
    ({ client, chain }) =>
      client.patch(`/api/v1/members/${chain[4]?.id}/profile`, { name: 'Ann', idNumber: 'AB-1234', address: { city: 'Rome' } }),
    200,
    write('profile_lock_member', 'profile_find', 'profile_rename', 'profile_upsert', 'audit_insert', 'profile_find'),
  ],
  [
    'updateProfile that changes nothing',
    ({ client, chain }) => client.patch(`/api/v1/members/${chain[4]?.id}/profile`, { name: 'Ann', address: { city: 'Rome' } }),
    200,
    write('profile_lock_member', 'profile_find'),
  ],
  [
    'eraseMember',
    async ({ client, chain, forget }) => {
      const { id } = await client.newMember({ parent_id: chain[0]?.id });
      forget();
      return client.post(`/api/v1/members/${id}/erasure`, { reason: 'Asked for' });
    },
    200,
    write(
      'profile_find',
      'users_former_emails',
      'erasure_allow_time',
      'erasure_customers',
      'kyc_lock_record_of_member',
      'kyc_forget_events',
      'erasure_lock_payouts',
      'users_lock_tree',
      'users_lock_history',
      'users_find_for_update',
      'history_record_activity',
      'history_apply',
      'users_note_activity',
      'erasure_lock_books',
      'erasure_owed',
      'erasure_member',
      'idempotency_delete_naming',
      'audit_forget_origins_of',
      'erasure_links',
      'erasure_codes',
      'erasure_former_emails',
      'erasure_leads',
      'erasure_profile',
      'erasure_payout_accounts',
      'erasure_hold_reason',
      'exports_outdate',
      'erasure_identities',
      'erasure_sessions',
      'erasure_session_cutoff',
      'audit_insert',
    ),
  ],
  [
    'exportMemberData, a read a list',
    ({ client, chain }) => client.get(`/api/v1/members/${chain[4]?.id}/data-export`),
    200,
    [
      ...write('export_head', 'audit_insert'),
      'history_read',
      'export_customers',
      'export_leads_referred',
      'export_referral_links',
      'export_commissions',
      'export_ledger_entries',
      'export_payout_accounts',
      'export_identities',
      'export_sessions',
      'export_kyc_documents',
      'export_kyc_remarks',
      'export_kyc_events',
      'export_audit_entries',
      'export_audit_addresses',
      'export_exchanged_tokens',
    ],
  ],
  ['getMe without a bearer token', ({ client }) => client.get('/api/v1/members/me'), 401, []],
];
