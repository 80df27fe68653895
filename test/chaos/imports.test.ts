/** Workers killed with -9 while they import members: nobody is lost, nobody is there twice, and the report is whole. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listStored, readErrors, readImport, sendCsv } from '../features/imports/csv-imports.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { eventually, skipBackOff, startWorkerProcess } from '../support/jobs/test-jobs.ts';
import { expectSoundBooks } from '../support/money/sound-books.ts';

/** From where the workers of tests start. */
const PROCESS = '../../features/imports/import-process.ts';

const ROWS = 3_050;
const KINDS_OF_FAULT = 4;

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Sponsors behind their recruits, and a fault in each fiftieth row. */
const rows = Array.from({ length: ROWS }, (_none, index) => {
  const email = `m${index}@chaos.example`;
  if (index % 50 !== 49)
    return `${email},,${index < 3 ? '' : `m${Math.floor(index / 3) - (Math.floor(index / 3) % 50 === 49 ? 1 : 0)}@chaos.example`}`;
  const faults = [`m${index},,`, `${email},KING,`, `${email},,nobody@chaos.example`, `m${index + 1}@chaos.example,,`];
  return faults[Math.floor(index / 50) % KINDS_OF_FAULT] ?? '';
}).toReversed();
const file = ['email,membership_tier,sponsor_email', ...rows].join('\n');
const FAULTY = ROWS / 50;

test.each(['import:linked', 'member:written', 'import:batch-done', 'import:batch-committed', 'job:settled'])(
  'killed at %s, and again while another worker is at it',
  async (point) => {
    const tenant = await app.newTenant();
    const sent = await sendCsv(app, tenant.liveKey, file);
    expect(sent.status).toBe(201);
    const doomed = await startWorkerProcess(app.database, { FAULT_POINTS: `${point}=kill` }, PROCESS);
    expect(await doomed.ended).toBe('SIGKILL');
    await lapse();
    const second = await startWorkerProcess(app.database, { FAULT_POINTS: 'import:batch-committed=hold:200' }, PROCESS);
    await sleep(1_500);
    second.child.kill('SIGKILL');
    await second.ended;
    await lapse();
    const rescuer = await startWorkerProcess(app.database, {}, PROCESS);
    const run = () => readImport(app, tenant.liveKey, sent.body['id']);
    await eventually(async () => (await run()).status === 'completed', 60_000);
    rescuer.child.kill('SIGTERM');
    await rescuer.ended;
    expect(await run()).toMatchObject({ rowCount: ROWS, appliedCount: ROWS - FAULTY, failedCount: FAULTY, progress: 1 });
    const errors = await readErrors(app, tenant.liveKey, sent.body['id']);
    expect(errors.length).toBe(FAULTY);
    expect(errors.every(({ rowNumber }) => (ROWS + 1 - rowNumber) % 50 === 49)).toBe(true);
    const members = await listStored(app, tenant.tenantId);
    expect(members.length).toBe(ROWS - FAULTY);
    expect(members.every(({ codes }) => codes === 1)).toBe(true);
    expect(members.filter(({ sponsor }) => sponsor === null).length).toBe(3);
    await expectSoundBooks(app);
  },
  120_000,
);

/** As long as a lease lasts has passed since the worker was heard of. */
async function lapse(): Promise<void> {
  await app.database.asSuperuser(
    "update pgboss.job_common set heartbeat_on = heartbeat_on - interval '60 seconds' where state = 'active'",
  );
  const waking = setInterval(() => void skipBackOff(app.database).catch(() => undefined), 300);
  setTimeout(() => clearInterval(waking), 8_000);
}
