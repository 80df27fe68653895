/**
 * Works out what a level is paid of a plan that has more than levels, from an explain document alone and without any of the
 * service's code: which source pays which part of the sale, why the others do not, and what it comes to before it is rounded.
 * tools/evaluate-explain.ts calls it for each level.
 */
import { failing } from './evaluate-conditions.ts';
import type { Agreed, Amounts, Candidate, Definition, ExplainDocument, Pay, Rule, Seat } from './explain-document.ts';

export interface Own {
  rateBps?: number | undefined;
  flatMinor?: Amounts | undefined;
  ladder?: string | undefined;
}

type Named = { source: string; id: string | null };
type Asked = Named & { reason: string | null; at?: string | null; pay?: Pay; cut?: object | undefined };

interface Level {
  base: bigint;
  /** Null of a level that nobody takes. */
  who: Candidate | null;
  level: number;
  /** What it pays by itself. */
  own: Own;
  /** In a differential plan: the rates that are paid below, by part. */
  below?: number[];
}

/** A part of the sale; the whole sale where nothing asks for parts. */
interface Part {
  number: number;
  base: bigint;
  quantity: number;
}

/** A level as it is taken, with what it comes to. */
export function seatOf(document: ExplainDocument, { base, who, level, own, below }: Level): Seat {
  const { parts } = document.inputs;
  const { tierRules = {}, rules = [], ladders = [], overrides = null } = document.plan?.definition ?? {};
  const multiplier = below || !who ? 1000 : (tierRules[who.tier]?.multiplierMilli ?? 1000);
  const given = parts?.map(({ base_minor, quantity }, number) => ({ number, base: BigInt(base_minor), quantity }));
  const paid = (given ?? [{ number: 0, base, quantity: 1 }]).map((part) => {
    const { pay: given, agreed, ...choice } = choose(document, who, level, parts ? part : null, own.ladder);
    const { ladder: id, ...pay }: Pay = given ?? own;
    const ladder = id === undefined ? undefined : climb(document, who, id);
    const { rateBps = ladder?.rateBps, flatMinor, per } = pay;
    const chosen = { ...choice, ladder: ladder?.told };
    const units = flatMinor && per === 'unit' ? part.quantity : null;
    const flat = flatMinor ? (flatMinor[document.currency] ?? 0) * (units ?? 1) : null;
    const rate = Math.max(0, (rateBps ?? 0) - (below?.[part.number] ?? 0));
    const said = { part: part.number, base_minor: Number(part.base), rate_bps: rate, flat_minor: flat, units };
    return { ...said, multiplier_milli: agreed ? 1000 : multiplier, ...chosen, ownRate: rateBps ?? 0 };
  });
  const nameOf = ({ source, id, rate_bps }: (typeof paid)[number]): string => `${source} ${id} ${rate_bps}`;
  const counted = paid.filter((one, n) => {
    const isOnce = one.flat_minor !== null && one.units === null;
    const known = paid.findIndex((other) => other.base_minor > 0 && nameOf(other) === nameOf(one));
    return one.base_minor > 0 && (!isOnce || known === n);
  });
  const exact = counted.reduce((sum, { flat_minor: flat, rate_bps, base_minor, multiplier_milli }) => {
    const whole = flat === null ? BigInt(base_minor) * BigInt(rate_bps) : BigInt(flat) * 10_000n;
    return sum + whole * BigInt(multiplier_milli);
  }, 0n);
  const [first] = paid;
  const isOne = first && paid.every((one) => nameOf(one) === nameOf(first));
  const sum = counted.reduce((all, one) => all + (one.flat_minor ?? 0), 0);
  const { source, id, cut, ladder, considered } = first ?? {};
  return {
    who: who as Candidate,
    level,
    rate: isOne ? first.rate_bps : 0,
    flat: isOne && first.flat_minor !== null ? (counted.length > 0 ? sum : first.flat_minor) : null,
    multiplier: isOne ? first.multiplier_milli : multiplier,
    exact,
    isOfZero: paid.every((one) => one.rate_bps === 0 && one.flat_minor === null),
    isHigher: paid.some(({ rate_bps }) => rate_bps > 0),
    bars: paid.map(({ part, ownRate }) => Math.max(below?.[part] ?? 0, ownRate)),
    chosen:
      parts || (rules.length === 0 && ladders.length === 0 && !(overrides && who?.overrides?.length))
        ? undefined
        : { source, id, cut, ladder, considered },
    rate_parts: parts && paid.map(({ ownRate: _own, ...one }) => one),
  };
}

/** What pays, with why the others do not, in the order in which they are asked. */
function choose(document: ExplainDocument, who: Candidate | null, level: number, part: Part | null, ladder: string | undefined) {
  const rules = document.plan?.definition.rules ?? [];
  const judged = (isFinal: boolean): Asked[] =>
    rules.filter(({ final }) => (final === true) === isFinal).map((rule) => judgeRule(document, who, level, part, rule));
  const asked = [...judged(true), ...judgeAgreed(document, who, level, part), ...judged(false)];
  const winner = asked.find(({ reason }) => reason === null);
  const considered = asked
    .filter((one) => one !== winner)
    .map(({ source, id, reason, at }) => ({ source, id, reason: reason ?? 'OUTRANKED', at: at ?? null }));
  const own = { source: ladder === undefined ? 'level' : 'ladder', id: ladder ?? null };
  if (!winner) return { ...own, cut: undefined, considered, pay: undefined, agreed: false };
  considered.push({ ...own, reason: 'OUTRANKED', at: null });
  const { source, id, cut, pay } = winner;
  return { source, id, cut, considered, pay, agreed: !source.endsWith('rule') };
}

/** The step that a member has reached by what it has sold, of which less than nothing is nothing; the first of a level that nobody takes. */
function climb({ plan, currency }: ExplainDocument, who: Candidate | null, id: string) {
  const { steps } = plan?.definition.ladders?.find((one) => one.id === id) ?? { steps: [] };
  const sum = who?.ladder_sums?.[id];
  const starts = steps.map(({ from }) => (typeof from === 'number' ? from : from[currency]));
  const sold = BigInt(sum ?? 0) > 0n ? BigInt(sum ?? 0) : 0n;
  const step = Math.max(
    0,
    starts.findLastIndex((from) => from !== undefined && BigInt(from) <= sold),
  );
  return { rateBps: steps[step]?.rateBps ?? 0, told: { id, step, sum: sum ?? null } };
}

function judgeRule(document: ExplainDocument, who: Candidate | null, level: number, part: Part | null, rule: Rule): Asked {
  const named = { source: rule.final === true ? 'final_rule' : 'rule', id: rule.id };
  if (Array.isArray(rule.levels) && !rule.levels.includes(level)) return { ...named, reason: 'LEVEL_NOT_NAMED' };
  const at = failing(document, who, part?.number ?? null, rule.when, 'when');
  return at === null ? { ...named, reason: null, pay: rule.pay } : { ...named, reason: 'FALSE', at };
}

function judgeAgreed({ plan, currency }: ExplainDocument, who: Candidate | null, level: number, part: Part | null): Asked[] {
  const { overrides: most, mode } = plan?.definition ?? {};
  if (!most || !who) return [];
  const rank = ({ target, for_plan, parts }: Agreed): number =>
    (target === 'member' ? 0 : 4) + (for_plan ? 2 : 0) + (parts ? 1 : 0);
  const agreed = (who.overrides ?? []).toSorted((a, b) => rank(b) - rank(a));
  const levels = most.levels ?? [1];
  if (agreed.length === 0 && levels.includes(level)) return [{ source: 'member', id: null, reason: 'NO_OVERRIDE' }];
  return agreed.map(({ target: source, id, level: own, parts, pay }): Asked => {
    if (own !== level || !levels.includes(level)) return { source, id, reason: 'LEVEL_NOT_NAMED' };
    if (parts && !parts.includes(part?.number ?? -1)) return { source, id, reason: 'PRODUCT_NOT_NAMED' };
    const isRate = pay.rateBps !== undefined;
    const [asked, limit] = isRate ? [pay.rateBps, most.maxRateBps] : [pay.flatMinor?.[currency], most.maxFlatMinor?.[currency]];
    if (asked === undefined) return { source, id, reason: 'CURRENCY_NOT_NAMED' };
    if (limit === undefined || (!isRate && mode === 'differential')) return { source, id, reason: 'SUM_NOT_ALLOWED' };
    const cutPay = isRate ? { rateBps: limit } : { ...pay, flatMinor: { [currency]: limit } };
    if (asked <= limit) return { source, id, reason: null, pay };
    return { source, id, reason: null, pay: cutPay, cut: { reason: 'CUT_TO_PLAN_MAXIMUM', from: asked } };
  });
}

/** The highest rate that a differential plan can pay. */
export function topRate({ tierRules, rules = [], overrides }: Definition): number {
  const rates = [...Object.values(tierRules), ...rules.map(({ pay }) => pay)].map(({ rateBps = 0 }) => rateBps);
  return Math.max(0, overrides?.maxRateBps ?? 0, ...rates);
}
