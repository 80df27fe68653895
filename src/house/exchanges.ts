/** The exchanges that tests have recorded, each feature's in `examples.json` of its folder. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Exchanges } from '../http/document/examples.ts';
import type { House } from './house.ts';

/** Where a feature's exchanges lie. */
export function exchangesFileOf(feature: string): string {
  return fileURLToPath(new URL(`../features/${feature}/examples.json`, import.meta.url));
}

/** Of all features together, by operation. */
export function readExchanges({ features }: Pick<House, 'features'>): Exchanges {
  const files = features.map(({ name }) => exchangesFileOf(name)).filter((file) => existsSync(file));
  return Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Exchanges)) as Exchanges;
}
