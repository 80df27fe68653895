/** 100,000 members by CSV, sponsors behind their recruits, 50 faults among them: how it ends, and in how much memory. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readErrors, readImport, sendCsv } from '../features/imports/csv-imports.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { recountDownline } from '../support/tree/downline-books.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What is held on to: what the process has of the system besides is as much as it was given. */
function liveBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const ROWS = 100_000;
const EVERY = ROWS / 50;

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ JOBS: 'inline' });
});
afterAll(() => app.close());

const faultOf = (index: number): string =>
  [
    `m${index},,`,
    `m${index}@big.example,KING,`,
    `m${index}@big.example,,nobody@big.example`,
    'a,b',
    `m${index}@big.example,,m${index}@big.example`,
  ][Math.floor(index / EVERY) % 5] ?? '';

/** The faults are in leaves. */
async function* file(): AsyncGenerator<Buffer> {
  yield Buffer.from('email,membership_tier,sponsor_email\n');
  for (let index = ROWS - 1; index >= 0; index--) {
    const isFaulty = index % EVERY === EVERY - 1;
    const above = Math.floor((index - 1) / 4);
    const sponsor = above % EVERY === EVERY - 1 ? above - 1 : above;
    yield Buffer.from(
      `${isFaulty ? faultOf(index) : `m${index}@big.example,,${index === 0 ? '' : `m${sponsor}@big.example`}`}\n`,
    );
  }
}

test('all are there, the faults told by their rows, and the counts exact', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const before = liveBytes();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, liveBytes())), 200);
  const sent = await sendCsv(app, liveKey, file());
  expect(sent.status).toBe(201);
  let run = await readImport(app, liveKey, sent.body['id']);
  let progress = 0;
  while (run.status === 'queued' || run.status === 'running') {
    await sleep(200);
    run = await readImport(app, liveKey, sent.body['id']);
    expect(run.progress).toBeGreaterThanOrEqual(progress);
    progress = run.progress;
  }
  expect(run).toMatchObject({ status: 'completed', rowCount: ROWS, appliedCount: ROWS - 50, failedCount: 50, progress: 1 });
  const errors = await readErrors(app, liveKey, run.id);
  expect(errors.map(({ rowNumber }) => ROWS + 1 - rowNumber).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 50 }, (_none, index) => (index + 1) * EVERY - 1),
  );
  const [stored] = await app.database.asSuperuser<{ members: number; codes: number; roots: number }>(
    `select count(*)::int as members, count(*) filter (where m.parent_id is null)::int as roots,
            (select count(*)::int from referral_code where tenant_id = $1) as codes from member m where m.tenant_id = $1`,
    [tenantId],
  );
  expect(stored).toEqual({ members: ROWS - 50, codes: ROWS - 50, roots: 1 });
  await expect.poll(() => app.database.asSuperuser('select from downline_pending limit 1'), { timeout: 60_000 }).toEqual([]);
  const counts = () =>
    app.database.asSuperuser(
      `select md5(string_agg(concat_ws(',', member_id, direct, total, active), ';' order by member_id)) as counts from downline_count
       where tenant_id = $1 and (direct, total, active) <> (0, 0, 0)`,
      [tenantId],
    );
  const folded = await counts();
  await recountDownline(app, { tenantId, environment: 'LIVE' });
  expect(await counts()).toEqual(folded);
  clearInterval(watch);
  process.stdout.write(`memory ${Math.round(before / 2 ** 20)} MB before, ${Math.round(most / 2 ** 20)} MB at most\n`);
  // Its rows as objects would be about 60 MB.
  expect(most - before).toBeLessThan(50 * 2 ** 20);
}, 600_000);
