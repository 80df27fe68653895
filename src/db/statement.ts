/** SQL statements as values: written once as text, sent with parameters, prepared by name on each connection. */
import pg from 'pg';

declare const rowType: unique symbol;

/** A statement ready to run. `Row` is the shape of its rows, known to the type checker only. */
export interface Statement<Row> {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** A named select that takes locks and reads nothing: it is sent right ahead of this one, wherever this one is. */
  readonly locks?: Statement<unknown>;
  readonly [rowType]?: Row;
}

/**
 * The statement, behind locks. They are a statement of their own: one that waits for a lock and reads goes by a snapshot
 * of before the wait, and misses what the lock's holder has committed.
 */
export function behindLocks<Row>(locks: Statement<unknown>, statement: Statement<Row>): Statement<Row> {
  return { ...statement, locks };
}

/**
 * Declares a prepared statement by its text with numbers for parameters: what query.ts makes of a query ends here. The server parses and plans it once a connection; the name must be
 * unique in the program. Returns a function from parameters to a runnable statement.
 */
export function prepared<Row, Values extends readonly unknown[]>(
  name: string,
  text: string,
): (...values: Values) => Statement<Row> {
  return (...values) => ({ name, text, values });
}

/**
 * A statement that is planned anew each time, for what it is asked for: where one plan for all tenants
 * would be ruinous for some. Costs the planning, a millisecond or so.
 */
export function replanned<Row, Values extends readonly unknown[]>(text: string): (...values: Values) => Statement<Row> {
  return (...values) => ({ text, values });
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

/** A statement whose values are as they are sent. */
export type Sendable<Row> = Statement<Row> & { values: unknown[]; locks?: Sendable<unknown> };

/**
 * The statement with its values as they are sent. Throws on one that cannot be: pg would find that out in the middle of
 * the messages, and forget that it has closed the prepared statement.
 */
export function sendable<Row>(statement: Statement<Row>): Sendable<Row> {
  const values = statement.values.map((value) => prepareValue(value));
  const { locks, ...rest } = statement;
  return { ...rest, values, ...(locks && { locks: sendable(locks) }) };
}
