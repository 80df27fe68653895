/** One import as a document: its progress, and each row that was refused with what is wrong with it. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { actor, auditOf } from '../../../pages/parts/actor.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { command } from '../../../pages/parts/empty.ts';
import { eventsOf } from '../../../pages/parts/events-of.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { id } from '../../../pages/parts/id.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import { createImport, type getImport, type listImportErrors } from '../../imports/imports-operations.ts';
import { KINDS } from './import-kinds.ts';
import { fileField, stateOf } from './imports-view.ts';

type Import = AnswerOf<typeof getImport>;
type Errors = AnswerOf<typeof listImportErrors>;
type Row = Errors['data'][number];
type Page = Pick<PageContext, 'at' | 'here' | 'can' | 'form' | 'format' | 'query' | 'environment'>;

const UNDER_WAY = ['receiving', 'queued', 'running'];

export function drawImport(page: Page, run: Import, errors: Errors): PageView {
  const { at, format } = page;
  const isUnderWay = UNDER_WAY.includes(run.status);
  const about = facts([
    { name: 'Rows of', value: KINDS[run.kind].word },
    { name: 'To be', value: run.mode === 'validate' ? 'looked at, nothing is kept' : 'carried out' },
    { name: 'Size', value: html`${format.count(run.byteCount)} bytes` },
    { name: 'Sent by', value: actor(page, run.createdBy) },
    { name: 'Sent', value: exactTime(format, run.createdAt) },
    { name: 'Ended', value: run.finishedAt && exactTime(format, run.finishedAt) },
  ]);
  const stop = isUnderWay && page.form('cancel', { submit: 'Stop it', inline: true, tone: 'plain' });
  return {
    title: run.fileName ?? 'Import',
    crumbs: [{ label: 'Imports', href: at('/imports') }],
    crumb: id(run.id),
    actions: html`${auditOf(page, 'import', run.id)}${eventsOf(page, run.id)}${stop}`,
    scripts: [...(isUnderWay ? ['progress'] : []), ...(errors.data.length > 0 ? ['import-rows'] : [])],
    body: beside(
      html`${drawProgress(page, run)}${errors.data.length > 0 && errorsCard(page, run, errors)}`,
      html`${nextStep(page, run)}${card({ title: 'About', body: about })}`,
    ),
  };
}

/** Asked for alone by a script while the import is under way. */
export function drawProgress({ format }: Pick<Page, 'format'>, run: Import): Html {
  const isUnderWay = UNDER_WAY.includes(run.status);
  const wouldBe = run.mode === 'validate' ? 'Would be kept' : 'Kept';
  const figures = facts(
    [
      { name: 'Rows', value: format.count(run.rowCount) },
      { name: wouldBe, value: format.count(run.appliedCount) },
      { name: 'Refused', value: format.count(run.failedCount) },
    ],
    { row: true },
  );
  const percent = Math.round(run.progress * 100);
  const bar =
    isUnderWay && html`<progress max="100" value="${percent}" aria-label="Rows that are decided">${percent} %</progress>`;
  const failure = run.failure !== null && html`<div class="notice notice-bad"><p>${run.failure}</p></div>`;
  return html`<section class="card" id="progress"${isUnderWay && html` data-under-way=""`}><div class="card-head"><div><h2>What became of the rows</h2></div><div class="actions">${stateOf(run)}</div></div>${failure}${figures}${bar}</section>`;
}

function errorsCard(page: Page, run: Import, { data, nextCursor }: Errors): Html {
  const list = table<Row>({
    caption: 'Rows that were refused',
    rows: data,
    columns: [
      { title: 'Row', cell: ({ rowNumber }) => page.format.count(rowNumber) },
      {
        title: 'What is wrong',
        cell: ({ rowNumber, faults }) =>
          html`<ul class="plain">${faults.map(({ field, code, message }) => html`<li>${field !== '' && html`<code>${field}</code> `}${message}${code !== undefined && html` <code class="muted">${code}</code>`}</li>`)}</ul><code class="import-row" data-row="${rowNumber}" hidden></code>`,
      },
    ],
    empty: html``,
  });
  const chooser = html`<div class="only-script import-chooser"><label class="button" for="rows-file">Show the rows…</label><input class="unseen" id="rows-file" type="file" accept=".csv,text/csv" data-import-rows=""><p class="hint" id="rows-said" role="status">Choose the same file: its rows are shown beside what is wrong with them. They do not leave this browser.</p></div>`;
  const csv = `curl '$URL/api/v1/imports/${run.id}/errors.csv' -H 'x-tenant-api-key: $KEY' -o errors.csv`;
  return card({
    title: 'Rows that were refused',
    lead: 'Numbered as a spreadsheet does: the line of the columns is row 1. Kept for 30 days; the rows themselves are not kept.',
    flush: true,
    body: html`${chooser}${list}${pagerOf(page, nextCursor)}<details class="import-csv"><summary>All of them as a file</summary>${command(csv)}</details>`,
  });
}

function nextStep(page: Page, run: Import): Html | false {
  if (run.status !== 'completed' || run.mode !== 'validate') return false;
  if (!page.can(createImport, KINDS[run.kind].effect)) return false;
  const isWhole = run.failedCount === 0;
  const form = page.form('carryOut', {
    note: isWhole
      ? 'Every row is in order. The file itself is not kept: choose it once more.'
      : 'Mend the rows in your file and look at it again under Imports. Or carry it out as it is: what is refused stays out.',
    fields: [fileField()],
    submit: `Carry it out in ${page.environment}`,
    tone: isWhole ? 'main' : 'plain',
  });
  return card({ title: 'Carry it out', body: form });
}
