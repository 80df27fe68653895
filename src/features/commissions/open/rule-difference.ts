/** What is different in the rules of a plan, as sentences. Pure functions. Source: docs/specification/commissions.md#difference. */
import { canonicalJson } from '../../../canonical-json.ts';
import type { PlanRule } from './plan-rules.ts';
import { conditionInWords, levelsInWords, listed, payInWords, quoted } from './plan-words.ts';

export function ruleDifference(before: readonly PlanRule[], after: readonly PlanRule[]): string[] {
  const was = new Map(before.map((rule) => [rule.id, rule]));
  const now = new Map(after.map((rule) => [rule.id, rule]));
  const gone = before.filter(({ id }) => !now.has(id)).map(({ id }) => `The rule ${quoted(id)} is gone.`);
  const changed = after.flatMap((rule, index) => {
    const old = was.get(rule.id);
    return old ? changesOf(old, rule) : [`The rule ${quoted(rule.id)} is new, as number ${index + 1}: ${ruleInWords(rule)}.`];
  });
  const kept = [...was.keys()].filter((id) => now.has(id));
  const order = [...now.keys()].filter((id) => was.has(id));
  const moved = kept.join() === order.join() ? [] : [`The rules are asked in another order: ${listed(order.map(quoted))}.`];
  return [...gone, ...changed, ...moved];
}

function ruleInWords({ levels, final, when, pay }: PlanRule): string {
  return `where ${conditionInWords(when)}, ${levelsInWords(levels)} ${levels === 'all' || levels.length > 1 ? 'are' : 'is'} paid ${payInWords(pay)}${final ? ', before what was agreed' : ''}`;
}

function changesOf(was: PlanRule, now: PlanRule): string[] {
  const name = `The rule ${quoted(now.id)}`;
  const differs = (field: keyof PlanRule): boolean => canonicalJson(was[field]) !== canonicalJson(now[field]);
  return [
    differs('levels') && `${name} is for ${levelsInWords(now.levels)} instead of ${levelsInWords(was.levels)}.`,
    differs('final') &&
      `${name} ${now.final ? 'comes before what was agreed with members now' : 'gives way to what was agreed with members now'}.`,
    differs('when') && `${name} holds where ${conditionInWords(now.when)}, instead of where ${conditionInWords(was.when)}.`,
    differs('pay') && `${name} pays ${payInWords(now.pay)} instead of ${payInWords(was.pay)}.`,
  ].filter((sentence) => sentence !== false);
}
