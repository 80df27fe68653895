/** The pages of payouts, above each of their lists. */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';

const TABS = {
  '/payouts': 'Runs',
  '/payouts/all': 'Payouts',
  '/payouts/accounts': 'Accounts',
  '/payouts/holds': 'Holds',
  '/payouts/tax': 'Tax documents',
} as const;

export function tabs({ at, opens }: Pick<PageContext, 'at' | 'opens'>, current: keyof typeof TABS): Html {
  const links = Object.entries(TABS).map(
    ([path, label]) => opens(path) && html`<a href="${at(path)}"${path === current && html` aria-current="page"`}>${label}</a>`,
  );
  return html`<nav class="tabs" aria-label="Payouts">${links}</nav>`;
}
