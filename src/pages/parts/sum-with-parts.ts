/** A sum of commissions by state, with the way to its lines. */
import type { PageContext } from '../define-page.ts';
import { type Html, html } from '../html.ts';
import { money } from './money.ts';

/**
 * A sum by state with the way to its lines, where one list has them all. Held lines are part of what is pending and have
 * a list of their own, so this sum leads to two.
 */
export function sumWithParts(
  { at, format }: Pick<PageContext, 'at' | 'format'>,
  minor: number | bigint | string,
  filters: Readonly<Record<string, string | undefined>> & { status: string; currency: string },
): Html {
  const to = at('/commissions', filters);
  if (filters.status !== 'pending') return money(format, minor, filters.currency, to);
  const held = at('/commissions', { ...filters, status: 'held' });
  return html`${money(format, minor, filters.currency)}<p class="hint"><a href="${to}">Pending</a> and <a href="${held}">on hold</a></p>`;
}
