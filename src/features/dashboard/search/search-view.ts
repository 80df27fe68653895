/** The search as a page, for who has no palette. */
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { label } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { filters } from '../../../pages/parts/filters.ts';
import type { Deed } from './deeds.ts';
import type { Hit } from './where-to.ts';

export interface SearchFacts {
  q: string;
  found: readonly Hit[];
  deeds: readonly Deed[];
}

export function drawSearch({ at }: Pick<PageContext, 'at'>, { q, found, deeds }: SearchFacts): PageView {
  const form = filters({
    address: at('/search'),
    fields: [
      { name: 'q', label: 'Search', type: 'search', value: q, placeholder: 'Name, email, id or order number', wide: true },
    ],
  });
  const list = q === '' ? html`` : card({ title: 'Found', flush: found.length > 0, body: drawFound(found) });
  const begin =
    deeds.length > 0 &&
    card({
      title: 'Begin',
      body: html`<ul class="todo">${deeds.map(({ title, href }) => html`<li><a href="${href}">${title}</a></li>`)}</ul>`,
    });
  const lead =
    'Members, sales, commissions, leads, links, codes, payouts and keys: by an id, an email, an order number, a code, or the beginning of a name.';
  return { lead, body: html`${form}<div class="stack">${list}${begin}</div>` };
}

function drawFound(found: readonly Hit[]): Html {
  if (found.length === 0) {
    return empty({
      what: 'Records appear here that have this name or id',
      why: 'None has, of those that your role may list. Names are found by their beginning, all else by the whole of it.',
      level: 3,
    });
  }
  const rows = found.map(({ title, kind, note, state, href }) => {
    const name = href === null ? html`<bdi>${title}</bdi>` : html`<a href="${href}">${title}</a>`;
    return html`<tr><th scope="row">${name}${note !== '' && html` <bdi class="muted">${note}</bdi>`}</th><td class="cell">${kind}</td><td class="cell">${label(state)}</td></tr>`;
  });
  return html`<section class="scroll" aria-label="Found" tabindex="0"><table class="table"><caption class="unseen">Found</caption><thead><tr><th scope="col">Record</th><th scope="col">Kind</th><th scope="col">State</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}
