/** What charts share: the names of their series, and their figures as a table. */
import { type Html, html } from '../html.ts';
import type { Tint } from './chips.ts';

export interface ChartSeries {
  name: string;
  tint: Tint | 'accent';
  /** One a label. */
  values: readonly number[];
}

export function legend(series: readonly ChartSeries[]): Html | undefined {
  if (series.length < 2) return undefined;
  return html`<ul class="legend">${series.map(({ name, tint }) => html`<li><span class="swatch swatch-${tint}"></span>${name}</li>`)}</ul>`;
}

export interface ChartFigures {
  title: string;
  labels: readonly string[];
  series: readonly ChartSeries[];
  format(value: number): string;
  /** Where each label leads in the table, to the parts of its figures. */
  links?: readonly string[];
}

export function tableOf({ title, labels, series, format, links }: ChartFigures): Html {
  const head = series.map(({ name }) => html`<th scope="col" class="number">${name}</th>`);
  const rows = labels.map(
    (label, at) =>
      html`<tr><th scope="row">${links?.[at] === undefined ? label : html`<a href="${links[at]}">${label}</a>`}</th>${series.map(({ values }) => html`<td class="number">${format(values[at] ?? 0)}</td>`)}</tr>`,
  );
  return html`<details class="figures"><summary>Figures</summary><section class="scroll" aria-label="${title}, figures" tabindex="0"><table class="table"><caption class="unseen">${title}</caption><thead><tr><th scope="col">Period</th>${head}</tr></thead><tbody>${rows}</tbody></table></section></details>`;
}
