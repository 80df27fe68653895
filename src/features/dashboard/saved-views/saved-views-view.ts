/** The saved views of a list, above its filters. Source: docs/specification/pages.md#saved-views. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { label } from '../../../pages/parts/chips.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import { deleteSavedView, type listSavedViews, saveView } from '../../saved-views/saved-views-operations.ts';

export type View = AnswerOf<typeof listSavedViews>['data'][number];

export interface ViewsOfList {
  /** The path of the list, as `/sales`. */
  path: string;
  /** The filters that are set now. */
  set: Readonly<Record<string, string>>;
  views: readonly View[];
}

type Page = Pick<PageContext, 'at' | 'can' | 'form'>;

/** Where the views stand on the page. A list that is drawn anew alone has them with it. */
export const VIEWS = 'saved-views';

/** What is drawn anew takes the place of what stands there, unless somebody fills in a form of it. */
const REPLACES = `outerHTML target:'#${VIEWS}:not(:has(dialog[open]))'`;

/** Those behind them fold away. */
const MOST_SHOWN = 6;

/** Whoever changes how the tenant is set up deletes what colleagues have shared. */
const TIDIES = 'admin:settings';

/** Of these the filters that are set, by name. */
export function filtersSet(names: readonly string[], query: PageContext['query']): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, query[name]?.trim() ?? '']).filter(([, value]) => value !== ''));
}

/** `again` replaces what stands on the page already. */
export function drawViews(page: Page, list: ViewsOfList, { again = false }: { again?: boolean } = {}): Html {
  const { set, views } = list;
  const open = views.filter(({ query }) => areSame(query, set));
  const mine = open.find(({ own }) => own);
  const canSave = Object.keys(set).length > 0 && page.can(saveView);
  const gone = mine ?? open.find(({ shared }) => shared && page.can(TIDIES));
  const parts = html`${views.length > 0 && drawLinks(page, list, open)}${canSave && drawSave(page, mine)}${gone && drawDelete(page, gone)}`;
  return html`<div id="${VIEWS}" class="views"${again && html` hx-swap-oob="${REPLACES}"`}>${parts}</div>`;
}

function drawLinks({ at }: Page, { path, views }: ViewsOfList, open: readonly View[]): Html {
  const links = [...views.filter((one) => open.includes(one)), ...views.filter((one) => !open.includes(one))].map(
    (one) =>
      html`<li><a href="${at(path, one.query)}"${open.includes(one) && html` aria-current="page"`}><bdi>${one.name}</bdi></a>${one.shared && label('shared')}</li>`,
  );
  const folded = links.slice(MOST_SHOWN);
  const more = folded.length > 0 && html`<details><summary>${folded.length} more</summary><ul>${folded}</ul></details>`;
  return html`<nav aria-label="Saved views"><span class="muted">Views</span><ul>${links.slice(0, MOST_SHOWN)}</ul>${more}</nav>`;
}

/** Under the name that it has already, the view is replaced. */
function drawSave(page: Page, mine: View | undefined): Html {
  const form = page.form('saveView', {
    fields: [
      {
        name: 'name',
        label: 'Name',
        value: mine?.name,
        required: true,
        maxLength: 100,
        placeholder: 'Held, largest first',
        hint: 'A view of yours with this name is replaced.',
      },
      {
        name: 'shared',
        label: 'Share with colleagues',
        type: 'checkbox',
        value: mine?.shared ?? false,
        hint: 'Everybody who may open this page sees it. Each sees what their role may see.',
      },
    ],
    submit: 'Save these filters',
  });
  return html`${opensDialog('save-view', 'Save these filters…')}${dialog({ id: 'save-view', title: 'Save these filters', body: form })}`;
}

function drawDelete(page: Page, { id, name, shared, own }: View): Html {
  if (!page.can(deleteSavedView)) return html``;
  const whose = own ? '' : ' It was saved by a colleague.';
  const form = page.form('deleteView', {
    note: html`<p><bdi>${name}</bdi> goes. What it shows stays.${whose}${shared && ' Your colleagues lose it too.'}</p>`,
    hidden: { viewId: id },
    submit: 'Delete this view',
    tone: 'danger',
  });
  return html`${opensDialog('delete-view', 'Delete this view…')}${dialog({ id: 'delete-view', title: 'Delete this view', body: form })}`;
}

function areSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
