/**
 * The walk of a sale as a column of rungs: the sale, everybody who was considered with one outcome each, and the end.
 * Source: docs/specification/pages.md#explain.
 */

import { toJsonInteger } from '../../../money.ts';
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext } from '../../../pages/define-page.ts';
import { type Drawn, type Html, html } from '../../../pages/html.ts';
import { label, stateChip } from '../../../pages/parts/chips.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { money } from '../../../pages/parts/money.ts';
import { drawChosen } from '../../../pages/parts/paid-by.ts';
import { bar, distance, rung, saleMark } from '../../../pages/parts/rungs.ts';
import { reasonInWords, shareInWords } from '../../../pages/parts/share-words.ts';
import { bySource } from '../../commissions/open/pay-parts.ts';
import type { getEvent } from '../../events/events-operations.ts';
import type { explainEvent } from '../../events/explain/explain-operations.ts';

export type SaleEvent = AnswerOf<typeof getEvent>;
export type Explanation = AnswerOf<typeof explainEvent>;
type Outcome = Explanation['outcomes'][number];
type Share = Outcome['shares'][number];

export interface Walk {
  event: SaleEvent;
  why: Explanation;
  names: MemberNames;
}

type Look = Pick<PageContext, 'at' | 'can' | 'format'>;

export function drawWalk(page: Look, walk: Walk): Html {
  const { why } = walk;
  const largest = Math.max(1, ...why.outcomes.flatMap(({ shares }) => shares.map((share) => share.source_amount_minor)));
  const rungs = why.outcomes.map((outcome) =>
    outcome.outcome === 'paid' ? paidRung(page, walk, outcome, largest) : unpaidRung(walk, outcome),
  );
  return html`<ol class="rungs">${saleRung(page, walk)}${rungs}${keptRung(page, walk)}${endRung(why)}</ol>`;
}

function saleRung(page: Look, walk: Walk): Html {
  return rung(
    'rung-stop',
    saleMark(page.format, walk.event.currency),
    html`<p class="rung-name">The sale</p><p class="rung-why">${arithmetic(page, walk)}</p>`,
  );
}

/** Paid less what the plan leaves out is what commissions are calculated on. */
function arithmetic({ format }: Look, { event, why }: Walk): Html {
  const { amount_minor: paid, tax_minor: tax, shipping_minor: shipping, base_minor: base, currency } = event;
  const amount = (minor: number): string => format.money(minor, currency);
  const result = html`<strong>${amount(base)}</strong>`;
  const takesOff = why.plan?.definition['base'];
  if (why.plan === null) return html`${amount(paid)}. No plan covers this sale, so there is nothing to calculate on.`;
  if (takesOff === 'line_items')
    return html`The sum of the line items that the plan names = ${result}, of ${amount(paid)} in all`;
  if (takesOff === 'gross') return html`${amount(paid)}, with tax and shipping = ${result}`;
  const off = takesOff === 'net_of_tax' ? `tax ${amount(tax)}` : `tax ${amount(tax)} − shipping ${amount(shipping)}`;
  return html`${amount(paid)} − ${off} = ${result}`;
}

function paidRung(page: Look, walk: Walk, outcome: Outcome, largest: number): Html {
  const shares = outcome.shares.map(
    (share) =>
      html`<div class="rung-share"><div><p class="rung-why">${sumInWords(page, walk, share)}</p>${drawChoices(share, walk)}${bar(share.source_amount_minor / largest)}</div><div class="rung-money">${amountOf(page, share)}${share.status !== null && stateChip(share.status)}</div></div>`,
  );
  return memberRung('rung-paid', walk, outcome, shares);
}

/** What pays, of each part where the share goes by parts, and why everything else does not. */
function drawChoices({ chosen, rate_parts: parts = [] }: Share, walk: Walk): Drawn {
  if (chosen) return drawChosen(chosen, undefined);
  return parts.map((part) => drawChosen(part, productOf(walk, part.part)));
}

function productOf({ why }: Walk, part: number): string {
  const { sku, category } = why.inputs?.parts?.[part] ?? {};
  return sku ?? category ?? `part ${part + 1}`;
}

/** What each source pays. */
function partSums(parts: NonNullable<Share['rate_parts']>) {
  const merged = bySource(
    parts.map((part) => ({
      baseMinor: BigInt(part.base_minor),
      rateBps: part.rate_bps,
      flatMinor: part.flat_minor === null ? null : BigInt(part.flat_minor),
      units: part.units,
      multiplierMilli: part.multiplier_milli,
      choice: part,
    })),
  );
  return merged.map(({ baseMinor, flatMinor, ...pay }) => ({
    ...pay,
    baseMinor: toJsonInteger(baseMinor),
    flatMinor: flatMinor === null ? null : toJsonInteger(flatMinor),
  }));
}

function amountOf({ at, can, format }: Look, { commission_id: id, amount_minor, currency }: Share): Html {
  return money(format, amount_minor, currency, id !== null && can('commissions:read') ? at(`/commissions/${id}`) : undefined);
}

function sumInWords({ format }: Look, { event }: Walk, share: Share): Html {
  const amount = (minor: number, currency = event.currency): string => format.money(minor, currency);
  const further = [
    share.after_ceiling_minor !== share.rounded_minor && `The ceiling of the sale leaves ${amount(share.after_ceiling_minor)}.`,
    share.capped_minor > 0 && `A cap (${capInWords(share.cap)}) takes off ${amount(share.capped_minor)}.`,
    share.currency !== event.currency &&
      share.nothing_because === null &&
      `${amount(share.source_amount_minor)} by the stored rate is ${amount(share.amount_minor, share.currency)}.`,
    share.nothing_because !== null && `Not paid: ${reasonInWords(share.nothing_because)}.`,
    share.hold !== null && `On hold: ${share.hold.message}.`,
    share.commission_id !== null &&
      share.net_minor !== share.amount_minor &&
      `Of it ${amount(share.net_minor, share.currency)} is left after what was taken back.`,
  ];
  const sum = {
    paidLevel: share.paid_level,
    flatMinor: share.flat_minor,
    rateBps: share.rate_bps,
    multiplierMilli: share.multiplier_milli,
    parts: share.rate_parts && partSums(share.rate_parts),
    exact: share.exact,
    roundedMinor: share.rounded_minor,
    baseMinor: event.base_minor,
    currency: event.currency,
  };
  return shareInWords(format, sum, further);
}

function capInWords(cap: string | null): string {
  return (cap ?? '').replaceAll('_', ' ').replaceAll('+', ' and ');
}

function unpaidRung(walk: Walk, outcome: Outcome): Html {
  const why = html`<div class="rung-share"><p class="rung-why">Not paid: ${outcome.message ?? outcome.reason}. ${whatFollows(walk, outcome)}</p><div class="rung-money rung-none"><span aria-hidden="true">–</span><span class="unseen">nothing</span></div></div>`;
  return memberRung('rung-unpaid', walk, outcome, why);
}

/** What becomes of a level that somebody did not qualify for. */
function whatFollows({ why }: Walk, { shares }: Outcome): string | undefined {
  const { mode, compression } = why.plan?.definition ?? {};
  if (shares.length > 0 || mode === 'differential' || why.inputs?.block !== null) return undefined;
  if (compression === 'compress') return 'The level passes to the next sponsor.';
  return compression === 'roll_up' ? 'The level goes to the next sponsor who qualifies.' : 'The company keeps the level.';
}

function memberRung(kind: string, { why, names }: Walk, { user_id: id, level }: Outcome, body: Drawn): Html {
  const member = why.inputs?.upline.find(({ user_id }) => user_id === id);
  const name = html`<p class="rung-name"><bdi>${names.link(id)}</bdi>${member && label(member.tier)}${member?.is_test_user && label('TEST')}</p>`;
  return rung(kind, distance(level), html`${name}${body}`);
}

function keptRung({ format }: Look, { event }: Walk): Html | undefined {
  const kept = event.breakage_minor ?? 0;
  if (kept === 0) return undefined;
  return rung(
    'rung-unpaid',
    html`<span aria-hidden="true">⌂</span>`,
    html`<div class="rung-share"><div><p class="rung-name">Kept by the company</p><p class="rung-why">Levels that nobody qualified for.</p></div><div class="rung-money">${money(format, kept, event.currency)}</div></div>`,
  );
}

function endRung({ walk_end: end, inputs, outcomes }: Explanation): Html {
  const nobody = outcomes.length === 0 && inputs?.block != null ? reasonInWords(inputs.block) : undefined;
  const text = nobody ?? end?.message ?? 'nobody was considered';
  return rung(
    'rung-stop',
    html`<span aria-hidden="true">■</span>`,
    html`<p class="rung-name">End of the walk</p><p class="rung-why">${sentence(text)}</p>`,
  );
}

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
