/**
 * Dated history of tier and activity. The first change of a member writes the former value from
 * -infinity beside the new one; from then on a value holds until the next row's valid_from.
 */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { MembershipTier } from '../../http/schemas.ts';

export interface DatedChange {
  memberId: string;
  /** ISO instant; undefined means now by the database's clock. */
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
     select $1, $2, $3, $5::${type}, coalesce($6::timestamptz, now()), $7`,
  );
}

const recordTierChange = recordChange('history_record_tier', 'member_tier_history', 'membership_tier', 'text');
const recordActivityChange = recordChange('history_record_activity', 'member_activity_history', 'is_active', 'boolean');

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
     updated_at = now()
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

/** Sets the member's row to the latest of its history, and can_recruit when given. */
export async function applyMemberChanges(db: Db, scope: Scope, memberId: string, canRecruit: boolean | undefined): Promise<void> {
  await db.rows(applyHistory(scope.tenantId, scope.environment, memberId, canRecruit ?? null));
}

const databaseNow = prepared<{ now: Date }, []>('history_now', 'select now() as now');

/** The transaction's time by the database's clock. */
export async function readNow(db: Db): Promise<Date> {
  const row = await db.row(databaseNow());
  if (!row) throw new Error('the database has no clock');
  return row.now;
}

function valuesOf(scope: Scope, former: unknown, next: unknown, change: DatedChange): Values {
  return [scope.tenantId, scope.environment, change.memberId, former, next, change.effectiveAt ?? null, change.reason];
}
