/** A column of steps from a sale upwards: an ordered list, so that a screen reader reads the story. */
import type { Formats } from '../format.ts';
import { type Drawn, type Html, html } from '../html.ts';

/** One step; `kind` is a class of explain.css, as `rung-paid`. */
export function rung(kind: string, mark: Drawn, body: Drawn): Html {
  return html`<li class="rung ${kind}"><span class="rung-mark">${mark}</span><div>${body}</div></li>`;
}

/** The mark of somebody so many levels above the sale. */
export function distance(level: number): Html {
  return html`<span class="unseen">Distance </span>${level}`;
}

/** The mark of a step that is nobody. */
export const dash: Html = html`<span aria-hidden="true">–</span>`;

/** The mark of a sale: the sign of its currency. */
export function saleMark({ locale }: Pick<Formats, 'locale'>, currency: string): Html {
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).formatToParts(0);
  const sign = parts.find(({ type }) => type === 'currency')?.value ?? '';
  return html`<span aria-hidden="true">${sign.length > 2 || sign === '' ? '¤' : sign}</span>`;
}

/** A share of one; the width is an attribute, for the policy lets no style in. */
export function bar(share: number): Html {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return html`<svg class="rung-bar" viewBox="0 0 100 5" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect width="100" height="5" rx="1"/><rect class="rung-bar-paid" width="${width.toFixed(2)}" height="5" rx="1"/></svg>`;
}
