/**
 * A dialog and what opens it. Without script the link leads to it, for it is drawn where it stands as soon as it is the
 * target of the address.
 */
import { type Drawn, type Html, html } from '../html.ts';

export interface Dialog {
  /** Unlike any other on the page. */
  id: string;
  title: string;
  body: Drawn;
  /** Drawn open, and closed by its own button alone: for what is shown once. */
  mustConfirm?: boolean;
}

export function dialog({ id, title, body, mustConfirm = false }: Dialog): Html {
  const close = html`<a class="button" href="#main" data-close="">Cancel</a>`;
  return html`<dialog id="${id}" class="dialog" aria-labelledby="${id}-title"${mustConfirm && html` open data-must-confirm=""`}><h2 id="${id}-title">${title}</h2>${body}${!mustConfirm && html`<div class="dialog-close">${close}</div>`}</dialog>`;
}

export function opensDialog(id: string, label: string, { main = false }: { main?: boolean } = {}): Html {
  return html`<a class="${main ? 'button button-main' : 'button'}" href="#${id}" data-dialog="${id}">${label}</a>`;
}
