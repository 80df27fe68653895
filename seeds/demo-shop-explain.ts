/** One purchase explained line by line, and the arithmetic done again by other means than the service's. */

import type { CommissionAnswer, EventAnswer, MemberAnswer } from './demo-shop-answers.ts';
import type { Tier } from './demo-shop-model.ts';
import { uplineOf } from './demo-shop-picture.ts';
import type { Problem } from './demo-shop-run.ts';
import { columns, formatAmount, formatMoney, formatRate } from './demo-shop-text.ts';

/** The plan a new tenant starts with: its levels, and how many of them each tier is paid. */
const PLAN_LEVELS = 5;
const PAID_DEPTH: Record<Tier, number> = { ORDINARY: 1, SENIOR: 3, MANAGER: 5, DIRECTOR: 10 };

interface Explained {
  lines: string[];
  problems: Problem[];
}

export function explainPurchase(event: EventAnswer, members: ReadonlyMap<string, MemberAnswer>, timeZone: string): Explained {
  const { currency, commissions } = event;
  const seller = members.get(event.attribution.user_id ?? '');
  const total = commissions.reduce((sum, { amount_minor }) => sum + amount_minor, 0);
  const base = event.amount_minor - event.tax_minor - event.shipping_minor;
  return {
    lines: [
      `${event.customer.name} paid ${formatMoney(event.amount_minor, currency)} with the referral code of ${seller?.name}.`,
      'Commission is paid on the goods, without tax and shipping:',
      `  ${formatAmount(event.amount_minor)} - ${formatAmount(event.tax_minor)} tax - ${formatAmount(event.shipping_minor)} shipping = ${formatMoney(base, currency)}`,
      '',
      ...(seller ? explainUpline(event, [seller, ...uplineOf(members, seller.id)]) : ['Nobody is credited.']),
      '',
      `Together ${formatMoney(total, currency)}, each line rounded once, half up.`,
      ...commissions
        .slice(0, 1)
        .map(({ clears_at }) => `All of it stays pending until ${formatDay(clears_at, timeZone)} (${timeZone}).`),
    ],
    problems: [
      ...(event.base_minor === base ? [] : [`the base is ${event.base_minor}, not ${base}`]),
      ...commissions.flatMap((line) =>
        line.amount_minor === recalculate(line) ? [] : [`level ${line.level} got ${line.amount_minor}, not ${recalculate(line)}`],
      ),
    ],
  };
}

/** A line for everybody from the seller up to the last one paid, or to the top. */
function explainUpline({ commissions, currency }: EventAnswer, upline: readonly MemberAnswer[]): string[] {
  const isPaidOut = commissions.length === PLAN_LEVELS;
  const shown = isPaidOut ? upline.slice(0, commissions.at(-1)?.level) : upline;
  let next = 1;
  const rows = shown.map((member, index) => {
    const line = commissions.find(({ level, user_id }) => level === index + 1 && user_id === member.id);
    const who = [`level ${index + 1}`, member.name, member.membership_tier];
    if (!line) return [...who, `passed over: ${reasonOf(member, next)}`];
    next = line.paid_level + 1;
    return [...who, `paid as level ${line.paid_level}: ${arithmeticOf(line, currency)}`];
  });
  const end = isPaidOut
    ? `All ${PLAN_LEVELS} levels of the plan are paid.`
    : `Nobody is left above: level ${next} of the plan is not paid.`;
  return [...columns(rows), end];
}

function reasonOf({ is_active, membership_tier }: MemberAnswer, next: number): string {
  if (!is_active) return 'not active';
  const depth = PAID_DEPTH[membership_tier];
  if (next <= depth) return 'does not qualify';
  return depth === 1 ? `${membership_tier} is paid on level 1 only` : `${membership_tier} is paid down to level ${depth} only`;
}

/** Such as 61.84 x 10 % = 6.184, rounded 6.18 USD. */
function arithmeticOf(line: CommissionAnswer, currency: string): string {
  const factor = line.multiplier_milli === 1_000 ? '' : ` x ${line.multiplier_milli / 1_000}`;
  const exact = exactAmount(line);
  const rounded = exact === formatAmount(line.amount_minor) ? '' : `${exact}, rounded `;
  return `${formatAmount(line.base_minor)} x ${formatRate(line.rate_bps)}${factor} = ${rounded}${formatMoney(line.amount_minor, currency)}`;
}

/** Base times rate times multiplier in ten-millionths of a minor unit. */
function productOf({ base_minor, rate_bps, multiplier_milli }: CommissionAnswer): bigint {
  return BigInt(base_minor) * BigInt(rate_bps) * BigInt(multiplier_milli);
}

function recalculate(line: CommissionAnswer): number {
  return Number((productOf(line) + 5_000_000n) / 10_000_000n);
}

/** Before rounding, in major units, with at least two decimals and no zeros behind them. */
function exactAmount(line: CommissionAnswer): string {
  const digits = productOf(line).toString().padStart(10, '0');
  const fraction = digits.slice(-9).replace(/0+$/, '').padEnd(2, '0');
  return `${digits.slice(0, -9).replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`;
}

function formatDay(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'long', timeStyle: 'short' }).format(new Date(instant));
}
