/** Prints the chaos table behind the run that made it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { type Row, seconds } from './measure.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The file that rows of the chaos table are added to, a line of JSON each. */
    chaosTable: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(path.join(tmpdir(), 'chaos-table-'));
  const file = path.join(directory, 'rows.jsonl');
  project.provide('chaosTable', file);
  return async () => {
    const text = await readFile(file, 'utf8').catch(() => '');
    await rm(directory, { recursive: true, force: true });
    const rows = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Row);
    if (rows.length === 0) return;
    const table = drawTable(rows);
    process.stdout.write(`\n${table}\n`);
    const copy = process.env['CHAOS_TABLE'];
    if (copy) await writeFile(copy, table);
  };
}

export function drawTable(rows: readonly Row[]): string {
  const head = ['fault', 'acknowledged', 'lost', 'doubled', 'broken', 'bad window', 'recovery', 'remarks'];
  const lines = rows.map((row) => [
    row.fault,
    row.acknowledged,
    row.lost,
    row.doubled,
    row.broken,
    row.bad === 0 ? 'none' : seconds(row.badMs),
    // JSON has no number for never.
    seconds(row.recoveryMs ?? Number.POSITIVE_INFINITY),
    [row.note, ...row.faults.map((fault) => `**${fault}**`)].filter(Boolean).join('; ').replaceAll('|', '/'),
  ]);
  const sum = (of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const failed = rows.filter((row) => row.faults.length > 0).length;
  const figures = `chaos table: faults=${rows.length} acknowledged=${sum((row) => row.acknowledged)} lost=${sum((row) => row.lost)} doubled=${sum((row) => row.doubled)} broken=${sum((row) => row.broken)} slowest_recovery=${seconds(Math.max(...rows.map((row) => row.recoveryMs ?? Number.POSITIVE_INFINITY)))}; ${failed === 0 ? 'ok' : `${failed} rows break a promise`}`;
  return `${[head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n${figures}\n`;
}
