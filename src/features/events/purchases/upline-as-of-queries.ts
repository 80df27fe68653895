/** A member and its upline as of an instant, from the histories of those who have one; and when lines of that instant clear. */
import { raw, statement, unscopedStatement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant, theTenant } from '../../../db/tenant-condition.ts';
import { memberStep } from '../../../db/upline-step-sql.ts';
import type { MembershipTier } from '../../../http/schemas.ts';
import type { MemberStanding } from '../../users/open/member.ts';
import { ageDays } from '../../users/open/member-sql.ts';
import type { ChainMember } from '../open/chain-member.ts';

/** A member as statements read it. */
export interface ChainRow {
  id: string;
  tier: MembershipTier;
  active: boolean;
  pay: string;
  test: boolean;
  grp: string;
  standing: MemberStanding;
  /** Null of a sale from before it joined, and in the first read of a sale to record where no plan in force has rules. */
  age: number | null;
  override: boolean;
}

/** SQL that joins the member of that id, `m`, to a row of a chain. */
export const stepUp = (id: string): string =>
  memberStep(id, [
    'id',
    'parent_id',
    'membership_tier',
    'is_active',
    'pay_currency',
    'has_history',
    'is_test_user',
    'group_key',
    'standing',
    'joined_at',
    'created_at',
    'has_override',
  ]);

/**
 * A member and its upline as of an instant. A value holds from valid_from on, the latest recorded
 * of equal ones; before any row, and without one, the member's own value.
 */
const uplineAsOf = statement<ChainRow, { startId: string; asOf: Date; count: number }>(
  'events_upline_as_of',
  ({ startId, asOf, count }) =>
    raw(
      `with recursive chain as (
     select 1 as level, :startId::uuid as id
     union all
     select chain.level + 1, case when h.found then h.sponsor_id else m.parent_id end
     from chain
     ${stepUp('chain.id')}
     left join lateral (
       select true as found, s.sponsor_id from member_sponsor_history s
       where m.has_history and ${ofTenant('s')} and s.member_id = m.id
         and s.valid_from <= :asOf::timestamptz
       order by s.valid_from desc, s.id desc limit 1) h on true
     where chain.level < :count::int and case when h.found then h.sponsor_id else m.parent_id end is not null)
   select m.id, coalesce(t.membership_tier, m.membership_tier) as tier, coalesce(a.is_active, m.is_active) as active,
          m.pay_currency as pay, m.is_test_user and :environment = 'LIVE' as test,
          coalesce(g.group_key, m.group_key) as grp, coalesce(p.standing, m.standing) as standing,
          ${ageDays('m', ':asOf::timestamptz')} as age, m.has_override as override
   from chain
   ${stepUp('chain.id')}
   left join lateral (
     select x.membership_tier from member_tier_history x
     where m.has_history and ${ofTenant('x')} and x.member_id = m.id
       and x.valid_from <= :asOf::timestamptz
     order by x.valid_from desc, x.id desc limit 1) t on true
   left join lateral (
     select x.is_active from member_activity_history x
     where m.has_history and ${ofTenant('x')} and x.member_id = m.id
       and x.valid_from <= :asOf::timestamptz
     order by x.valid_from desc, x.id desc limit 1) a on true
   left join lateral (
     select x.group_key from member_group_history x
     where m.has_history and ${ofTenant('x')} and x.member_id = m.id
       and x.valid_from <= :asOf::timestamptz
     order by x.valid_from desc, x.id desc limit 1) g on true
   left join lateral (
     select x.standing from member_standing_history x
     where m.has_history and ${ofTenant('x')} and x.member_id = m.id
       and x.valid_from <= :asOf::timestamptz
     order by x.valid_from desc, x.id desc limit 1) p on true
   order by chain.level`,
      { startId, asOf, count },
    ),
);

/** A member and those above it as of an instant, nearest first, at most `count`. */
export async function readUplineAsOf(db: Db, scope: Scope, startId: string, asOf: Date, count: number): Promise<ChainMember[]> {
  return (await db.rows(uplineAsOf(scope, { startId, asOf, count }))).map(toChainMember);
}

export function toChainMember({ id, tier, active, pay, test, grp, standing, age, override }: ChainRow): ChainMember {
  return {
    id,
    tier,
    isActive: active,
    payCurrency: pay,
    group: grp,
    ...(test && { isTestUser: true as const }),
    ...(standing !== 'approved' && { standing }),
    ...(age !== null && { ageDays: age }),
    ...(override && { hasOverride: true as const }),
  };
}

const holdingEnd = unscopedStatement<{ clears_at: Date }, { tenantId: string; occurredAt: Date; days: number }>(
  'events_holding_end',
  ({ tenantId, occurredAt, days }) =>
    raw(
      `select case when :days::int = 0 then :occurredAt::timestamptz
               else start_of_local_day((:occurredAt::timestamptz at time zone t.reporting_time_zone)::date + :days::int + 1,
                 t.reporting_time_zone)
          end as clears_at
   from tenant t where ${theTenant('t')}`,
      { tenantId, occurredAt, days },
    ),
);

/** When a line of this time clears after so many holding days, as the facts have it for stored plans. */
export async function readHoldingEnd(db: Db, scope: Scope, occurredAt: Date, days: number): Promise<Date> {
  const row = await db.row(holdingEnd({ ...scope, occurredAt, days }));
  if (!row) throw new Error('the tenant vanished');
  return row.clears_at;
}
