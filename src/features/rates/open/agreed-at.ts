/**
 * What was agreed with the members of an upline and counts at a sale, in SQL.
 * Source: docs/specification/rates.md#overrides.
 */
import { ofTenant } from '../../../db/tenant-condition.ts';
import type { AgreedTarget } from '../../commissions/open/agreed-rates.ts';
import type { PlanRule } from '../../commissions/open/plan-rules.ts';

/** Products by article number or category: one of them will do. */
export interface AgreedItems {
  skus?: string[] | undefined;
  categories?: string[] | undefined;
}

export interface AgreedRow {
  id: string;
  memberId: string;
  target: AgreedTarget;
  level: number;
  forPlan: boolean;
  /** Null: all products. */
  items: AgreedItems | null;
  pay: PlanRule['pay'];
}

/** By what the credit of a sale was won; of neither a link nor a code all are null. */
export interface BroughtBy {
  linkId: string | null;
  code: string | null;
  clickId: string | null;
}

/**
 * What counts at an instant of all that was agreed with a member: of each series the row that was recorded last for it, those
 * that end one among them. Arguments are expressions of the statement.
 */
export const lastOfSeries = (memberId: string, at: string): string =>
  `select distinct on (r.target, r.target_id, r.plan_id, r.level, r.items_key) r.* from rate_override r
     where ${ofTenant('r')} and r.member_id = ${memberId} and r.valid_from <= ${at}
     order by r.target, r.target_id, r.plan_id, r.level, r.items_key, r.valid_from desc, r.id desc`;

/** That a row `o` of it pays, whichever plan it is for: one that is only tried out has none of its own. */
export const PAYS_BY_PLAN = 'o.pay is not null and (o.plan_id is null or o.plan_id::text = :planId::text)';

/**
 * What counts for a sale of the members of its upline, the latest first; of links and codes that of the one that brought it.
 * Parameters are `:memberIds`, `:at`, `:planId` and the fields of `BroughtBy`.
 */
export const AGREED_AT: string = `with brought as materialized (
     select :linkId::uuid as id where :linkId::uuid is not null
     union all
     select c.id from referral_code c where ${ofTenant('c')} and c.code = :code
     union all
     select coalesce(k.link_id, k.code_id) from referral_click k where ${ofTenant('k')} and k.id = :clickId::uuid)
   select o.id, o.member_id as "memberId", o.target, o.level, o.plan_id is not null as "forPlan", o.items, o.pay
   from unnest(:memberIds::uuid[]) as m(id)
   cross join lateral (${lastOfSeries('m.id', ':at::timestamptz')}) o
   where ${PAYS_BY_PLAN} and (o.target = 'member' or o.target_id in (select b.id from brought b))
   order by o.valid_from desc, o.id desc`;
