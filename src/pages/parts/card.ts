/** A part of a page with a heading of its own. */
import { type Drawn, type Html, html } from '../html.ts';

export interface Card {
  title?: string;
  /** One line below the title. */
  lead?: Drawn;
  /** Links and buttons beside the title. */
  actions?: Drawn;
  body: Drawn;
  /** Tables go from edge to edge. */
  flush?: boolean;
  id?: string;
}

export function card({ title, lead, actions, body, flush = false, id }: Card): Html {
  const head =
    title === undefined && !actions
      ? undefined
      : html`<div class="card-head"><div>${title !== undefined && html`<h2>${title}</h2>`}${lead && html`<p class="muted">${lead}</p>`}</div>${actions && html`<div class="actions">${actions}</div>`}</div>`;
  return html`<section class="${flush ? 'card card-flush' : 'card'}"${id !== undefined && html` id="${id}"`}>${head}${body}</section>`;
}

/** Two columns, the second narrower; one below the other where there is no room. */
export function beside(main: Drawn, side: Drawn): Html {
  return html`<div class="beside"><div class="stack">${main}</div><div class="stack">${side}</div></div>`;
}
