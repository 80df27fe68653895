/** Repeatable chance: the demo must give the same shop for the same seed on every machine. */

export interface Dice {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** As `next`, small numbers more often: the lesser of two throws. A power would not be exact on every machine. */
  low(): number;
  /** A whole number from 0 up to, not including, `below`. */
  int(below: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** A shuffled copy. */
  shuffle<T>(list: readonly T[]): T[];
}

/** mulberry32: 32 bits of state, no dependency, good enough for example data. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return {
    next,
    low: () => Math.min(next(), next()),
    int,
    chance: (probability) => next() < probability,
    pick(list) {
      const item = list[int(list.length)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
    shuffle(list) {
      const copy = [...list];
      for (let end = copy.length - 1; end > 0; end--) {
        const other = int(end + 1);
        [copy[end], copy[other]] = [copy[other] as never, copy[end] as never];
      }
      return copy;
    },
  };
}

/** A seed of its own for each part of the shop: more purchases do not make other members. */
export function mixSeed(seed: number, part: number): number {
  return Math.imul(seed ^ (part * 0x9e3779b1), 0x85ebca6b) >>> 0;
}
