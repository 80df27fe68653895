/**
 * Whether a condition of a rule holds, from an explain document alone and without any of the service's code.
 * tools/evaluate-rates.ts asks it of each rule.
 */
import type { Candidate, Condition, ExplainDocument } from './explain-document.ts';

/** The part of a condition by which it does not hold; null where it does. */
export function failing(
  document: ExplainDocument,
  who: Candidate | null,
  part: number | null,
  condition: Condition,
  path: string,
): string | null {
  const { all, any, not } = condition;
  const within = (one: Condition, at: string): string | null => failing(document, who, part, one, at);
  if (all) return all.reduce<string | null>((at, one, n) => at ?? within(one, `${path}.all[${n}]`), null);
  if (any) return any.some((one) => within(one, '') === null) ? null : `${path}.any`;
  if (not) return within(not, '') === null ? `${path}.not` : null;
  return passes(document, who, part, condition) ? null : path;
}

function passes({ currency, inputs }: ExplainDocument, who: Candidate | null, part: number | null, test: Condition): boolean {
  const fact = test.fact ?? '';
  if (/^(sale\.(metadata\.|discountCode)|customer\.country|item\.)/.test(fact)) {
    const verdict = (inputs.verdicts ?? []).find((one) => canonical(one.test) === canonical(test));
    if (!verdict) throw new Error(`the document says nothing of ${canonical(test)}`);
    return fact.startsWith('item.') ? part !== null && (verdict.parts ?? []).includes(part) : verdict.holds;
  }
  const value = fact.startsWith('member.') ? memberFact(who, fact) : inputs.facts?.find((one) => one.fact === fact)?.value;
  if (value === undefined) return false;
  if (test.in) return test.in.includes(value);
  if (test.exists === true) return true;
  const limit = test.gte ?? test.lt;
  const bound = typeof limit === 'object' ? limit[currency] : limit;
  if (bound === undefined) return false;
  return test.gte === undefined ? BigInt(value) < BigInt(bound) : BigInt(value) >= BigInt(bound);
}

/** As text, as the document has the facts of the sale. */
function memberFact(who: Candidate | null, fact: string): string | undefined {
  if (!who) return undefined;
  const values: Record<string, string | number | undefined> = {
    'member.tier': who.tier,
    'member.group': who.group,
    'member.ageDays': who.age_days,
    'member.kycApproved': who.kyc_approved === true ? 1 : 0,
    'member.activeDirects': who.active_directs ?? 0,
    'member.salesMinor': who.sales?.amount_minor ?? 0,
    'member.salesCount': who.sales?.count ?? 0,
  };
  return values[fact]?.toString();
}

function canonical({ fact, in: texts, gte, lt, exists }: Condition): string {
  return JSON.stringify([fact, texts ?? null, gte ?? null, lt ?? null, exists ?? null]);
}
