/** What a purchase is decided on: plan, attribution candidates and the upline as of the sale, in one statement. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { MembershipTier } from '../../http/schemas.ts';
import type { UplineMember } from '../commissions/evaluate-plan.ts';

/** Everything a purchase is decided on, read in one statement. */
export interface PurchaseFacts {
  /** The event that has this external id already. */
  knownEventId: string | null;
  now: Date;
  occurredAt: Date;
  planVersionId: string;
  planDefinition: unknown;
  clearsAt: Date;
  explicitUserId: string | null;
  codeOwnerId: string | null;
  buyerId: string | null;
  customer: { id: string; email: string | null; name: string | null } | null;
  /** As of occurredAt, nearest first, starting with the buyer, else the explicit user, else the code's owner. */
  chain: UplineMember[];
}

interface FactsRow {
  known_event_id: string | null;
  now: Date;
  occurred_at: Date;
  plan_version_id: string;
  definition: unknown;
  clears_at: Date;
  explicit_user_id: string | null;
  code_owner_id: string | null;
  buyer_id: string | null;
  customer_id: string | null;
  customer_email: string | null;
  customer_name: string | null;
  chain: { id: string; tier: MembershipTier; active: boolean }[] | null;
}

/**
 * The walk joins the three histories only for members that have one. Values hold from valid_from
 * on, the latest recorded of equal ones; before any row, and without one, the member's own value.
 * Clearing is at the start of the local day after the holding days (commissions.md, Holding).
 */
const facts = prepared<FactsRow, [string, string, ...(string | number | null)[]]>(
  'events_purchase_facts',
  `with recursive clock as (
     select now() as now, coalesce($3::timestamptz, now()) as occurred_at),
   plan as (
     select v.id, v.definition from commission_plan_version v
     where v.tenant_id = $1 and v.environment = $2 and v.effective_from <= (select occurred_at from clock)
     order by v.effective_from desc, v.id desc limit 1),
   named as (
     select (select m.id from member m where m.tenant_id = $1 and m.environment = $2 and m.id = $4) as explicit_user_id,
            (select c.member_id from referral_code c
             where c.tenant_id = $1 and c.environment = $2 and c.code = upper($5) and c.status = 'active') as code_owner_id,
            (select m.id from member m where m.tenant_id = $1 and m.environment = $2 and m.id = $6) as buyer_id),
   chain as (
     select 1 as level, coalesce(n.buyer_id, n.explicit_user_id, n.code_owner_id) as id from named n
     where coalesce(n.buyer_id, n.explicit_user_id, n.code_owner_id) is not null
     union all
     select chain.level + 1, case when h.found then h.sponsor_id else m.parent_id end
     from chain
     join member m on m.tenant_id = $1 and m.environment = $2 and m.id = chain.id
     left join lateral (
       select true as found, s.sponsor_id from member_sponsor_history s
       where m.has_history and s.tenant_id = $1 and s.environment = $2 and s.member_id = m.id
         and s.valid_from <= (select occurred_at from clock)
       order by s.valid_from desc, s.id desc limit 1) h on true
     where chain.level < $8::int and case when h.found then h.sponsor_id else m.parent_id end is not null),
   dated as (
     select chain.level, m.id, coalesce(t.membership_tier, m.membership_tier) as tier, coalesce(a.is_active, m.is_active) as active
     from chain
     join member m on m.tenant_id = $1 and m.environment = $2 and m.id = chain.id
     left join lateral (
       select x.membership_tier from member_tier_history x
       where m.has_history and x.tenant_id = $1 and x.environment = $2 and x.member_id = m.id
         and x.valid_from <= (select occurred_at from clock)
       order by x.valid_from desc, x.id desc limit 1) t on true
     left join lateral (
       select x.is_active from member_activity_history x
       where m.has_history and x.tenant_id = $1 and x.environment = $2 and x.member_id = m.id
         and x.valid_from <= (select occurred_at from clock)
       order by x.valid_from desc, x.id desc limit 1) a on true)
   select clock.now, clock.occurred_at, plan.id as plan_version_id, plan.definition,
          case when (plan.definition -> 'holding' ->> 'days')::int = 0 then clock.occurred_at
               else start_of_local_day(
                 (clock.occurred_at at time zone tenant.reporting_time_zone)::date + (plan.definition -> 'holding' ->> 'days')::int + 1,
                 tenant.reporting_time_zone)
          end as clears_at,
          (select e.id from event e where e.tenant_id = $1 and e.environment = $2 and e.external_event_id = $9) as known_event_id,
          named.explicit_user_id, named.code_owner_id, named.buyer_id,
          customer.id as customer_id, customer.email as customer_email, customer.name as customer_name,
          (select json_agg(json_build_object('id', d.id, 'tier', d.tier, 'active', d.active) order by d.level) from dated d) as chain
   from clock cross join plan cross join named
   join tenant on tenant.id = $1
   left join customer on customer.tenant_id = $1 and customer.environment = $2 and customer.external_id = $7`,
);

export interface FactsQuery {
  occurredAt: string | null;
  explicitUserId: string | null;
  referralCode: string | null;
  buyerId: string | null;
  customerExternalId: string;
  externalEventId: string;
  maxAncestors: number;
}

export async function readPurchaseFacts(db: Db, scope: Scope, query: FactsQuery): Promise<PurchaseFacts> {
  const row = await db.row(
    facts(
      scope.tenantId,
      scope.environment,
      query.occurredAt,
      query.explicitUserId,
      query.referralCode,
      query.buyerId,
      query.customerExternalId,
      query.maxAncestors,
      query.externalEventId,
    ),
  );
  if (!row) throw new Error('the tenant has no commission plan in force');
  return {
    knownEventId: row.known_event_id,
    now: row.now,
    occurredAt: row.occurred_at,
    planVersionId: row.plan_version_id,
    planDefinition: row.definition,
    clearsAt: row.clears_at,
    explicitUserId: row.explicit_user_id,
    codeOwnerId: row.code_owner_id,
    buyerId: row.buyer_id,
    customer: row.customer_id === null ? null : { id: row.customer_id, email: row.customer_email, name: row.customer_name },
    chain: (row.chain ?? []).map((member) => ({ id: member.id, tier: member.tier, isActive: member.active })),
  };
}
