/** Frames on a small pool of their own, and ways to come between them and the server. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { openPool } from '../../../src/db/connect.ts';
import { createFrames, type Frames } from '../../../src/db/frame.ts';
import type { Scope } from '../../../src/db/scope.ts';
import type { Statement } from '../../../src/db/statement.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export const POOL_SIZE = 2;
export const scope: Scope = { tenantId: randomUUID(), environment: 'LIVE' };

export interface FrameHarness {
  database: TestDatabase;
  pool: pg.Pool;
  frames: Frames;
}

/** One database a file and a fresh pool a test, declared in the file's hooks. */
export function useFrames(): FrameHarness {
  const harness = {} as FrameHarness;
  beforeAll(async () => {
    harness.database = await createTestDatabase();
  });
  afterAll(() => harness.database.drop());
  beforeEach(() => {
    harness.pool = openPool({
      url: harness.database.appUrl,
      size: POOL_SIZE,
      acquireTimeoutMs: 1_000,
      applicationName: 'frame-test',
      logger: pino({ level: 'silent' }),
    });
    harness.frames = createFrames(harness.pool);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.race([harness.pool.end(), sleep(1_000)]); // a connection that was never given back would hold it for ever
  });
  return harness;
}

export const sql = <Row = unknown>(text: string, values: unknown[] = []): Statement<Row> => ({ text, values });

/** Any row will do: a customer of `scope`. */
export const insertCustomer = (externalId: string, tail = ''): Statement<unknown> =>
  sql(`insert into customer (tenant_id, environment, external_id) values ($1, $2, $3) ${tail}`, [
    scope.tenantId,
    scope.environment,
    externalId,
  ]);

export const countCustomers = sql<{ n: number }>('select count(*)::int as n from customer');

/** What is really there, past every wall. */
export async function storedCustomers({ database }: FrameHarness, externalId: string): Promise<number> {
  const [row] = await database.asSuperuser<{ n: number }>('select count(*)::int as n from customer where external_id = $1', [
    externalId,
  ]);
  return row?.n ?? -1;
}

/** A statement that fails with this SQLSTATE. */
export const raise = (sqlState: string): Statement<unknown> =>
  sql(`do $$ begin raise exception 'planted' using errcode = '${sqlState}'; end $$`);

type Send = () => Promise<unknown>;

/** Stands between the frame and the server for what it sends whose text begins with `prefix`. */
export function intercept(prefix: string, act: (client: pg.Client, send: Send) => unknown): void {
  const original = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => Promise<unknown>;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [sent] = args;
    const text = typeof sent === 'string' ? sent : (sent as { text: string }).text;
    const isMeant = this.user === 'svc_app' && text.startsWith(prefix);
    const send = (): Promise<unknown> => original.apply(this, args);
    return (isMeant ? act(this, send) : send()) as never;
  });
}
