/** Imports as a list, with the form of a new one. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Drawn, type Html, html } from '../../../pages/html.ts';
import { actor } from '../../../pages/parts/actor.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { chip, stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { filters } from '../../../pages/parts/filters.ts';
import { shortId } from '../../../pages/parts/id.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { ago } from '../../../pages/parts/time.ts';
import { createImport, type listImports } from '../../imports/imports-operations.ts';
import { IMPORTED, KINDS, MODES, offered } from './import-kinds.ts';

type Imports = AnswerOf<typeof listImports>;
export type Import = Imports['data'][number];
type Page = Pick<PageContext, 'at' | 'here' | 'can' | 'form' | 'format' | 'query' | 'environment'>;

const STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'];

/** Names of the filters in the address. */
export const FILTERS = ['kind', 'status'];

const CURL = `printf 'email,sponsor_email\\nada@shop.example,\\nlee@shop.example,ada@shop.example\\n' | curl --data-binary @- '$URL/api/v1/imports?kind=members&mode=validate' -H 'x-tenant-api-key: $KEY' -H 'content-type: text/csv'`;

export function drawImports(page: Page, { data, nextCursor }: Imports): PageView {
  const { at, format, query } = page;
  const filtered = FILTERS.some((name) => query[name]);
  const list = table<Import>({
    caption: 'Imports',
    rows: data,
    link: ({ id }) => at(`/imports/${id}`),
    columns: [
      { title: 'File', cell: (one) => nameOf(one) },
      { title: 'Rows of', cell: ({ kind }) => KINDS[kind].word },
      { title: 'State', cell: (one) => stateOf(one) },
      { title: 'Rows', number: true, cell: ({ rowCount }) => format.count(rowCount) },
      { title: 'Refused', number: true, cell: ({ failedCount }) => format.count(failedCount) },
      { title: 'By', secondary: true, cell: ({ createdBy }) => actor(page, createdBy) },
      { title: 'Sent', secondary: true, cell: ({ createdAt }) => ago(format, createdAt) },
    ],
    empty: filtered
      ? empty({
          what: 'Imports that match appear here',
          why: 'None matches these filters.',
          action: { href: at('/imports'), label: 'Show all' },
        })
      : empty({
          what: 'Files that you send in appear here, with what became of each row',
          why: `None was sent yet in ${page.environment}.`,
          curl: CURL,
        }),
  });
  const bar = filters({
    address: at('/imports'),
    fields: [
      {
        name: 'kind',
        label: 'Rows of',
        type: 'select',
        value: query['kind'],
        choices: IMPORTED.map((value) => ({ value, label: KINDS[value].word })),
      },
      {
        name: 'status',
        label: 'State',
        type: 'select',
        value: query['status'],
        choices: STATUSES.map((value) => ({ value, label: value })),
      },
    ],
  });
  const kinds = offered(page);
  const body = html`${bar}${card({ flush: true, body: html`${list}${pagerOf(page, nextCursor)}` })}`;
  return {
    lead: 'CSV files of members, leads, purchases and agreed rates.',
    body: page.can(createImport) && kinds.length > 0 ? beside(body, html`${newImport(page)}${columnsCard(page)}`) : body,
  };
}

function newImport(page: Page): Html {
  const kinds = offered(page);
  const form = page.form('send', {
    fields: [
      {
        name: 'kind',
        label: 'Rows of',
        type: 'radio',
        value: kinds[0],
        choices: kinds.map((value) => ({ value, label: KINDS[value].word })),
      },
      { name: 'mode', label: 'What to do', type: 'radio', value: 'validate', choices: MODES },
      fileField(),
    ],
    submit: `Send the file to ${page.environment}`,
  });
  return card({ title: 'New import', body: form });
}

export function fileField() {
  return {
    name: 'file',
    label: 'File',
    type: 'file',
    required: true,
    accept: '.csv,text/csv',
    hint: 'CSV in UTF-8 with commas. The first line names the columns.',
  } as const;
}

function columnsCard(page: Page): Html {
  const kinds = offered(page).map((kind) => {
    const { word, required, optional, example } = KINDS[kind];
    const columns = (names: readonly string[]): Drawn => names.map((name, at) => html`${at > 0 && ' '}<code>${name}</code>`);
    return html`<details><summary>${word}</summary><p>Needed: ${columns(required)}</p><p class="muted">Possible: ${columns(optional)}</p><pre tabindex="0"><code>${example}</code></pre></details>`;
  });
  return card({
    title: 'Columns',
    lead: 'In any order. An empty cell is an absent value.',
    body: html`<div class="columns">${kinds}</div>`,
  });
}

export function nameOf({ id, fileName }: Pick<Import, 'id' | 'fileName'>): Html {
  return fileName === null ? html`Import <code>${shortId(id)}</code>` : html`<bdi class="breaks">${fileName}</bdi>`;
}

/** A look that went through is told apart from what was carried out. */
export function stateOf({ status, mode, failedCount }: Pick<Import, 'status' | 'mode' | 'failedCount'>): Html {
  if (status !== 'completed') return stateChip(status);
  if (failedCount > 0) return chip(mode === 'validate' ? 'looked at, rows refused' : 'done, rows refused', 'waiting');
  return mode === 'validate' ? chip('looked at, in order', 'good') : chip('done', 'good');
}
