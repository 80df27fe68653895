/**
 * Verifying the audit log of one tenant and environment: every hash is computed anew from the rows.
 * Source: docs/specification/conventions.md#audit-seals; docs/decisions/0027-sealed-audit-log.md.
 */
import type { Db, Scope } from '../../db/scope.ts';
import { LOWEST_ID } from '../../house/personal.ts';
import type { AuditHead, HeadSigner } from './audit-head.ts';
import { type AuditFault, type AuditFaults, blockFaults, entryFaults, newAuditFaults } from './open/audit-faults.ts';
import { findHead, type HeadRow } from './retention-queries.ts';
import {
  entryBefore,
  findAuditBlock,
  firstAuditBlock,
  nextAuditBlock,
  nextEntry,
  verifyAuditBlocks,
  verifyEntries,
} from './verify-queries.ts';

export interface AuditVerification {
  blocks: number;
  entries: number;
  unsealed: number;
  head: { seq: number; hash: string } | null;
  /** What retention has dropped; null: nothing. */
  dropped: { seq: number; hash: string; entries: number; until: Date } | null;
  faults: AuditFault[];
  faultsTruncated: boolean;
}

/** A block whose hash was kept outside: the verification begins there. */
export interface AuditAnchor {
  fromSeq?: number | undefined;
  expectedHash?: string | undefined;
}

/** Of one statement; it takes a fraction of a second. */
const RANGE_ENTRIES = 5_000;
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const NO_BLOCK_BEYOND = 9_223_372_036_854_775_807n;

/** `db` is of a frame with one snapshot. */
export async function verifyAuditLog(
  db: Db,
  scope: Scope,
  signer: HeadSigner,
  anchor: AuditAnchor = {},
): Promise<AuditVerification> {
  const faults = newAuditFaults();
  const [head, last, first] = await Promise.all([
    db.row(findHead(scope)),
    db.row(findAuditBlock(scope, { seq: null })),
    db.row(firstAuditBlock(scope)),
  ]);
  const dropped = head && headOf(head);
  if (head && dropped && !(head.signature && signer.isSigned(scope, dropped, head.signature)))
    faults.add({ kind: 'HEAD_FORGED', blockSeq: Number(head.seq), message: 'The head was not signed by this deployment' });
  if (head && first && first.seq <= head.seq)
    faults.add({
      kind: 'CHAIN_BROKEN',
      blockSeq: Number(first.seq),
      message: 'The block is there and the head says it was dropped',
    });
  if (anchor.fromSeq !== undefined) await checkAnchor(db, scope, anchor.fromSeq, anchor.expectedHash, dropped, faults);
  const fromSeq = BigInt(anchor.fromSeq ?? 1);
  const blocks = await walkBlocks(db, scope, fromSeq, faults);
  const before = fromSeq === 1n ? undefined : await db.row(entryBefore(scope, { seq: fromSeq }));
  const counts = await walkEntries(db, scope, before?.id ?? LOWEST_ID, faults);
  return {
    blocks,
    ...counts,
    head: last ? { seq: Number(last.seq), hash: last.hash } : null,
    dropped: dropped
      ? {
          seq: Number(dropped.seq),
          hash: dropped.hash,
          entries: Number(dropped.entries),
          until: new Date(Number(dropped.newestAt / 1000n)),
        }
      : null,
    faults: faults.list,
    faultsTruncated: faults.truncated(),
  };
}

/** Undefined: nothing was dropped. */
export function headOf({ seq, hash, entries, newest_at: newestAt }: HeadRow): AuditHead | undefined {
  return hash === null || newestAt === null ? undefined : { seq, hash, entries, newestAt };
}

/** A block that was dropped last is known by the head. */
async function checkAnchor(
  db: Db,
  scope: Scope,
  blockSeq: number,
  expectedHash: string | undefined,
  dropped: AuditHead | undefined,
  faults: AuditFaults,
): Promise<void> {
  const kept = dropped?.seq === BigInt(blockSeq) ? dropped : await db.row(findAuditBlock(scope, { seq: BigInt(blockSeq) }));
  if (!kept) faults.add({ kind: 'CHAIN_BROKEN', blockSeq, message: 'There is no such block' });
  else if (expectedHash !== undefined && kept.hash !== expectedHash)
    faults.add({ kind: 'CHAIN_BROKEN', blockSeq, message: `The hash is ${kept.hash} and not the expected one` });
}

async function walkBlocks(db: Db, scope: Scope, fromSeq: bigint, faults: AuditFaults): Promise<number> {
  let blocks = 0;
  for (let from: bigint | undefined = fromSeq; from !== undefined; ) {
    const next: { seq: bigint } | undefined = await db.row(nextAuditBlock(scope, { from, entries: RANGE_ENTRIES }));
    // A block larger than the range is read whole.
    const to: bigint | undefined = next && (next.seq > from ? next.seq : from + 1n);
    const row = await db.row(verifyAuditBlocks(scope, { from, to: to ?? NO_BLOCK_BEYOND }));
    blocks += row?.blocks ?? 0;
    for (const suspect of row?.suspects ?? []) for (const fault of blockFaults(suspect)) faults.add(fault);
    from = to;
  }
  return blocks;
}

async function walkEntries(
  db: Db,
  scope: Scope,
  after: string,
  faults: AuditFaults,
): Promise<{ entries: number; unsealed: number }> {
  const counts = { entries: 0, unsealed: 0 };
  for (let low: string | undefined = after; low !== undefined; ) {
    const next: { id: string } | undefined = await db.row(nextEntry(scope, { after: low, count: RANGE_ENTRIES }));
    const row = await db.row(verifyEntries(scope, { low, high: next?.id ?? HIGHEST_ID }));
    counts.entries += row?.entries ?? 0;
    counts.unsealed += row?.unsealed ?? 0;
    for (const suspect of row?.suspects ?? []) for (const fault of entryFaults(suspect)) faults.add(fault);
    low = next?.id;
  }
  return counts;
}
