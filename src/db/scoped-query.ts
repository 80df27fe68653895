/**
 * A transaction of one statement, in one group of messages. PostgreSQL runs what comes before one Sync as one
 * transaction and answers it in one piece: the scope, which lasts for that transaction, then the statement. When either
 * fails the rest is not run and nothing is kept. Source: PostgreSQL, Frontend/Backend Protocol, Pipelining;
 * docs/decisions/0002-pipelined-frame.md.
 *
 * A statement's locks are taken by the scope's, which reads no table. The statement itself is a message of its own behind
 * it and gets its snapshot there, once the locks are held (READ COMMITTED): it sees what their last holder has committed.
 */
import pg from 'pg';
import { shareLock } from './lock-classes.ts';
import type { Scope } from './scope.ts';
import type { Sendable, Statement } from './statement.ts';
import { checkScope, KEEP_PLANS, memberOf, type Plans, sandboxKey } from './transaction.ts';

interface Opening {
  name: string;
  text: string;
}

/** $3: `on` for a transaction that only reads; $4: the member of a member's own call, else ''. A write of a SANDBOX holds the scope's lock, as `beginText` says. */
const SCOPE: Opening = {
  name: 'scope',
  text: `select set_config('app.tenant_id', $1, true), set_config('app.environment', $2, true), set_config('app.member_id', $4, true),
                set_config('transaction_read_only', $3, true),
                case when $2 = 'SANDBOX' and $3 = 'off' then ${shareLock('sandbox', sandboxKey('$1'))}::text end`,
};

const SCOPE_KEEPING_PLANS: Opening = { name: 'scope_keeping_plans', text: `${SCOPE.text}, ${KEEP_PLANS}` };

/** How many parameters the scope has. */
const OF_SCOPE = 4;
const openings = new Map<string, Opening>();

/** The scope's statement with the columns of the locks' behind its own: they are taken in that order. */
function openingWith(locks: Statement<unknown> | undefined, plans: Plans): Opening {
  const of = plans === 'kept' ? SCOPE_KEEPING_PLANS : SCOPE;
  if (!locks) return of;
  if (locks.name === undefined || !locks.text.startsWith('select ')) throw new Error('locks are a named select');
  const name = `${of.name}_${locks.name}`;
  const known = openings.get(name);
  if (known) return known;
  const columns = locks.text.slice('select '.length).replace(/\$(\d+)/g, (_place, n: string) => `$${Number(n) + OF_SCOPE}`);
  const opening = { name, text: `${of.text}, ${columns}` };
  openings.set(name, opening);
  return opening;
}

/** What of pg's connection is used here and by its own `Query`. */
interface Wire {
  bind(config: { portal: string; statement: string; values: readonly unknown[] }): void;
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
  /** What the group opens with. */
  readonly opening: string;
  readonly #values: readonly unknown[];
  #isScoped = false;

  constructor({ name, text, values }: Sendable<unknown>, opening: Opening, opened: readonly unknown[], callback: Answered) {
    super({ name, text, values, queryMode: 'extended' }, undefined, callback);
    this.opening = opening.name;
    this.#values = opened;
  }

  override prepare(connection: Wire): void {
    connection.bind({ portal: '', statement: this.opening, values: this.#values });
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

/** The openings that a connection knows. */
const prepared = new WeakMap<pg.PoolClient, Set<string>>();

/** Travels ahead, in a transaction of its own, with a scope that is nobody's and no key to lock. Should it fail, so does what follows. */
function prepare(client: pg.PoolClient, { name, text }: Opening, lockValues: number): void {
  const known = prepared.get(client) ?? new Set();
  prepared.set(client, known);
  if (known.has(name)) return;
  known.add(name);
  const values = ['', '', 'on', '', ...Array.from({ length: lockValues }, () => null)];
  client.query({ name, text, values }).catch(() => known.delete(name));
}

/**
 * Runs the statement in a transaction of its own; once this resolves it is committed, and when it throws it is not, save
 * for a lost answer.
 */
export async function runAlone<Row>(
  client: pg.PoolClient,
  scope: Scope,
  access: 'reads' | 'writes',
  statement: Sendable<Row>,
  plans: Plans = 'any',
): Promise<Row[]> {
  checkScope(scope);
  const { locks } = statement;
  const lockValues = locks?.values ?? [];
  const opening = openingWith(locks, plans);
  const values = [scope.tenantId, scope.environment, access === 'reads' ? 'on' : 'off', memberOf(scope), ...lockValues];
  prepare(client, opening, lockValues.length);
  return new Promise((resolve, reject) => {
    const query = new ScopedQuery(statement, opening, values, (error, result) => {
      if (error) reject(error);
      // In a transaction that somebody has left open nothing would have been committed.
      else if (client.getTransactionStatus() !== 'I') reject(new Error('the connection was in a transaction'));
      else resolve(result.rows as Row[]);
    });
    client.query(query as unknown as pg.Submittable);
  });
}
