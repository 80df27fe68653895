/**
 * Finds connections that have gone mute: the socket is open, the kernel or a proxy may even acknowledge what is sent,
 * and no answer will ever come. PostgreSQL's own time-outs cannot help: whoever would tell of them is not heard.
 *
 * A shared tick looks at the connections in use. One that owes an answer and has sent no byte for a while is asked
 * about over a connection of its own (backend-probe.ts); found mute twice, the server is told to end what it keeps for
 * it, and the socket is destroyed: what waits for it fails as on any lost connection. Where the server cannot be asked, the time that its statement may take decides.
 * Nothing is sent while every answer is quick. Source: docs/specification/reliability.md#f-7; why both:
 * docs/decisions/0028-mute-connections.md.
 */
import type { Socket } from 'node:net';
import type pg from 'pg';
import type { Probe, Probed, Verdict } from './backend-probe.ts';
import type { OutageLog } from './outage-log.ts';

export interface MuteWatchFigures {
  tickMs: number;
  /** The server is asked about a connection that has been silent for so long, and again every so often. */
  probeEveryMs: number;
  probeTimeoutMs: number;
  /** Beyond the time that a statement may take. */
  graceMs: number;
  /** All connections in use, none given back for so long: it will not mend itself. */
  stuckMs: number;
}

const FIGURES: MuteWatchFigures = {
  tickMs: 500,
  probeEveryMs: 3_000,
  probeTimeoutMs: 2_500,
  graceMs: 2_000,
  stuckMs: 90_000,
};

/** Found mute by so many probes in a row. */
const PROBES_TO_BELIEVE = 2;
/** Behind a mute connection, for the time of so many probes, one is believed. */
const ALERT_PROBES = 4;
/** The time that frames with more to do give themselves; see `expectLongStatement`. */
const LONG_STATEMENT_MS = 60_000;

export interface MuteWatch {
  /** Sockets destroyed because they were mute. */
  destroyed(): number;
  /** For how long all connections have been in use and none was given back, while new ones work; 0 otherwise. */
  stuckForMs(): number;
  stop(): void;
}

/** What of pg's client is looked at. `readyForQuery` is false while an answer is owed. */
interface Wire {
  readyForQuery?: boolean;
  processID: number | null;
  connection: { stream: Socket };
  _activeQuery?: unknown;
}

interface Entry {
  madeAt: number;
  /** When it last came back well. */
  wellAt: number;
  /** The bytes that it had read when it was taken. */
  taken: number;
  /** As the last tick saw them. */
  bytes: number;
  query: unknown;
  /** Counted, not measured: while this process stands still nobody can be heard. */
  silentTicks: number;
  mutes: number;
  /** The tick of the last verdict that it works. */
  workedAt: number;
  statementMs: number | undefined;
}

const entries = new WeakMap<pg.PoolClient, Entry>();
const destroyedByUs = new WeakSet<pg.ClientBase>();

/** Whether this watch has destroyed the connection's socket, and told of it. */
export function wasFoundMute(client: pg.ClientBase): boolean {
  return destroyedByUs.has(client);
}

/** Until it is given back this connection may be silent for longer: its frame has given its statements more time. */
export function expectLongStatement(client: pg.PoolClient, isBounded: boolean): void {
  const entry = entries.get(client);
  if (entry) entry.statementMs = isBounded ? LONG_STATEMENT_MS : Number.POSITIVE_INFINITY;
}

export function watchForMutes(options: {
  pool: pg.Pool;
  /** The time-out of statements that the pool's role has. */
  statementMs: number;
  probe: Probe;
  outage: OutageLog;
  figures?: Partial<MuteWatchFigures> | undefined;
}): MuteWatch {
  const { pool, probe, outage } = options;
  const figures = { ...FIGURES, ...options.figures };
  const busy = new Set<pg.PoolClient>();
  const idle = new Set<pg.PoolClient>();
  let timer: NodeJS.Timeout | undefined;
  let tick = 0;
  let probedAt = Number.NEGATIVE_INFINITY;
  let probing = false;
  let destroyed = 0;
  let fullTicks = 0;
  /** The tick of the last probe that was answered. */
  let answeredAt = Number.NEGATIVE_INFINITY;
  /** The tick at which one was found mute last. */
  let foundAt = Number.NEGATIVE_INFINITY;

  pool.on('acquire', (client) => {
    idle.delete(client);
    busy.add(client);
    const { bytesRead: bytes } = (client as unknown as Wire).connection.stream;
    const entry = entries.get(client);
    if (entry) Object.assign(entry, { taken: bytes, silentTicks: 0, mutes: 0, statementMs: undefined });
    else {
      const now = performance.now();
      entries.set(client, {
        madeAt: now,
        wellAt: now,
        taken: bytes,
        bytes,
        query: undefined,
        silentTicks: 0,
        mutes: 0,
        workedAt: Number.NEGATIVE_INFINITY,
        statementMs: undefined,
      });
      client.once('end', () => {
        busy.delete(client);
        idle.delete(client);
      });
    }
    timer ??= setInterval(look, figures.tickMs).unref();
  });
  pool.on('release', (error: unknown, client: pg.PoolClient) => {
    busy.delete(client);
    fullTicks = 0;
    const entry = entries.get(client);
    if (error || !entry) return;
    idle.add(client);
    if (entry.taken === (client as unknown as Wire).connection.stream.bytesRead) return; // nothing was asked of it
    entry.wellAt = performance.now();
    outage.answered();
  });

  const silentMs = ({ silentTicks }: Entry): number => (silentTicks + 1) * figures.tickMs;
  const msSince = (at: number): number => (tick - at) * figures.tickMs;
  /** Where one was mute, others are likely to be: they are asked about sooner, and once. */
  const isAlert = (): boolean => msSince(foundAt) <= ALERT_PROBES * figures.probeEveryMs;

  function look(): void {
    tick += 1;
    if (busy.size === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    fullTicks = busy.size >= pool.options.max ? fullTicks + 1 : 0;
    let longest = 0;
    for (const client of busy) {
      const entry = entries.get(client);
      if (!entry) continue;
      listen(client, entry);
      if (entry.silentTicks > 0) longest = Math.max(longest, silentMs(entry));
      const { statementMs = options.statementMs } = entry;
      const isLate = entry.silentTicks > 0 && silentMs(entry) >= statementMs + figures.graceMs;
      if (isLate && msSince(entry.workedAt) > 3 * figures.probeEveryMs) {
        destroy(client, `a connection was silent for ${silentMs(entry)} ms, longer than a statement may take`, heardLast(entry));
      }
    }
    const everyMs = isAlert() ? figures.probeEveryMs / 3 : figures.probeEveryMs;
    const isDue = longest >= everyMs || fullTicks * figures.tickMs >= figures.stuckMs / 2;
    if (isDue && !probing && msSince(probedAt) >= everyMs) void ask();
  }

  /** Notes whether anything was heard since the last tick. */
  function listen(client: pg.PoolClient, entry: Entry): boolean {
    const { readyForQuery, connection, _activeQuery } = client as unknown as Wire;
    const owes = readyForQuery === false;
    const { bytesRead } = connection.stream;
    if (owes && entry.bytes === bytesRead && entry.query === _activeQuery) {
      entry.silentTicks += 1;
      return false;
    }
    Object.assign(entry, { bytes: bytesRead, query: owes ? _activeQuery : undefined, silentTicks: 0, mutes: 0 });
    return true;
  }

  async function ask(): Promise<void> {
    probing = true;
    probedAt = tick;
    const asked = [...busy].flatMap((client) => {
      const entry = entries.get(client);
      return entry && entry.silentTicks > 0 ? [{ client, entry, ticks: entry.silentTicks }] : [];
    });
    try {
      const clients = asked.map(({ client }) => client);
      const verdicts = await probe.ask(clients.map(probedOf), figures.probeTimeoutMs);
      answeredAt = tick;
      await believe(asked.map((one, index) => ({ ...one, verdict: verdicts[index] ?? 'unknown' })));
    } catch {
      // Nothing is known then. Who needs a new connection tells of it.
    } finally {
      probing = false;
    }
  }

  async function believe(judged: { client: pg.PoolClient; entry: Entry; ticks: number; verdict: Verdict }[]): Promise<void> {
    const mute: { client: pg.PoolClient; entry: Entry }[] = [];
    for (const { client, entry, ticks, verdict } of judged) {
      // It was heard, or given back, while the server was asked.
      if (!busy.has(client) || entry.silentTicks < ticks || hasSpoken(client, entry)) continue;
      if (verdict === 'works') Object.assign(entry, { workedAt: tick, mutes: 0 });
      if (verdict !== 'mute') continue;
      entry.mutes += 1;
      mute.push({ client, entry });
    }
    const certain = mute.filter(({ entry }) => entry.mutes >= (isAlert() ? 1 : PROBES_TO_BELIEVE));
    if (certain.length === 0) return;
    foundAt = tick;
    // One is mute: those that look like it need no second question, and no idle one is trusted that was not heard lately.
    const since = performance.now() - figures.probeEveryMs;
    const suspects = [...idle].filter((client) => (entries.get(client)?.wellAt ?? 0) < since);
    const heardAt = Math.min(...certain.map(({ entry }) => heardLast(entry)));
    for (const client of suspects) destroy(client, 'an idle connection is as old as one that went mute', heardAt);
    const ended = [...mute.map(({ client }) => client), ...suspects];
    await probe.end(ended.map(probedOf), figures.probeTimeoutMs).catch(() => undefined); // the server's time-outs end them
    for (const { client, entry } of mute) {
      if (!busy.has(client)) continue;
      destroy(
        client,
        `a connection was silent for ${silentMs(entry)} ms, and the server has nothing to answer on it`,
        heardLast(entry),
      );
    }
  }

  function probedOf(client: pg.PoolClient): Probed {
    const ageMs = performance.now() - (entries.get(client)?.madeAt ?? 0);
    return { processId: (client as unknown as Wire).processID ?? 0, ageMs };
  }

  function hasSpoken(client: pg.PoolClient, { bytes, query }: Entry): boolean {
    const { readyForQuery, connection, _activeQuery } = client as unknown as Wire;
    return readyForQuery !== false || connection.stream.bytesRead !== bytes || _activeQuery !== query;
  }

  const heardLast = (entry: Entry): number => performance.now() - silentMs(entry);

  function destroy(client: pg.PoolClient, reason: string, heardAt: number): void {
    busy.delete(client);
    idle.delete(client);
    destroyedByUs.add(client);
    destroyed += 1;
    outage.failed(new Error(reason), heardAt);
    (client as unknown as Wire).connection.stream.destroy();
  }

  return {
    destroyed: () => destroyed,
    stuckForMs: () => {
      const isKnown = msSince(answeredAt) <= 4 * figures.probeEveryMs;
      const forMs = fullTicks * figures.tickMs;
      return isKnown && forMs >= figures.stuckMs ? forMs : 0;
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
