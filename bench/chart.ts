/** The rates of results.md as a picture: each row's ratio to its floor, the range of its rounds, and the target. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BarChart, CustomChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { type KeptRate, RESULTS_FILE, ratesOf } from './results.ts';

use([BarChart, CustomChart, ScatterChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

const FILE = path.join(import.meta.dirname, '../docs/pictures/bench.svg');
const TITLE = 'Ratio to the floor of each benchmark, with the range of its rounds and its target';
const WIDTH = 900;
const ROW_HEIGHT = 30;
const FRAME_HEIGHT = 120;

/** As they stand in the picture, and what becomes of them where the reader's screen is dark. Bars are legible on both. */
const INK = { light: '#1f2328', dark: '#e6edf3' };
const LINE = { light: '#d0d7de', dark: '#3d444d' };
const BARS = { met: '#3b82c4', missed: '#c8742e', free: '#8b949e' };

/** Draws docs/pictures/bench.svg from results.md; returns its path. */
export async function drawChart(): Promise<string> {
  await writeFile(FILE, chartOf(ratesOf(await readFile(RESULTS_FILE, 'utf8'))));
  return FILE;
}

export function chartOf(rates: readonly KeptRate[]): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: FRAME_HEIGHT + ROW_HEIGHT * rates.length });
  chart.setOption(optionsOf(rates));
  const drawn = chart.renderToSVGString();
  chart.dispose();
  const dark = [INK, LINE].map(
    (ink) => `[fill="${ink.light}"] { fill: ${ink.dark} } [stroke="${ink.light}"] { stroke: ${ink.dark} }`,
  );
  const style = `<style>@media (prefers-color-scheme: dark) { ${dark.join(' ')} }</style>`;
  return `${still(drawn).replace(/^(<svg[^>]*>)/, `$1<title>${TITLE}</title>${style}`)}\n`;
}

/** Without what the library adds for pages whose charts are pointed at; its names count the charts that a process has drawn. */
function still(svg: string): string {
  return svg
    .replace(/<style ?><!\[CDATA\[[\s\S]*?\]\]>\s*<\/style>\n?/, '')
    .replaceAll(/ (?:class="zr[^"]*"|ecmeta_\w+="[^"]*"|pointer-events="\w+")/g, '');
}

const toldOf = ({ ratio, target }: KeptRate): string =>
  target === null ? ratio.toFixed(2) : `${ratio.toFixed(2)} of ≥ ${target.toFixed(2)}`;

function optionsOf(rates: readonly KeptRate[]): Parameters<ReturnType<typeof init>['setOption']>[0] {
  const text = { color: INK.light, fontFamily: 'sans-serif' };
  const greatest = Math.max(1, ...rates.flatMap(({ greatest: most, target }) => [most, target ?? 0]));
  const bars = (name: string, color: string, mine: (rate: KeptRate) => boolean): object => ({
    type: 'bar',
    name,
    stack: 'ratio',
    barWidth: 14,
    itemStyle: { color },
    data: rates.map((rate) => (mine(rate) ? rate.ratio : null)),
  });
  return {
    animation: false,
    title: { text: 'Ratio to the floor of the same run (1 = as fast)', left: 12, top: 8, textStyle: { ...text, fontSize: 15 } },
    legend: { top: 36, left: 12, textStyle: text, itemHeight: 10, itemGap: 34 },
    grid: { left: 300, right: 130, top: 70, bottom: 36 },
    xAxis: {
      type: 'value',
      min: 0,
      max: Math.ceil(greatest * 4) / 4,
      axisLabel: text,
      splitLine: { lineStyle: { color: LINE.light } },
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: rates.map(({ name }) => name),
      axisLabel: { ...text, interval: 0 },
      axisLine: { lineStyle: { color: LINE.light } },
      axisTick: { show: false },
    },
    series: [
      bars('target met', BARS.met, ({ target, met }) => target !== null && met),
      bars('target missed', BARS.missed, ({ target, met }) => target !== null && !met),
      bars('no target', BARS.free, ({ target }) => target === null),
      {
        type: 'scatter',
        name: 'target',
        symbol: 'rect',
        symbolSize: [3, 22],
        itemStyle: { color: INK.light },
        data: rates.flatMap(({ target }, row) => (target === null ? [] : [[target, row]])),
      },
      {
        type: 'custom',
        name: 'least to greatest round',
        itemStyle: { color: INK.light },
        data: rates.map(({ least, greatest: most }, row) => [least, most, row]),
        encode: { x: [0, 1], y: 2 },
        renderItem: (_params: unknown, api: { value(at: number): number; coord(at: [number, number]): [number, number] }) => {
          const [left, y] = api.coord([api.value(0), api.value(2)]);
          const [right] = api.coord([api.value(1), api.value(2)]);
          return { type: 'line', shape: { x1: left, y1: y, x2: right, y2: y }, style: { stroke: INK.light, lineWidth: 1.5 } };
        },
      },
      {
        type: 'scatter',
        symbolSize: 0,
        data: rates.map((rate, row) => ({ value: [Math.ceil(greatest * 4) / 4, row], name: toldOf(rate) })),
        label: { show: true, position: 'right', formatter: '{b}', ...text },
      },
    ],
  };
}
