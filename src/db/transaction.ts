/** The messages of one transaction on one connection: begin with its scope, statements, commit, rollback. */
import type { Socket } from 'node:net';
import type pg from 'pg';
import { AppError } from '../errors.ts';
import { isConnectionLoss } from './constraints.ts';
import type { Db, Scope } from './frame.ts';
import type { Statement } from './statement.ts';

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
    const answer = await client.query({ ...statement, values: statement.values as unknown[] });
    return answer.rows as Row[];
  }
  return {
    rows,
    async row(statement) {
      return (await rows(statement))[0];
    },
  };
}

/** Scope values are checked before they become SQL text; they come from a resolver, never from a request. */
export function beginText(
  scope: Scope,
  begin: 'begin' | 'begin read only' | 'begin isolation level repeatable read read only',
): string {
  if (!UUID.test(scope.tenantId) || (scope.environment !== 'LIVE' && scope.environment !== 'SANDBOX')) {
    throw new Error('the scope of a frame is malformed');
  }
  return `${begin}; select set_config('app.tenant_id','${scope.tenantId}',true), set_config('app.environment','${scope.environment}',true)`;
}

/** Sends COMMIT and believes only its tag: a commit behind a failed statement answers ROLLBACK without an error. */
export async function commit(client: pg.PoolClient): Promise<void> {
  let tag: string;
  try {
    tag = (await client.query('commit')).command;
  } catch (error) {
    client.release(true);
    // A deferred constraint fails here with its own code; anything without one is a lost answer.
    if (error instanceof Error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code)) && !isConnectionLoss(error)) {
      throw error;
    }
    throw new CommitUnknown('the answer to commit was lost', { cause: error });
  }
  client.release();
  if (tag !== 'COMMIT') throw new Error(`the transaction ended with ${tag}`);
}

export async function rollBack(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback');
    client.release();
  } catch {
    client.release(true);
  }
}

/** Connection loss, server shutdown, deadlock, serialization: the same transaction may succeed if run again. */
export function isTransient(error: unknown): boolean {
  if (error instanceof AppError) return false;
  return (
    isConnectionLoss(error) || (error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01'))
  );
}
