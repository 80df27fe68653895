/** A part of a transaction that can be undone by itself. */
import { raw, unscopedStatement } from './query.ts';
import type { Db, WriteDb } from './scope.ts';

const begin = unscopedStatement<unknown>('savepoint_begin', () => raw(`savepoint part`));
const release = unscopedStatement<unknown>('savepoint_release', () => raw(`release savepoint part`));
const undo = unscopedStatement<unknown>('savepoint_undo', () => raw(`rollback to savepoint part`));

type Undoable = Db & Partial<Pick<WriteDb, 'told'>>;

/** Runs `fn`; when it throws, what it did and told is undone and the transaction goes on. Parts may be nested. */
export async function withSavepoint<T>(db: Undoable, fn: () => Promise<T>): Promise<T> {
  const toldBefore = db.told?.length;
  await db.rows(begin());
  let result: T;
  try {
    result = await fn();
  } catch (error) {
    if (toldBefore !== undefined) db.told?.splice(toldBefore);
    await Promise.all([db.rows(undo()), db.rows(release())]);
    throw error;
  }
  await db.rows(release());
  return result;
}

/**
 * The same for what only reads, and sent without waiting: the savepoint travels with the first statement of `fn`, its
 * release with what the caller sends next.
 */
export async function withReadSavepoint<T>(db: Db, fn: () => Promise<T>): Promise<T> {
  const begun = db.rows(begin());
  begun.catch(() => undefined); // what `fn` sends fails with it
  try {
    const result = await fn();
    db.rows(release()).catch(() => undefined); // what the caller sends next fails with it
    return result;
  } catch (error) {
    await Promise.all([db.rows(undo()), db.rows(release())]);
    throw error;
  }
}

/** What `fn` does is undone, and what it has returned is kept: so a dry run is exactly the run. */
export async function undone<T>(db: Undoable, fn: () => Promise<T>): Promise<T> {
  const intended = new Error('undone');
  let result: { value: T } | undefined;
  try {
    await withSavepoint(db, async () => {
      result = { value: await fn() };
      throw intended;
    });
  } catch (error) {
    if (error !== intended) throw error;
  }
  if (!result) throw intended;
  return result.value;
}
