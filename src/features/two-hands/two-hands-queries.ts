/** The rule of an environment, and who counts as whom, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import type { TwoHandsRule } from './open/two-hands-rule.ts';

const paymentSettings = tenantTable('payment_settings');

const rule = statement<{ rule: TwoHandsRule }>('two_hands_rule', () =>
  paymentSettings('s').select(raw("case when s.dual_control then s.dual_control_by else 'none' end as rule")),
);

export async function readRule(db: Db, scope: Scope): Promise<TwoHandsRule> {
  return (await db.row(rule(scope)))?.rule ?? 'none';
}
