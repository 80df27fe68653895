/** What results.md keeps of the rates, read back. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Target } from './measure.ts';

export const RESULTS_FILE = path.join(import.meta.dirname, 'results.md');

/** A row of the table of rates. */
export interface KeptRate {
  name: string;
  ratio: number;
  least: number;
  greatest: number;
  /** Least ratio that meets the target; null where none is set. */
  target: number | null;
  met: boolean;
}

/** The rows of both tables by name, as they stand; the line that names the columns is not among them. */
export function rowsOf(text: string): { rates: Map<string, string>; times: Map<string, string> } {
  const rates = new Map<string, string>();
  const times = new Map<string, string>();
  let table: Map<string, string> | undefined;
  for (const line of text.split('\n')) {
    const name = /^\| ([^|]+?) \|/.exec(line)?.[1];
    if (name === 'name') table = line.startsWith('| name | p50 |') ? times : rates;
    else if (name !== undefined && !/^-+$/.test(name)) table?.set(name, line);
  }
  return { rates, times };
}

/** name, ours, floor, ratio, target, met, … */
const RATE = /^\| ([^|]+?) \| [^|]+ \| [^|]+ \| \*\*([\d.]+)\*\* \(([\d.]+)–([\d.]+)\) \| (?:≥ ([\d.]+))?[^|]*\| (yes|no|–) \|/;

export function ratesOf(text: string): KeptRate[] {
  return [...rowsOf(text).rates.values()].flatMap((line) => {
    const found = RATE.exec(line);
    if (!found) throw new Error(`a row of results.md cannot be read: ${line}`);
    const [, name = '', ratio, least, greatest, target, met] = found;
    return {
      name,
      ratio: Number(ratio),
      least: Number(least),
      greatest: Number(greatest),
      target: target === undefined ? null : Number(target),
      met: met === 'yes',
    };
  });
}

/**
 * As much as when it was measured first: the target of the kept row; of one that has none yet, the least of its rounds. The
 * first measurement has none.
 */
export async function noSlowerThanKept(name: string): Promise<Target> {
  const kept = ratesOf(await readFile(RESULTS_FILE, 'utf8').catch(() => '')).find((row) => row.name === name);
  const ratio = kept?.target ?? kept?.least;
  return ratio === undefined ? {} : { ratio };
}
