/** The quote of a sample sale as a column from the sale upwards. Source: docs/specification/pages.md#plans. */
import { divideRoundHalfUp, toJsonInteger } from '../../../money.ts';
import type { PageContext } from '../../../pages/define-page.ts';
import { type Drawn, type Html, html } from '../../../pages/html.ts';
import { money } from '../../../pages/parts/money.ts';
import { drawChosen } from '../../../pages/parts/paid-by.ts';
import { bar, distance, rung, saleMark } from '../../../pages/parts/rungs.ts';
import { reasonInWords, shareInWords } from '../../../pages/parts/share-words.ts';
import { bySource, EXACT_DENOMINATOR, exactOf, type SourcePay } from '../../commissions/open/pay-parts.ts';
import type { Quoted } from './sample-sale.ts';

type Look = Pick<PageContext, 'format'>;
type Known = NonNullable<Quoted['quoted']>;
type Share = Known['quote']['commissions'][number];
type Outcome = Known['quote']['outcomes'][number];

export function drawQuote(page: Look, known: Known): Html {
  const { quote, sale } = known;
  const inSale = (share: Share): number => share.sourceAmountMinor ?? share.amountMinor;
  const largest = Math.max(1, ...quote.commissions.map(inSale));
  const paid = quote.commissions.reduce((sum, share) => sum + inSale(share), 0);
  const rungs = quote.outcomes.map((outcome) => {
    const shares = quote.commissions.filter(({ level, userId }) => level === outcome.level && userId === outcome.userId);
    if (outcome.outcome !== 'paid') return unpaidRung(known, outcome);
    const drawn = shares.map((share) => drawShare(page, known, share, inSale(share) / largest));
    return rung('rung-paid', distance(outcome.level), html`${nameOf(known, outcome)}${drawn}`);
  });
  const total = html`<p class="plan-total">Paid in all ${money(page.format, paid, sale.currency)} of ${money(page.format, sale.amountMinor, sale.currency)}</p>`;
  return html`${total}<ol class="rungs">${saleRung(page, known)}${rungs}${keptRung(page, known)}${endRung(known)}</ol>`;
}

function nameOf({ names }: Known, { userId }: Outcome): Html {
  return html`<p class="rung-name"><bdi>${names.link(userId)}</bdi></p>`;
}

function saleRung({ format }: Look, { sale, quote, definition }: Known): Html {
  const amount = (minor: number): string => format.money(minor, sale.currency);
  const off = {
    gross: '',
    net_of_tax: ` − tax ${amount(sale.taxMinor)}`,
    net_of_tax_shipping: ` − tax ${amount(sale.taxMinor)} − shipping ${amount(sale.shippingMinor)}`,
    line_items: ', of which the line items that the plan names',
  }[definition.base];
  return rung(
    'rung-stop',
    saleMark(format, sale.currency),
    html`<p class="rung-name">The sale</p><p class="rung-why">${amount(sale.amountMinor)}${off} = <strong>${amount(quote.baseMinor)}</strong></p>`,
  );
}

function drawShare({ format }: Look, known: Known, share: Share, width: number): Html {
  const { sale, quote, definition } = known;
  const sums = share.rateParts && partsOf(share.rateParts);
  const own = { ...share, baseMinor: BigInt(quote.baseMinor), units: null, flatMinor: bigOrNull(share.flatMinor) };
  const exact = (sums ?? [own]).reduce((sum, part) => sum + exactOf(part), 0n);
  const rounded = toJsonInteger(divideRoundHalfUp(exact, EXACT_DENOMINATOR));
  const amount = share.sourceAmountMinor ?? share.amountMinor;
  const text = (minor: number, currency = sale.currency): string => format.money(minor, currency);
  const words = shareInWords(
    format,
    {
      ...share,
      parts: sums?.map((part) => ({
        ...part,
        baseMinor: toJsonInteger(part.baseMinor),
        flatMinor: part.flatMinor === null ? null : toJsonInteger(part.flatMinor),
      })),
      exact: { numerator: `${exact}`, denominator: `${EXACT_DENOMINATOR}` },
      roundedMinor: rounded,
      baseMinor: quote.baseMinor,
      currency: sale.currency,
    },
    [
      definition.mode === 'differential' && 'Less what was paid below.',
      amount + share.cappedMinor !== rounded && `The ceiling of the sale leaves ${text(amount + share.cappedMinor)}.`,
      share.cappedMinor > 0 && `A cap takes off ${text(share.cappedMinor)}.`,
      share.currency !== sale.currency && `By the stored rate it is ${text(share.amountMinor, share.currency)}.`,
      share.holdCause !== null && 'It would be held: an own purchase.',
    ],
  );
  return html`<div class="rung-share"><div><p class="rung-why">${words}</p>${drawChoices(share)}${bar(width)}</div><div class="rung-money">${money(format, share.amountMinor, share.currency)}</div></div>`;
}

const bigOrNull = (minor: number | null): bigint | null => (minor === null ? null : BigInt(minor));

function partsOf(parts: NonNullable<Share['rateParts']>): SourcePay[] {
  return bySource(
    parts.map((part) => ({ ...part, baseMinor: BigInt(part.baseMinor), flatMinor: bigOrNull(part.flatMinor), choice: part })),
  );
}

function drawChoices({ chosen, rateParts = [] }: Share): Drawn {
  if (chosen) return drawChosen(chosen);
  return rateParts.map((part, index) => drawChosen(part, part.sku ?? part.category ?? `part ${index + 1}`));
}

function unpaidRung(known: Known, outcome: Outcome): Html {
  const why = html`<div class="rung-share"><p class="rung-why">Not paid: ${outcome.message ?? outcome.reason}.</p><div class="rung-money rung-none"><span aria-hidden="true">–</span><span class="unseen">nothing</span></div></div>`;
  return rung('rung-unpaid', distance(outcome.level), html`${nameOf(known, outcome)}${why}`);
}

function keptRung({ format }: Look, { quote, sale }: Known): Html | undefined {
  if (quote.breakageMinor === 0) return undefined;
  return rung(
    'rung-unpaid',
    html`<span aria-hidden="true">⌂</span>`,
    html`<div class="rung-share"><div><p class="rung-name">Kept by the company</p><p class="rung-why">Levels that nobody qualified for.</p></div><div class="rung-money">${money(format, quote.breakageMinor, sale.currency)}</div></div>`,
  );
}

function endRung({ quote }: Known): Html {
  const isNobody = quote.outcomes.length === 0 && quote.block !== null;
  const text = isNobody ? reasonInWords(quote.block) : quote.walkEnd.message;
  const next = quote.attribution.userId === null && 'Name a member above to see who is paid.';
  return rung(
    'rung-stop',
    html`<span aria-hidden="true">■</span>`,
    html`<p class="rung-name">End of the walk</p><p class="rung-why">${text.charAt(0).toUpperCase()}${text.slice(1)}. ${next}</p>`,
  );
}
