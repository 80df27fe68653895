/** Stacked bars as SVG, coloured by classes, with the figures in a table beside. */
import { max, sum } from 'd3-array';
import { scaleBand, scaleLinear } from 'd3-scale';
import { type Html, html } from '../html.ts';
import { type ChartSeries, legend, tableOf } from './chart-parts.ts';

export interface BarChart {
  title: string;
  labels: readonly string[];
  series: readonly ChartSeries[];
  /** Of a value, for the table and the titles. */
  format(value: number): string;
  /** Of a value, for the axis, where there is little room. Default `format`. */
  tick?(value: number): string;
  /** What stands below the bars, where there is little room. Default `labels`. */
  short?: readonly string[];
  /** Where each label leads in the table. */
  links?: readonly string[];
  /** For a column beside another one. */
  narrow?: boolean;
}

/** Figures have one size, whatever the width: where there is little room another drawing stands. */
const WIDE: Size = { width: 720, height: 240, left: 56, most: 12 };
const NARROW: Size = { width: 360, height: 200, left: 40, most: 4 };
const BOTTOM = 24;
const TOP = 12;

interface Size {
  width: number;
  height: number;
  /** Room for the figures of the axis. */
  left: number;
  /** Labels that do not lie on each other. */
  most: number;
}

export function barChart(chart: BarChart): Html {
  const { title, series, narrow = false } = chart;
  const drawn = narrow
    ? drawIn(chart, NARROW, 'chart-any')
    : html`${drawIn(chart, WIDE, 'chart-wide')}${drawIn(chart, NARROW, 'chart-narrow')}`;
  return html`<figure class="chart"><figcaption class="unseen">${title}</figcaption>${legend(series)}${drawn}${tableOf(chart)}</figure>`;
}

function drawIn(chart: BarChart, { width, height, left, most }: Size, look: string): Html {
  const { title, labels, series, format, tick: tell = format, short = labels } = chart;
  const highest = max(labels, (_label, at) => sum(series, ({ values }) => values[at] ?? 0)) ?? 0;
  const x = scaleBand<number>()
    .domain(labels.map((_label, at) => at))
    .range([left, width])
    .paddingInner(0.12)
    .paddingOuter(0.04);
  const y = scaleLinear()
    .domain([0, highest || 1])
    .nice(4)
    .range([height - BOTTOM, TOP]);
  const lines = y
    .ticks(4)
    .map(
      (tick) =>
        html`<line class="grid" x1="${left}" x2="${width}" y1="${px(y(tick))}" y2="${px(y(tick))}"/><text class="tick" x="${left - 8}" y="${px(y(tick) + 4)}" text-anchor="end">${tell(tick)}</text>`,
    );
  const columns = labels.map((label, at) => {
    let base = 0;
    const bars = series.map(({ name, tint, values }) => {
      const value = values[at] ?? 0;
      if (value <= 0) return undefined;
      const top = y(base + value);
      const tall = y(base) - top;
      base += value;
      return html`<rect class="fill-${tint}" x="${px(x(at) ?? 0)}" y="${px(top)}" width="${px(x.bandwidth())}" height="${px(Math.max(tall - 1, 0.5))}" rx="2"><title>${label}, ${name}: ${format(value)}</title></rect>`;
    });
    const named =
      at % every(labels.length, most) === 0 &&
      html`<text class="tick" x="${px((x(at) ?? 0) + x.bandwidth() / 2)}" y="${height - 6}" text-anchor="middle">${short[at] ?? label}</text>`;
    return html`${bars}${named}`;
  });
  return html`<svg class="${look}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${lines}${columns}</svg>`;
}

/** Each so-many-th, so that at most `most` are left. */
function every(count: number, most: number): number {
  return Math.max(1, Math.ceil(count / most));
}

function px(value: number): string {
  return value.toFixed(1);
}
