/** Credited purchases in SQL: to which part of the sums they belong, and what is left of them. */
import { ofTenant } from '../../../db/tenant-condition.ts';

/** The condition that a row is of the scope, or of the scope of another row. */
type Whose = (alias: string) => string;

/** The part of the event `sale`; salePartOf says the same of a purchase that is recorded. */
export const salePartText = (sale: string): string =>
  `case when ${sale}.evaluation ->> 'block' = 'TEST_USER' then 'test'
        when ${sale}.buyer_member_id = ${sale}.attributed_member_id then 'own' else 'credited' end`;

/** The gross amount that the event `reversal` takes back: negative of a dispute that was lost and is won after all. */
export const takenBackText = (reversal: string, whose: Whose = ofTenant): string =>
  `case when ${reversal}.kind = 'refund' or ${reversal}.stage = 'lost' then ${reversal}.amount_minor
        when ${reversal}.stage = 'won' and exists (
          select from event lost where ${whose('lost')} and lost.dispute_id = ${reversal}.dispute_id and lost.stage = 'lost')
        then -${reversal}.amount_minor else 0 end`;

/** The gross amount that is taken back of the event `sale` until now. */
export const refundedText = (sale: string): string =>
  `coalesce((select sum(${takenBackText('taken')}) from event taken
             where ${ofTenant('taken')} and taken.purchase_id = ${sale}.id), 0)`;

/** The same as a row `back` beside the event, with `minor`; it is worked out once for each. */
export const backOf = (sale: string): string => `cross join lateral (select ${refundedText(sale)} as minor offset 0) back`;

/** What is left of the event `sale` when so much of its gross, a numeric, is taken back; as changeByReversal has it. */
export const netSaleText = (sale: string, refunded: string) =>
  ({
    baseMinor: `${sale}.base_minor - case when ${refunded} = 0 then 0
      else div(2 * ${sale}.base_minor * ${refunded} + ${sale}.amount_minor, 2 * ${sale}.amount_minor) end`,
    amountMinor: `${sale}.amount_minor - ${refunded}`,
    sales: `(${refunded} < ${sale}.amount_minor)::int`,
  }) as const;
