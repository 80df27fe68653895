/** What a verification of the audit log finds wrong, in words. */

export const AUDIT_FAULT_KINDS = [
  'ENTRY_ALTERED',
  'ENTRY_MISSING',
  'ENTRY_UNSEALED_LOST',
  'BLOCK_INCOMPLETE',
  'BLOCK_ALTERED',
  'CHAIN_BROKEN',
  'HEAD_FORGED',
] as const;

export interface AuditFault {
  kind: (typeof AUDIT_FAULT_KINDS)[number];
  entryId?: string;
  blockSeq?: number;
  message: string;
}

export interface EntrySuspect {
  id: string;
  blockSeq: number | null;
  missing: boolean;
  sealed: boolean;
  queued: boolean;
  altered: boolean | null;
}

export interface AuditBlockSuspect {
  seq: number;
  missing: boolean;
  /** The entries are not those of positions 1 to entry_count. */
  gaps: boolean | null;
  altered: boolean | null;
  unlinked: boolean | null;
}

export interface AuditFaults {
  readonly list: AuditFault[];
  /** Whether there are more than the list holds. */
  truncated(): boolean;
  add(fault: AuditFault): void;
}

const MOST = 100;

export function newAuditFaults(): AuditFaults {
  const list: AuditFault[] = [];
  let left = 0;
  return {
    list,
    truncated: () => left > 0,
    add(fault) {
      if (list.length < MOST) list.push(fault);
      else left += 1;
    },
  };
}

export function blockFaults({ seq: blockSeq, missing, gaps, altered, unlinked }: AuditBlockSuspect): AuditFault[] {
  if (missing) return [{ kind: 'CHAIN_BROKEN', blockSeq, message: 'The block has entries and is not there itself' }];
  const faults: AuditFault[] = [];
  if (gaps)
    faults.push({
      kind: 'BLOCK_INCOMPLETE',
      blockSeq,
      message: 'The entries are not as many as the block says, one a position',
    });
  if (altered) faults.push({ kind: 'BLOCK_ALTERED', blockSeq, message: 'The hash is not that of the block and its entries' });
  if (unlinked) faults.push({ kind: 'CHAIN_BROKEN', blockSeq, message: 'The block does not follow the hash of the one before' });
  return faults;
}

export function entryFaults({ id: entryId, blockSeq: seq, missing, sealed, queued, altered }: EntrySuspect): AuditFault[] {
  const where = { entryId, ...(seq === null ? {} : { blockSeq: seq }) };
  if (missing) return [{ kind: 'ENTRY_MISSING', ...where, message: 'The entry was sealed, or waited to be, and is not there' }];
  const faults: AuditFault[] = [];
  const lost = { kind: 'ENTRY_UNSEALED_LOST' as const, ...where };
  if (sealed && queued) faults.push({ ...lost, message: 'The entry is sealed and waits to be sealed as well' });
  if (!sealed && !queued) faults.push({ ...lost, message: 'The entry is neither sealed nor waiting to be' });
  if (altered) faults.push({ kind: 'ENTRY_ALTERED', ...where, message: 'The hash is not that of the entry' });
  return faults;
}
