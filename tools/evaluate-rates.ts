/**
 * Works out what a level is paid by the rules of a plan, from an explain document alone and without any of the service's
 * code: which rule holds, why the others do not. tools/evaluate-explain.ts calls it for each level.
 */
import type { Amounts, Candidate, Condition, ExplainDocument, Rule, Seat } from './explain-document.ts';

export interface Own {
  rateBps?: number | undefined;
  flatMinor?: Amounts | undefined;
}

/** As `chosen` of a share has it, without the words. */
export interface Chosen {
  source: string;
  rule: string | null;
  considered: { source: string; rule: string | null; reason: string; at: string | null }[];
}

export interface Paid extends Own {
  /** Absent of a plan without rules. */
  chosen?: Chosen | undefined;
}

/** What `who` is paid for the level; null of a level that nobody takes. `own` is what the level pays by itself. */
export function payOf(document: ExplainDocument, who: Candidate | null, level: number, own: Own): Paid {
  const rules = document.plan?.definition.rules ?? [];
  if (rules.length === 0) return own;
  const inOrder = [...rules.filter((rule) => rule.final === true), ...rules.filter((rule) => rule.final !== true)];
  const failures = inOrder.map((rule) => {
    if (Array.isArray(rule.levels) && !rule.levels.includes(level)) return { reason: 'LEVEL_NOT_NAMED', at: null };
    const at = failing(document, who, rule.when, 'when');
    return at === null ? null : { reason: 'FALSE', at };
  });
  const first = failures.indexOf(null);
  const winner = inOrder[first];
  const lost = inOrder.flatMap((rule, index) => {
    const failure = winner && index > first ? { reason: 'OUTRANKED', at: null } : failures[index];
    return failure ? [{ ...nameOf(rule), ...failure }] : [];
  });
  const level0 = { source: 'level', rule: null };
  if (!winner) return { ...own, chosen: { ...level0, considered: lost } };
  const considered = [...lost, { ...level0, reason: 'OUTRANKED', at: null }];
  return { ...winner.pay, chosen: { ...nameOf(winner), considered } };
}

/** A level that is taken, with the amount in ten-millionths of a minor unit. */
export function seatOf(
  { base, currency }: { base: bigint; currency: string },
  who: Candidate,
  level: number,
  multiplier: number,
  { rateBps: rate, flatMinor, chosen }: Paid,
): Seat {
  const flat = flatMinor ? (flatMinor[currency] ?? 0) : null;
  const whole = rate === undefined ? (base === 0n ? 0n : BigInt(flat ?? 0) * 10_000n) : base * BigInt(rate);
  return { who, level, rate, flat, multiplier, exact: whole * BigInt(multiplier), chosen };
}

function nameOf(rule: Rule): { source: string; rule: string } {
  return { source: rule.final === true ? 'final_rule' : 'rule', rule: rule.id };
}

/** The part of a condition by which it does not hold; null where it does. */
function failing(document: ExplainDocument, who: Candidate | null, condition: Condition, path: string): string | null {
  const { all, any, not } = condition;
  if (all) return all.reduce<string | null>((at, one, n) => at ?? failing(document, who, one, `${path}.all[${n}]`), null);
  if (any) return any.some((one) => failing(document, who, one, '') === null) ? null : `${path}.any`;
  if (not) return failing(document, who, not, '') === null ? `${path}.not` : null;
  return passes(document, who, condition) ? null : path;
}

function passes({ currency, inputs }: ExplainDocument, who: Candidate | null, test: Condition): boolean {
  const fact = test.fact ?? '';
  if (fact.startsWith('sale.metadata.')) {
    const verdict = (inputs.verdicts ?? []).find((one) => canonical(one.test) === canonical(test));
    if (!verdict) throw new Error(`the document says nothing of ${canonical(test)}`);
    return verdict.holds;
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
  };
  return values[fact]?.toString();
}

function canonical({ fact, in: texts, gte, lt, exists }: Condition): string {
  return JSON.stringify([fact, texts ?? null, gte ?? null, lt ?? null, exists ?? null]);
}
