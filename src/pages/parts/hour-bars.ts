/** The last 24 hours of something that is tried, as one small bar an hour. The figures stand beside in words. */
import type { Formats } from '../format.ts';
import { type Html, html } from '../html.ts';

export interface HourOfTries {
  from: string;
  delivered: number;
  failed: number;
}

const STEP = 6;
const WIDTH = 5;
const HEIGHT = 28;

export function hourBars(format: Formats, hours: readonly HourOfTries[]): Html {
  const most = Math.max(1, ...hours.map(({ delivered, failed }) => delivered + failed));
  const tall = (count: number): number => (count === 0 ? 0 : Math.max(2, Math.round((count / most) * (HEIGHT - 2))));
  const bars = hours.map(({ from, delivered, failed }, at) => {
    const title = html`<title>${format.time(from)}: ${wordsOf(format, delivered, failed)}</title>`;
    const bar = (tint: string, top: number, height: number) =>
      height > 0 &&
      html`<rect class="fill-${tint}" x="${at * STEP}" y="${top}" width="${WIDTH}" height="${height}">${title}</rect>`;
    if (delivered + failed === 0) return bar('neutral', HEIGHT - 1, 1);
    const good = tall(delivered);
    const bad = tall(failed);
    return html`${bar('good', HEIGHT - good, good)}${bar('bad', Math.max(0, HEIGHT - good - bad), bad)}`;
  });
  const total = (of: 'delivered' | 'failed'): number => hours.reduce((sum, hour) => sum + hour[of], 0);
  const words = wordsOf(format, total('delivered'), total('failed'));
  return html`<span class="hours"><svg viewBox="0 0 ${hours.length * STEP} ${HEIGHT}" width="${hours.length * STEP}" height="${HEIGHT}" role="img" aria-label="The last ${hours.length} hours">${bars}</svg> <span class="muted">${words}</span></span>`;
}

function wordsOf(format: Formats, delivered: number, failed: number): string {
  if (delivered + failed === 0) return 'nothing sent';
  return failed === 0
    ? `${format.count(delivered)} delivered`
    : `${format.count(delivered)} delivered, ${format.count(failed)} failed attempts`;
}
