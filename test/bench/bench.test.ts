/** What the benchmark says of itself: its rows, its budget, and the pages that show its results. Nothing is measured here. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { chartOf } from '../../bench/chart.ts';
import { resultsWith } from '../../bench/report.ts';
import { ratesOf, rowsOf } from '../../bench/results.ts';
import { budgetOf, CASE_NAMES, ENTRIES, MOST_SECONDS } from '../../bench/rows.ts';
import { sizingOf } from '../../bench/sizing.ts';

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, '../..', file), 'utf8');
const ofTable = CASE_NAMES.filter((name) => ENTRIES[name].ofTable);

const RESULTS = `# Benchmark results

| name | ours | floor | ratio (least–greatest) | target | met | p99 ours | p99 floor | p99 ratio | rounds | run |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| read | 1000 requests/s | 1250 requests/s | **0.80** (0.75–0.88) | ≥ 0.80, p99 ≤ 1.5 × | yes | 61.7 | 42.2 | 1.43 | 5 | 2026-11-23, commit abc, 2 cores (x), Node 24, PostgreSQL 18 |
| purchase, 1 client | 100 events/s | 400 events/s | **0.25** (0.20–0.30) | ≥ 0.50 | no | 61.7 | 42.2 | 1.43 | 5 | 2026-11-23, commit abc, 2 cores (x), Node 24, PostgreSQL 18 |
| create, Fastify and pg | 100 members/s | 250 members/s | **0.40** (0.30–0.50) | – | – | 61.7 | 42.2 | 1.43 | 5 | 2026-11-23, commit abc, 2 cores (x), Node 24, PostgreSQL 18 |

| name | p50 | figures (least–greatest), limits | met | rounds | run |
| --- | --- | --- | --- | --- | --- |
| growth | a purchase 9.00 ms | a purchase, 0.1M lines → 1.0M lines **1.10** (1.00–1.20) ×<br>disk of a purchase at 0.1M lines **7.00** (7.00–7.00) kB<br>disk of a purchase at 1.0M lines **8.50** (8.00–9.00) kB | – | 5 | 2026-11-24, commit def, 4 cores (x), Node 24, PostgreSQL 18 |
`;

test('every row of the table in docs/performance.md has a case, and every case of the table a row', () => {
  const [, table = ''] = read('docs/performance.md').split('## What is measured');
  const names = [...(table.split('\n## ')[0] ?? '').matchAll(/^\| ([^|]+?) \|/gm)].map(([, name = '']) => name);
  const rows: string[] = ofTable.flatMap((name) => ENTRIES[name].rows);
  expect(names.filter((name) => name !== 'name').toSorted()).toEqual(rows.toSorted());
});

test('no row is measured by two cases, and those of the table fit into 25 minutes with one to spare', () => {
  const rows = CASE_NAMES.flatMap((name) => ENTRIES[name].rows);
  expect(new Set(rows).size).toBe(rows.length);
  expect(budgetOf(ofTable)).toBeLessThanOrEqual(MOST_SECONDS);
});

test('rows are kept whatever their name is', () => {
  const { rates, times } = rowsOf(RESULTS);
  expect([...rates.keys()]).toEqual(['read', 'purchase, 1 client', 'create, Fastify and pg']);
  expect([...times.keys()]).toEqual(['growth']);
  expect(ratesOf(RESULTS)[1]).toEqual({
    name: 'purchase, 1 client',
    ratio: 0.25,
    least: 0.2,
    greatest: 0.3,
    target: 0.5,
    met: false,
  });
});

test('a run puts its rows in the place of those that were there, and reads them back', () => {
  const round = { ours: { perSecond: 90, p50: 1, p99: 4 }, floor: { perSecond: 100, p50: 1, p99: 2 } };
  const times = { one: { p50: 7, p95: 8, p99: 9, most: 9 } };
  const written = resultsWith(
    RESULTS,
    [
      { name: 'purchase, 1 client', unit: 'events', target: { ratio: 0.5, p99Ms: 100 }, rounds: [round] },
      { name: 'create, Fastify and pg', unit: 'members', target: {}, rounds: [round] },
      { name: 'memory', figures: [{ name: 'resident, most', unit: 'MB', limit: 220, of: () => 230 }], rounds: [times] },
    ],
    'today, commit xyz, 2 cores (x), Node 24, PostgreSQL 18',
  );
  const { rates, times: told } = rowsOf(written);
  expect(ratesOf(written).map(({ name, ratio, target, met }) => [name, ratio, target, met])).toEqual([
    ['read', 0.8, 0.8, true],
    ['purchase, 1 client', 0.9, 0.5, true],
    ['create, Fastify and pg', 0.9, null, false],
  ]);
  expect(rates.get('purchase, 1 client')).toContain('| ≥ 0.50, p99 ≤ 100 ms |');
  expect([...told.keys()]).toEqual(['growth', 'memory']);
  expect(told.get('memory')).toContain('resident, most **230.00** (230.00–230.00) MB, ≤ 220.00 | no | 1 | today');
  expect(sizingOf(read('docs/sizing.md'), written)).toContain('| memory of an API | memory | 230.00 MB | commit xyz, 2 cores |');
});

test('the chart has a bar for each rate, as long as its ratio, coloured by whether the target is met', () => {
  const svg = chartOf(ratesOf(RESULTS));
  const bars = [...svg.matchAll(/<path d="M\d+ [\d.]+l([\d.]+) 0l0 14[^"]*" fill="(#\w+)"/g)];
  const [met, missed, free] = bars.map(([, length, color]) => ({ length: Number(length), color }));
  expect(bars).toHaveLength(3);
  expect((met?.length ?? 0) / (missed?.length ?? 0)).toBeCloseTo(0.8 / 0.25, 2);
  expect((free?.length ?? 0) / (missed?.length ?? 0)).toBeCloseTo(0.4 / 0.25, 2);
  expect(new Set([met?.color, missed?.color, free?.color]).size).toBe(3);
  for (const text of ['>read<', '>purchase, 1 client<', '>0.80 of ≥ 0.80<', '>0.25 of ≥ 0.50<', '>0.40<'])
    expect(svg).toContain(text);
  expect(svg).toContain('prefers-color-scheme: dark');
  expect(svg).not.toMatch(/<script|href=/);
  expect(chartOf(ratesOf(RESULTS))).toBe(svg);
});

test('the guide to sizing names what was measured, with its commit, and nothing else', () => {
  const filled = sizingOf(read('docs/sizing.md'), RESULTS);
  expect(filled).toContain('| reads of a member | read | 1000 requests/s | commit abc, 2 cores |');
  expect(filled).toContain('| purchases by 32 clients | purchase | – | – |');
  expect(filled).toContain('| disk of a purchase | growth | 8.50 kB | commit def, 4 cores |');
  expect(filled).toContain('| a purchase in a large tenant, to one in a small one | growth | 1.10 × | commit def, 4 cores |');
});

test('the picture and the guide say what bench/results.md says: npm run bench -- --tell', () => {
  const results = read('bench/results.md');
  expect(read('docs/pictures/bench.svg')).toBe(chartOf(ratesOf(results)));
  expect(read('docs/sizing.md')).toBe(sizingOf(read('docs/sizing.md'), results));
});
