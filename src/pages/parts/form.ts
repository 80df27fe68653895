/**
 * A form with its fields, the messages beside them, the token and the Idempotency-Key that it was drawn with.
 * Source: docs/specification/pages.md#forms.
 */
import type { FieldFault } from '../../errors.ts';
import { type Drawn, type Html, html } from '../html.ts';

export interface Choice {
  value: string;
  label: string;
  hint?: string;
  /** Choices one behind the other with the same group fold into one line with its name, open where one is chosen. */
  group?: string;
  /** Below its hint, as an example that unfolds. */
  more?: Drawn;
}

export interface Field {
  /** As the operation's body names it, so that its messages find the field. */
  name: string;
  label: string;
  /** `money` is an amount in major units, `checkboxes` and `select` have choices; a `file` comes last. Default `text`. */
  type?:
    | 'text'
    | 'email'
    | 'password'
    | 'url'
    | 'number'
    | 'money'
    | 'date'
    | 'datetime-local'
    | 'file'
    | 'textarea'
    | 'select'
    | 'checkbox'
    | 'checkboxes'
    | 'radio';
  /** At first; what was sent stands there when the form is drawn again. A password is never drawn. */
  value?: string | number | boolean | readonly string[] | null | undefined;
  choices?: readonly Choice[];
  hint?: Drawn;
  required?: boolean;
  placeholder?: string;
  /** As `one-time-code`. */
  autocomplete?: string;
  inputmode?: 'numeric' | 'decimal' | 'email';
  minLength?: number;
  maxLength?: number;
  autofocus?: boolean;
  mono?: boolean;
  /** Of a file, as `.csv,text/csv`. */
  accept?: string;
}

/** What a form said that was refused. */
export interface Sent {
  values: Readonly<Record<string, readonly string[]>>;
  faults: readonly FieldFault[];
  /** Of the whole. */
  message: string | undefined;
}

export interface FormLook {
  fields?: readonly (Field | false | undefined)[];
  /** Controls that the page draws itself, above the fields. */
  body?: Drawn;
  /** What the button says: what will be done, and for how much. */
  submit: string;
  tone?: 'main' | 'danger' | 'plain';
  /** Above the fields. */
  note?: Drawn;
  /** Beside the button. */
  beside?: Drawn;
  /** A button in a row of a table. */
  inline?: boolean;
  /** For the ids of its fields, unlike those of any other form of the page. */
  id: string;
}

export interface FormParts extends FormLook {
  address: string;
  hidden: Readonly<Record<string, string>>;
  sent: Sent | undefined;
}

export function drawForm({
  address,
  hidden,
  sent,
  fields = [],
  body,
  submit,
  tone = 'main',
  note,
  beside,
  inline = false,
  id,
}: FormParts): Html {
  const shown = fields.filter((field) => field !== false && field !== undefined);
  const names = new Set(shown.map(({ name }) => name));
  const others = sent?.faults.filter(({ field }) => !shown.some(({ name }) => isOf(field, name))) ?? [];
  const secret = Object.entries(hidden).map(
    ([name, value]) => !names.has(name) && html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const banner =
    sent && (others.length > 0 || sent.faults.length === 0)
      ? html`<div class="notice notice-bad" role="alert">${others.length > 0 ? others.map(({ field, message }) => html`<p>${field === '' ? '' : `${field}: `}${message}</p>`) : html`<p>${sent.message}</p>`}</div>`
      : undefined;
  const look = inline ? 'form form-inline' : 'form';
  const button = html`<button class="button button-${tone}" type="submit">${submit}</button>`;
  const parts = shown.some(({ type }) => type === 'file') && html` enctype="multipart/form-data"`;
  return html`<form class="${look}" method="post" action="${address}"${parts}>${secret}${banner}${note && html`<div class="form-note">${note}</div>`}${body}${shown.map((field) => drawField(field, id, sent))}<div class="form-end">${button}${beside}</div></form>`;
}

/** A fault of a part of the field is the field's. */
function isOf(fault: string, name: string): boolean {
  return fault === name || fault.startsWith(`${name}.`) || fault.startsWith(`${name}[`);
}

/** One field of the form with that id; `sent` has what stands in it, and the messages beside it. */
export function drawField(field: Field, form: string, sent: Sent | undefined): Html {
  const { name, label, type = 'text', hint } = field;
  const id = `${form}-${name}`;
  const faults = sent?.faults.filter((fault) => isOf(fault.field, name)) ?? [];
  const described = [hint ? `${id}-hint` : '', faults.length > 0 ? `${id}-fault` : ''].filter(Boolean).join(' ');
  const told = html`${described !== '' && html` aria-describedby="${described}"`}${faults.length > 0 && html` aria-invalid="true"`}`;
  const below = html`${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}${faults.length > 0 && html`<p class="fault" id="${id}-fault">${faults.map(({ message }) => message).join('; ')}</p>`}`;
  if (type === 'checkbox') {
    const on = sent ? sent.values[name] !== undefined : field.value === true;
    return html`<div class="field field-check"><input type="checkbox" id="${id}" name="${name}" value="yes"${on && html` checked`}${told}><label for="${id}">${label}</label>${below}</div>`;
  }
  if (type === 'checkboxes' || type === 'radio') {
    const chosen = valuesOf(field, sent);
    const kind = type === 'radio' ? 'radio' : 'checkbox';
    const box = (choice: Choice, at: number): Html =>
      html`<div class="field-check"><input type="${kind}" id="${id}-${at}" name="${name}" value="${choice.value}"${chosen.includes(choice.value) && html` checked`}><label for="${id}-${at}">${choice.label}</label>${choice.hint !== undefined && html`<p class="hint">${choice.hint}</p>`}${choice.more}</div>`;
    const boxes = inGroups(field.choices ?? []).map(({ group, choices }) => {
      const drawn = choices.map(({ choice, at }) => box(choice, at));
      if (group === undefined) return drawn;
      const isOpen = choices.some(({ choice }) => chosen.includes(choice.value));
      return html`<details class="choice-group"${isOpen && html` open`}><summary>${group}</summary>${drawn}</details>`;
    });
    return html`<fieldset class="field"${told}><legend>${label}</legend>${boxes}${below}</fieldset>`;
  }
  return html`<div class="field"><label for="${id}">${label}${field.required ? undefined : html` <span class="optional">optional</span>`}</label>${control(field, id, { value: valuesOf(field, sent)[0] ?? '', told })}${below}</div>`;
}

interface ChoiceGroup {
  group: string | undefined;
  choices: { choice: Choice; at: number }[];
}

function inGroups(choices: readonly Choice[]): ChoiceGroup[] {
  const groups: ChoiceGroup[] = [];
  for (const [at, choice] of choices.entries()) {
    const last = groups.at(-1);
    if (last && last.group === choice.group) last.choices.push({ choice, at });
    else groups.push({ group: choice.group, choices: [{ choice, at }] });
  }
  return groups;
}

function valuesOf({ name, value, type }: Field, sent: Sent | undefined): readonly string[] {
  if (type === 'password') return [];
  if (sent) return sent.values[name] ?? [];
  if (value === undefined || value === null) return [];
  return typeof value === 'object' ? value : [String(value)];
}

function control(field: Field, id: string, { value, told }: { value: string; told: Html }): Html {
  const {
    name,
    type = 'text',
    choices = [],
    required = false,
    placeholder,
    autocomplete,
    minLength,
    maxLength,
    mono = false,
  } = field;
  const inputmode = field.inputmode ?? (type === 'money' ? 'decimal' : undefined);
  const given = html`${required && html` required`}${placeholder !== undefined && html` placeholder="${placeholder}"`}${autocomplete !== undefined && html` autocomplete="${autocomplete}"`}${minLength !== undefined && html` minlength="${minLength}"`}${maxLength !== undefined && html` maxlength="${maxLength}"`}${inputmode !== undefined && html` inputmode="${inputmode}"`}${field.autofocus && html` autofocus`}${mono && html` class="mono"`}${told}`;
  if (type === 'textarea') return html`<textarea id="${id}" name="${name}" rows="4"${given}>${value}</textarea>`;
  if (type === 'select') {
    const none = !required && html`<option value="">–</option>`;
    return html`<select id="${id}" name="${name}"${given}>${none}${choices.map((choice) => html`<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.label}</option>`)}</select>`;
  }
  if (type === 'file') {
    const accept = field.accept !== undefined && html` accept="${field.accept}"`;
    return html`<input id="${id}" name="${name}" type="file"${accept}${given}>`;
  }
  const kind = type === 'money' ? 'text' : type;
  return html`<input id="${id}" name="${name}" type="${kind}"${type === 'number' && html` step="any"`} value="${value}"${given}>`;
}
