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
}

const WIDTH = 720;
const HEIGHT = 240;
const LEFT = 64;
const BOTTOM = 24;
const TOP = 12;
/** More labels than that would lie on each other; on a telephone so many. */
const MOST_LABELS = 12;
const FEW_LABELS = 4;

export function barChart(chart: BarChart): Html {
  const { title, labels, series, format, tick: short = format } = chart;
  const highest = max(labels, (_label, at) => sum(series, ({ values }) => values[at] ?? 0)) ?? 0;
  const x = scaleBand<number>()
    .domain(labels.map((_label, at) => at))
    .range([LEFT, WIDTH])
    .paddingInner(0.12)
    .paddingOuter(0.04);
  const y = scaleLinear()
    .domain([0, highest || 1])
    .nice(4)
    .range([HEIGHT - BOTTOM, TOP]);
  const lines = y
    .ticks(4)
    .map(
      (tick) =>
        html`<line class="grid" x1="${LEFT}" x2="${WIDTH}" y1="${px(y(tick))}" y2="${px(y(tick))}"/><text class="tick" x="${LEFT - 8}" y="${px(y(tick) + 4)}" text-anchor="end">${short(tick)}</text>`,
    );
  const columns = labels.map((label, at) => {
    let base = 0;
    const bars = series.map(({ name, tint, values }) => {
      const value = values[at] ?? 0;
      if (value <= 0) return undefined;
      const top = y(base + value);
      const height = y(base) - top;
      base += value;
      return html`<rect class="fill-${tint}" x="${px(x(at) ?? 0)}" y="${px(top)}" width="${px(x.bandwidth())}" height="${px(Math.max(height - 1, 0.5))}" rx="2"><title>${label}, ${name}: ${format(value)}</title></rect>`;
    });
    const named = at % every(labels.length, MOST_LABELS) === 0;
    const look = at % every(labels.length, FEW_LABELS) === 0 ? 'tick' : 'tick tick-more';
    return html`${bars}${named && html`<text class="${look}" x="${px((x(at) ?? 0) + x.bandwidth() / 2)}" y="${HEIGHT - 6}" text-anchor="middle">${label}</text>`}`;
  });
  return html`<figure class="chart"><figcaption class="unseen">${title}</figcaption>${legend(series)}<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">${lines}${columns}</svg>${tableOf(chart)}</figure>`;
}

/** Each so-many-th, so that at most `most` are left. */
function every(count: number, most: number): number {
  return Math.max(1, Math.ceil(count / most));
}

function px(value: number): string {
  return value.toFixed(1);
}
