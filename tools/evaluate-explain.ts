/**
 * Calculates an explain document again, by the plan and the inputs in it alone and without the service's code: who is
 * considered, why not, each share, the breakage; of one commission by its verdicts. `node tools/evaluate-explain.ts
 * file.json` prints `ok`, or each difference and exits with 1.
 */
import { readFileSync } from 'node:fs';
import { seatOf, topRate } from './evaluate-rates.ts';
import { findVerdictDifferences, halfUp, hasVerdicts } from './evaluate-verdicts.ts';
import type { Amounts, Candidate, Definition, Exact, ExplainDocument, Inputs, Seat } from './explain-document.ts';

const UNIT = 10_000_000n;
/** What a share comes to nothing by, step by step. */
const STEPS = ['ROUNDED_TO_ZERO', 'EVENT_CEILING', 'MEMBER_CAP', 'CUSTOMER_CAP', 'ROUNDED_TO_ZERO'];
const cross = (a: object, b: object): bigint => BigInt((a as Exact).numerator) * BigInt((b as Exact).denominator);
const total = (amounts: bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);

export function recalculate(plan: Definition, document: ExplainDocument, { block }: Inputs): object {
  const { currency, inputs } = document;
  const { qualification: asked = {}, scope: { skus, categories } = {} } = plan;
  const items = (inputs.line_items ?? []).filter(
    ({ sku, category }) => (!skus && !categories) || skus?.includes(sku) || categories?.includes(category ?? ''),
  );
  const off = { gross: 0, net_of_tax: inputs.tax_minor }[plan.base] ?? inputs.tax_minor + inputs.shipping_minor;
  const sold = plan.base === 'line_items' ? items.map((item) => item.amount_minor) : [inputs.amount_minor - off];
  const base = total(sold.map(BigInt));
  const people = inputs.upline.slice(0, 256);
  const compress = plan.compression === 'compress';
  const judged = new Map<Candidate, string | null>();
  const seats: Seat[] = [];
  let breakage = 0n;

  const refuse = (who: Candidate, level: number): string | null => {
    const rule = plan.tierRules[who.tier];
    if (who.level > 1 && who.user_id === inputs.buyer_user_id) return 'BUYER';
    if (who.standing === 'banned' || who.standing === 'rejected') return 'STANDING';
    if (asked.active !== false && !who.is_active) return 'INACTIVE';
    if (!rule) return 'TIER_WITHOUT_RULE';
    if ((rule.maxDepth ?? 256) < level) return 'TIER_DEPTH';
    if (asked.kycApproved && !who.kyc_approved) return 'KYC_NOT_APPROVED';
    if ((asked.minPersonalSalesMinor?.[currency] ?? 0) > (who.personal_sales_minor ?? 0)) return 'PERSONAL_SALES';
    return (asked.minActiveDirects ?? 0) > (who.active_directs ?? 0) ? 'ACTIVE_DIRECTS' : null;
  };
  if (plan.mode === 'differential') {
    const top = topRate(plan);
    for (const who of people) {
      const below = seats.at(-1)?.bars ?? [];
      if (Math.min(top, ...below) >= top && (below.length > 0 || top === 0)) break;
      const level = compress ? seats.length + 1 : who.level;
      const seat = seatOf(document, { base, who, level, own: { rateBps: plan.tierRules[who.tier]?.rateBps ?? 0 }, below });
      judged.set(who, refuse(who, level) ?? (seat.isHigher ? null : 'RATE_NOT_HIGHER'));
      if (judged.get(who) === null) seats.push(seat);
    }
  } else {
    if (!compress) for (const who of people.slice(0, plan.levels.length)) judged.set(who, refuse(who, who.level));
    for (const [index, own] of plan.levels.entries()) {
      const seat = (who: Candidate | null): Seat => seatOf(document, { base, who, level: index + 1, own });
      const from = compress ? (seats.at(-1)?.who.level ?? 0) : index;
      const above = people.slice(from, plan.compression === 'none' ? from + 1 : undefined);
      const taker = above.find((who) => {
        const reason = refuse(who, index + 1);
        if (compress || !judged.has(who)) judged.set(who, reason);
        return reason === null;
      });
      if (taker) seats.push(seat(taker));
      else if (compress) break;
      else if (above[0]) breakage += halfUp(seat(null).exact, UNIT);
    }
  }
  seats.sort((a, b) => a.who.level - b.who.level || a.level - b.level);
  const shares = inputs.block === null ? price(plan, currency, base, inputs, seats) : [];
  const outcomes = [...judged].map(([who, reason]) => {
    const own = shares.filter((share) => share.who === who);
    const paid = own.some(({ json }) => json.amount_minor > 0);
    const nothing = block === 'TEST_USER' || seats.some((one) => one.who === who) ? (block ?? own[0]?.nothing) : reason;
    const said = { user_id: who.user_id, level: who.level, outcome: paid ? 'paid' : 'not_paid', reason: paid ? null : nothing };
    return { ...said, shares: own.map(({ json }) => json) };
  });
  return { inputs: { base_minor: Number(base) }, outcomes, breakage_minor: inputs.block === null ? Number(breakage) : 0 };
}

function price({ caps = {}, fx = {} }: Definition, currency: string, base: bigint, inputs: Inputs, seats: Seat[]) {
  const rounded = seats.map(({ exact }) => halfUp(exact, UNIT));
  const ceiling = caps.perEventPayoutBps == null ? total(rounded) : (base * BigInt(caps.perEventPayoutBps)) / 10_000n;
  let ceiled = rounded;
  if (total(rounded) > ceiling) {
    const sum = total(seats.map(({ exact }) => exact));
    const floors = seats.map(({ exact }) => (ceiling * exact) / sum);
    const rests = seats.map(({ exact }, index) => ({ index, rest: (ceiling * exact) % sum }));
    rests.sort((a, b) => Number(b.rest > a.rest) - Number(b.rest < a.rest)); // stable: ties to the lower level
    const more = new Set(rests.slice(0, Number(ceiling - total(floors))).map(({ index }) => index));
    ceiled = floors.map((floor, index) => (more.has(index) ? floor + 1n : floor));
  }
  const rooms = new Map(inputs.member_rooms.map((room) => [room.user_id, room.room_minor]));
  let customerRoom = inputs.customer_room_minor ?? Number.POSITIVE_INFINITY;
  return seats.map(({ who, level, rate, flat, multiplier, exact, isOfZero, chosen, rate_parts }, index) => {
    const whole = Number(ceiled[index]);
    const room = rooms.get(who.user_id) ?? Number.POSITIVE_INFINITY;
    const afterMember = Math.min(whole, Math.max(room, 0));
    rooms.set(who.user_id, room - afterMember);
    const source = Math.min(afterMember, Math.max(customerRoom, 0));
    customerRoom -= source;
    const target = (fx.payCurrency === 'member' && source > 0 && who.pay_currency) || currency;
    const ratio = target === currency ? null : inputs.rates.find(({ target_currency }) => target_currency === target);
    const amount = ratio ? Number(halfUp(BigInt(source) * BigInt(ratio.numerator), BigInt(ratio.denominator))) : source;
    const cuts = [afterMember < whole ? ['member_period'] : [], source < afterMember ? ['customer_lifetime'] : []].flat();
    const steps = [ceiled[index] || rounded[index], ceiled[index], ...[afterMember, source, amount].map(BigInt)];
    const json = {
      paid_level: level,
      rate_bps: rate,
      flat_minor: flat,
      multiplier_milli: multiplier,
      exact: { numerator: `${exact}`, denominator: `${UNIT}` },
      rounded_minor: Number(rounded[index]),
      after_ceiling_minor: whole,
      capped_minor: whole - source,
      cap: cuts.join('+') || null,
      source_amount_minor: source,
      amount_minor: amount,
      currency: target,
      exchange_rate_id: ratio === undefined ? `no rate to ${target}` : (ratio?.id ?? null),
      chosen,
      rate_parts,
    };
    const byRule = (chosen ?? rate_parts) && isOfZero ? 'RATE_OF_ZERO' : STEPS[steps.indexOf(0n)];
    return { who, json, nothing: base === 0n ? 'NO_BASE' : flat === 0 ? 'NO_AMOUNT_FOR_CURRENCY' : byRule };
  });
}

function compare(path: string, given: unknown, right: unknown): string[] {
  if (typeof right !== 'object' || right === null || typeof given !== 'object' || given === null) {
    return Object.is(given, right) ? [] : [`${path}: ${JSON.stringify(given)} should be ${JSON.stringify(right)}`];
  }
  if (path.endsWith('.exact') && cross(given, right) === cross(right, given)) return [];
  const keys = new Set([...Object.keys(right), ...(Array.isArray(right) ? Object.keys(given) : [])]);
  return [...keys].flatMap((key) => compare(`${path}.${key}`, (given as Amounts)[key], (right as Amounts)[key]));
}

/** What is different from the calculation; nothing when the document is right. */
export function findDifferences(document: ExplainDocument): string[] {
  if (document.plan) return compare('', document, recalculate(document.plan.definition, document, document.inputs));
  const isPaid = document.outcomes.some(({ outcome, shares }) => outcome !== 'not_paid' || shares.length > 0);
  return isPaid || document.breakage_minor !== 0 ? ['without a plan nothing is paid'] : [];
}

if (import.meta.main) {
  const document: object = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
  const differences = hasVerdicts(document) ? findVerdictDifferences(document) : findDifferences(document as ExplainDocument);
  console.log(differences.join('\n') || 'ok');
  process.exitCode = Math.min(1, differences.length);
}
