/**
 * A transaction of one statement, in one group of messages. PostgreSQL runs what comes before one Sync as one
 * transaction and answers it in one piece: the scope, which lasts for that transaction, then the statement. When either
 * fails the rest is not run and nothing is kept. Source: PostgreSQL, Frontend/Backend Protocol, Pipelining;
 * docs/decisions/0002-pipelined-frame.md.
 */
import pg from 'pg';
import { shareLock } from './lock-classes.ts';
import type { Scope } from './scope.ts';
import type { Sendable } from './statement.ts';
import { checkScope, memberOf, sandboxKey } from './transaction.ts';

/** $3: `on` for a transaction that only reads; $4: the member of a member's own call, else ''. A write of a SANDBOX holds the scope's lock, as `beginText` says. */
const SCOPE = {
  name: 'scope',
  text: `select set_config('app.tenant_id', $1, true), set_config('app.environment', $2, true), set_config('app.member_id', $4, true),
                set_config('transaction_read_only', $3, true),
                case when $2 = 'SANDBOX' and $3 = 'off' then ${shareLock('sandbox', sandboxKey('$1'))}::text end`,
};

/** What of pg's connection is used here and by its own `Query`. */
interface Wire {
  bind(config: { portal: string; statement: string; values: readonly string[] }): void;
  execute(config: { portal: string; rows: number }): void;
}

type Answered = (error: Error | null, result: pg.QueryResult) => void;

/** What pg's `Query` has beside what its types tell. */
interface PgQuery {
  prepare(connection: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
}
const PgQuery = pg.Query as unknown as new (
  config: { name?: string | undefined; text: string; values: unknown[]; queryMode: 'extended' },
  values: undefined,
  callback: Answered,
) => PgQuery;

class ScopedQuery extends PgQuery {
  readonly #scope: readonly string[];
  #isScoped = false;

  constructor({ name, text, values }: Sendable<unknown>, scope: readonly string[], callback: Answered) {
    super({ name, text, values, queryMode: 'extended' }, undefined, callback);
    this.#scope = scope;
  }

  override prepare(connection: Wire): void {
    connection.bind({ portal: '', statement: SCOPE.name, values: this.#scope });
    connection.execute({ portal: '', rows: 0 });
    super.prepare(connection); // up to the Sync
  }

  // The first answer is the scope's, and of no interest.
  override handleDataRow(message: unknown): void {
    if (this.#isScoped) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.#isScoped) super.handleCommandComplete(message, connection);
    else this.#isScoped = true;
  }
}

/** The connections that know the statement of the scope. */
const prepared = new WeakSet<pg.PoolClient>();

/** Runs the statement in a transaction of its own; once this resolves it is committed, and when it throws it is not, save for a lost answer. */
export async function runAlone<Row>(
  client: pg.PoolClient,
  scope: Scope,
  access: 'reads' | 'writes',
  statement: Sendable<Row>,
): Promise<Row[]> {
  checkScope(scope);
  const values = [scope.tenantId, scope.environment, access === 'reads' ? 'on' : 'off', memberOf(scope)];
  if (!prepared.has(client)) {
    prepared.add(client);
    // Travels ahead, in a transaction of its own. Should it fail, so does what follows.
    client.query({ ...SCOPE, values: ['', '', 'on', ''] }).catch(() => prepared.delete(client));
  }
  return new Promise((resolve, reject) => {
    const query = new ScopedQuery(statement, values, (error, result) => {
      if (error) reject(error);
      // In a transaction that somebody has left open nothing would have been committed.
      else if (client.getTransactionStatus() !== 'I') reject(new Error('the connection was in a transaction'));
      else resolve(result.rows as Row[]);
    });
    client.query(query as unknown as pg.Submittable);
  });
}
