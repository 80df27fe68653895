/**
 * Asks the server, over a connection of its own, what it does for connections that have not answered for a while.
 * The connection is opened for the question and closed behind it: that it can be opened is half of the answer.
 */
import pg from 'pg';

export interface Probed {
  processId: number;
  /** How long ago the connection was made. */
  ageMs: number;
}

export type Verdict =
  /** The server works on what it was sent, or waits for a lock: it will answer. */
  | 'works'
  /** The server has nothing to do for this connection, or does not know it: an answer will not come. */
  | 'mute'
  /** It cannot be known. */
  | 'unknown';

export interface Probe {
  /** Resolves with a verdict for each, in their order; rejects when the server cannot be asked within `timeoutMs`. */
  ask(connections: readonly Probed[], timeoutMs: number): Promise<Verdict[]>;
  /**
   * Has the server end what it still keeps for these connections, which nobody hears any more: their transactions would
   * hold their locks until a time-out. Rejects as `ask` does.
   */
  end(connections: readonly Probed[], timeoutMs: number): Promise<void>;
}

/** Ages that differ by more are of different connections: the server is another, or has given the number to another. */
const AGE_TOLERANCE_MS = 3_000;

interface Row {
  pid: number;
  self: boolean;
  state: string | null;
  works: boolean;
  age_ms: number;
}

const QUESTION = `
  select pid, pid = pg_backend_pid() as self, state,
         state in ('active', 'fastpath function call') and wait_event_type is distinct from 'Client' as works,
         (extract(epoch from clock_timestamp() - backend_start) * 1000)::float8 as age_ms
  from pg_stat_activity where pid = pg_backend_pid() or pid = any($1::int[])`;

/** One that has begun to work since it was judged is left alone. */
const END = `
  select pg_terminate_backend(a.pid)
  from pg_stat_activity a join unnest($1::int[], $2::float8[]) as mute (pid, age_ms) on mute.pid = a.pid
  where a.usename = current_user and a.pid <> pg_backend_pid()
    and not (a.state in ('active', 'fastpath function call') and a.wait_event_type is distinct from 'Client')
    and abs(extract(epoch from clock_timestamp() - a.backend_start) * 1000 - mute.age_ms) <= ${AGE_TOLERANCE_MS}`;

export function createProbe(options: { url: string; applicationName: string }): Probe {
  async function connected<T>(timeoutMs: number, use: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({
      connectionString: options.url,
      application_name: options.applicationName,
      connectionTimeoutMillis: timeoutMs,
    });
    client.on('error', () => undefined);
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`the database did not answer within ${timeoutMs} ms`)), timeoutMs);
    try {
      return await Promise.race([client.connect().then(() => use(client)), late]);
    } finally {
      clearTimeout(timer);
      hangUp(client);
    }
  }
  const numbersOf = (connections: readonly Probed[]): number[] => connections.map(({ processId }) => processId);
  return {
    ask: (connections, timeoutMs) =>
      connected(timeoutMs, async (client) => {
        const { rows } = await client.query<Row>(QUESTION, [numbersOf(connections)]);
        return connections.map((one) => judge(one, rows, client));
      }),
    end: (connections, timeoutMs) =>
      connected(timeoutMs, async (client) => {
        await client.query(END, [numbersOf(connections), connections.map(({ ageMs }) => ageMs)]);
      }),
  };
}

function judge({ processId, ageMs }: Probed, rows: readonly Row[], client: pg.Client): Verdict {
  // Behind a pooler the number that a connection was given is no server's: nothing can be looked up by it.
  if (rows.find(({ self }) => self)?.pid !== (client as unknown as { processID: number }).processID) return 'unknown';
  const row = rows.find(({ pid, self }) => pid === processId && !self);
  if (!row || Math.abs(row.age_ms - ageMs) > AGE_TOLERANCE_MS) return 'mute';
  if (row.state === 'disabled') return 'unknown'; // track_activities is off
  return row.works ? 'works' : 'mute';
}

/** Politely, and by force when the server does not hang up in turn. */
function hangUp(client: pg.Client): void {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
  const force = setTimeout(() => stream.destroy(), 1_000);
  client.end().then(
    () => clearTimeout(force),
    () => stream.destroy(),
  );
}
