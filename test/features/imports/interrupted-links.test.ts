/** The work on an import breaks off while its rows are linked: whatever was committed by then, the report is the same. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Frames } from '../../../src/db/frame.ts';
import type { LeasedHandler } from '../../../src/jobs/job.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { readImport, sendCsv } from './csv-imports.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Blank lines, more than what is written at once goes over: the circle and the repeated email have a row on each side. */
const FILLING = 5_050;
const HEAD = [
  'b@ring.example,c@ring.example',
  'below@ring.example,a@ring.example',
  'twice@ring.example,',
  'c@ring.example,a@ring.example',
];
const TAIL = ['a@ring.example,b@ring.example', 'twice@ring.example,', 'good@ring.example,twice@ring.example'];
const FILE = ['email,sponsor_email', ...HEAD, ...Array.from({ length: FILLING }, () => ''), ...TAIL].join('\n');
const firstOfTail = 2 + HEAD.length + FILLING;

const EXPECTED = [
  [2, 'CYCLE_DETECTED'],
  [3, 'SPONSOR_FAILED'],
  [5, 'CYCLE_DETECTED'],
  [firstOfTail, 'CYCLE_DETECTED'],
  [firstOfTail + 1, 'EMAIL_EXISTS'],
];

class Killed extends Error {}

/** Nothing is written any more after so many transactions. */
function dyingAfter(frames: Frames, writes: number): Frames {
  let left = writes;
  return {
    ...frames,
    write(scope, fn, options) {
      if (left === 0) throw new Killed();
      left -= 1;
      return frames.write(scope, fn, options);
    },
  };
}

test('after each of its transactions', async () => {
  const { frames, handlers } = app.composition.background;
  const job = handlers.find((one): one is LeasedHandler => one.name === 'run-import' && one.kind === 'leased');
  if (!job) throw new Error('there is no such job');
  const never = new AbortController().signal;
  let interrupted = true;
  for (let writes = 1; interrupted; writes++) {
    const { tenantId, liveKey } = await app.newTenant();
    const sent = await sendCsv(app, liveKey, FILE);
    const work = {
      scope: { tenantId, environment: 'LIVE' as const },
      id: 'job',
      name: job.name,
      ids: { importId: String(sent.body['id']) },
      attempt: 1,
    };
    interrupted = await job.run(dyingAfter(frames, writes), work, never).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Killed) return true;
        throw error;
      },
    );
    if (interrupted) await job.run(frames, work, never);
    const run = await readImport(app, liveKey, sent.body['id']);
    expect(run).toMatchObject({ status: 'completed', appliedCount: 2, failedCount: EXPECTED.length, progress: 1 });
    const told = await app.database.asSuperuser<{ row_number: number; codes: string[] }>(
      `select row_number, jsonb_path_query_array(faults, '$[*].code') as codes from import_row
       where tenant_id = $1 and faults @? '$[*].code' order by row_number`,
      [tenantId],
    );
    expect(told.map(({ row_number, codes }) => [row_number, ...codes])).toEqual(EXPECTED);
    const named = await app.database.asSuperuser(
      'select from import_row where tenant_id = $1 and num_nonnulls(email_norm, sponsor_email_norm) > 0',
      [tenantId],
    );
    expect(named).toEqual([]);
    if (!interrupted) expect(writes).toBeGreaterThan(6);
  }
});
