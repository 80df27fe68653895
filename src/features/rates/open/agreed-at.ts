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
 * Of each series what was recorded last for the instant, but for what has ended, the latest first; of links and codes those of
 * the one that brought the sale. Parameters are `:memberIds`, `:at`, `:planId`, the plan that pays and null of one that is only
 * tried out, and the fields of `BroughtBy`.
 */
export const AGREED_AT: string = `with brought as materialized (
     select :linkId::uuid as id where :linkId::uuid is not null
     union all
     select c.id from referral_code c where ${ofTenant('c')} and c.code = :code
     union all
     select coalesce(k.link_id, k.code_id) from referral_click k where ${ofTenant('k')} and k.id = :clickId::uuid)
   select o.id, o.member_id as "memberId", o.target, o.level, o.plan_id is not null as "forPlan", o.items, o.pay
   from unnest(:memberIds::uuid[]) as m(id)
   cross join lateral (
     select distinct on (r.target, r.target_id, r.plan_id, r.level, r.items_key) r.* from rate_override r
     where ${ofTenant('r')} and r.member_id = m.id and r.valid_from <= :at::timestamptz
     order by r.target, r.target_id, r.plan_id, r.level, r.items_key, r.valid_from desc, r.id desc) o
   where o.pay is not null and (o.plan_id is null or o.plan_id = :planId::uuid)
     and (o.target = 'member' or o.target_id in (select b.id from brought b))
   order by o.valid_from desc, o.id desc`;
