/**
 * Dated history of tier, activity and sponsor. The first change of a member writes the former value
 * from -infinity beside the new one; from then on a value holds until the next row's valid_from.
 */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { MembershipTier } from '../../http/schemas.ts';

export interface DatedChange {
  memberId: string;
  /** ISO instant; undefined means now by the scope's clock. */
  effectiveAt: string | undefined;
  reason: string | null;
}

type Values = [string, string, string, former: unknown, next: unknown, effectiveAt: string | null, reason: string | null];

function recordChange(name: string, table: string, column: string, type: string) {
  return prepared<unknown, Values>(
    name,
    `insert into ${table} (tenant_id, environment, member_id, ${column}, valid_from, reason)
     select $1, $2, $3, $4::${type}, '-infinity', null
     where not exists (select from ${table} where tenant_id = $1 and environment = $2 and member_id = $3)
     union all
     select $1, $2, $3, $5::${type}, coalesce($6::timestamptz, scope_now($1, $2)), $7`,
  );
}

const recordTierChange = recordChange('history_record_tier', 'member_tier_history', 'membership_tier', 'text');
const recordActivityChange = recordChange('history_record_activity', 'member_activity_history', 'is_active', 'boolean');
const recordSponsorChange = recordChange('history_record_sponsor', 'member_sponsor_history', 'sponsor_id', 'uuid');

/** The current values are those of the latest rows; a back-dated change before a later one leaves them. */
const applyHistory = prepared<unknown, [string, string, string, canRecruit: boolean | null]>(
  'history_apply',
  `update member m set
     can_recruit = coalesce($4, m.can_recruit),
     membership_tier = coalesce((select h.membership_tier from member_tier_history h
       where h.tenant_id = $1 and h.environment = $2 and h.member_id = $3
       order by h.valid_from desc, h.id desc limit 1), m.membership_tier),
     is_active = coalesce((select h.is_active from member_activity_history h
       where h.tenant_id = $1 and h.environment = $2 and h.member_id = $3
       order by h.valid_from desc, h.id desc limit 1), m.is_active),
     has_history = m.has_history
       or exists (select from member_tier_history h where h.tenant_id = $1 and h.environment = $2 and h.member_id = $3)
       or exists (select from member_activity_history h where h.tenant_id = $1 and h.environment = $2 and h.member_id = $3),
     updated_at = scope_now($1, $2)
   where m.tenant_id = $1 and m.environment = $2 and m.id = $3`,
);

export async function insertTierChange(
  db: Db,
  scope: Scope,
  former: MembershipTier,
  next: MembershipTier,
  change: DatedChange,
): Promise<void> {
  await db.rows(recordTierChange(...valuesOf(scope, former, next, change)));
}

export async function insertActivityChange(
  db: Db,
  scope: Scope,
  former: boolean,
  next: boolean,
  change: DatedChange,
): Promise<void> {
  await db.rows(recordActivityChange(...valuesOf(scope, former, next, change)));
}

export async function insertSponsorChange(
  db: Db,
  scope: Scope,
  former: string | null,
  next: string | null,
  change: DatedChange,
): Promise<void> {
  await db.rows(recordSponsorChange(...valuesOf(scope, former, next, change)));
}

/** Sets the member's row to the latest of its history, and can_recruit when given. */
export async function applyMemberChanges(db: Db, scope: Scope, memberId: string, canRecruit: boolean | undefined): Promise<void> {
  await db.rows(applyHistory(scope.tenantId, scope.environment, memberId, canRecruit ?? null));
}

const scopeNow = prepared<{ now: Date }, [string, string]>('history_now', 'select scope_now($1, $2) as now');

/** The transaction's time by the clock that money goes by: the database's, or the tenant's own in SANDBOX. */
export async function readNow(db: Db, scope: Scope): Promise<Date> {
  const row = await db.row(scopeNow(scope.tenantId, scope.environment));
  if (!row) throw new Error('the scope has no clock');
  return row.now;
}

/** One entry a change, and one for the value since always, which was recorded with the member. */
export interface HistoryEntry {
  dimension: 'tier' | 'activity' | 'sponsor';
  value: string | null;
  /** null: since always. */
  validFrom: Date | null;
  recordedAt: Date;
  reason: string | null;
}

function entries(dimension: HistoryEntry['dimension'], table: string, column: string, present = column): string {
  return `select '${dimension}' as dimension, (case when h.id is null then m.${present} else h.${column} end)::text as value,
                 nullif(h.valid_from, '-infinity') as valid_from,
                 case when isfinite(h.valid_from) then h.recorded_at else m.created_at end as recorded_at, h.reason, h.id
          from member m
          left join ${table} h on h.tenant_id = m.tenant_id and h.environment = m.environment and h.member_id = m.id
          where m.tenant_id = $1 and m.environment = $2 and m.id = $3`;
}

/** A member's history, oldest first; of entries with the same validFrom the last counts. No row when there is no such member. */
export const historyStatement = prepared<HistoryEntry, [string, string, memberId: string]>(
  'history_read',
  `select dimension, value, valid_from as "validFrom", recorded_at as "recordedAt", reason
   from (${entries('tier', 'member_tier_history', 'membership_tier')}
         union all ${entries('activity', 'member_activity_history', 'is_active')}
         union all ${entries('sponsor', 'member_sponsor_history', 'sponsor_id', 'parent_id')}) entry
   order by dimension, valid_from nulls first, id`,
);

function valuesOf(scope: Scope, former: unknown, next: unknown, change: DatedChange): Values {
  return [scope.tenantId, scope.environment, change.memberId, former, next, change.effectiveAt ?? null, change.reason];
}
