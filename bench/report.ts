/** The figures as text: on the screen, and in results.md, which keeps the rows of benchmarks that did not run. */
import { readFile, writeFile } from 'node:fs/promises';
import { type FigureSummary, type MeasuredTimes, summariseTimes } from './answer-times.ts';
import { CLIENTS } from './drive.ts';
import { type Measured, summarise, type Target } from './measure.ts';
import { RESULTS_FILE, rowsOf } from './results.ts';
import { POOL_SIZE } from './stage.ts';

const HEAD = `# Benchmark results

Written by \`npm run bench\`; what each row does and why is said in \`bench/run.ts\`. The figure that counts is the
ratio to the floor: the median over alternating rounds, with the least and the greatest. Absolute figures hold for
nothing but their own run, as the load generator, the measured server and PostgreSQL share the machine's cores.
Both sides work on one embedded PostgreSQL with default settings (fsync on, every commit durable), with
${POOL_SIZE} connections each; HTTP is driven by ${CLIENTS} clients where the name says nothing else. The floors connect as
the superuser, without row-level security; peers, which have a row each, connect as the service does. p99 is in
milliseconds; that of the floor of \`purchase\` is of the statement alone, on ${POOL_SIZE} connections without HTTP.
`;

const RATES = `
| name | ours | floor | ratio (least–greatest) | target | met | p99 ours | p99 floor | p99 ratio | rounds | run |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
`;

const TIMES = `
Answer times, to one client that sends its next request when it has the last answer: the median of each round,
then of the rounds. The figures are made of each round's times, and told as above.

| name | p50 | figures (least–greatest), limits | met | rounds | run |
| --- | --- | --- | --- | --- | --- |
`;

/** A few lines a benchmark, for people. */
export function describe(all: readonly (Measured | MeasuredTimes)[]): string {
  return all.map((measured) => ('figures' in measured ? describeTimes(measured) : describeRates(measured))).join('\n');
}

function describeRates(measured: Measured): string {
  const s = summarise(measured);
  return `${measured.name}: ${s.met ? 'met' : 'NOT MET'}
  ours   ${Math.round(s.oursPerSecond)} ${measured.unit}/s, p99 ${s.oursP99.toFixed(1)} ms
  floor  ${Math.round(s.floorPerSecond)} ${measured.unit}/s, p99 ${s.floorP99.toFixed(1)} ms
  ratio  ${s.ratio.toFixed(2)} (${s.ratioLeast.toFixed(2)} to ${s.ratioMost.toFixed(2)}), p99 ratio ${s.p99Ratio.toFixed(2)}
  target ${describeTarget(measured.target, measured.unit)}
`;
}

function describeTimes(measured: MeasuredTimes): string {
  const s = summariseTimes(measured);
  return [
    `${measured.name}: ${s.met ? 'met' : 'NOT MET'}`,
    ...s.p50s.map(([name, p50]) => `  p50 ${p50.toFixed(2)} ms  ${name}`),
    ...s.figures.map((figure) => `  ${describeFigure(figure)}${figure.met ? '' : '  NOT MET'}`),
    '',
  ].join('\n');
}

function describeFigure({ name, unit, limit, median, least, greatest }: FigureSummary): string {
  const told = `${name} **${median.toFixed(2)}** (${least.toFixed(2)}–${greatest.toFixed(2)}) ${unit}`;
  return limit === undefined ? told : `${told}, ≤ ${limit.toFixed(2)}`;
}

/** Puts the rows of this run into results.md; returns the file's path. */
export async function writeResults(all: readonly (Measured | MeasuredTimes)[], run: string): Promise<string> {
  await writeFile(RESULTS_FILE, resultsWith(await readFile(RESULTS_FILE, 'utf8').catch(() => ''), all, run));
  return RESULTS_FILE;
}

/** The text of results.md with the rows of a run, in the place of those that it had of them. */
export function resultsWith(text: string, all: readonly (Measured | MeasuredTimes)[], run: string): string {
  const { rates, times } = rowsOf(text);
  for (const measured of all) {
    if ('figures' in measured) times.set(measured.name, rowOfTimes(measured, run));
    else rates.set(measured.name, rowOf(measured, run));
  }
  const lines = (rows: Map<string, string>): string => [...rows.values()].map((row) => `${row}\n`).join('');
  return `${HEAD}${RATES}${lines(rates)}${TIMES}${lines(times)}`;
}

function rowOfTimes(measured: MeasuredTimes, run: string): string {
  const s = summariseTimes(measured);
  const cells = [
    measured.name,
    s.p50s.map(([name, p50]) => `${name} ${p50.toFixed(2)} ms`).join('<br>'),
    s.figures.map(describeFigure).join('<br>'),
    metCell(
      s.met,
      s.figures.some(({ limit }) => limit !== undefined),
    ),
    `${measured.rounds.length}`,
    run,
  ];
  return `| ${cells.join(' | ')} |`;
}

function rowOf(measured: Measured, run: string): string {
  const s = summarise(measured);
  const cells = [
    measured.name,
    `${Math.round(s.oursPerSecond)} ${measured.unit}/s`,
    `${Math.round(s.floorPerSecond)} ${measured.unit}/s`,
    `**${s.ratio.toFixed(2)}** (${s.ratioLeast.toFixed(2)}–${s.ratioMost.toFixed(2)})`,
    describeTarget(measured.target, measured.unit),
    metCell(s.met, Object.keys(measured.target).length > 0),
    s.oursP99.toFixed(1),
    s.floorP99.toFixed(1),
    s.p99Ratio.toFixed(2),
    `${measured.rounds.length}`,
    run,
  ];
  return `| ${cells.join(' | ')} |`;
}

function metCell(met: boolean, hasTarget: boolean): string {
  if (!hasTarget) return '–';
  return met ? 'yes' : 'no';
}

function describeTarget(target: Target, unit: string): string {
  const parts: string[] = [];
  if (target.ratio !== undefined) parts.push(`≥ ${target.ratio.toFixed(2)}`);
  if (target.perSecond !== undefined) parts.push(`≥ ${target.perSecond} ${unit}/s`);
  if (target.p99 !== undefined) parts.push(`p99 ≤ ${target.p99} ×`);
  if (target.p99Ms !== undefined) parts.push(`p99 ≤ ${target.p99Ms} ms`);
  return parts.length === 0 ? '–' : parts.join(', ');
}
