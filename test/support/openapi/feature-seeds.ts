/** Real things for the fuzzer to name, as each feature's seeds.ts hands them out. */
import { gatherFromFeatures } from '../gather.ts';
import type { Side, World } from '../matrix/matrix-world.ts';

export interface FuzzGround {
  world: World;
  /** Whose key the requests have. */
  side: Side;
  /** How many requests an operation gets. */
  runs: number;
}

/** What `seeds` in a feature's seeds.ts is: by the names of fields, what to send there. */
export type PlantSeeds = (ground: FuzzGround) => Promise<Record<string, string[]>> | Record<string, string[]>;

/** One of each side, and the side's own so many times more. */
export const mostlyOwn = ({ world, side }: FuzzGround, times: number, of: (side: Side) => string): string[] => [
  ...world.sides.map(of),
  ...Array.from({ length: times }, () => of(side)),
];

export async function plantSeeds(ground: FuzzGround): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const { file, name, value } of await gatherFromFeatures('seeds.ts')) {
    if (name !== 'seeds') continue;
    for (const [field, values] of Object.entries(await (value as PlantSeeds)(ground))) {
      if (Object.hasOwn(all, field)) throw new Error(`${file} has a second list for ${field}`);
      all[field] = values;
    }
  }
  return all;
}
