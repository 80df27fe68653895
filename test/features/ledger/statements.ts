/** The statements of the operations of the ledger. */
import { newLine, newSession } from '../../support/statements/made-before.ts';
import { alone, read, type StatementRow } from '../../support/statements/statement-row.ts';

export const ledgerStatements: StatementRow[] = [
  [
    'verifyLedger, of a ledger with a void',
    async (world) => {
      await world.client.post(`/api/v1/commissions/${await newLine(world)}/void`, {});
      world.forget();
      return world.client.get('/api/v1/admin/ledger/verify');
    },
    200,
    read(
      'audit_find_head',
      'audit_find_block',
      'audit_first_block',
      'audit_next_block',
      'audit_verify_blocks',
      'audit_next_entry',
      'audit_verify_entries',
      'ledger_last_check',
      'ledger_tune_for_ranges',
      'ledger_find_block',
      'ledger_next_block',
      'ledger_verify_blocks',
      'ledger_next_journals',
      'ledger_verify_ranges',
      'ledger_find_disagreeing',
    ),
  ],
  [
    'getTrialBalance',
    ({ client }) => client.get('/api/v1/admin/ledger/trial-balance'),
    200,
    read('ledger_tune_for_ranges', 'ledger_as_of', 'ledger_next_journals', 'ledger_fold_accounts'),
  ],
  [
    'getTrialBalance, as of an instant',
    ({ client }) => client.get('/api/v1/admin/ledger/trial-balance?asOf=2025-01-01T00:00:00Z'),
    200,
    read('ledger_tune_for_ranges', 'ledger_as_of', 'ledger_next_journals', 'ledger_fold_accounts_as_of'),
  ],
  [
    'getMemberBalances',
    ({ client, chain }) => client.get(`/api/v1/members/${chain[0]?.id}/balances`),
    200,
    alone('ledger_member_balances'),
  ],
  [
    'listMemberLedger of 1',
    ({ client, chain }) => client.get(`/api/v1/members/${chain[0]?.id}/ledger?limit=1`),
    200,
    alone('ledger_member_entries'),
  ],
  [
    'listMemberLedger of 100',
    ({ client, chain }) => client.get(`/api/v1/members/${chain[0]?.id}/ledger?limit=100`),
    200,
    alone('ledger_member_entries'),
  ],
  [
    "getMemberBalances with a member's token: its session is one more, remembered for a second",
    async (world) => {
      const { accessToken } = await newSession(world);
      return world.client.get(`/api/v1/members/${world.chain[4]?.id}/balances`, { authorization: `Bearer ${accessToken}` });
    },
    200,
    [...alone('auth_session'), ...alone('ledger_member_balances')],
  ],
];
