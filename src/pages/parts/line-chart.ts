/** Lines as SVG, coloured by classes, with the figures in a table beside. */
import { max } from 'd3-array';
import { scaleLinear, scalePoint } from 'd3-scale';
import { line } from 'd3-shape';
import { type Html, html } from '../html.ts';
import { type ChartFigures, legend, tableOf } from './chart-parts.ts';

const WIDTH = 720;
const HEIGHT = 200;
const LEFT = 64;
const BOTTOM = 24;
const TOP = 12;
/** More labels than that would lie on each other. */
const MOST_LABELS = 8;

export function lineChart(chart: ChartFigures): Html {
  const { title, labels, series, format } = chart;
  const highest = max(series, ({ values }) => max(values)) ?? 0;
  const x = scalePoint<number>()
    .domain(labels.map((_label, at) => at))
    .range([LEFT + 4, WIDTH - 24]);
  const y = scaleLinear()
    .domain([0, highest || 1])
    .nice(4)
    .range([HEIGHT - BOTTOM, TOP]);
  const path = line<number>(
    (_value, at) => x(at) ?? 0,
    (value) => y(value),
  ).digits(1);
  const lines = y
    .ticks(4)
    .map(
      (tick) =>
        html`<line class="grid" x1="${LEFT}" x2="${WIDTH}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}"/><text class="tick" x="${LEFT - 8}" y="${(y(tick) + 4).toFixed(1)}" text-anchor="end">${format(tick)}</text>`,
    );
  const every = Math.ceil(labels.length / MOST_LABELS);
  const names = labels.map(
    (label, at) =>
      at % every === 0 &&
      html`<text class="tick" x="${(x(at) ?? 0).toFixed(1)}" y="${HEIGHT - 6}" text-anchor="middle">${label}</text>`,
  );
  const drawn = series.map(
    ({ name, tint, values }) => html`<path class="stroke-${tint}" d="${path([...values]) ?? ''}"><title>${name}</title></path>`,
  );
  return html`<figure class="chart"><figcaption class="unseen">${title}</figcaption>${legend(series)}<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">${lines}${names}${drawn}</svg>${tableOf(chart)}</figure>`;
}
