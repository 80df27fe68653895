/** Numbers that look random and are the same in every run. */

/** A 32-bit hash of a number; another one for each salt. */
export function mixed(value: number, salt: number): number {
  let hash = Math.imul(value ^ Math.imul(salt, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Numbers from 0 up to 1, one after the other, as Math.random gives them. */
export function randomNumbers(seed: number): () => number {
  let drawn = 0;
  return () => mixed(++drawn, seed) / 0x1_0000_0000;
}
