/** The plan editor: its fields or its JSON on the left, a sample sale and its quote on the right. */
import type { FieldFault } from '../../../errors.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import type { FormValues } from '../../../pages/form-values.ts';
import { type Drawn, type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { drawField, type Field, type Sent } from '../../../pages/parts/form.ts';
import { sentences } from '../../../pages/parts/sentences.ts';
import { namesOf, type Row, type Section, sectionsOf } from './editor-sections.ts';
import type { EditorState } from './editor-state.ts';
import { drawQuote } from './quote-view.ts';
import type { Checked, Refusal } from './refusals.ts';
import { isFurther, type Quoted, saleFields } from './sample-sale.ts';
import { type Told, toldOf } from './told.ts';

export interface Editor {
  plan: { id: string; name: string };
  /** When the plan last changed, of the plan that the form was drawn with first. */
  drawnAt: string;
  state: EditorState;
  checked: Checked;
  sale: FormValues;
  quoted: Quoted;
  /** Why it was not saved. */
  refused?: Refusal;
}

type Look = Pick<PageContext, 'at' | 'can' | 'form' | 'format'>;

const FORM = 'edit';
/** The part that is drawn anew while somebody types. */
export const SIDE = 'plan-side';

export function drawEditor(page: Look, editor: Editor): PageView {
  const { plan, state } = editor;
  const told = allTold(page, editor);
  const left = state.tab === 'json' ? drawJson(state, told) : drawSections(state, told);
  const sale: Sent = { values: editor.sale.all, faults: faultsFor(told), message: undefined };
  const sample = card({
    title: 'A sample sale',
    lead: 'What it would pay by this draft. Nothing is stored.',
    body: drawSale(saleFields(page), sale),
  });
  const side = html`${sample}<div id="${SIDE}" class="stack">${drawSide(page, editor)}</div>`;
  const check = html`<button class="button" type="submit" name="deed" value="check" formnovalidate>Check and quote</button>`;
  const body = page.form(FORM, {
    hidden: { tab: state.tab, from: JSON.stringify(state.edited.from), drawnAt: editor.drawnAt },
    body: html`${editor.refused && drawRefusal(editor.refused)}<div class="plan-editor" data-plan-editor="${SIDE}"${state.isUnsaved && html` data-unsaved`}><div class="plan-bar">${check}${tabButton(state.tab)}</div><div class="beside"><div class="stack">${left}</div><div class="stack plan-aside">${side}</div></div></div>`,
    submit: 'Save the draft',
    beside: check,
  });
  return {
    title: `Edit ${plan.name}`,
    crumbs: [
      { label: 'Plans', href: page.at('/plans') },
      { label: plan.name, href: page.at(`/plans/${plan.id}`) },
    ],
    crumb: 'Edit',
    lead: 'The draft pays nothing until it is published.',
    body,
    scripts: ['plan-editor'],
  };
}

/** Above what a script draws anew. */
function drawRefusal({ message, difference }: Refusal): Html {
  const told =
    difference && html`<p>What saving would change now:</p>${sentences(difference, 'Nothing: both drafts say the same.')}`;
  return html`<div class="notice notice-bad" role="alert"><p><bdi>${message}</bdi></p>${told}</div>`;
}

/** Fields that are seldom needed are open where something stands in them or is wrong. */
function drawSale(fields: readonly Field[], sent: Sent): Html {
  const grid = (some: readonly Field[]): Html =>
    html`<div class="plan-fields">${some.map((field) => drawField(field, FORM, sent))}</div>`;
  const further = fields.filter(isFurther);
  const isOpen = further.some(
    ({ name }) =>
      (name !== 'sale.type' && (sent.values[name]?.[0] ?? '') !== '') || sent.faults.some(({ field }) => field === name),
  );
  return html`${grid(fields.filter((field) => !isFurther(field)))}<details class="plan-more"${isOpen && html` open`}><summary>Tax, type, line items and more</summary>${grid(further)}</details>`;
}

/** What is wrong that stands beside no field, and the quote. For scripts also what stands beside fields. */
export function drawSide(page: Look, editor: Editor): Html {
  const told = allTold(page, editor);
  const { quoted } = editor.quoted;
  const quote = quoted
    ? drawQuote(page, quoted)
    : html`<p class="muted">${editor.quoted.message ?? 'There is no quote while something cannot be read.'}</p>`;
  return html`${card({ title: 'What was found', body: drawFound(told, editor.checked) })}${card({ title: 'The quote', body: quote })}`;
}

function allTold({ can }: Look, { state, checked, quoted, refused }: Editor): Told[] {
  const sections = state.tab === 'json' ? [] : sectionsOf(state.edited);
  const names = [...saleFields({ can }).map(({ name }) => name), ...(state.tab === 'json' ? ['json'] : namesOf(sections))];
  return toldOf(
    [...(refused?.faults ?? []), ...state.faults, ...checked.faults, ...quoted.faults],
    checked.findings,
    names,
    state.edited.from,
  );
}

function drawFound(told: readonly Told[], { findings, message }: Checked): Html {
  const problems = told.filter(({ tone, isOfSale }) => tone === 'bad' && !isOfSale).length;
  const count =
    problems > 0
      ? html`<p class="notice notice-bad">${problems === 1 ? '1 problem' : `${problems} problems`}: the draft cannot be published.</p>`
      : findings
        ? html`<p class="notice notice-good">The draft can be published.</p>`
        : html`<p class="notice notice-waiting">This could not be checked. ${message}</p>`;
  const items = told.map(
    ({ cell, tone, text }) =>
      html`<li${cell !== undefined && html` data-told-at="${`${FORM}-${cell}`}"`} data-tone="${tone}"><bdi>${text}</bdi></li>`,
  );
  return html`<div aria-live="polite">${count}</div>${items.length > 0 && html`<ul class="plan-told">${items}</ul>`}`;
}

function tabButton(tab: EditorState['tab']): Html {
  const one = (value: EditorState['tab'], label: string): Html =>
    html`<button class="button" type="submit" name="deed" value="tab:${value}" formnovalidate${tab === value && html` aria-pressed="true"`}${tab !== value && html` aria-pressed="false"`}>${label}</button>`;
  return html`<span class="plan-tabs">${one('form', 'Form')}${one('json', 'JSON')}</span>`;
}

function drawJson({ json }: EditorState, told: readonly Told[]): Html {
  const field: Field = {
    name: 'json',
    label: 'The draft',
    type: 'textarea',
    required: true,
    mono: true,
    hint: 'Amounts are minor units, rates are hundredths of a percent. What the form cannot show stays as it is here.',
  };
  const sent: Sent = { values: { json: [json] }, faults: faultsFor(told), message: undefined };
  return card({ title: 'As JSON', body: html`<div class="plan-json">${drawField(field, FORM, sent)}</div>` });
}

function drawSections({ edited }: EditorState, told: readonly Told[]): Html {
  const sent: Sent = { values: edited.cells, faults: faultsFor(told), message: undefined };
  return html`${sectionsOf(edited).map((section) => drawSection(section, sent, told))}`;
}

function drawSection({ name, title, hint, fields, rows, adds }: Section, sent: Sent, told: readonly Told[]): Html {
  const own = told.filter(({ cell }) => cell === name).map(({ tone, text }) => drawTold(tone, text));
  const add =
    adds && html`<button class="button" type="submit" name="deed" value="add:${adds.name}" formnovalidate>${adds.label}</button>`;
  const list = rows.map((row) => drawRow(row, sent, told));
  const grid = fields.length > 0 && html`<div class="plan-fields">${fields.map((field) => draw(field, sent, told))}</div>`;
  const look = name === 'rules' || name === 'ladders' ? 'plan-rows plan-rows-tall' : 'plan-rows';
  return card({
    title,
    ...(hint !== undefined && { lead: hint }),
    ...(add !== undefined && { actions: add }),
    body: html`<div id="${`${FORM}-${name}`}">${own}</div>${grid}${rows.length > 0 && html`<div class="${look}">${list}</div>`}${rows.length === 0 && fields.length === 0 && html`<p class="muted">None.</p>`}`,
  });
}

function drawRow({ title, fields, rows }: Row, sent: Sent, told: readonly Told[]): Html {
  const button = (deed: string, label: string): Html =>
    html`<button class="button" type="submit" name="deed" value="${deed}" formnovalidate aria-label="${`${label} ${title}`}">${label}</button>`;
  const moves = rows && rows.name === 'rules' && rows.index > 0 && button(`up:rules:${rows.index}`, 'Up');
  const end = rows && html`<div class="plan-row-end">${moves}${button(`remove:${rows.name}:${rows.index}`, 'Remove')}</div>`;
  return html`<fieldset class="plan-row"><legend><bdi>${title}</bdi></legend><div class="plan-fields">${fields.map((field) => draw(field, sent, told))}</div>${end}</fieldset>`;
}

/** A warning stands beside its field like a hint, and makes it not wrong. */
function draw(field: Field, sent: Sent, told: readonly Told[]): Html {
  const warnings = told.filter(({ cell, tone }) => cell === field.name && tone === 'waiting');
  if (warnings.length === 0) return drawField(field, FORM, sent);
  const hint: Drawn = html`${field.hint}${warnings.map(({ text }) => html`<span class="plan-warning"><bdi>${text}</bdi></span>`)}`;
  return drawField({ ...field, hint }, FORM, sent);
}

function drawTold(tone: Told['tone'], text: string): Html {
  return html`<p class="${tone === 'bad' ? 'fault' : 'plan-warning'}"><bdi>${text}</bdi></p>`;
}

const faultsFor = (told: readonly Told[]): FieldFault[] =>
  told.flatMap(({ cell, tone, text }) => (tone === 'bad' && cell !== undefined ? [{ field: cell, message: text }] : []));
