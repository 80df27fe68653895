/** The way to what tenants' systems were told of one thing. */
import type { PageContext } from '../define-page.ts';
import { type Html, html, nothing } from '../html.ts';

/** Nothing for who may not read deliveries. */
export function eventsOf(page: Pick<PageContext, 'at' | 'can'>, objectId: string): Html {
  if (!page.can('webhooks:read')) return nothing;
  return html`<a class="button" href="${page.at('/webhooks/deliveries', { objectId })}">Events</a>`;
}
