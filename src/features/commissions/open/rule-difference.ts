/** What is different in the rules of a plan, as sentences. Pure functions. Source: docs/specification/commissions.md#difference. */
import { canonicalJson } from '../../../canonical-json.ts';
import { type PlanRule, testsOf } from './plan-rules.ts';
import { conditionInWords, levelsInWords, listed, MOST_TOLD, payInWords, quoted } from './plan-words.ts';

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
    ...(differs('when') ? textDifference(name, was, now) : []),
    differs('pay') && `${name} pays ${payInWords(now.pay)} instead of ${payInWords(was.pay)}.`,
  ].filter((sentence) => sentence !== false);
}

/** Of lists that are too long to be compared by eye, what is new in them and what is gone, a sentence for each fact. */
function textDifference(name: string, was: PlanRule, now: PlanRule): string[] {
  const [before, after] = [textsByFact(was), textsByFact(now)];
  return [...after].flatMap(([fact, texts]) => {
    const old = before.get(fact);
    if (!old || Math.max(old.size, texts.size) <= MOST_TOLD) return [];
    const added = [...texts].filter((text) => !old.has(text));
    const removed = [...old].filter((text) => !texts.has(text));
    return [
      ...(added.length > 0 ? [`${name} names for ${fact} newly ${listed(added.map(quoted))}.`] : []),
      ...(removed.length > 0 ? [`${name} names for ${fact} no more ${listed(removed.map(quoted))}.`] : []),
    ];
  });
}

function textsByFact({ when }: PlanRule): Map<string, Set<string>> {
  const texts = new Map<string, Set<string>>();
  for (const { fact, in: named = [] } of testsOf(when)) texts.set(fact, new Set([...(texts.get(fact) ?? []), ...named]));
  return texts;
}
