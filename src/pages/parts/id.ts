/** Ids and codes: shortened in the middle, whole when copied. */
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';

export function shortId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 8)}…${id.slice(-5)}`;
}

/** An id with a button that copies it whole. */
export function id(value: string): Html {
  return html`<span class="id"><code title="${value}">${shortId(value)}</code>${copyButton(value, 'Copy')}</span>`;
}

/** `what` is said to who does not see the icon. */
export function copyButton(text: string, what: string): Html {
  return html`<button type="button" class="copy" data-copy="${text}" aria-label="${what}" title="${what}">${icon('copy')}</button>`;
}
