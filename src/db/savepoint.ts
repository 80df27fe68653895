/** A part of a transaction that can be undone by itself. */
import type { Db } from './frame.ts';
import { prepared } from './statement.ts';

const begin = prepared<unknown, []>('savepoint_begin', 'savepoint part');
const release = prepared<unknown, []>('savepoint_release', 'release savepoint part');
const undo = prepared<unknown, []>('savepoint_undo', 'rollback to savepoint part');

/** Runs `fn`; when it throws, what it did is undone and the transaction goes on. Parts may be nested. */
export async function withSavepoint<T>(db: Db, fn: () => Promise<T>): Promise<T> {
  await db.rows(begin());
  let result: T;
  try {
    result = await fn();
  } catch (error) {
    await Promise.all([db.rows(undo()), db.rows(release())]);
    throw error;
  }
  await db.rows(release());
  return result;
}
