/**
 * How db/frame.ts ends transactions, and what it makes of answers that are lost.
 * Source: docs/decisions/0002-pipelined-frame.md.
 */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { fromDatabaseError } from '../../src/db/constraints.ts';
import type { Db } from '../../src/db/scope.ts';
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

describe('a commit', () => {
  test('behind a statement whose failure was swallowed is not a success', async () => {
    const externalId = randomUUID();
    const writing = harness.frames.write(scope, async (db) => {
      await db.rows(insertCustomer(externalId));
      await db.rows(raise('22000')).catch(() => undefined);
      return 'looks fine';
    });
    await expect(writing).rejects.toThrow('ROLLBACK');
    expect(await storedCustomers(harness, externalId)).toBe(0);
  });

  test('that a deferred constraint refuses is not a success', async () => {
    const writing = harness.frames.write(scope, async (db) => {
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
    expect(await harness.database.asSuperuser('select from journal_entry')).toEqual([]);
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
      await harness.database.asSuperuser('select pg_terminate_backend($1)', [processID]);
      if (when === 'after') throw new Error('Connection terminated unexpectedly');
      return send();
    });
  }

  const write = async (externalId: string, repeatable: boolean) => {
    let runs = 0;
    const outcome = await harness.frames
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
    expect(await storedCustomers(harness, externalId)).toBe(1);
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
    expect(await storedCustomers(harness, externalId)).toBe(stored);
  });

  test('is run again for a frame with an idempotency guard', async () => {
    loseFirstCommit('before');
    const steps: string[] = [];
    const guard = {
      replay: async () => undefined,
      begin: async (db: Db) => {
        steps.push('begin');
        await db.rows(countCustomers);
      },
      finish: async () => void steps.push('finish'),
    };
    await harness.frames.write(scope, async () => void steps.push('run'), { guard, shape: undefined });
    expect(steps).toEqual(['begin', 'run', 'finish', 'begin', 'run', 'finish']);
  });
});
describe('a last statement, with the commit right behind it', () => {
  test('is stored when the frame returns', async () => {
    const externalId = randomUUID();
    await harness.frames.write(scope, (db) => db.lastRow(insertCustomer(externalId)));
    expect(await storedCustomers(harness, externalId)).toBe(1);
  });

  test('that fails stores nothing and tells its own error', async () => {
    const externalId = randomUUID();
    const writing = harness.frames.write(scope, async (db) => {
      await db.rows(insertCustomer(externalId));
      await db.lastRow(raise('23505'));
    });
    await expect(writing).rejects.toMatchObject({ code: '23505' });
    expect(await storedCustomers(harness, externalId)).toBe(0);
  });

  test('whose failure is swallowed is not a success', async () => {
    const externalId = randomUUID();
    const writing = harness.frames.write(scope, async (db) => {
      await db.rows(insertCustomer(externalId));
      await db.lastRow(raise('23505')).catch(() => undefined);
      return 'looks fine';
    });
    await expect(writing).rejects.toThrow('ROLLBACK');
    expect(await storedCustomers(harness, externalId)).toBe(0);
  });

  test('takes no other statement behind it', async () => {
    const late = randomUUID();
    const writing = harness.frames.write(scope, async (db) => {
      await db.lastRow(insertCustomer(randomUUID()));
      await db.rows(insertCustomer(late));
    });
    await expect(writing).rejects.toThrow('behind the last one');
    expect(await storedCustomers(harness, late)).toBe(0);
  });

  test('that a deferred constraint refuses is not a success', async () => {
    const journalId = randomUUID();
    const writing = harness.frames.write(scope, async (db) => {
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
    expect(await harness.database.asSuperuser('select from journal_entry where id = $1', [journalId])).toEqual([]);
  });
});

/** With its first statement behind another the commit is a message of its own; alone it is not. */
describe.each([
  ['the only one', 'insert into customer', false],
  ['behind another', 'commit', true],
])('a last statement that is %s', (_what, lastMessage, isBehind) => {
  /** The server does everything, and the connection breaks before a word of it has been heard. */
  function loseEveryAnswer(): void {
    let lost = false;
    intercept(lastMessage, (client, send) => {
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
    const outcome = await harness.frames
      .write(
        scope,
        async (db) => {
          runs += 1;
          if (isBehind) await db.rows(countCustomers);
          await db.lastRow(insertCustomer(externalId, repeatable ? 'on conflict do nothing' : ''));
          return 'done';
        },
        { repeatable },
      )
      .catch((error: unknown) => error);
    return { runs, outcome };
  };

  test('and whose answers are all lost is a 503 and never run again, for it may have happened', async () => {
    const externalId = randomUUID();
    loseEveryAnswer();
    const { runs, outcome } = await write(externalId, false);
    expect(runs).toBe(1);
    expect(outcome).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    expect(await storedCustomers(harness, externalId)).toBe(1);
  });

  test('and whose answers are all lost is run again when a repeat has no effect', async () => {
    const externalId = randomUUID();
    loseEveryAnswer();
    expect(await write(externalId, true)).toEqual({ runs: 2, outcome: 'done' });
    expect(await storedCustomers(harness, externalId)).toBe(1);
  });

  test('that fails is told with its own error, and may be run again if it says so', async () => {
    let runs = 0;
    const failing = (sqlState: string) =>
      harness.frames.write(scope, async (db) => {
        runs += 1;
        if (isBehind) await db.rows(countCustomers);
        await db.lastRow(raise(sqlState));
      });
    await expect(failing('23505')).rejects.toMatchObject({ code: '23505' });
    expect(runs).toBe(1);
    await expect(failing('40001')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(runs).toBe(4);
  });

  test('that failed, though nobody heeds it, is not a success', async () => {
    const writing = harness.frames.write(scope, async (db) => {
      if (isBehind) await db.rows(countCustomers);
      await db.lastRow(raise('23505')).catch(() => undefined);
      return 'looks fine';
    });
    await expect(writing).rejects.toThrow(isBehind ? 'ROLLBACK' : 'planted');
  });

  test('leaves its connection whole, whatever happens', async () => {
    for (let i = 0; i < POOL_SIZE * 2; i++) {
      const writing = harness.frames.write(scope, async (db) => {
        if (isBehind) await db.rows(countCustomers);
        await db.lastRow(i % 2 === 0 ? raise('22000') : insertCustomer(randomUUID()));
        throw new Error('thrown behind it');
      });
      await expect(writing).rejects.toThrow(i % 2 === 0 ? 'planted' : 'thrown behind it');
    }
    await expect(harness.frames.readOnce(scope, countCustomers)).resolves.toHaveLength(1);
  });
});

describe('a read whose connection breaks', () => {
  const statusOf = async (running: Promise<unknown>): Promise<unknown> => {
    const error: unknown = await running.then(
      () => 'no error',
      (thrown: unknown) => thrown,
    );
    return fromDatabaseError(error, {})?.code ?? error;
  };

  test('by the server is a 503', async () => {
    const end = sql('select pg_terminate_backend(pg_backend_pid())');
    expect(await statusOf(harness.frames.read(scope, (db) => db.rows(end)))).toBe('SERVICE_UNAVAILABLE');
    expect(await statusOf(harness.frames.readOnce(scope, end))).toBe('SERVICE_UNAVAILABLE');
  });

  test('without a word is a 503', async () => {
    const cut = async (run: () => Promise<unknown>): Promise<unknown> => {
      harness.pool.once('acquire', (client) => {
        const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
        setTimeout(() => stream.destroy(), 50);
      });
      return statusOf(run());
    };
    const slow = sql('select pg_sleep(2)');
    expect(await cut(() => harness.frames.readOnce(scope, slow))).toBe('SERVICE_UNAVAILABLE');
    expect(await cut(() => harness.frames.read(scope, (db) => db.rows(slow)))).toBe('SERVICE_UNAVAILABLE');
  });

  test('leaves a pool that works', async () => {
    const end = sql('select pg_terminate_backend(pg_backend_pid())');
    for (let i = 0; i < POOL_SIZE * 2; i++) await harness.frames.readOnce(scope, end).catch(() => undefined);
    await expect(harness.frames.readOnce(scope, countCustomers)).resolves.toHaveLength(1);
  });
});
