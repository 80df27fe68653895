/** Sentences as a list. */
import { type Html, html } from '../html.ts';

/** `none` is said where there are none. */
export function sentences(list: readonly string[], none: string): Html {
  if (list.length === 0) return html`<p class="muted">${none}</p>`;
  return html`<ul class="plan-sentences">${list.map((one) => html`<li><bdi>${one}</bdi></li>`)}</ul>`;
}
