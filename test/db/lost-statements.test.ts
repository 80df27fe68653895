/** A connection whose prepared statements are another's: the call fails as an outage, and the connection goes. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openPool } from '../../src/db/connect.ts';
import { createFrames, type Frames } from '../../src/db/frame.ts';
import { findPooling } from '../../src/db/pooler.ts';
import { prepared } from '../../src/db/statement.ts';
import { scope, sql, useFrames } from '../support/database/frame-harness.ts';

const harness = useFrames();
const ask = prepared<{ pid: number }, []>('test_process_id', 'select pg_backend_pid() as pid');

/** A pool of one connection, and what is logged of it. */
async function onOne(run: (frames: Frames, logged: Record<string, unknown>[]) => Promise<void>): Promise<void> {
  const logged: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line: string) => logged.push(JSON.parse(line) as Record<string, unknown>) });
  const pool = openPool({ url: harness.database.appUrl, size: 1, acquireTimeoutMs: 5_000, applicationName: 'lost', logger });
  try {
    await run(createFrames(pool), logged);
  } finally {
    await pool.end();
  }
}

const ways: Record<string, (frames: Frames) => Promise<unknown>> = {
  read: (frames) => frames.read(scope, (db) => db.rows(ask())),
  readOnce: (frames) => frames.readOnce(scope, ask()),
  write: (frames) => frames.write(scope, (db) => db.rows(ask())),
  'a write of one statement': (frames) => frames.write(scope, (db) => db.lastRow(ask())),
  claim: (frames) => frames.claim((db) => db.rows(ask())),
  unscoped: (frames) => frames.unscoped(ask()),
};

test.each(Object.keys(ways))(
  '%s fails with the code of the lost statement, once; the next call has another connection',
  async (name) => {
    await onOne(async (frames, logged) => {
      const call = ways[name] as (frames: Frames) => Promise<unknown>;
      await call(frames);
      const [before] = await frames.unscoped(ask());
      await frames.unscoped(sql('deallocate all')); // as if the session were another
      await expect(call(frames)).rejects.toMatchObject({ code: '26000' });
      await call(frames);
      const [after] = await frames.unscoped(ask());
      expect(after?.pid).not.toBe(before?.pid);
      expect(logged.map(({ level, msg }) => [level, msg])).toEqual([
        [
          50,
          expect.stringMatching(
            /^a pooler in front of the database loses prepared statements: connect directly, or through PgBouncer/,
          ),
        ],
      ]);
    });
  },
);

test('a line a minute is enough', async () => {
  await onOne(async (frames, logged) => {
    for (let loss = 0; loss < 3; loss++) {
      await frames.unscoped(ask());
      await frames.unscoped(sql('deallocate all'));
      await expect(frames.unscoped(ask())).rejects.toMatchObject({ code: '26000' });
    }
    expect(logged).toHaveLength(1);
  });
});

test('without a pooler the database is found to be reached directly, and nothing is left behind', async () => {
  expect(await findPooling(harness.database.appUrl)).toBe('direct');
  const left = await harness.database.asSuperuser("select from pg_stat_activity where application_name = 'svc-boot'");
  expect(left).toEqual([]);
});

test('a database that is not there is told as such', async () => {
  const url = Object.assign(new URL(harness.database.appUrl), { port: '1' }).href;
  await expect(findPooling(url)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', cause: { code: 'ECONNREFUSED' } });
  const wrong = Object.assign(new URL(harness.database.appUrl), { password: 'x' }).href;
  await expect(findPooling(wrong)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', cause: { code: '28P01' } });
});
