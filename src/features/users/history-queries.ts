/**
 * Dated history of tier, activity, sponsor, group and standing. The first change of a member writes the former value
 * from -infinity beside the new one; from then on a value holds until the next row's valid_from.
 */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { SCOPE_CLOCK_BEHIND } from '../../db/scope-clock.ts';
import { ofTenant, sameTenant } from '../../db/tenant-condition.ts';
import type { MembershipTier } from '../../http/schemas.ts';

export interface DatedChange {
  memberId: string;
  /** ISO instant; undefined means now, behind the lock of the history, or the latest change where that is later. */
  effectiveAt: string | undefined;
  reason: string | null;
}

interface RecordedChange<Value> {
  memberId: string;
  former: Value;
  next: Value;
  effectiveAt: string | null;
  reason: string | null;
}

/**
 * Now is when the transaction began. One that began later may have been quicker to the lock: what comes behind it counts
 * from no earlier, or the change would be over before it is made.
 */
function recordChange<Value>(name: string, table: string, column: string, type: string) {
  return statement<unknown, RecordedChange<Value>>(name, ({ memberId, former, next, effectiveAt, reason }) =>
    raw(
      `insert into ${table} (tenant_id, environment, member_id, ${column}, valid_from, reason)
     select :tenantId, :environment, :memberId, :former::${type}, '-infinity', null
     where not exists (select from ${table} where ${ofTenant(table)} and member_id = :memberId)
     union all
     select :tenantId, :environment, :memberId, :next::${type}, coalesce(:effectiveAt::timestamptz, greatest(${SCOPE_CLOCK_BEHIND}, (
       select max(valid_from) from ${table} where ${ofTenant(table)} and member_id = :memberId))), :reason`,
      { memberId, former, next, effectiveAt, reason },
    ),
  );
}

const recordTierChange = recordChange<MembershipTier>('history_record_tier', 'member_tier_history', 'membership_tier', 'text');
const recordActivityChange = recordChange<boolean>('history_record_activity', 'member_activity_history', 'is_active', 'boolean');
const recordSponsorChange = recordChange<string | null>('history_record_sponsor', 'member_sponsor_history', 'sponsor_id', 'uuid');

/** The current values are those of the latest rows; a back-dated change before a later one leaves them. */
const applyHistory = statement<unknown, { memberId: string; canRecruit: boolean | null }>(
  'history_apply',
  ({ memberId, canRecruit }) =>
    raw(
      `update member m set
     can_recruit = coalesce(:canRecruit, m.can_recruit),
     membership_tier = coalesce((select h.membership_tier from member_tier_history h
       where ${ofTenant('h')} and h.member_id = :memberId
       order by h.valid_from desc, h.id desc limit 1), m.membership_tier),
     is_active = coalesce((select h.is_active from member_activity_history h
       where ${ofTenant('h')} and h.member_id = :memberId
       order by h.valid_from desc, h.id desc limit 1), m.is_active),
     has_history = m.has_history
       or exists (select from member_tier_history h where ${ofTenant('h')} and h.member_id = :memberId)
       or exists (select from member_activity_history h where ${ofTenant('h')} and h.member_id = :memberId),
     updated_at = scope_now(:tenantId, :environment)
   where ${ofTenant('m')} and m.id = :memberId`,
      { memberId, canRecruit },
    ),
);

export async function insertTierChange(
  db: Db,
  scope: Scope,
  former: MembershipTier,
  next: MembershipTier,
  change: DatedChange,
): Promise<void> {
  await db.rows(recordTierChange(scope, recorded(former, next, change)));
}

export async function insertActivityChange(
  db: Db,
  scope: Scope,
  former: boolean,
  next: boolean,
  change: DatedChange,
): Promise<void> {
  await db.rows(recordActivityChange(scope, recorded(former, next, change)));
}

export async function insertSponsorChange(
  db: Db,
  scope: Scope,
  former: string | null,
  next: string | null,
  change: DatedChange,
): Promise<void> {
  await db.rows(recordSponsorChange(scope, recorded(former, next, change)));
}

/** Sets the member's row to the latest of its history, and can_recruit when given. */
export async function applyMemberChanges(db: Db, scope: Scope, memberId: string, canRecruit: boolean | undefined): Promise<void> {
  await db.rows(applyHistory(scope, { memberId, canRecruit: canRecruit ?? null }));
}

const scopeNow = statement<{ now: Date }>('history_now', () => raw(`select scope_now(:tenantId, :environment) as now`));

/** The transaction's time by the clock that money goes by: the database's, or the tenant's own in SANDBOX. */
export async function readNow(db: Db, scope: Scope): Promise<Date> {
  const row = await db.row(scopeNow(scope));
  if (!row) throw new Error('the scope has no clock');
  return row.now;
}

/** One entry a change, and one for the value since always, which was recorded with the member. */
export interface HistoryEntry {
  dimension: 'tier' | 'activity' | 'sponsor' | 'group' | 'standing';
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
          left join ${table} h on ${sameTenant('h', 'm')} and h.member_id = m.id
          where ${ofTenant('m')} and m.id = :memberId`;
}

/** A member's history, oldest first; of entries with the same validFrom the last counts. No row when there is no such member. */
export const historyStatement = statement<HistoryEntry, { memberId: string }>('history_read', ({ memberId }) =>
  raw(
    `select dimension, value, valid_from as "validFrom", recorded_at as "recordedAt", reason
   from (${entries('tier', 'member_tier_history', 'membership_tier')}
         union all ${entries('activity', 'member_activity_history', 'is_active')}
         union all ${entries('sponsor', 'member_sponsor_history', 'sponsor_id', 'parent_id')}
         union all ${entries('group', 'member_group_history', 'group_key')}
         union all ${entries('standing', 'member_standing_history', 'standing')}) entry
   order by dimension, valid_from nulls first, id`,
    { memberId },
  ),
);

function recorded<Value>(former: Value, next: Value, { memberId, effectiveAt, reason }: DatedChange): RecordedChange<Value> {
  return { memberId, former, next, effectiveAt: effectiveAt ?? null, reason };
}
