/** The postings of the ledger, page by page in the order of their keys. */
import { firstIdAt } from '../../db/ids.ts';
import type { Scope } from '../../db/scope.ts';
import { minorSum } from '../../money.ts';
import type { ExportFilters } from './export-run.ts';
import { type Posting, type PostingKey, postingsAfter, postingsOfMemberAfter } from './postings-queries.ts';
import type { ReadOptions } from './read-operation.ts';

/** How long after it began a transaction may still make ids. */
const LONGEST_TRANSACTION_MS = 3_600_000;
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const LOWEST_SEQ = -32_768;

/** A page has as many rows as were looked at and match: where the times are not asked for, all of them. */
export async function* readPostings(
  scope: Scope,
  filters: ExportFilters,
  { frames, pageSize, untilId }: ReadOptions,
): AsyncGenerator<ReturnType<typeof postingRow>[]> {
  const { userId, currency, from, to } = filters as Record<string, string | undefined>;
  const since = from === undefined ? -Infinity : Date.parse(from);
  const until = to === undefined ? Infinity : Date.parse(to);
  const ids = idsOf(scope, since, until);
  const untilJournal = ids.last < untilId ? ids.last : untilId;
  for (let after: PostingKey | undefined = { journalId: ids.first, seq: LOWEST_SEQ }; after !== undefined; ) {
    const place = { afterJournal: after.journalId, afterSeq: after.seq, untilJournal, count: pageSize };
    const rows: Posting[] = await frames.readOnce(
      scope,
      userId === undefined ? postingsAfter(scope, place) : postingsOfMemberAfter(scope, { ...place, memberId: userId }),
    );
    after = rows.length === pageSize ? rows.at(-1) : undefined;
    yield rows
      .filter((row) => currency === undefined || row.currency === currency)
      .filter(({ recordedAt }) => recordedAt.getTime() >= since && recordedAt.getTime() < until)
      .map(postingRow);
  }
}

/** Ids are made by the real clock, which is the one that LIVE is recorded by: there nothing outside of them is looked at. */
function idsOf({ environment }: Scope, since: number, until: number): { first: string; last: string } {
  const isLive = environment === 'LIVE';
  return {
    first: firstIdAt(isLive && since > 0 ? since : 0),
    last: isLive && until < Infinity ? firstIdAt(Math.max(until, 0) + LONGEST_TRANSACTION_MS) : HIGHEST_ID,
  };
}

function postingRow({ memberId, amountMinor, occurredAt, recordedAt, ...posting }: Posting) {
  return {
    ...posting,
    userId: memberId,
    ...minorSum('amountMinor', amountMinor),
    occurredAt: occurredAt.toISOString(),
    recordedAt: recordedAt.toISOString(),
  };
}
