/** A file of members that is deep and wide at once: many sponsors with recruits, below a long line down. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importCsv } from '../support/csv-imports.ts';
import { expectSoundBooks } from '../support/sound-books.ts';
import { countAnew, plantMembers } from '../support/plant-tree.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

const DEPTH = Number(process.env['DEPTH'] ?? 20_000);
const WIDTH = Number(process.env['WIDTH'] ?? 1_000);

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('wide', async () => {
  const tenant = await app.newTenant();
  const chain = await plantMembers(app, tenant, { count: DEPTH, sponsor: 'nullif(n - 1, 0)' });
  const rows = Array.from({ length: WIDTH }, (_, index) => [
    `s${index}@deep.example,,${chain.id(DEPTH)}`,
    `r${index}@deep.example,s${index}@deep.example,`,
    `q${index}@deep.example,s${index}@deep.example,`,
  ]).flat();
  const t = performance.now();
  const run = await importCsv(app, tenant.liveKey, ['email,sponsor_email,parent_id', ...rows].join('\n'));
  console.log('wide', performance.now() - t, run.status, run.appliedCount, app.logLines.slice(-3));
}, 600_000);

test('chain', async () => {
  const tenant = await app.newTenant();
  const n = Number(process.env['CHAIN'] ?? 3000);
  const rows = Array.from({ length: n }, (_, index) => `c${index}@line.example,${index === 0 ? '' : `c${index - 1}@line.example`}`);
  const t = performance.now();
  const run = await importCsv(app, tenant.liveKey, ['email,sponsor_email', ...rows].join('\n'));
  console.log('chain', performance.now() - t, run.status, run.appliedCount);
}, 600_000);
