/** The list of exports as a document, and the address of one file. */
import type { z } from 'zod';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { actor } from '../../../pages/parts/actor.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { ago, exactTime } from '../../../pages/parts/time.ts';
import type { listExports } from '../../exports/exports-operations.ts';
import { KINDS } from './kinds.ts';

type Exports = z.output<(typeof listExports)['response']>;
type Export = Exports['data'][number];
type Page = Pick<PageContext, 'at' | 'here' | 'can' | 'form' | 'format' | 'query'>;

const FIRST_EXPORT = `curl -X POST -H 'x-tenant-api-key: $KEY' -H 'content-type: application/json' $URL/api/v1/exports -d '{"kind": "members", "format": "csv"}'`;

const isUnderWay = ({ status }: Export): boolean => status === 'queued' || status === 'running';

/** How many files are being made; with script it is asked for every two seconds, and the page is drawn anew at the end. */
export function drawUnderWay({ format }: Pick<Page, 'format'>, { data }: Pick<Exports, 'data'>): Html {
  const count = data.filter(isUnderWay).length;
  if (count === 0) return html`<p id="progress" hidden></p>`;
  const words =
    count === 1
      ? '1 file is being made. It is offered here when it is done.'
      : `${format.count(count)} files are being made. They are offered here when they are done.`;
  return html`<p class="muted" id="progress" role="status" data-under-way="">${words}</p>`;
}

export function drawExports(page: Page, exports: Exports): PageView {
  const { data, nextCursor } = exports;
  const { format } = page;
  const list = table<Export>({
    caption: 'Exports',
    rows: data,
    columns: [
      { title: 'List', cell: ({ kind, format: type }) => html`${KINDS[kind].words} <span class="muted">${type}</span>` },
      { title: 'State', cell: ({ status, failure }) => html`${stateChip(status)}${failure !== null && html` ${failure}`}` },
      { title: 'Rows', number: true, cell: ({ rowCount }) => format.count(rowCount) },
      { title: 'By', secondary: true, cell: ({ createdBy }) => actor(page, createdBy) },
      { title: 'Asked', secondary: true, cell: ({ createdAt }) => ago(format, createdAt) },
      { title: 'File', cell: (one) => fileOf(page, one) },
    ],
    empty: empty({
      what: 'Files of your lists appear here',
      why: 'None was made yet. Each is kept for seven days.',
      curl: FIRST_EXPORT,
    }),
  });
  const offered = Object.entries(KINDS).filter(([, { scope }]) => page.can(scope));
  const form = page.form('create', {
    fields: [
      {
        name: 'kind',
        label: 'List',
        type: 'select',
        required: true,
        choices: offered.map(([value, { words }]) => ({ value, label: words })),
      },
      {
        name: 'format',
        label: 'As',
        type: 'radio',
        value: 'csv',
        choices: [
          { value: 'csv', label: 'CSV', hint: 'For spreadsheets.' },
          { value: 'ndjson', label: 'NDJSON', hint: 'A JSON object a line, for programs.' },
        ],
      },
    ],
    submit: 'Make the file',
  });
  return {
    ...(data.some(isUnderWay) && { scripts: ['progress'] }),
    body: beside(
      card({ flush: true, body: html`${drawUnderWay(page, exports)}${list}${pagerOf(page, nextCursor)}` }),
      offered.length > 0 && card({ title: 'New export', lead: 'All rows of a list, in the background.', body: form }),
    ),
  };
}

function fileOf(page: Page, one: Export) {
  const { id, status, expiresAt } = one;
  const hidden = { exportId: id };
  if (isUnderWay(one)) {
    return page.form('cancel', { key: id, hidden, inline: true, submit: 'Stop', tone: 'plain' });
  }
  if (status !== 'completed') return '–';
  const until = expiresAt !== null && html` <span class="muted">until ${exactTime(page.format, expiresAt)}</span>`;
  return html`${page.form('download', { key: id, hidden, inline: true, submit: 'Download…', tone: 'plain' })}${until}`;
}

export function drawDownload(
  { at, format }: Pick<PageContext, 'at' | 'format'>,
  file: { url: string; expiresAt: string },
): PageView {
  return {
    title: 'Your file',
    crumbs: [{ label: 'Exports', href: at('/exports') }],
    body: card({
      body: html`<p>Whoever has this address can download the file until ${exactTime(format, file.expiresAt)}.</p><p><a class="button button-main" href="${file.url}" download="">Download the file</a></p>`,
    }),
  };
}
