/** Bars of months as a drawing, stretched to the width there is; the figures are in the titles and beside it. */
import type { Month } from './answers.ts';
import { h, s } from './kit.ts';
import type { Look } from './look.ts';

const HEIGHT = 100;
const STEP = 10;
const BAR = 7;

export interface Chart {
  element: HTMLElement;
  /** Marks a month; none with an empty text. */
  mark(month: string): void;
}

export function drawChart({ words, format }: Look, months: readonly Month[], onChoose: (month: string) => void): Chart {
  const values = months.map(({ amount }) => Number(amount.amount) || 0);
  const most = Math.max(...values, 0);
  const bottom = Math.min(...values, 0);
  // Where there is nothing the ground is at the foot.
  const top = most || (bottom < 0 ? 0 : 1);
  const span = top - bottom;
  const y = (value: number): number => ((top - value) / span) * HEIGHT;
  const bars = months.map(({ month, amount, count }, at) => {
    const value = values[at] ?? 0;
    const from = Math.min(y(value), y(0));
    // What is not nothing can be seen.
    const tall = value === 0 ? 0 : Math.max(Math.abs(y(value) - y(0)), 1);
    const x = at * STEP;
    return s(
      'g',
      { onclick: () => onChoose(month) },
      s('title', null, `${format.month(month)}: ${format.money(amount)}, ${words.earnings.count(count, format.number(count))}`),
      s('rect', { class: 'touch', x, y: 0, width: STEP, height: HEIGHT }),
      s('rect', { class: 'bar', x: x + (STEP - BAR) / 2, y: from.toFixed(2), width: BAR, height: tall.toFixed(2) }),
    );
  });
  const [first, last] = [months[0]?.month ?? '', months.at(-1)?.month ?? ''];
  const drawing = s(
    'svg',
    {
      viewBox: `0 0 ${months.length * STEP} ${HEIGHT}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': words.earnings.chart(format.month(first), format.month(last)),
    },
    s('rect', { class: 'ground', x: 0, y: Math.max(y(0) - 0.5, 0).toFixed(2), width: months.length * STEP, height: 0.5 }),
    bars,
  );
  const labels = months.map(({ month }) =>
    h(
      'span',
      null,
      h('span', { class: 'short' }, format.month(month, 'short')),
      h('span', { class: 'narrow' }, format.month(month, 'narrow')),
    ),
  );
  const best = months[values.indexOf(most)];
  const element = h(
    'div',
    { class: 'chart' },
    h('p', { class: 'small most', 'aria-hidden': 'true' }, most > 0 && best ? format.money(best.amount) : ''),
    drawing,
    h('div', { class: 'months', 'aria-hidden': 'true' }, labels),
  );
  return {
    element,
    mark(chosen) {
      for (const [at, bar] of bars.entries()) bar.classList.toggle('faint', chosen !== '' && months[at]?.month !== chosen);
    },
  };
}
