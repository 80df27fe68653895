/** What a writing frame (frame.ts) is run with. */
import type { Db } from './scope.ts';
import type { Sent } from './telling.ts';
import type { Plans } from './transaction.ts';

/** A part of a request that must share the business transaction (the idempotency claim). */
export interface FrameGuard {
  /** For what calls out before its frame: throws the stored answer when this is a repeat, else does nothing. */
  replay(db: Db): Promise<void>;
  /** Runs first in the transaction; throws to abandon it. */
  begin(db: Db): Promise<void>;
  /** Runs last, with the value the frame is about to return. What it has sent need not be waited for: the commit travels behind it. */
  finish(db: Db, result: unknown): Promise<Sent | undefined>;
}

/** SQL that is true once the guard of this transaction has begun and was granted what it asked for. */
export const IS_GRANTED = "coalesce(current_setting('app.granted', true), '') = 'on'";

/** SQL by which a guard's own statement says so, for the transaction. */
export const GRANT = "set_config('app.granted', 'on', true)";

/**
 * Makes the answer of what the frame is about to return, ahead of the commit: an answer that cannot be made leaves
 * nothing written. It stores nothing and makes nothing repeatable. A frame that has ended in `lastRow` is committed
 * already, and its answer is made behind it.
 */
export type FrameShape = (result: unknown) => void;

/** Who passes a guard on passes the shape on too. */
type AnswerOptions =
  | { guard: FrameGuard | undefined; shape: FrameShape | undefined }
  | { guard?: undefined; shape?: FrameShape | undefined };

export type WriteOptions = AnswerOptions & {
  /**
   * True when a constraint makes a second run a no-op (a unique event id). Such a frame, like one
   * with a guard, is run again when the commit's answer was lost; any other reports a 503.
   */
  repeatable?: boolean;
  /** True where the statements of `fn` write nothing and wait for nothing until the guard `IS_GRANTED`: they travel with its own. */
  heedsGuard?: boolean;
  /** True for what erases a SANDBOX: it waits for the scope's running writes and holds off new ones. */
  alone?: boolean;
  /** `kept` for what is done all day by long statements, each of which has one good plan. */
  plans?: Plans;
  /** True where the caller has another way when it fails: it is not run again, and may not be `repeatable`. */
  once?: boolean;
};
