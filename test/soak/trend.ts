/** Whether a figure rises with time: the least-squares line through it, and how sure that is. */

export interface Trend {
  samples: number;
  first: number;
  last: number;
  /** Units an hour. */
  slope: number;
  /** The standard error of the slope; wider where neighbours are alike, for then there is less to go by. */
  error: number;
}

/** Of values at times in hours. A line needs three of them. */
export function trendOf(points: readonly (readonly [hours: number, value: number])[]): Trend {
  const samples = points.length;
  const [first = Number.NaN, last = Number.NaN] = [points[0]?.[1], points.at(-1)?.[1]];
  if (samples < 3) return { samples, first, last, slope: 0, error: Number.POSITIVE_INFINITY };
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const spread = sum(points.map(([x]) => (x - meanX) ** 2));
  const slope = sum(points.map(([x, y]) => (x - meanX) * (y - meanY))) / spread;
  const residuals = points.map(([x, y]) => y - meanY - slope * (x - meanX));
  const error = Math.sqrt(sum(residuals.map((one) => one ** 2)) / (samples - 2) / spread);
  return { samples, first, last, slope, error: error * widening(residuals) };
}

/**
 * Neighbouring samples that stray to the same side are not independent of each other. By their correlation r the standard
 * error grows by √((1 + r) / (1 - r)), as of a first-order autoregression.
 */
function widening(residuals: readonly number[]): number {
  const all = sum(residuals.map((one) => one ** 2));
  if (all === 0) return 1;
  const r = sum(residuals.slice(1).map((one, index) => one * (residuals[index] ?? 0))) / all;
  const bounded = Math.min(0.95, Math.max(0, r));
  return Math.sqrt((1 + bounded) / (1 - bounded));
}

export type Verdict = 'flat' | 'rises' | 'not told from noise';

/**
 * `rises`: by `limit` an hour or more, and beyond twice the error. `flat`: below the limit by twice the error. Otherwise the
 * samples are too few or stray too much to say.
 */
export function judge({ slope, error }: Pick<Trend, 'slope' | 'error'>, limit: number): Verdict {
  if (slope >= limit && slope > 2 * error) return 'rises';
  return slope + 2 * error < limit ? 'flat' : 'not told from noise';
}

/** Of counts, which jump about: whether the middle of the last third is above that of the first by more than `slack`. */
export function grows(values: readonly number[], slack: number): boolean {
  const third = Math.floor(values.length / 3);
  if (third === 0) return false;
  return median(values.slice(-third)) > median(values.slice(0, third)) + slack;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [below = Number.NaN, above = Number.NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 ? above : (below + above) / 2;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
