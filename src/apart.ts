/** Waiting for somebody outside without holding the place that a request has. Source: docs/specification/conventions.md#places. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** What a request holds while it is worked on. */
export interface Holder {
  /** Does the work without what is held, and takes it again behind it. */
  apart<T>(work: () => Promise<T>): Promise<T>;
  /** Others wait for what is held, and it is scarce. */
  isContested(): boolean;
  /** Waits behind so many of those who wait now, whatever becomes of the holder, and does the work in a turn of its own. */
  inTurn<T>(letBy: number, work: () => Promise<T>): Promise<T>;
  /** Throws where who holds it may not go on any more: a key may be revoked while a turn is waited for. */
  stillMay?(): Promise<void>;
}

const current = new AsyncLocalStorage<Holder>();

/** What `work` begins holds it. */
export function holding(holder: Holder, work: () => void): void {
  current.run(holder, work);
}

/**
 * Waits for a client that sends or reads, or for a vendor, without holding the place of the request that is under way
 * here; outside of requests it only does the work. No transaction may be open: it would hold up who has the place.
 */
export function apart<T>(work: () => Promise<T>): Promise<T> {
  const holder = currentHolder();
  return holder ? holder.apart(work) : work();
}

/** What the request that is under way here holds; undefined outside of requests. */
export function currentHolder(): Holder | undefined {
  return current.getStore();
}
