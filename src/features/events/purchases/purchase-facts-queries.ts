/** What a purchase is decided on: plans, the buyer, the customer and the upline as of the sale, in one statement. */
import type { NamedActor } from '../../../actor.ts';
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { fixNow, SCOPE_CLOCK_BEFORE, SCOPE_FIXED_NOW, SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant, theTenant } from '../../../db/tenant-condition.ts';
import { namedActor } from '../../audit/open/named-actor.ts';
import { LOCK_HISTORY_FOR_SALE } from '../../users/open/history-lock.ts';
import { ageDays } from '../../users/open/member-sql.ts';
import { matchesTypeSql } from '../../webhooks/open/event-types.ts';
import { HEARD } from '../../webhooks/open/hearing-sql.ts';
import type { ChainMember } from '../open/chain-member.ts';
import type { Purchase } from '../open/purchase.ts';
import { type ChainRow, readUplineAsOf, stepUp, toChainMember } from './upline-as-of-queries.ts';

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

interface FactsParameters {
  externalEventId: string;
  /** Null: now. */
  occurredAt: string | null;
  explicitUserId: string | null;
  referralCode: string | null;
  buyerId: string | null;
  customerExternalId: string;
  /** An `actorRef`; null where nothing is recorded. */
  createdBy: string | null;
}

/** SQL for what the facts of a purchase are asked by, and for how many ids are made. */
type FactsInputs = Readonly<Record<keyof FactsParameters | 'ids', string>>;

const TOLD_OF_SALES = ['event.purchase_recorded', 'commissions.created'];

/** For the event, its receipt and ten lines. */
const IDS_AHEAD = 12;

/** Fixes the time of the sales of a transaction that have none. It comes in front of what they read. */
export const fixSaleTime = statement<{ at: string }>('events_fix_time', () =>
  raw(`select ${LOCK_HISTORY_FOR_SALE}, ${fixNow(`${SCOPE_CLOCK_BEFORE}::text`)} as at`),
);

/**
 * The chain has the members' own values; `dated` tells that a member has a history to be asked.
 * Clearing is at the start of the local day after the holding days
 * (docs/specification/commissions.md#holding).
 */
const factsText = (of: FactsInputs): string =>
  `with recursive clock as (
     select c.now, c.fixed_now, coalesce(${of.occurredAt}::timestamptz, c.fixed_now) as occurred_at
     from (select ${SCOPE_NOW} as now, ${SCOPE_FIXED_NOW} as fixed_now) c),
   hearing as (
     select h.patterns, ${of.createdBy}::text is not null and (${TOLD_OF_SALES.map((type) => matchesTypeSql('h.patterns', `'${type}'`)).join(' or ')}) as told
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
             where ${ofTenant('m')} and m.id = ${of.explicitUserId}) as explicit_user_id,
            (select c.member_id from referral_code c
             where ${ofTenant('c')} and c.code = upper(${of.referralCode})
               and c.status = 'active') as code_owner_id,
            (select m.id from member m
             where ${ofTenant('m')} and m.id = ${of.buyerId}) as buyer_id),
   chain as (
     select 1 as level, m.id, m.parent_id, m.membership_tier, m.is_active, m.pay_currency, m.has_history, m.is_test_user, m.group_key, m.standing, m.joined_at, m.created_at, m.has_override from member m
     where ${ofTenant('m')}
       and m.id = (select coalesce(n.buyer_id, n.explicit_user_id, n.code_owner_id) from named n)
     union all
     select chain.level + 1, m.id, m.parent_id, m.membership_tier, m.is_active, m.pay_currency, m.has_history, m.is_test_user, m.group_key, m.standing, m.joined_at, m.created_at, m.has_override
     from chain ${stepUp('chain.parent_id')}
     where chain.level < :chainLength::int)
   select clock.now, clock.occurred_at, plans.list as plans, hearing.patterns as heard, clock.fixed_now as recorded_at,
          (select array_agg(uuidv7()) from generate_series(1, ${of.ids})) as ids,
          case when hearing.told then ${namedActor(`${of.createdBy}::text`)} end as creator,
          (select e.id from event e
           where ${ofTenant('e')} and e.external_event_id = ${of.externalEventId}) as known_event_id,
          named.explicit_user_id, named.buyer_id,
          customer.id as customer_id, customer.email as customer_email, customer.name as customer_name,
          customer.email_norm as customer_email_norm, customer.first_referrer_id,
          (select json_agg(json_build_object('id', c.id, 'tier', c.membership_tier, 'active', c.is_active, 'pay', c.pay_currency, 'test', c.is_test_user and :environment = 'LIVE',
                                             'grp', c.group_key, 'standing', c.standing, 'override', c.has_override,
                                             'age', case when plans.have_rules or ${of.createdBy}::text is null then ${ageDays('c', 'clock.occurred_at')} end, 'dated', c.has_history) order by c.level) from chain c) as chain
   from clock cross join hearing cross join plans cross join named
   left join customer on ${ofTenant('customer')}
     and customer.external_id = ${of.customerExternalId}`;

/** Ids where somebody hears of the sale. */
const facts = statement<FactsRow, FactsParameters & { chainLength: number }>(
  'events_purchase_facts',
  ({ externalEventId, occurredAt, explicitUserId, referralCode, buyerId, customerExternalId, createdBy, chainLength }) =>
    raw(
      factsText({
        externalEventId: ':externalEventId',
        occurredAt: ':occurredAt',
        explicitUserId: ':explicitUserId',
        referralCode: ':referralCode',
        buyerId: ':buyerId',
        customerExternalId: ':customerExternalId',
        createdBy: ':createdBy',
        ids: `case when hearing.told then ${IDS_AHEAD} end`,
      }),
      { externalEventId, occurredAt, explicitUserId, referralCode, buyerId, customerExternalId, createdBy, chainLength },
    ),
);

/** Ids for each: of its row, for what depends on no row is made once for all. */
const factsOfMany = statement<FactsRow, { purchases: string; chainLength: number }>(
  'events_purchases_facts',
  ({ purchases, chainLength }) =>
    raw(
      `select f.* from jsonb_to_recordset(:purchases::jsonb)
         as q(n int, external_event_id text, occurred_at timestamptz, explicit_user_id uuid, referral_code text, buyer_id uuid,
              customer_external_id text, created_by text)
       cross join lateral (${factsText({
         externalEventId: 'q.external_event_id',
         occurredAt: 'q.occurred_at',
         explicitUserId: 'q.explicit_user_id',
         referralCode: 'q.referral_code',
         buyerId: 'q.buyer_id',
         customerExternalId: 'q.customer_external_id',
         createdBy: 'q.created_by',
         ids: `case when q.n is not null then ${IDS_AHEAD} end`,
       })}) f
       order by q.n`,
      { purchases, chainLength },
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
      createdBy,
      chainLength: FIRST_READ,
    }),
  );
  if (!row) throw new Error('the facts of a purchase have no row');
  return factsOf(db, scope, row);
}

/** The same of many, in their order, by one statement, and one more for each whose chain has a history. Each has ids ahead. */
export async function readPurchasesFacts(
  db: Db,
  scope: Scope,
  asked: readonly { purchase: Purchase; createdBy: string }[],
): Promise<PurchaseFacts[]> {
  const purchases = JSON.stringify(
    asked.map(({ purchase, createdBy }, n) => ({
      n,
      external_event_id: purchase.externalEventId,
      occurred_at: purchase.occurredAt,
      explicit_user_id: purchase.named.explicitUserId,
      referral_code: purchase.named.referralCode,
      buyer_id: purchase.buyerId,
      customer_external_id: purchase.customer.externalId,
      created_by: createdBy,
    })),
  );
  const rows = await db.rows(factsOfMany(scope, { purchases, chainLength: FIRST_READ }));
  if (rows.length !== asked.length) throw new Error('the facts of purchases lack rows');
  return Promise.all(rows.map((row) => factsOf(db, scope, row)));
}

async function factsOf(db: Db, scope: Scope, row: FactsRow): Promise<PurchaseFacts> {
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
