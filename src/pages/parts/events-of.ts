/** The way to what tenants' systems were told of one thing. Source: docs/specification/pages.md#events. */
import type { PageContext } from '../define-page.ts';
import { type Html, html, nothing } from '../html.ts';

interface Which {
  /** What the link says, where a page has several. */
  label?: string;
  /** The one that is meant, where many types tell of a thing. */
  type?: string;
}

/** Nothing for who may not read deliveries. */
export function eventsOf(page: Pick<PageContext, 'at' | 'can'>, objectId: string, { label = 'Events', type }: Which = {}): Html {
  if (!page.can('webhooks:read')) return nothing;
  return html`<a class="button" href="${page.at('/webhooks/deliveries', { objectId, type })}">${label}</a>`;
}
