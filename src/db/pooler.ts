/** What is between us and the database: nothing, or a pooler, and what it does with sessions. Source: docs/specification/reliability.md#pooler. */
import pg from 'pg';
import { AppError } from '../errors.ts';
import { isLostStatement } from './lost-statements.ts';

/**
 * `session` also is a pooler that gives each client a server's session of its own. Of one that shares them, what matters
 * is whether it remembers statements that were prepared by name, as every statement of the service is.
 */
export type Pooling = 'direct' | 'session' | 'shared' | 'shared, statements lost';

const TIMEOUT_MS = 10_000;
/** A pooler most often hands out the session that was given back last; with others at work it may be another. */
const ROUNDS = 5;

const probe = { name: 'svc_pooler_probe', text: 'select pg_backend_pid() as pid' };

/**
 * Asks by two connections. A pooler shows by the process that it says we have, which is none of the server's; one that
 * shares sessions by two of ours having the same process, or one having two; one that loses statements by refusing them.
 * SERVICE_UNAVAILABLE, with its cause, when the database does not let us in.
 */
export async function findPooling(url: string): Promise<Pooling> {
  const [one, other] = [connection(url), connection(url)];
  try {
    await one.connect();
    const { processID } = one as unknown as { processID: number };
    const first = await processOf(one);
    if (first === processID) return 'direct';
    await other.connect();
    for (let round = 0; round < ROUNDS; round++) {
      if (await refuses(other, 'begin')) return 'shared, statements lost'; // it shares them by the statement
      // From here on the other holds its session until its transaction ends.
      if ((await processOf(other)) === first) return 'shared';
      if ((await processOf(one)) !== first) return 'shared';
      await other.query('rollback');
    }
    return 'session';
  } catch (error) {
    if (isLostStatement(error)) return 'shared, statements lost';
    // As a frame tells it.
    throw new AppError('SERVICE_UNAVAILABLE', 'The database cannot be reached', { cause: error, retryAfterSeconds: 1 });
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
}

async function refuses(client: pg.Client, text: string): Promise<boolean> {
  return client.query(text).then(
    () => false,
    (error: unknown) => {
      if (error instanceof pg.DatabaseError) return true;
      throw error;
    },
  );
}

function connection(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    application_name: 'svc-boot',
  });
  client.on('error', () => undefined); // a query that is running tells it too
  return client;
}

async function processOf(client: pg.Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>(probe)).rows[0]?.pid;
}
