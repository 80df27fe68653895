/**
 * The Idempotency-Keys of several requests that share one transaction: claimed by one statement and answered by another.
 * A key that another transaction holds is not waited for by the others for long: the caller sets how long a lock is
 * waited for, and whose key is not granted must leave. Source: docs/specification/conventions.md#idempotency.
 */

import type { Db, Scope } from '../db/scope.ts';
import type { FrameGuard } from '../db/write-options.ts';
import type { KeyGuard } from './idempotency.ts';
import { claimKeys, type Key, releaseKeys, storeAnswers } from './idempotency-queries.ts';

/** The guard of a request's own key, and not of what another request stands for. */
export function isOfKey(guard: FrameGuard): guard is KeyGuard {
  return 'claim' in guard && 'seal' in guard;
}

/** What no other request in the transaction may have, too. */
export function nameOfKey(guard: KeyGuard): string {
  return nameOf(guard.key);
}

/** Those whose keys are theirs to the end of the transaction. It is sent with what the caller sends in the same tick. */
export async function claimTogether(db: Db, scope: Scope, guards: readonly KeyGuard[]): Promise<ReadonlySet<KeyGuard>> {
  if (guards.length === 0) return new Set();
  const byName = new Map(guards.map((guard) => [nameOfKey(guard), guard]));
  const granted = await claimKeys(
    db,
    scope,
    guards.map((guard) => guard.claim()),
  );
  return new Set(granted.flatMap((key) => byName.get(nameOf(key)) ?? []));
}

/** Of requests that were granted their keys. No statement where there is none. */
export async function storeTogether(
  db: Db,
  scope: Scope,
  answers: readonly { guard: KeyGuard; result: unknown }[],
): Promise<void> {
  if (answers.length === 0) return;
  await storeAnswers(
    db,
    scope,
    answers.map(({ guard, result }) => guard.seal(result)),
  );
}

/** For requests that were granted their keys and leave. No statement where there is none. */
export async function releaseTogether(db: Db, scope: Scope, guards: readonly KeyGuard[]): Promise<void> {
  if (guards.length === 0) return;
  await releaseKeys(
    db,
    scope,
    guards.map(({ key }) => key),
  );
}

function nameOf({ operation, key }: Key): string {
  return `${operation} ${key}`;
}
