/**
 * The sweep that forgets: addresses after a time of their own, and whole sealed blocks at the beginning of the log.
 * Source: docs/specification/conventions.md#audit-retention.
 */
import type { Logger } from 'pino';
import type { Scope, WriteDb } from '../../db/scope.ts';
import type { Sweep } from '../../jobs/schedule.ts';
import type { AuditHead, HeadSigner } from './audit-head.ts';
import {
  dropBlocks,
  findHead,
  findOldBlocks,
  forgetOrigins,
  lockHead,
  lookAgain,
  type OldBlocks,
  oldEntriesAreWhole,
} from './retention-queries.ts';
import { lockAuditChain } from './seal-queries.ts';
import { headOf } from './verify-audit-log.ts';
import { verifyAuditBlocks } from './verify-queries.ts';

export const KEEP_AUDIT_LOG = 'keep-audit-log';

interface Keeping {
  /** Days that an address is kept. */
  ipDays: number;
  /** Days that an entry is kept; 0: for good. */
  retentionDays: number;
  signer: HeadSigner;
  logger: Logger;
}

const ORIGINS = 1_000;
/** A batch may drop a block, of at most BLOCK_ENTRIES entries, for so many addresses that it may forget. */
const ORIGINS_A_BLOCK = 100;
const DAY_SECONDS = 86_400;

/** A log that has nothing left to forget is looked at again in a day. */
export function createKeepSweep({ ipDays, retentionDays, signer, logger }: Keeping): Sweep {
  /** True when blocks were dropped, and there may be more. */
  async function dropOld(db: WriteDb, scope: Scope, blocks: number): Promise<boolean> {
    if (retentionDays === 0) return false;
    const old = await db.row(findOldBlocks(scope, { days: retentionDays, count: blocks }));
    if (!old) return false;
    const row = await db.row(findHead(scope));
    const before = row && headOf(row);
    if (!(await areWhole(db, scope, old)) || (before && !(row.signature && signer.isSigned(scope, before, row.signature)))) {
      logger.error({ ...scope, blockSeq: String(old.seq) }, 'audit blocks that do not verify are not dropped');
      return false;
    }
    const head: AuditHead = {
      seq: old.seq,
      hash: old.hash,
      entries: (before?.entries ?? 0n) + old.entries,
      newestAt: old.newest_at,
    };
    await db.row(dropBlocks(scope, { lastSeq: old.seq, signature: signer.sign(scope, head) }));
    return true;
  }

  return {
    name: KEEP_AUDIT_LOG,
    batchSize: ORIGINS,
    async run(db, scope, limit) {
      if ((await db.row(lockHead(scope)))?.due !== true) return 0;
      if ((await db.row(lockAuditChain(scope)))?.mine !== true) return 0;
      const forgotten = await db.rows(forgetOrigins(scope, { days: ipDays, count: limit }));
      if (forgotten.length === limit || (await dropOld(db, scope, Math.ceil(limit / ORIGINS_A_BLOCK)))) return limit;
      await db.rows(lookAgain(scope, { seconds: DAY_SECONDS }));
      return 0;
    },
  };
}

/** What was tampered with stays, to be found: dropping it would wash it away. */
async function areWhole(db: WriteDb, scope: Scope, { seq }: OldBlocks): Promise<boolean> {
  const blocks = await db.row(verifyAuditBlocks(scope, { from: 1n, to: seq + 1n }));
  const entries = await db.row(oldEntriesAreWhole(scope, { lastSeq: seq }));
  return blocks?.suspects === null && entries?.whole === true;
}
