/** Filters are a GET form above a list: the address is the state. */
import { type Html, html } from '../html.ts';

export interface Choice {
  value: string;
  label: string;
}

export interface Filter {
  name: string;
  label: string;
  type: 'text' | 'search' | 'date' | 'select';
  /** What is chosen now. */
  value?: string | undefined;
  /** Of a select, behind "Any". */
  choices?: readonly Choice[];
  /** What a select says where nothing is chosen. Default "Any". */
  any?: string;
  placeholder?: string;
  /** For longer texts. */
  wide?: boolean;
}

export interface Filters {
  fields: readonly Filter[];
  /** The address without filters, which is that of the form. */
  address: string;
}

export function filters({ fields, address }: Filters): Html {
  const set = fields.some(({ value }) => value !== undefined && value !== '');
  return html`<form class="filters" method="get" action="${address}" role="search" aria-label="Filters">${fields.map(draw)}<div class="filters-end"><button class="button" type="submit">Show</button>${set && html`<a href="${address}">Clear</a>`}</div></form>`;
}

function draw({ name, label, type, value = '', choices = [], any = 'Any', placeholder, wide = false }: Filter): Html {
  const id = `filter-${name}`;
  const control =
    type === 'select'
      ? html`<select id="${id}" name="${name}"><option value="">${any}</option>${choices.map((choice) => html`<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.label}</option>`)}</select>`
      : html`<input id="${id}" name="${name}" type="${type}" value="${shown(type, value)}"${placeholder !== undefined && html` placeholder="${placeholder}"`}>`;
  return html`<div class="${wide ? 'field field-wide' : 'field'}"><label for="${id}">${label}</label>${control}</div>`;
}

/** A browser complains of a day that is none, and shows nothing. */
function shown(type: Filter['type'], value: string): string {
  return type === 'date' && !/^\d{4}-\d{2}-\d{2}$/.test(value) ? '' : value;
}
