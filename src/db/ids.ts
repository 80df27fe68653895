/** Ids are UUIDs of version 7, in the order of the time at which they were made. */

import { randomUUID } from 'node:crypto';

/** One of now, as the database makes them. */
export function newId(): string {
  return `${firstIdAt(Date.now()).slice(0, 14)}7${randomUUID().slice(15)}`;
}

/** The lowest of an instant. */
export function firstIdAt(ms: number): string {
  const hex = Math.floor(ms).toString(16).padStart(12, '0').padEnd(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
