/**
 * Verifying the ledger of one tenant and environment: every hash is computed anew from the rows. First
 * the blocks and their chain, then every journal with what belongs to it, in ranges of one snapshot.
 * Source: docs/specification/commissions.md#sealing; docs/decisions/0011-sealed-blocks.md.
 */
import { randomBytes } from 'node:crypto';
import type { Db, Scope } from '../../db/scope.ts';
import { eachRange, LOWEST } from './journal-ranges.ts';
import type { LastCheck } from './last-check-queries.ts';
import { tuneForRanges } from './range-queries.ts';
import { type FaultList, newFaultList, type VerifyFault } from './verify-faults.ts';
import {
  findBlock,
  findDisagreeing,
  findUnbalanced,
  journalBefore,
  nextBlock,
  PARALLEL_RANGES,
  type RangeRow,
  verifyBlocks,
  verifyRanges,
} from './verify-queries.ts';

export interface Verification {
  blocks: number;
  journals: number;
  postings: number;
  unsealed: number;
  head: { seq: number; hash: string } | null;
  faults: VerifyFault[];
  faultsTruncated: boolean;
}

/** A block whose hash was kept outside: the verification begins there. */
export interface Anchor {
  fromSeq?: number | undefined;
  expectedHash?: string | undefined;
}

/** Where a check was sound, the next begins: that block is computed anew too, and must have the hash it had. */
export const anchorOf = ({ seq, hash }: Pick<LastCheck, 'seq' | 'hash'>): Anchor => ({ fromSeq: seq, expectedHash: hash });

/** A statement of so many postings takes a fraction of a second. */
const RANGE = { postings: 50_000, ranges: PARALLEL_RANGES };
const RANGE_ENTRIES = 50_000;

const NO_BLOCK_BEYOND = 9_223_372_036_854_775_807n;

/** `db` is of a frame with one snapshot. */
export async function verifyLedger(db: Db, scope: Scope, anchor: Anchor = {}): Promise<Verification> {
  const faults = newFaultList();
  const [, head] = await Promise.all([db.rows(tuneForRanges()), db.row(findBlock(scope, { seq: null }))]);
  const fromSeq = BigInt(anchor.fromSeq ?? 1);
  if (anchor.fromSeq !== undefined) await checkAnchor(db, scope, anchor.fromSeq, anchor.expectedHash, faults);
  const blocks = await walkBlocks(db, scope, fromSeq, faults);
  const before = fromSeq === 1n ? undefined : await db.row(journalBefore(scope, { seq: fromSeq }));
  const counts = await walkJournals(db, scope, before?.id ?? LOWEST, faults);
  return {
    blocks,
    ...counts,
    head: head ? { seq: Number(head.seq), hash: head.hash } : null,
    faults: faults.list,
    faultsTruncated: faults.truncated(),
  };
}

async function checkAnchor(
  db: Db,
  scope: Scope,
  seq: number,
  expectedHash: string | undefined,
  faults: FaultList,
): Promise<void> {
  const kept = await db.row(findBlock(scope, { seq: BigInt(seq) }));
  if (!kept) faults.add({ kind: 'CHAIN_BROKEN', blockSeq: seq, message: 'There is no such block' });
  else if (expectedHash !== undefined && kept.hash !== expectedHash)
    faults.add({ kind: 'CHAIN_BROKEN', blockSeq: seq, message: `The hash is ${kept.hash} and not the expected one` });
}

async function walkBlocks(db: Db, scope: Scope, fromSeq: bigint, faults: FaultList): Promise<number> {
  let blocks = 0;
  for (let from: bigint | undefined = fromSeq; from !== undefined; ) {
    const next: { seq: bigint } | undefined = await db.row(nextBlock(scope, { from, entries: RANGE_ENTRIES }));
    // A block larger than the range is read whole.
    const to: bigint | undefined = next && (next.seq > from ? next.seq : from + 1n);
    const row = await db.row(verifyBlocks(scope, { from, to: to ?? NO_BLOCK_BEYOND }));
    blocks += row?.blocks ?? 0;
    for (const suspect of row?.suspects ?? []) faults.addBlock(suspect);
    from = to;
  }
  return blocks;
}

type Counts = Pick<Verification, 'journals' | 'postings' | 'unsealed'>;

async function walkJournals(db: Db, scope: Scope, after: string, faults: FaultList): Promise<Counts> {
  const counts: Counts = { journals: 0, postings: 0, unsealed: 0 };
  const seed = randomBytes(8).readBigInt64BE();
  await eachRange(db, scope, after, RANGE, async (bounds) => {
    const rows = await db.rows(verifyRanges(scope, { seed, bounds }));
    for (const row of rows) {
      counts.journals += row.journals;
      counts.postings += row.postings;
      counts.unsealed += row.unsealed;
    }
    await nameFaults(db, scope, rows, faults);
  });
  return counts;
}

/** What a range statement only suspects is looked at closely. */
async function nameFaults(db: Db, scope: Scope, rows: readonly RangeRow[], faults: FaultList): Promise<void> {
  // What is known of its block tells more of a missing journal than its orphaned postings do.
  const suspects = rows
    .flatMap((row) => row.suspects ?? [])
    .toSorted((a, b) => Number(a.blockSeq === null) - Number(b.blockSeq === null));
  for (const suspect of suspects) faults.addJournal(suspect);
  const uneven = suspects.filter((suspect) => suspect.unbalanced).map((suspect) => suspect.id);
  if (uneven.length > 0) {
    const found = await db.rows(findUnbalanced(scope, { journalIds: uneven }));
    for (const { journal_id: journalId, currency, sum } of found)
      faults.add({ kind: 'UNBALANCED', journalId, message: `The postings in ${currency} sum to ${sum} and not to 0` });
  }
  const causes = rows.flatMap((row) => (row.causes ? row.causes.split(',') : []));
  if (causes.length > 0) {
    for (const row of await db.rows(findDisagreeing(scope, { causeIds: [...new Set(causes)] })))
      faults.add({
        kind: 'LINES_DISAGREE',
        ...(row.journal_id === null ? {} : { journalId: row.journal_id }),
        message: `Cause ${row.cause_id}: the lines of member ${row.member_id} sum to ${row.lines} ${row.currency}, the postings to ${row.posted}`,
      });
  }
}
