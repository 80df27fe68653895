/** Loaded into each process of a soak (--import): tells over the IPC channel what the process holds, behind a collection. */
import { getActiveResourcesInfo } from 'node:process';
import { getHeapSpaceStatistics, writeHeapSnapshot } from 'node:v8';
import pg from 'pg';

export interface ProcessSample {
  /** Of the heap what is no code: bytes. */
  data: number;
  /** Compiled code, which grows for as long as functions become hot: bytes. */
  code: number;
  /** Buffers and the like, outside the heap. */
  external: number;
  rss: number;
  /** By kind. */
  resources: Record<string, number>;
  /** Statements that connections to the database have prepared, and those connections. */
  prepared: number;
  clients: number;
}

const clients = new Set<WeakRef<pg.Client>>();
const connect = pg.Client.prototype.connect as (...args: unknown[]) => unknown;
pg.Client.prototype.connect = function noted(this: pg.Client, ...args: unknown[]): unknown {
  const reference = new WeakRef(this);
  clients.add(reference);
  this.once('end', () => clients.delete(reference));
  return connect.apply(this, args);
} as typeof pg.Client.prototype.connect;

function statementsOf(reference: WeakRef<pg.Client>): number {
  const client = reference.deref() as unknown as { connection?: { parsedStatements?: object } } | undefined;
  return Object.keys(client?.connection?.parsedStatements ?? {}).length;
}

/** `sample`, or `snapshot <file>`. */
process.on('message', (question: string) => {
  const [, file] = /^snapshot (.+)$/.exec(question) ?? [];
  if (file === undefined) tell();
  else process.send?.(writeHeapSnapshot(file));
});

function tell(): void {
  // Twice: what a first collection frees by finalizers goes with the second.
  globalThis.gc?.();
  globalThis.gc?.();
  const { external, rss } = process.memoryUsage();
  const spaces = getHeapSpaceStatistics().map(({ space_name: name, space_used_size: used }) => ({ name, used }));
  const sum = (isCode: boolean): number =>
    spaces.reduce((all, { name, used }) => (/code|trusted/.test(name) === isCode ? all + used : all), 0);
  const resources: Record<string, number> = {};
  for (const kind of getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  const prepared = [...clients].reduce((all, reference) => all + statementsOf(reference), 0);
  process.send?.({
    data: sum(false),
    code: sum(true),
    external,
    rss,
    resources,
    prepared,
    clients: clients.size,
  } satisfies ProcessSample);
}

// The process ends when it has nothing else to do.
process.channel?.unref();
