/** JSON to read, and where the object of an event has a page. */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { id, shortId } from '../../../pages/parts/id.ts';

export function prettyJson(value: unknown): Html {
  return html`<pre class="json" tabindex="0"><code>${JSON.stringify(value, null, 2) ?? 'null'}</code></pre>`;
}

/** Folded away until somebody asks. */
export function example(body: unknown): Html {
  return html`<details class="example"><summary>Example</summary>${prettyJson(body)}</details>`;
}

/** By the type, or by its first word. */
const PAGE_OF: Readonly<Record<string, string>> = {
  member: '/members',
  lead: '/leads',
  event: '/sales',
  commission: '/commissions',
  commissions: '/sales',
  'commissions.cleared': '/members',
  import: '/imports',
  api_key: '/keys',
  payout: '/payouts',
  payouts: '/payouts/runs',
  payout_run: '/payouts/runs',
  webhook_endpoint: '/webhooks/endpoints',
};

/** The id of what an event happened to; a link where it has a page that the reader may open. */
export function objectOf(page: Pick<PageContext, 'at' | 'opens'>, type: string, objectId: string): Html {
  const list = PAGE_OF[type] ?? PAGE_OF[firstWord(type)];
  const own = `${list}/${encodeURIComponent(objectId)}`;
  // A test has no object.
  if (list === undefined || objectId === 'test' || !page.opens(own)) return id(objectId);
  return html`<a href="${page.at(own)}"><code title="${objectId}">${shortId(objectId)}</code></a>`;
}

export function firstWord(type: string): string {
  return type.split('.')[0] ?? type;
}
