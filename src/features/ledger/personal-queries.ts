/** Postings to a member's accounts, as they are exported, in SQL. */
import { ofTenant } from '../../db/tenant-condition.ts';
import { type ExportList, exportList, LOWEST_ID, ofMember, utc } from '../../house/personal.ts';
import { MAX_AMOUNT_MINOR } from '../../money.ts';

/** Postings of moves are sums. */
const IS_EXACT = `(abs(p.amount_minor) <= ${MAX_AMOUNT_MINOR})`;

export const postingsOfMember: ExportList = exportList(
  'export_ledger_entries',
  [
    ['p.currency', 'text', ''],
    ['p.journal_id', 'uuid', LOWEST_ID],
    ['p.seq', 'smallint', '-1'],
  ],
  {
    journalId: 'p.journal_id',
    seq: 'p.seq',
    account: 'p.account',
    amountMinor: `case when ${IS_EXACT} then p.amount_minor end`,
    amountMinorExact: `case when not ${IS_EXACT} then p.amount_minor::text end`,
    currency: 'p.currency',
    causeType: 'j.cause_type',
    causeId: 'j.cause_id',
    recordedAt: utc('j.recorded_at'),
  },
  `posting p cross join lateral (
     select j.cause_type, j.cause_id, j.recorded_at from journal_entry j
     where ${ofTenant('j')} and j.id = p.journal_id offset 0) j
   ${ofMember('p', 'member_id')}`,
);
