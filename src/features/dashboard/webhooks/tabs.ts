/** The pages of webhooks, above each of their lists. */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';

const TABS = {
  '/webhooks': 'Endpoints',
  '/webhooks/deliveries': 'Deliveries',
  '/webhooks/events': 'Log',
  '/webhooks/types': 'Types of events',
  '/webhooks/signature': 'Check a signature',
} as const;

export function tabs({ at }: Pick<PageContext, 'at'>, current: keyof typeof TABS): Html {
  const links = Object.entries(TABS).map(
    ([path, label]) => html`<a href="${at(path)}"${path === current && html` aria-current="page"`}>${label}</a>`,
  );
  return html`<nav class="tabs" aria-label="Webhooks">${links}</nav>`;
}
