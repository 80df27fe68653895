/** What a verification finds wrong, in words. */
import type { BlockSuspect, JournalSuspect } from './verify-queries.ts';

export const FAULT_KINDS = [
  'JOURNAL_ALTERED',
  'JOURNAL_MISSING',
  'JOURNAL_UNSEALED_LOST',
  'ENTRY_MISSING',
  'BLOCK_ALTERED',
  'CHAIN_BROKEN',
  'UNBALANCED',
  'LINES_DISAGREE',
] as const;

export interface VerifyFault {
  kind: (typeof FAULT_KINDS)[number];
  journalId?: string;
  blockSeq?: number;
  message: string;
}

export interface FaultList {
  readonly list: VerifyFault[];
  /** Whether there are more than the list holds. */
  truncated(): boolean;
  add(fault: VerifyFault): void;
  addBlock(suspect: BlockSuspect): void;
  addJournal(suspect: JournalSuspect): void;
}

const MOST = 100;

export function newFaultList(): FaultList {
  const list: VerifyFault[] = [];
  const missing = new Set<string>();
  let left = 0;

  function add(fault: VerifyFault): void {
    if (list.length < MOST) list.push(fault);
    else left += 1;
  }

  /** Its postings, its entry and its place in the queue may each tell of it. */
  function addMissing(journalId: string, blockSeq: object): void {
    if (missing.has(journalId)) return;
    missing.add(journalId);
    add({ kind: 'JOURNAL_MISSING', journalId, ...blockSeq, message: 'Something of the journal is there and the journal is not' });
  }

  return {
    list,
    truncated: () => left > 0,
    add,
    addBlock({ seq: blockSeq, missing: gone, gaps, altered, unlinked }) {
      if (gone) return add({ kind: 'CHAIN_BROKEN', blockSeq, message: 'The block has entries and is not there itself' });
      if (gaps)
        add({ kind: 'ENTRY_MISSING', blockSeq, message: 'The entries are not as many as the block says, one a position' });
      if (altered) add({ kind: 'BLOCK_ALTERED', blockSeq, message: 'The hash is not that of the block and its entries' });
      if (unlinked) add({ kind: 'CHAIN_BROKEN', blockSeq, message: 'The block does not follow the hash of the one before' });
    },
    addJournal(suspect) {
      const { id: journalId, sealed, queued, altered, empty } = suspect;
      const blockSeq = suspect.blockSeq === null ? {} : { blockSeq: suspect.blockSeq };
      if (suspect.missing) return addMissing(journalId, blockSeq);
      const lost = { kind: 'JOURNAL_UNSEALED_LOST' as const, journalId, ...blockSeq };
      if (sealed && queued) add({ ...lost, message: 'The journal is sealed and waits to be sealed as well' });
      if (!sealed && !queued) add({ ...lost, message: 'The journal is neither sealed nor waiting to be' });
      if (empty) add({ kind: 'UNBALANCED', journalId, ...blockSeq, message: 'The journal has no postings' });
      if (altered)
        add({ kind: 'JOURNAL_ALTERED', journalId, ...blockSeq, message: 'The hash is not that of the journal and its postings' });
    },
  };
}
