/**
 * Journals and postings in SQL, for the statements that cause them. In each text `rows` is what stands behind `from`: the
 * name of a CTE, or a select in brackets.
 */
import type { NewPosting } from './journal.ts';

/** Rows have cause_type, cause_id, occurred_at and recorded_at. Each becomes a journal, whose `id` and `cause_id` may be returned. */
export const insertJournals = (rows: string): string =>
  `insert into journal_entry (tenant_id, environment, cause_type, cause_id, occurred_at, recorded_at)
     select :tenantId, :environment, r.cause_type, r.cause_id, r.occurred_at, r.recorded_at from ${rows} r`;

/** The same of rows that bring the journal's id too. */
export const insertNumberedJournals = (rows: string): string =>
  `insert into journal_entry (tenant_id, environment, id, cause_type, cause_id, occurred_at, recorded_at)
     select :tenantId, :environment, r.id, r.cause_type, r.cause_id, r.occurred_at, r.recorded_at from ${rows} r`;

/** Rows have journal_id, seq, account, member_id, currency and amount_minor. Those of a journal add up to 0 in each currency. */
export const insertPostings = (rows: string): string =>
  `insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
     select :tenantId, :environment, r.journal_id, r.seq, r.account, r.member_id, r.currency, r.amount_minor from ${rows} r`;

/**
 * Reads what `postingRows` has made, SQL for its JSON: rows with seq, account, member_id, currency and amount_minor. The
 * currency is null where it was left out.
 */
export const readPostings = (json: string): string =>
  `select p.* from jsonb_to_recordset(${json}::jsonb)
     as p(seq smallint, account text, member_id uuid, currency text, amount_minor bigint)`;

/** As their JSON has them, in their order. A currency that is `common` to most need not travel with each: it is left out. */
export function postingRows(postings: readonly NewPosting[], common?: string): object[] {
  return postings.map(({ account, memberId, currency, amountMinor }, seq) => ({
    seq,
    account,
    member_id: memberId ?? undefined,
    currency: currency === common ? undefined : currency,
    amount_minor: amountMinor.toString(),
  }));
}

export function postingsJson(postings: readonly NewPosting[]): string {
  return JSON.stringify(postingRows(postings));
}
