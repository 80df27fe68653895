/** The examples of a feature, as they lie in its folder. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { exchangesFileOf } from '../../../src/house/exchanges.ts';
import type { ExampleExchange } from '../../../src/http/document/examples.ts';

export type ExamplesOfFeature = Record<string, ExampleExchange>;

export function readExamples(feature: string): ExamplesOfFeature {
  const file = exchangesFileOf(feature);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ExamplesOfFeature) : {};
}

/** In the order of the operations, so that a change shows where it belongs. */
export function writeExamples(feature: string, examples: ExamplesOfFeature): void {
  const sorted = Object.entries(examples).toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(exchangesFileOf(feature), `${JSON.stringify(Object.fromEntries(sorted), null, 1)}\n`);
}
