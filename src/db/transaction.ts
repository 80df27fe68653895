/** The messages of one transaction on one connection: begin with its scope, statements, commit, rollback. */

import type { Socket } from 'node:net';
import pg from 'pg';
import { AppError } from '../errors.ts';
import { isConnectionLoss } from './constraints.ts';
import { shareLock, takeLock } from './lock-classes.ts';
import { isLostStatement, isSpoiled } from './lost-statements.ts';
import { expectLongStatement } from './mute-watch.ts';
import { isOutdatedPlan } from './outdated-plans.ts';
import type { Db, Scope, WriteDb } from './scope.ts';
import { type Statement, sendable } from './statement.ts';
import { type Outbox, openTelling, type Sent } from './telling.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A commit whose answer did not arrive: it may or may not have happened. */
export class CommitUnknown extends Error {}

/** What is sent until the next turn of the event loop leaves in one piece, not a packet a message. */
export function sendTogether(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** `check` runs before each statement and may refuse it. */
export function dbOn(client: pg.PoolClient, check?: () => void): Db {
  async function rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    check?.();
    heedTimeout(client, statement.text);
    const { locks, ...sent } = sendable(statement);
    const locked = locks && client.query(locks);
    const answer: Promise<pg.QueryResult | pg.QueryResult[]> = client.query(sent);
    if (locked) await Promise.all([locked, answer]);
    return rowsOf<Row>(await answer);
  }
  return {
    rows,
    async row(statement) {
      return (await rows(statement))[0];
    },
  };
}

/** A text of several statements, as pg-boss sends them, has an answer each. */
function rowsOf<Row>(answer: pg.QueryResult | pg.QueryResult[]): Row[] {
  return (Array.isArray(answer) ? answer.flatMap(({ rows }) => rows) : answer.rows) as Row[];
}

/** A frame that gives its statements more time says so in a short statement of its own; it may be silent for longer. */
function heedTimeout(client: pg.PoolClient, text: string): void {
  if (text.length < 200 && text.includes('statement_timeout')) expectLongStatement(client, !text.includes("'0'"));
}

export interface Ending {
  /** Throws once it has ended. */
  check(): void;
  end(): void;
}

/** Behind the end of `what` its connection is another's, or in another state: a statement that comes late is refused. */
export function untilItEnds(what: string): Ending {
  let isOpen = true;
  return {
    check() {
      if (!isOpen) throw new Error(`a statement was sent behind the last one of its ${what}`);
    },
    end() {
      isOpen = false;
    },
  };
}

/**
 * How PostgreSQL plans the prepared statements of a transaction: as it sees fit, or by one plan that fits all values. Left to
 * itself it may find the values worth a plan each time, which takes a statement of many parts longer than running it. Source:
 * PostgreSQL, PREPARE, Notes.
 */
export type Plans = 'any' | 'kept';

/** SQL for the transaction. */
export const KEEP_PLANS = "set_config('plan_cache_mode', 'force_generic_plan', true)";

type ReadBegin = 'begin read only' | 'begin isolation level repeatable read read only';

/**
 * A transaction whose scope is set by its first message.
 *
 * A write of a SANDBOX holds the scope's lock, shared; erasing the SANDBOX takes it alone. So an
 * erasure meets no half of anybody's write, and who waits for one begins to read behind it, whatever
 * tables either touches: a lock taken by each feature would be missing in some, and row locks would
 * let a purchase fail on the foreign key to a row that is gone. LIVE cannot be erased and takes none.
 */
export function beginText(scope: Scope, begin: 'begin' | 'begin alone' | ReadBegin, plans: Plans = 'any'): string {
  if (begin !== 'begin' && begin !== 'begin alone') return `${begin}; select ${settingsOf(scope)}`;
  const kept = plans === 'kept' ? `, ${KEEP_PLANS}` : '';
  return `begin; select ${settingsOf(scope)}${lockOf(scope, begin === 'begin alone')}${kept}`;
}

const NO_SCOPE =
  "select set_config('app.tenant_id','',true), set_config('app.environment','',true), set_config('app.member_id','',true)";

/** Throws unless it can be a scope: before it becomes SQL text, though it comes from a resolver or a job, never from a request. */
export function checkScope(scope: Scope): void {
  const isWhole = UUID.test(scope.tenantId) && (scope.environment === 'LIVE' || scope.environment === 'SANDBOX');
  if (!isWhole || (scope.member && !UUID.test(scope.member.memberId))) throw new Error('the scope of a frame is malformed');
}

/** What row security reads as the member: '' where the call is the tenant's. It is set each time, so none is left from before. */
export function memberOf({ member }: Scope): string {
  return member?.memberId ?? '';
}

function settingsOf(scope: Scope): string {
  checkScope(scope);
  return `set_config('app.tenant_id','${scope.tenantId}',true), set_config('app.environment','${scope.environment}',true), set_config('app.member_id','${memberOf(scope)}',true)`;
}

function lockOf(scope: Scope, alone: boolean): string {
  if (scope.environment === 'LIVE') {
    if (alone) throw new Error('LIVE is never written alone');
    return '';
  }
  const key = sandboxKey(`'${scope.tenantId}'`);
  return `, ${alone ? takeLock('sandbox', key) : shareLock('sandbox', key)}`;
}

/** SQL for the key of a SANDBOX's lock, from SQL for its tenant's id. */
export function sandboxKey(tenantId: string): string {
  return `${tenantId} || ':SANDBOX'`;
}

/** Sends COMMIT and believes only its tag: a commit behind a failed statement answers ROLLBACK without an error. */
export async function commit(client: pg.PoolClient): Promise<void> {
  let tag: string;
  try {
    tag = (await client.query('commit')).command;
  } catch (error) {
    client.release(true);
    // A deferred constraint fails here with its own code.
    if (!isAnswerLost(error)) throw error;
    throw new CommitUnknown('the answer to commit was lost', { cause: error });
  }
  client.release();
  if (tag !== 'COMMIT') throw new Error(`the transaction ended with ${tag}`);
}

/** Runs `fn` once the guard was granted, or beside the question where `fn` heeds it itself. What the guard throws is told first. */
export async function underGuard<T>(granted: Promise<void> | undefined, fn: () => Promise<T>, heedsGuard: boolean): Promise<T> {
  if (!granted || !heedsGuard) {
    await granted;
    return fn();
  }
  granted.catch(() => undefined); // told below, whatever `fn` does meanwhile
  const running = fn();
  running.catch(() => undefined); // told below, unless the guard throws
  await granted;
  return running;
}

/** The same behind statements that were sent just before: should one fail, it says why. */
export async function commitBehind(client: pg.PoolClient, sent: readonly (Sent | undefined)[]): Promise<void> {
  const committed = commit(client);
  const dones = sent.flatMap((one) => one?.done ?? []);
  if (dones.length === 0) return committed;
  const [statements, ended] = await Promise.allSettled([Promise.all(dones), committed]);
  const isOpen = ended.status === 'rejected' && ended.reason instanceof CommitUnknown;
  if (statements.status === 'rejected' && !isOpen) throw statements.reason;
  if (ended.status === 'rejected') throw ended.reason;
}

/** Sends what is told behind the frame's last statement, and the commit behind that. The frame ends before the commit is sent. */
export async function tellAndCommit(
  client: pg.PoolClient,
  settle: () => Promise<Sent | undefined>,
  ending: Ending,
): Promise<void> {
  let told: Sent | undefined;
  try {
    told = await settle();
  } catch (error) {
    ending.end();
    await rollBack(client);
    throw error;
  }
  ending.end();
  await commitBehind(client, [told]);
}

/** Whether the server's own answer is missing: what it had been told may or may not have been done. */
export function isAnswerLost(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || isConnectionLoss(error);
}

/** Whether the connection is of no more use: lost, ended by the server, or found in a transaction that is not ours. */
export function isSpent(error: unknown): boolean {
  return (
    isAnswerLost(error) ||
    isLostStatement(error) ||
    (error instanceof pg.DatabaseError && (error.severity === 'FATAL' || error.code === '25001' || error.code === '25P02'))
  );
}

/**
 * Runs `fn` in `scope` behind a savepoint of the open transaction. When it throws, or leaves a
 * deferred constraint broken, what it wrote is undone and the error returned; only the loss of the
 * connection is thrown.
 */
export async function attempt(
  client: pg.PoolClient,
  scope: Scope,
  fn: (db: WriteDb) => Promise<void>,
  outbox: Outbox | undefined,
): Promise<{ error: unknown } | undefined> {
  const begin = `savepoint attempt; select ${settingsOf(scope)}${lockOf(scope, false)}`;
  const ending = untilItEnds('attempt'); // a statement sent after the undoing would be kept
  const db = dbOn(client, ending.check);
  try {
    await client.query(begin);
    const { settle, ...telling } = openTelling(outbox, db, scope);
    await fn({ ...db, ...telling, lastRow: db.row });
    await (await settle())?.done;
    ending.end();
    await client.query(`set constraints all immediate; ${NO_SCOPE}`);
    return undefined;
  } catch (error) {
    ending.end();
    await client.query('rollback to savepoint attempt').catch(() => {
      throw error;
    });
    return { error };
  }
}

export async function rollBack(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback');
    client.release(isSpoiled(client));
  } catch {
    client.release(true);
  }
}

/** Connection loss, server shutdown, deadlock, serialization, a plan of before a migration: the same transaction may succeed if run again. */
export function isTransient(error: unknown): boolean {
  if (error instanceof AppError) return false;
  return (
    isConnectionLoss(error) ||
    isOutdatedPlan(error) ||
    (error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01'))
  );
}
