/** How db/frame.ts begins, scopes and repeats transactions. Source: docs/decisions/0002-pipelined-frame.md. */

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { raw, unscopedStatement } from '../../src/db/query.ts';
import type { Db, Scope } from '../../src/db/scope.ts';
import {
  countCustomers,
  insertCustomer,
  intercept,
  POOL_SIZE,
  raise,
  scope,
  sql,
  storedCustomers,
  useFrames,
} from '../support/database/frame-harness.ts';

const harness = useFrames();

describe('a begin that fails', () => {
  const broken: [string, string][] = [
    ['as a whole, leaving no transaction', 'begin; selec'],
    ['after the transaction has begun', 'begin; select 1 / 0'],
  ];
  describe.each(broken)('%s', (_name, text) => {
    beforeEach(async () => {
      await harness.frames.write(scope, (db) => db.rows(insertCustomer(randomUUID())));
      const original = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => Promise<unknown>;
      intercept('begin', (client) => original.call(client, text));
    });

    test('lets a read see nothing', async () => {
      const seen: unknown[] = [];
      const reading = harness.frames.read(scope, async (db) => {
        seen.push(...(await db.rows(countCustomers).catch(() => [])));
        return 'done';
      });
      await expect(reading).rejects.toMatchObject({ code: text.endsWith('0') ? '22012' : '42601' });
      expect(seen.every((row) => (row as { n: number }).n === 0)).toBe(true);
    });

    test('lets a write store nothing', async () => {
      const externalId = randomUUID();
      const writing = harness.frames.write(scope, async (db) => {
        await db.rows(insertCustomer(externalId)).catch(() => undefined);
        return 'done';
      });
      await expect(writing).rejects.toMatchObject({ code: text.endsWith('0') ? '22012' : '42601' });
      expect(await storedCustomers(harness, externalId)).toBe(0);
    });
  });
});

describe('a transaction of one statement', () => {
  /** The first connection to learn the statement of the scope learns one that fails. */
  function breakScope(): void {
    const original = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => Promise<unknown>;
    intercept("select set_config('app.tenant_id', $1", (client) => {
      vi.restoreAllMocks();
      return original.call(client, {
        name: 'scope',
        text: 'select $1::text, $2::text, $3::text, $4::text, 1 / 0',
        values: ['', '', '', ''],
      });
    });
  }

  test('whose scope fails is not run: a read', async () => {
    breakScope();
    await expect(harness.frames.readOnce(scope, countCustomers)).rejects.toMatchObject({ code: '22012' });
  });

  test('whose scope fails is not run: a write', async () => {
    const externalId = randomUUID();
    breakScope();
    const writing = harness.frames.write(scope, (db) => db.lastRow(insertCustomer(externalId)));
    await expect(writing).rejects.toMatchObject({ code: '22012' });
    expect(await storedCustomers(harness, externalId)).toBe(0);
  });

  test('reads only, where it is to read', async () => {
    const externalId = randomUUID();
    await expect(harness.frames.readOnce(scope, insertCustomer(externalId))).rejects.toMatchObject({ code: '25006' });
    expect(await storedCustomers(harness, externalId)).toBe(0);
  });

  test('writes again on a connection that has read', async () => {
    for (let i = 0; i < POOL_SIZE; i++) {
      await harness.frames.readOnce(scope, countCustomers);
      const externalId = randomUUID();
      await harness.frames.write(scope, (db) => db.lastRow(insertCustomer(externalId)));
      expect(await storedCustomers(harness, externalId)).toBe(1);
    }
  });

  const nonsense = unscopedStatement<{ n: number }>('frame_test_nonsense', () => raw(`select nonsense as n`));
  const number = unscopedStatement<{ n: number }, { i: number }>('frame_test_number', ({ i }) =>
    raw(`select :i::int as n`, { i }),
  );

  test('prepares its statement once it can be, whatever failed before', async () => {
    for (let i = 0; i < POOL_SIZE * 2; i++) {
      await expect(harness.frames.readOnce(scope, nonsense())).rejects.toMatchObject({ code: '42703' });
      expect(await harness.frames.readOnce(scope, number({ i }))).toEqual([{ n: i }]);
      await expect(harness.frames.readOnce(scope, number({ i: 'x' as never }))).rejects.toMatchObject({ code: '22P02' });
    }
  });

  test('gets its own answers when many run at once', async () => {
    const numbers = Array.from({ length: 200 }, (_none, i) => i);
    const answers = await Promise.all(
      numbers.map((i) =>
        i % 3 === 0
          ? harness.frames.write(scope, (db) => db.lastRow(number({ i })))
          : harness.frames
              .readOnce(scope, i % 3 === 1 ? number({ i }) : sql<{ n: number }>(`select ${i} as n`))
              .then(([row]) => row),
      ),
    );
    expect(answers).toEqual(numbers.map((n) => ({ n })));
  });

  test('may answer with no row, and with many', async () => {
    expect(await harness.frames.readOnce(scope, sql('select where false'))).toEqual([]);
    expect(await harness.frames.readOnce(scope, sql('select generate_series(1, 3) as n'))).toEqual([
      { n: 1 },
      { n: 2 },
      { n: 3 },
    ]);
    expect(
      await harness.frames.write(scope, (db) => db.lastRow(sql('update customer set tenant_id = tenant_id where false'))),
    ).toBe(undefined);
  });
});

describe('the scope', () => {
  const leftBehind = sql<{ tenant: string | null; environment: string | null; n: number }>(
    `select nullif(current_setting('app.tenant_id', true), '') as tenant, nullif(current_setting('app.environment', true), '') as environment,
            (select count(*)::int from customer) as n`,
  );

  test.each<[string, () => Promise<unknown>]>([
    ['a write', () => harness.frames.write(scope, (db) => db.rows(insertCustomer(randomUUID())))],
    ['a failed write', () => harness.frames.write(scope, (db) => db.rows(raise('22000'))).catch(() => undefined)],
    ['a write of one statement', () => harness.frames.write(scope, (db) => db.lastRow(insertCustomer(randomUUID())))],
    ['a failed write of one', () => harness.frames.write(scope, (db) => db.lastRow(raise('22000'))).catch(() => undefined)],
    ['a read', () => harness.frames.read(scope, (db) => db.rows(countCustomers))],
    ['a failed read', () => harness.frames.read(scope, (db) => db.rows(raise('22000'))).catch(() => undefined)],
    ['a read of one statement', () => harness.frames.readOnce(scope, countCustomers)],
    ['a failed read of one statement', () => harness.frames.readOnce(scope, raise('22000')).catch(() => undefined)],
  ])('is gone from every connection after %s', async (_name, run) => {
    for (let i = 0; i < POOL_SIZE * 2; i++) await run();
    const seen = await Promise.all(Array.from({ length: POOL_SIZE }, () => harness.frames.unscoped(leftBehind)));
    expect(seen.flat()).toEqual(Array.from({ length: POOL_SIZE }, () => ({ tenant: null, environment: null, n: 0 })));
  });

  test("is the caller's own for concurrent frames of different tenants", async () => {
    const scopes = Array.from(
      { length: 20 },
      (_none, index): Scope => ({ tenantId: randomUUID(), environment: index % 2 ? 'LIVE' : 'SANDBOX' }),
    );
    const seen = await Promise.all(scopes.map((own) => harness.frames.readOnce(own, leftBehind)));
    expect(seen.map(([row]) => [row?.tenant, row?.environment])).toEqual(scopes.map((own) => [own.tenantId, own.environment]));
  });

  const malformed = ["x'; drop table member; --", '', randomUUID().toUpperCase(), `${randomUUID()}\n`, `${randomUUID()}'`];
  test.each([
    ...malformed.map((tenantId) => ({ tenantId, environment: 'LIVE' })),
    { tenantId: randomUUID(), environment: "LIVE'" },
  ])('is refused when it is malformed: %j', async (bad) => {
    const own = bad as Scope;
    await expect(harness.frames.read(own, (db) => db.rows(countCustomers))).rejects.toThrow('malformed');
    await expect(harness.frames.readOnce(own, countCustomers)).rejects.toThrow('malformed');
    await expect(harness.frames.write(own, (db) => db.rows(countCustomers))).rejects.toThrow('malformed');
    await expect(harness.frames.write(own, (db) => db.lastRow(countCustomers))).rejects.toThrow('malformed');
  });

  test('is refused without losing a connection', async () => {
    const bad: Scope = { tenantId: 'malformed', environment: 'LIVE' };
    for (let i = 0; i < POOL_SIZE; i++) await harness.frames.write(bad, (db) => db.rows(countCustomers)).catch(() => undefined);
    await expect(harness.frames.readOnce(scope, countCustomers)).resolves.toHaveLength(1);
  });
});

test.each([true, false])('a read with snapshot %s: what others commit meanwhile', async (snapshot) => {
  const counts = await harness.frames.read(
    scope,
    async (db) => {
      const before = await db.row(countCustomers);
      await harness.frames.write(scope, (other) => other.rows(insertCustomer(randomUUID())));
      return [before?.n, (await db.row(countCustomers))?.n];
    },
    { snapshot },
  );
  expect(counts[1]).toBe((counts[0] ?? 0) + (snapshot ? 0 : 1));
});

describe('a write', () => {
  const failFirst = async (failures: number, sqlState: string): Promise<{ runs: number; outcome: unknown }> => {
    let runs = 0;
    const outcome = await harness.frames
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
    await harness.frames.write(scope, (db) => Promise.all([db.rows(insertCustomer(a)), db.rows(insertCustomer(b))]));
    const lock = (db: Db, externalId: string) =>
      db.rows(sql('select id from customer where external_id = $1 for update', [externalId]));
    let runs = 0;
    const { promise: bothHold, resolve: letGo } = Promise.withResolvers<void>();
    const inOrder = (first: string, second: string) =>
      harness.frames.write(scope, async (db) => {
        await lock(db, first);
        runs += 1;
        if (runs === 2) letGo();
        await bothHold;
        await lock(db, second);
        return 'done';
      });
    expect(await Promise.all([inOrder(a, b), inOrder(b, a)])).toEqual(['done', 'done']);
    expect(runs).toBeGreaterThan(2);
  });

  test('whose connection is ended under it runs again', async () => {
    const externalId = randomUUID();
    let runs = 0;
    await harness.frames.write(scope, async (db) => {
      runs += 1;
      await db.rows(insertCustomer(externalId));
      if (runs === 1) await db.rows(sql('select pg_terminate_backend(pg_backend_pid())'));
    });
    expect(runs).toBe(2);
    expect(await storedCustomers(harness, externalId)).toBe(1);
  });
});
