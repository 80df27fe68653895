/** A file of members that is deep and wide at once: a thousand sponsors with recruits at the end of a long line. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importCsv } from '../features/imports/csv-imports.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';
import { recountDownline } from '../support/tree/downline-books.ts';
import { countAnew, plantMembers } from '../support/tree/plant-tree.ts';

const SPONSORS = 1_000;

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const countsOf = ({ tenantId }: TestTenant) =>
  app.database.asSuperuser<{ members: number; counts: string }>(
    `select count(*)::int as members, md5(string_agg(concat_ws(',', member_id, direct, total, active), ';' order by member_id)) as counts
     from downline_count where tenant_id = $1 and (direct, total, active) <> (0, 0, 0)`,
    [tenantId],
  );

async function foldAll({ tenantId }: TestTenant): Promise<void> {
  while ((await app.runSweep('fold-downline', { tenantId, environment: 'LIVE' })) > 0);
}

/** As folded, and as built anew from the tree. */
async function expectExactCounts(tenant: TestTenant, membersWithDownline: number): Promise<void> {
  await foldAll(tenant);
  const folded = await countsOf(tenant);
  expect(folded[0]?.members).toBe(membersWithDownline);
  await recountDownline(app, { tenantId: tenant.tenantId, environment: 'LIVE' });
  expect(await countsOf(tenant)).toEqual(folded);
}

test('below a line of 20,000 members who are there', async () => {
  const length = 20_000;
  const tenant = await app.newTenant();
  const line = await plantMembers(app, tenant, { count: length, sponsor: 'nullif(n - 1, 0)' });
  await countAnew(app, tenant);
  const rows = Array.from({ length: SPONSORS }, (_none, index) => [
    `a${index}@deep.example,s${index}@deep.example,`,
    `b${index}@deep.example,s${index}@deep.example,`,
    `c${index}@deep.example,a${index}@deep.example,`,
    `s${index}@deep.example,,${line.id(length)}`,
  ]).flat();
  const run = await importCsv(app, tenant.liveKey, ['email,sponsor_email,parent_id', ...rows].join('\n'));
  expect(run).toMatchObject({ status: 'completed', appliedCount: 4 * SPONSORS, errors: [] });
  await expectExactCounts(tenant, length + 2 * SPONSORS);
});

test('the line in the file too, upside down', async () => {
  const length = 2_000;
  const tenant = await app.newTenant();
  const rows = [
    ...Array.from({ length }, (_none, index) => `l${index}@line.example,${index === 0 ? '' : `l${index - 1}@line.example`}`),
    ...Array.from({ length: SPONSORS }, (_none, index) => `s${index}@line.example,l${length - 1 - index}@line.example`),
    ...Array.from({ length: SPONSORS }, (_none, index) => `r${index}@line.example,s${index}@line.example`),
  ];
  const run = await importCsv(app, tenant.liveKey, ['email,sponsor_email', ...rows.toReversed()].join('\n'));
  expect(run).toMatchObject({ status: 'completed', appliedCount: length + 2 * SPONSORS, errors: [] });
  await expectExactCounts(tenant, length + SPONSORS);
});
