/** Settlements in SQL: the commissions that one pays, and the payout that it is. */
import { type Actor, actorRef } from '../../../actor.ts';
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import { type Payout, payoutColumns } from '../payouts/payouts-queries.ts';

const member = tenantTable('member');
const payout = tenantTable('payout');

const lockMember = statement<{ isTestUser: boolean }, { memberId: string }>('settlements_lock_member', ({ memberId }) =>
  member().where({ id: memberId }).select({ isTestUser: 'is_test_user' }).forNoKeyUpdate(),
);

/** Settlements of a member, and its erasure, come one after the other. Undefined: no such member. */
export function lockMemberToSettle(db: Db, scope: Scope, memberId: string): Promise<{ isTestUser: boolean } | undefined> {
  return db.row(lockMember(scope, { memberId }));
}

const withReference = statement<{ id: string }, { memberId: string; reference: string }>(
  'settlements_find_reference',
  ({ memberId, reference }) =>
    payout().where({ member_id: memberId, reference }).whereNull('payout_run_id').where('status', '<>', 'returned').select('id'),
);

/** The settlement of the member that has the reference, unless it came back. */
export async function findSettlement(
  db: Db,
  scope: Scope,
  memberId: string,
  reference: string,
): Promise<{ id: string } | undefined> {
  return db.row(withReference(scope, { memberId, reference }));
}

export interface NewSettlement {
  memberId: string;
  currency: string;
  amountMinor: bigint;
  reference: string;
  by: Actor;
}

export interface Inserted {
  /** Null: whole commissions do not come to the amount, and nothing was inserted. */
  payoutId: string | null;
  /** All that is cleared and in no other payout. */
  clearedMinor: bigint;
  /** The nearest amounts that whole commissions come to; null: none. */
  nearestBelowMinor: bigint | null;
  nearestAboveMinor: bigint | null;
}

/** A line that is cleared, of the member and the currency, and that no payout holds. */
const FREE = `${ofTenant('l')} and l.beneficiary_id = :memberId and l.currency = :currency and l.status = 'cleared'
     and not exists (select from payout_line c where ${ofTenant('c')} and c.line_id = l.id and c.live)`;

const insert = statement<Inserted, { memberId: string; currency: string; amountMinor: bigint; reference: string; by: string }>(
  'settlements_insert',
  ({ memberId, currency, amountMinor, reference, by }) =>
    raw(
      `with clock as (select ${SCOPE_NOW} as now),
   -- What takes back comes first, so that the sums ascend from there on: one of them at most is the amount.
   free as materialized (
     select l.id, l.amount_minor, sum(l.amount_minor) over (order by l.amount_minor > 0, l.id) as so_far
     from commission_line l where ${FREE}),
   sums as materialized (
     select coalesce(sum(f.amount_minor), 0)::bigint as cleared,
            max(f.so_far) filter (where f.so_far > 0 and f.so_far < :amountMinor)::bigint as below,
            min(f.so_far) filter (where f.so_far > :amountMinor)::bigint as above,
            count(*) filter (where f.so_far <= :amountMinor)::int as line_count,
            coalesce(bool_or(f.so_far = :amountMinor), false) as is_exact
     from free f),
   made as (
     insert into payout (tenant_id, environment, member_id, provider_type, currency, amount_minor, line_count, status, attempt,
                         reference, created_by, requested_by, created_at, updated_at)
     select :tenantId, :environment, :memberId, 'manual', :currency, :amountMinor, sums.line_count, 'processing', 1, :reference,
            :by, :by, clock.now, clock.now
     from sums cross join clock where sums.is_exact
     returning id),
   attempt as (
     insert into payout_attempt (tenant_id, environment, payout_id, attempt, created_by, started_at)
     select :tenantId, :environment, made.id, 1, :by, now() from made),
   consumed as (
     insert into payout_line (tenant_id, environment, payout_id, line_id, amount_minor)
     select :tenantId, :environment, made.id, f.id, f.amount_minor from made cross join free f where f.so_far <= :amountMinor)
   select made.id as "payoutId", sums.cleared as "clearedMinor", sums.below as "nearestBelowMinor", sums.above as "nearestAboveMinor"
   from sums left join made on true`,
      { memberId, currency, amountMinor, reference, by },
    ),
);

/**
 * A payout that is processing, with the commissions that it pays; they are not locked yet. Violates `payout_line_live_key`
 * when a payout that is retried takes one meanwhile.
 */
export async function insertSettlement(db: Db, scope: Scope, settlement: NewSettlement): Promise<Inserted> {
  const { memberId, currency, amountMinor, reference, by } = settlement;
  const row = await db.row(insert(scope, { memberId, currency, amountMinor, reference, by: actorRef(by) }));
  if (!row) throw new Error('a settlement returned no row');
  return row;
}

const changed = statement<{ changed: boolean }, { payoutId: string; memberId: string; currency: string }>(
  'settlements_changed',
  ({ payoutId, memberId, currency }) =>
    raw(
      `select exists (
       select from payout_line c join commission_line l on ${ofTenant('l')} and l.id = c.line_id
       where ${ofTenant('c')} and c.payout_id = :payoutId and l.status <> 'cleared')
     or exists (select from commission_line l where ${FREE} and l.amount_minor < 0) as changed`,
      { payoutId, memberId, currency },
    ),
);

/** Whether its commissions are others now: asked behind the locks on them and on the member's debts. */
export async function hasChanged(
  db: Db,
  scope: Scope,
  payoutId: string,
  { memberId, currency }: Pick<NewSettlement, 'memberId' | 'currency'>,
): Promise<boolean> {
  return (await db.row(changed(scope, { payoutId, memberId, currency })))?.changed === true;
}

const list = statement<Payout, { memberId: string; beforeId: string | null; count: number }>(
  'settlements_list',
  ({ memberId, beforeId, count }) =>
    payout('p')
      .where('p.member_id', memberId)
      .whereNull('p.payout_run_id')
      .whereRaw('(:beforeId::uuid is null or p.id < :beforeId)', { beforeId })
      .orderBy('p.id', 'desc')
      .limit(count)
      .select(payoutColumns),
);

/** The newest first, also those that came back. */
export function listSettlements(
  db: Db,
  scope: Scope,
  memberId: string,
  beforeId: string | undefined,
  count: number,
): Promise<Payout[]> {
  return db.rows(list(scope, { memberId, beforeId: beforeId ?? null, count }));
}
