/** `cli doctor --sizes`: what the tables weigh, and a member's and a line's part of it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bytesText, measureSizes, type Sizes } from '../../src/doctor/sizes.ts';
import { house } from '../../src/features.ts';
import { apiClient } from '../support/app/api-client.ts';
import { runCli } from '../support/app/run-cli.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { newUpline } from '../support/money/model-upline.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
});
afterAll(() => app.close());

test('every table is told once, with the sums of those that grow with members and with lines', async () => {
  const empty = await measureSizes(app.database.adminUrl, house.features);
  expect([empty.members, empty.lines, empty.bytesPerMember, empty.bytesPerLine]).toEqual([0, 0, null, null]);

  const tenant = await app.newTenant();
  const client = apiClient(app, tenant.liveKey);
  const chain = await newUpline(client, 'D D D');
  expect(
    (await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: chain[2]?.id } }))).status,
  ).toBe(201);
  const { code, stdout, stderr } = await runCli(app, 'doctor', '--sizes', '--json');
  expect(code, stderr).toBe(0);
  const sizes = JSON.parse(stdout) as Sizes;

  const [told] = await app.database.asSuperuser<{ tables: string[]; members: number; lines: number }>(
    `select array(select case relnamespace::regnamespace::text when 'public' then relname else 'pgboss.' || relname end
                  from pg_class where relnamespace::regnamespace::text in ('public', 'pgboss') and relkind = 'r') as tables,
            (select count(*)::int from member) as members, (select count(*)::int from commission_line) as lines`,
  );
  expect(sizes.tables.map(({ table }) => table).toSorted()).toEqual(told?.tables.toSorted());
  expect([sizes.members, sizes.lines]).toEqual([told?.members, told?.lines]);
  const bytesOf = (growsWith: string): number =>
    sizes.tables
      .filter((size) => size.growsWith === growsWith)
      .reduce((sum, { tableBytes, indexBytes }) => sum + tableBytes + indexBytes, 0);
  expect(sizes.bytesPerMember).toBe(Math.round(bytesOf('members') / sizes.members));
  expect(sizes.bytesPerLine).toBe(Math.round(bytesOf('lines') / sizes.lines));
  const ofTable = (name: string) => sizes.tables.find(({ table }) => table === name);
  expect([ofTable('member')?.growsWith, ofTable('posting')?.growsWith, ofTable('api_key')?.growsWith]).toEqual([
    'members',
    'lines',
    null,
  ]);
  const whole = sizes.tables.reduce((sum, { tableBytes, indexBytes }) => sum + tableBytes + indexBytes, 0);
  expect(sizes.databaseBytes).toBeGreaterThan(whole);

  const text = await runCli(app, 'doctor', '--sizes');
  expect(text.stdout).toMatch(/^commission lines \d+, each \d/m);
});

test('bytes for people', () => {
  expect([0, 999, 1_000, 1_500, 9_960, 12_345_678, 4e12].map(bytesText)).toEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '1.5 kB',
    '10.0 kB',
    '12 MB',
    '4.0 TB',
  ]);
});
