/**
 * Reading by an operation of the API within a transaction that is open: what is asked of frames meanwhile runs in that
 * transaction. So an event shows an object by the handler and the shape of the operation that reads it, as the change
 * leaves it, and no second way to read an object is needed.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db, Scope } from './scope.ts';

const ambient = new AsyncLocalStorage<{ db: Db; scope: Scope }>();

/** Runs `fn`, whose reading frames in this scope are parts of the transaction of `db`. It must not write. */
export function withinFrame<T>(db: Db, scope: Scope, fn: () => Promise<T>): Promise<T> {
  return ambient.run({ db, scope }, fn);
}

/** What a reading frame runs on in place of a transaction of its own, or undefined. */
export function ambientDb(scope: Scope): Db | undefined {
  const open = ambient.getStore();
  if (!open) return undefined;
  if (open.scope.tenantId !== scope.tenantId || open.scope.environment !== scope.environment) {
    throw new Error('a frame within another frame must have its tenant and environment');
  }
  return open.db;
}

/** Throws within another frame: what writes has a transaction of its own, and this one would not be undone with it. */
export function refuseWithinFrame(): void {
  if (ambient.getStore()) throw new Error('a frame that writes was asked for within another frame');
}
