/** Times: exact, or relative with the exact one as its title. */
import type { Formats } from '../format.ts';
import { type Html, html } from '../html.ts';

export function exactTime(format: Formats, instant: string | Date): Html {
  return html`<time datetime="${iso(instant)}">${format.time(instant)}</time>`;
}

export function dateOf(format: Formats, instant: string | Date): Html {
  return html`<time datetime="${iso(instant)}" title="${format.time(instant)}">${format.date(instant)}</time>`;
}

/** "3 days ago"; browsers keep it up to date. */
export function ago(format: Formats, instant: string | Date): Html {
  return html`<time datetime="${iso(instant)}" title="${format.time(instant)}" data-ago="">${format.ago(instant)}</time>`;
}

function iso(instant: string | Date): string {
  return new Date(instant).toISOString();
}
