/** Amounts: figures of one width, and where a sum has parts, a link to them. */
import type { Formats } from '../format.ts';
import { type Html, html } from '../html.ts';

export function money(format: Formats, minor: number | bigint | string, currency: string, href?: string): Html {
  const text = format.money(minor, currency);
  return href === undefined ? html`<span class="amount">${text}</span>` : html`<a class="amount" href="${href}">${text}</a>`;
}
