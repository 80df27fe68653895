/**
 * The lock between sales and changes of tier, activity and sponsor: docs/decisions/0003-dated-history-from-the-first-change.md.
 * A time that nobody sent is fixed behind it. So a sale that is dated behind a change finds that change committed,
 * and a change that comes later is dated behind the sale.
 */
import { shareLock, takeLock } from '../../../db/lock-classes.ts';

/** Of a sale: waits for changes. */
export const LOCK_HISTORY_FOR_SALE = shareLock('history');

/** Of a change: waits for sales. It comes behind the tree's lock and before those on members. */
export const LOCK_HISTORY_FOR_CHANGE = takeLock('history');
