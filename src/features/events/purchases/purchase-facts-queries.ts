/** What a purchase is decided on: plans, the buyer, the customer and the upline as of the sale, in one statement. */
import type { NamedActor } from '../../../actor.ts';
import { raw, statement, unscopedStatement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { fixNow, SCOPE_CLOCK_BEFORE, SCOPE_FIXED_NOW, SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant, theTenant } from '../../../db/tenant-condition.ts';
import { memberStep } from '../../../db/upline-step-sql.ts';
import type { MembershipTier } from '../../../http/schemas.ts';
import { namedActor } from '../../audit/open/named-actor.ts';
import { LOCK_HISTORY_FOR_SALE } from '../../users/open/history-lock.ts';
import type { MemberStanding } from '../../users/open/member.ts';
import { ageDays } from '../../users/open/member-sql.ts';
import { matchesTypeSql } from '../../webhooks/open/event-types.ts';
import { HEARD } from '../../webhooks/open/hearing-sql.ts';
import type { ChainMember } from '../open/chain-member.ts';
import type { Purchase } from '../open/purchase.ts';

/** A plan version in force at the sale. */
export interface PlanInForce {
  id: string;
  planId: string;
  /** Null for a version in force since always. */
  effectiveFrom: Date | null;
  definition: unknown;
  /** When lines of this plan that are held clear. */
  clearsAt: Date;
}

interface KnownCustomer {
  id: string;
  email: string | null;
  emailNorm: string | null;
  name: string | null;
  firstReferrerId: string | null;
}

/** All that a purchase is decided on but whom it is credited to, read in one statement. */
export interface PurchaseFacts {
  /** The event that has this external id already. */
  knownEventId: string | null;
  /** Patterns of the types of events that somebody hears of. */
  heard: readonly string[];
  /** Where somebody does: what the database would say of the event only once it is stored. */
  ahead: AheadOfEvent | null;
  now: Date;
  occurredAt: Date;
  /** One version of each plan, the latest effective first. */
  plans: PlanInForce[];
  explicitUserId: string | null;
  buyerId: string | null;
  customer: KnownCustomer | null;
  /**
   * As of occurredAt, nearest first, starting with the buyer, else the explicit user, else the code's
   * owner: whoever of them is there is the one that is credited.
   */
  chain: ChainMember[];
}

/** Ids made by the database for what is not stored yet, and what all of it shares. */
export interface AheadOfEvent {
  ids: readonly string[];
  recordedAt: Date;
  createdBy: NamedActor | null;
}

interface FactsRow {
  known_event_id: string | null;
  heard: string[];
  ids: string[] | null;
  recorded_at: Date;
  creator: NamedActor | null;
  now: Date;
  occurred_at: Date;
  plans: { id: string; plan_id: string; effective_from: string | null; definition: unknown; clears_at: string }[] | null;
  explicit_user_id: string | null;
  buyer_id: string | null;
  customer_id: string | null;
  customer_email: string | null;
  customer_name: string | null;
  customer_email_norm: string | null;
  first_referrer_id: string | null;
  chain: (ChainRow & { dated: boolean })[] | null;
}

interface ChainRow {
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

interface FactsParameters {
  externalEventId: string;
  /** Null: now. */
  occurredAt: string | null;
  explicitUserId: string | null;
  referralCode: string | null;
  buyerId: string | null;
  customerExternalId: string;
  chainLength: number;
  /** An `actorRef`; null where nothing is recorded. */
  createdBy: string | null;
}

const TOLD_OF_SALES = ['event.purchase_recorded', 'commissions.created'];

/** For the event, its receipt and ten lines. */
const IDS_AHEAD = 12;

/** Fixes the time of the sales of a transaction that have none. It comes in front of what they read. */
export const fixSaleTime = statement<{ at: string }>('events_fix_time', () =>
  raw(`select ${LOCK_HISTORY_FOR_SALE}, ${fixNow(`${SCOPE_CLOCK_BEFORE}::text`)} as at`),
);

const stepUp = (id: string): string =>
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
 * The chain has the members' own values; `dated` tells that a member has a history to be asked.
 * Clearing is at the start of the local day after the holding days
 * (docs/specification/commissions.md#holding).
 */
const facts = statement<FactsRow, FactsParameters>(
  'events_purchase_facts',
  ({ externalEventId, occurredAt, explicitUserId, referralCode, buyerId, customerExternalId, chainLength, createdBy }) =>
    raw(
      `with recursive clock as (
     select c.now, c.fixed_now, coalesce(:occurredAt::timestamptz, c.fixed_now) as occurred_at
     from (select ${SCOPE_NOW} as now, ${SCOPE_FIXED_NOW} as fixed_now) c),
   hearing as (
     select h.patterns, :createdBy::text is not null and (${TOLD_OF_SALES.map((type) => matchesTypeSql('h.patterns', `'${type}'`)).join(' or ')}) as told
     from (select ${HEARD} as patterns) h),
   version as (
     select distinct on (v.plan_id) v.id, v.plan_id, v.effective_from, v.effective_to, v.definition from commission_plan_version v
     where ${ofTenant('v')} and v.effective_from <= (select occurred_at from clock)
     order by v.plan_id, v.effective_from desc, v.id desc),
   plans as (
     select json_agg(json_build_object('id', v.id, 'plan_id', v.plan_id,
              'effective_from', case when isfinite(v.effective_from) then v.effective_from end, 'definition', v.definition, 'clears_at',
              case when (v.definition -> 'holding' ->> 'days')::int = 0 then clock.occurred_at
                   else start_of_local_day(
                     (clock.occurred_at at time zone tenant.reporting_time_zone)::date + (v.definition -> 'holding' ->> 'days')::int + 1,
                     tenant.reporting_time_zone)
              end) order by v.effective_from desc, v.id desc) as list,
            bool_or(coalesce(jsonb_array_length(v.definition -> 'rules'), 0) > 0) as have_rules
     from version v cross join clock join tenant on ${theTenant('tenant')}
     where v.effective_to is null or v.effective_to > clock.occurred_at),
   named as (
     select (select m.id from member m
             where ${ofTenant('m')} and m.id = :explicitUserId) as explicit_user_id,
            (select c.member_id from referral_code c
             where ${ofTenant('c')} and c.code = upper(:referralCode)
               and c.status = 'active') as code_owner_id,
            (select m.id from member m
             where ${ofTenant('m')} and m.id = :buyerId) as buyer_id),
   chain as (
     select 1 as level, m.id, m.parent_id, m.membership_tier, m.is_active, m.pay_currency, m.has_history, m.is_test_user, m.group_key, m.standing, m.joined_at, m.created_at, m.has_override from member m
     where ${ofTenant('m')}
       and m.id = (select coalesce(n.buyer_id, n.explicit_user_id, n.code_owner_id) from named n)
     union all
     select chain.level + 1, m.id, m.parent_id, m.membership_tier, m.is_active, m.pay_currency, m.has_history, m.is_test_user, m.group_key, m.standing, m.joined_at, m.created_at, m.has_override
     from chain ${stepUp('chain.parent_id')}
     where chain.level < :chainLength::int)
   select clock.now, clock.occurred_at, plans.list as plans, hearing.patterns as heard, clock.fixed_now as recorded_at,
          case when hearing.told then (select array_agg(uuidv7()) from generate_series(1, ${IDS_AHEAD})) end as ids,
          case when hearing.told then ${namedActor(':createdBy::text')} end as creator,
          (select e.id from event e
           where ${ofTenant('e')} and e.external_event_id = :externalEventId) as known_event_id,
          named.explicit_user_id, named.buyer_id,
          customer.id as customer_id, customer.email as customer_email, customer.name as customer_name,
          customer.email_norm as customer_email_norm, customer.first_referrer_id,
          (select json_agg(json_build_object('id', c.id, 'tier', c.membership_tier, 'active', c.is_active, 'pay', c.pay_currency, 'test', c.is_test_user and :environment = 'LIVE',
                                             'grp', c.group_key, 'standing', c.standing, 'override', c.has_override,
                                             'age', case when plans.have_rules or :createdBy::text is null then ${ageDays('c', 'clock.occurred_at')} end, 'dated', c.has_history) order by c.level) from chain c) as chain
   from clock cross join hearing cross join plans cross join named
   left join customer on ${ofTenant('customer')}
     and customer.external_id = :customerExternalId`,
      { externalEventId, occurredAt, explicitUserId, referralCode, buyerId, customerExternalId, chainLength, createdBy },
    ),
);

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

/** Most walks end within this many members; the rest of a longer upline is read when it is needed. */
export const FIRST_READ = 16;

/** With the first FIRST_READ members of the chain. `createdBy` is an `actorRef`; null where the purchase is not recorded. */
export async function readPurchaseFacts(
  db: Db,
  scope: Scope,
  { externalEventId, occurredAt, buyerId, customer, named }: Purchase,
  createdBy: string | null,
): Promise<PurchaseFacts> {
  const row = await db.row(
    facts(scope, {
      externalEventId,
      occurredAt,
      explicitUserId: named.explicitUserId,
      referralCode: named.referralCode,
      buyerId,
      customerExternalId: customer.externalId,
      chainLength: FIRST_READ,
      createdBy,
    }),
  );
  if (!row) throw new Error('the facts of a purchase have no row');
  const chain = row.chain ?? [];
  const [first] = chain;
  return {
    knownEventId: row.known_event_id,
    heard: row.heard,
    ahead: row.ids && { ids: row.ids, recordedAt: row.recorded_at, createdBy: row.creator },
    now: row.now,
    occurredAt: row.occurred_at,
    plans: (row.plans ?? []).map((plan) => ({
      id: plan.id,
      planId: plan.plan_id,
      effectiveFrom: plan.effective_from === null ? null : new Date(plan.effective_from),
      definition: plan.definition,
      clearsAt: new Date(plan.clears_at),
    })),
    explicitUserId: row.explicit_user_id,
    buyerId: row.buyer_id,
    customer:
      row.customer_id === null
        ? null
        : {
            id: row.customer_id,
            email: row.customer_email,
            emailNorm: row.customer_email_norm,
            name: row.customer_name,
            firstReferrerId: row.first_referrer_id,
          },
    chain:
      first && chain.some((member) => member.dated)
        ? await readUplineAsOf(db, scope, first.id, row.occurred_at, FIRST_READ)
        : chain.map(toChainMember),
  };
}

/** A member and those above it as of an instant, nearest first, at most `count`. */
export async function readUplineAsOf(db: Db, scope: Scope, startId: string, asOf: Date, count: number): Promise<ChainMember[]> {
  return (await db.rows(uplineAsOf(scope, { startId, asOf, count }))).map(toChainMember);
}

function toChainMember({ id, tier, active, pay, test, grp, standing, age, override }: ChainRow): ChainMember {
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
