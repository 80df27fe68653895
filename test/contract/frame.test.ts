/** The promises of db/frame.ts, each with the fault that would break it. Source: data.md (One frame per request). */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openPool } from '../../src/db/connect.ts';
import { fromDatabaseError } from '../../src/db/constraints.ts';
import { createFrames, type Db, type Frames, type Scope } from '../../src/db/frame.ts';
import type { Statement } from '../../src/db/statement.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const POOL_SIZE = 2;
const scope: Scope = { tenantId: randomUUID(), environment: 'LIVE' };

let database: TestDatabase;
let pool: pg.Pool;
let frames: Frames;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  pool = openPool({
    url: database.appUrl,
    size: POOL_SIZE,
    acquireTimeoutMs: 1_000,
    applicationName: 'frame-test',
    logger: pino({ level: 'silent' }),
  });
  frames = createFrames(pool);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.race([pool.end(), sleep(1_000)]); // a connection that was never given back would hold it for ever
});

const sql = <Row = unknown>(text: string, values: unknown[] = []): Statement<Row> => ({ text, values });

const insertCustomer = (externalId: string, tail = '') =>
  sql(`insert into customer (tenant_id, environment, external_id) values ($1, $2, $3) ${tail}`, [
    scope.tenantId,
    scope.environment,
    externalId,
  ]);

const countCustomers = sql<{ n: number }>('select count(*)::int as n from customer');

async function storedCustomers(externalId: string): Promise<number> {
  const [row] = await database.asSuperuser<{ n: number }>('select count(*)::int as n from customer where external_id = $1', [
    externalId,
  ]);
  return row?.n ?? -1;
}

const raise = (sqlState: string) => sql(`do $$ begin raise exception 'planted' using errcode = '${sqlState}'; end $$`);

/** Lets a test stand between the frame and the server for statements whose text begins with `prefix`. */
function intercept(prefix: string, act: (client: pg.Client, send: () => Promise<unknown>, text: string) => unknown): void {
  const original = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => Promise<unknown>;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [text] = args;
    if (this.user !== 'svc_app' || typeof text !== 'string' || !text.startsWith(prefix))
      return original.apply(this, args) as never;
    return act(this, () => original.apply(this, args), text) as never;
  });
}

describe('a begin that fails', () => {
  const broken: [string, string][] = [
    ['as a whole, leaving no transaction', 'begin; selec'],
    ['after the transaction has begun', 'begin; select 1 / 0'],
  ];
  describe.each(broken)('%s', (_name, text) => {
    beforeEach(async () => {
      await frames.write(scope, (db) => db.rows(insertCustomer(randomUUID())));
      const original = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => Promise<unknown>;
      intercept('begin', (client) => original.call(client, text));
    });

    test('lets a read see nothing', async () => {
      const seen: unknown[] = [];
      const reading = frames.read(scope, async (db) => {
        seen.push(...(await db.rows(countCustomers).catch(() => [])));
        return 'done';
      });
      await expect(reading).rejects.toMatchObject({ code: text.endsWith('0') ? '22012' : '42601' });
      expect(seen.every((row) => (row as { n: number }).n === 0)).toBe(true);
    });

    test('is reported by a read of one statement, which else would say that nothing is there', async () => {
      const seen = await frames.readOnce(scope, countCustomers).catch((error: unknown) => error);
      expect(seen).toMatchObject({ code: text.endsWith('0') ? '22012' : '42601' });
    });

    test('lets a write store nothing', async () => {
      const externalId = randomUUID();
      const writing = frames.write(scope, async (db) => {
        await db.rows(insertCustomer(externalId)).catch(() => undefined);
        return 'done';
      });
      await expect(writing).rejects.toMatchObject({ code: text.endsWith('0') ? '22012' : '42601' });
      expect(await storedCustomers(externalId)).toBe(0);
    });
  });
});

describe('the scope', () => {
  const leftBehind = sql<{ tenant: string | null; environment: string | null; n: number }>(
    `select nullif(current_setting('app.tenant_id', true), '') as tenant, nullif(current_setting('app.environment', true), '') as environment,
            (select count(*)::int from customer) as n`,
  );

  test.each<[string, () => Promise<unknown>]>([
    ['a write', () => frames.write(scope, (db) => db.rows(insertCustomer(randomUUID())))],
    ['a failed write', () => frames.write(scope, (db) => db.rows(raise('22000'))).catch(() => undefined)],
    ['a read', () => frames.read(scope, (db) => db.rows(countCustomers))],
    ['a failed read', () => frames.read(scope, (db) => db.rows(raise('22000'))).catch(() => undefined)],
    ['a read of one statement', () => frames.readOnce(scope, countCustomers)],
    ['a failed read of one statement', () => frames.readOnce(scope, raise('22000')).catch(() => undefined)],
  ])('is gone from every connection after %s', async (_name, run) => {
    for (let i = 0; i < POOL_SIZE * 2; i++) await run();
    const seen = await Promise.all(Array.from({ length: POOL_SIZE }, () => frames.unscoped(leftBehind)));
    expect(seen.flat()).toEqual(Array.from({ length: POOL_SIZE }, () => ({ tenant: null, environment: null, n: 0 })));
  });

  test("is the caller's own for concurrent frames of different tenants", async () => {
    const scopes = Array.from(
      { length: 20 },
      (_none, index): Scope => ({ tenantId: randomUUID(), environment: index % 2 ? 'LIVE' : 'SANDBOX' }),
    );
    const seen = await Promise.all(scopes.map((own) => frames.readOnce(own, leftBehind)));
    expect(seen.map(([row]) => [row?.tenant, row?.environment])).toEqual(scopes.map((own) => [own.tenantId, own.environment]));
  });

  const malformed = ["x'; drop table member; --", '', randomUUID().toUpperCase(), `${randomUUID()}\n`, `${randomUUID()}'`];
  test.each([
    ...malformed.map((tenantId) => ({ tenantId, environment: 'LIVE' })),
    { tenantId: randomUUID(), environment: "LIVE'" },
  ])('is refused when it is malformed: %j', async (bad) => {
    const own = bad as Scope;
    await expect(frames.read(own, (db) => db.rows(countCustomers))).rejects.toThrow('malformed');
    await expect(frames.readOnce(own, countCustomers)).rejects.toThrow('malformed');
    await expect(frames.write(own, (db) => db.rows(countCustomers))).rejects.toThrow('malformed');
  });

  test('is refused without losing a connection', async () => {
    const bad: Scope = { tenantId: 'malformed', environment: 'LIVE' };
    for (let i = 0; i < POOL_SIZE; i++) await frames.write(bad, (db) => db.rows(countCustomers)).catch(() => undefined);
    await expect(frames.readOnce(scope, countCustomers)).resolves.toHaveLength(1);
  });
});

describe('a commit', () => {
  test('behind a statement whose failure was swallowed is not a success', async () => {
    const externalId = randomUUID();
    const writing = frames.write(scope, async (db) => {
      await db.rows(insertCustomer(externalId));
      await db.rows(raise('22000')).catch(() => undefined);
      return 'looks fine';
    });
    await expect(writing).rejects.toThrow('ROLLBACK');
    expect(await storedCustomers(externalId)).toBe(0);
  });

  test('that a deferred constraint refuses is not a success', async () => {
    const writing = frames.write(scope, async (db) => {
      const journalId = randomUUID();
      await db.rows(
        sql(
          `insert into journal_entry (tenant_id, environment, id, cause_type, cause_id, occurred_at) values ($1, $2, $3, 'event', $3, now())`,
          [scope.tenantId, scope.environment, journalId],
        ),
      );
      await db.rows(
        sql(
          `insert into posting (tenant_id, environment, journal_id, seq, account, currency, amount_minor)
           values ($1, $2, $3, 0, 'company:commission_expense', 'USD', 5)`,
          [scope.tenantId, scope.environment, journalId],
        ),
      );
    });
    await expect(writing).rejects.toMatchObject({ constraint: 'journal_balanced' });
    expect(await database.asSuperuser('select from journal_entry')).toEqual([]);
  });
});

describe('a write', () => {
  const failFirst = async (failures: number, sqlState: string): Promise<{ runs: number; outcome: unknown }> => {
    let runs = 0;
    const outcome = await frames
      .write(scope, async (db) => {
        runs += 1;
        if (runs <= failures) await db.rows(raise(sqlState));
        return 'done';
      })
      .catch((error: unknown) => error);
    return { runs, outcome };
  };

  test.each(['40001', '40P01', '57P01', '08006'])('that fails with %s runs again, at most three times', async (sqlState) => {
    expect(await failFirst(2, sqlState)).toEqual({ runs: 3, outcome: 'done' });
    const { runs, outcome } = await failFirst(3, sqlState);
    expect(runs).toBe(3);
    expect(outcome).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503, retryAfterSeconds: 1 });
  });

  test.each(['23505', '22P02', '42501', '57014', '55P03'])('that fails with %s is not run again', async (sqlState) => {
    const { runs, outcome } = await failFirst(3, sqlState);
    expect(runs).toBe(1);
    expect(outcome).toMatchObject({ code: sqlState });
  });

  test('in a real deadlock ends well', async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    await frames.write(scope, (db) => Promise.all([db.rows(insertCustomer(a)), db.rows(insertCustomer(b))]));
    const lock = (db: Db, externalId: string) =>
      db.rows(sql('select id from customer where external_id = $1 for update', [externalId]));
    let runs = 0;
    const inOrder = (first: string, second: string) =>
      frames.write(scope, async (db) => {
        runs += 1;
        await lock(db, first);
        await db.rows(sql('select pg_sleep(0.1)'));
        await lock(db, second);
        return 'done';
      });
    expect(await Promise.all([inOrder(a, b), inOrder(b, a)])).toEqual(['done', 'done']);
    expect(runs).toBeGreaterThan(2);
  });

  test('whose connection is ended under it runs again', async () => {
    const externalId = randomUUID();
    let runs = 0;
    await frames.write(scope, async (db) => {
      runs += 1;
      await db.rows(insertCustomer(externalId));
      if (runs === 1) await db.rows(sql('select pg_terminate_backend(pg_backend_pid())'));
    });
    expect(runs).toBe(2);
    expect(await storedCustomers(externalId)).toBe(1);
  });
});

describe('a commit whose answer is lost', () => {
  /** Ends the backend of the first commit: instead of it, or right after it. */
  function loseFirstCommit(when: 'before' | 'after'): void {
    let lost = false;
    intercept('commit', async (client, send) => {
      if (lost) return send();
      lost = true;
      const { processID } = client as unknown as { processID: number };
      if (when === 'after') await send();
      await database.asSuperuser('select pg_terminate_backend($1)', [processID]);
      if (when === 'after') throw new Error('Connection terminated unexpectedly');
      return send();
    });
  }

  const write = async (externalId: string, repeatable: boolean) => {
    let runs = 0;
    const outcome = await frames
      .write(
        scope,
        async (db) => {
          runs += 1;
          await db.rows(insertCustomer(externalId, 'on conflict do nothing'));
          return 'done';
        },
        { repeatable },
      )
      .catch((error: unknown) => error);
    return { runs, outcome };
  };

  test.each(['before', 'after'] as const)('is run again when a repeat has no effect (backend ended %s it)', async (when) => {
    const externalId = randomUUID();
    loseFirstCommit(when);
    expect(await write(externalId, true)).toEqual({ runs: 2, outcome: 'done' });
    expect(await storedCustomers(externalId)).toBe(1);
  });

  test.each([
    ['before', 0],
    ['after', 1],
  ] as const)('is a 503 and never run again otherwise (backend ended %s it)', async (when, stored) => {
    const externalId = randomUUID();
    loseFirstCommit(when);
    const { runs, outcome } = await write(externalId, false);
    expect(runs).toBe(1);
    expect(outcome).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    expect(await storedCustomers(externalId)).toBe(stored);
  });

  test('is run again for a frame with an idempotency guard', async () => {
    loseFirstCommit('before');
    const steps: string[] = [];
    const guard = {
      begin: async () => void steps.push('begin'),
      finish: async () => void steps.push('finish'),
    };
    await frames.write(scope, async () => void steps.push('run'), { guard });
    expect(steps).toEqual(['begin', 'run', 'finish', 'begin', 'run', 'finish']);
  });
});

describe('a last statement, with the commit right behind it', () => {
  test('is stored when the frame returns', async () => {
    const externalId = randomUUID();
    await frames.write(scope, (db) => db.lastRow(insertCustomer(externalId)));
    expect(await storedCustomers(externalId)).toBe(1);
  });

  test('that fails stores nothing and tells its own error', async () => {
    const externalId = randomUUID();
    const writing = frames.write(scope, async (db) => {
      await db.rows(insertCustomer(externalId));
      await db.lastRow(raise('23505'));
    });
    await expect(writing).rejects.toMatchObject({ code: '23505' });
    expect(await storedCustomers(externalId)).toBe(0);
  });

  test('whose failure is swallowed is not a success', async () => {
    const externalId = randomUUID();
    const writing = frames.write(scope, async (db) => {
      await db.rows(insertCustomer(externalId));
      await db.lastRow(raise('23505')).catch(() => undefined);
      return 'looks fine';
    });
    await expect(writing).rejects.toThrow('ROLLBACK');
    expect(await storedCustomers(externalId)).toBe(0);
  });

  test('takes no other statement behind it', async () => {
    const late = randomUUID();
    const writing = frames.write(scope, async (db) => {
      await db.lastRow(insertCustomer(randomUUID()));
      await db.rows(insertCustomer(late));
    });
    await expect(writing).rejects.toThrow('behind the last one');
    expect(await storedCustomers(late)).toBe(0);
  });

  test('that a deferred constraint refuses is not a success', async () => {
    const journalId = randomUUID();
    const writing = frames.write(scope, async (db) => {
      await db.lastRow(
        sql(
          `with journal as (
             insert into journal_entry (tenant_id, environment, id, cause_type, cause_id, occurred_at) values ($1, $2, $3, 'event', $3, now()))
           insert into posting (tenant_id, environment, journal_id, seq, account, currency, amount_minor)
           values ($1, $2, $3, 0, 'company:commission_expense', 'USD', 5)`,
          [scope.tenantId, scope.environment, journalId],
        ),
      );
    });
    await expect(writing).rejects.toMatchObject({ constraint: 'journal_balanced' });
    expect(await database.asSuperuser('select from journal_entry where id = $1', [journalId])).toEqual([]);
  });

  /** The server does everything, and the connection breaks before a word of it has been heard. */
  function loseEveryAnswer(): void {
    let lost = false;
    intercept('commit', (client, send) => {
      const answer = send();
      if (lost) return answer;
      lost = true;
      const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
      stream.pause();
      setTimeout(() => stream.destroy(), 300);
      return answer;
    });
  }

  const write = async (externalId: string, repeatable: boolean) => {
    let runs = 0;
    const outcome = await frames
      .write(
        scope,
        async (db) => {
          runs += 1;
          await db.lastRow(insertCustomer(externalId, repeatable ? 'on conflict do nothing' : ''));
          return 'done';
        },
        { repeatable },
      )
      .catch((error: unknown) => error);
    return { runs, outcome };
  };

  test('whose answers are all lost is a 503 and never run again, for it may have happened', async () => {
    const externalId = randomUUID();
    loseEveryAnswer();
    const { runs, outcome } = await write(externalId, false);
    expect(runs).toBe(1);
    expect(outcome).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    expect(await storedCustomers(externalId)).toBe(1);
  });

  test('whose answers are all lost is run again when a repeat has no effect', async () => {
    const externalId = randomUUID();
    loseEveryAnswer();
    expect(await write(externalId, true)).toEqual({ runs: 2, outcome: 'done' });
    expect(await storedCustomers(externalId)).toBe(1);
  });
});

describe('a read whose connection breaks', () => {
  const statusOf = async (running: Promise<unknown>): Promise<unknown> => {
    const error: unknown = await running.then(
      () => 'no error',
      (thrown: unknown) => thrown,
    );
    return fromDatabaseError(error)?.code ?? error;
  };

  test('by the server is a 503', async () => {
    const end = sql('select pg_terminate_backend(pg_backend_pid())');
    expect(await statusOf(frames.read(scope, (db) => db.rows(end)))).toBe('SERVICE_UNAVAILABLE');
    expect(await statusOf(frames.readOnce(scope, end))).toBe('SERVICE_UNAVAILABLE');
  });

  test('without a word is a 503', async () => {
    const cut = async (run: () => Promise<unknown>): Promise<unknown> => {
      pool.once('acquire', (client) => {
        const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
        setTimeout(() => stream.destroy(), 50);
      });
      return statusOf(run());
    };
    const slow = sql('select pg_sleep(2)');
    expect(await cut(() => frames.readOnce(scope, slow))).toBe('SERVICE_UNAVAILABLE');
    expect(await cut(() => frames.read(scope, (db) => db.rows(slow)))).toBe('SERVICE_UNAVAILABLE');
  });

  test('leaves a pool that works', async () => {
    const end = sql('select pg_terminate_backend(pg_backend_pid())');
    for (let i = 0; i < POOL_SIZE * 2; i++) await frames.readOnce(scope, end).catch(() => undefined);
    await expect(frames.readOnce(scope, countCustomers)).resolves.toHaveLength(1);
  });
});
