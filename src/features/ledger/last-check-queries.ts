/** Up to where the daily check has found a ledger sound. Source: docs/specification/commissions.md#sealing. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';

/** The last block of the latest check that found nothing wrong. */
export interface LastCheck {
  seq: number;
  /** In hexadecimal digits. */
  hash: string;
  checkedAt: Date;
  /** When all that is before was checked last. */
  wholeAt: Date;
  /** That was so long ago that the whole is to be checked again. */
  isWholeDue: boolean;
}

const WHOLE_DAYS = 7;

const last = statement<Omit<LastCheck, 'seq'> & { seq: bigint }>('ledger_last_check', () =>
  raw(
    `select c.block_seq as seq, encode(c.block_hash, 'hex') as hash, c.checked_at as "checkedAt", c.whole_at as "wholeAt",
          c.whole_at <= now() - make_interval(days => ${WHOLE_DAYS}) as "isWholeDue"
   from ledger_check c where ${ofTenant('c')}`,
  ),
);

export async function readLastCheck(db: Db, scope: Scope): Promise<LastCheck | undefined> {
  const row = await db.row(last(scope));
  return row && { ...row, seq: Number(row.seq) };
}

interface Noted {
  seq: number;
  hash: string;
  isWhole: boolean;
}

/** By the real clock, of a SANDBOX too: what is checked are rows, whatever time they are of. */
const note = statement<unknown, Noted>('ledger_note_check', ({ seq, hash, isWhole }) =>
  raw(
    `insert into ledger_check as known (tenant_id, environment, block_seq, block_hash, checked_at, whole_at)
   values (:tenantId, :environment, :seq, decode(:hash, 'hex'), now(), now())
   on conflict (tenant_id, environment) do update
     set block_seq = excluded.block_seq, block_hash = excluded.block_hash, checked_at = excluded.checked_at,
         whole_at = case when :isWhole then excluded.whole_at else known.whole_at end
     where known.block_seq <= excluded.block_seq`,
    { seq, hash, isWhole },
  ),
);

/** A check found nothing wrong up to this block. One that began earlier than another, and ends later, changes nothing. */
export async function noteCheck(db: Db, scope: Scope, check: Noted): Promise<void> {
  await db.rows(note(scope, check));
}
