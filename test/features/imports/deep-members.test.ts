/** Files of members that are deep and wide at once: each ancestor is counted once, and the counts are exact. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countJoined } from '../../../src/features/users/count-joined.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { countAnew, plantMembers } from '../../support/tree/plant-tree.ts';
import { importCsv } from './csv-imports.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const pendingOf = (tenantId: string) =>
  app.database.asSuperuser<{ ids: number; distinct: number; direct: number }>(
    `select count(a.id)::int as ids, count(distinct a.id)::int as distinct,
            (select count(*)::int from downline_pending where tenant_id = $1 and sponsor_id is not null) as direct
     from downline_pending p cross join lateral unnest(p.ancestor_ids) a(id) where p.tenant_id = $1`,
    [tenantId],
  );

async function expectSound(tenantId: string, environment: 'LIVE' | 'SANDBOX' = 'LIVE'): Promise<void> {
  await expectSoundBooks(app);
  expect(await app.runSweep('fold-downline', { tenantId, environment })).toBeGreaterThan(0);
  await expectSoundBooks(app);
}

test('sponsors at the end of a line: the line is in one row, whatever their number', async () => {
  const tenant = await app.newTenant();
  const line = await plantMembers(app, tenant, { count: 200, sponsor: 'nullif(n - 1, 0)' });
  await countAnew(app, tenant);
  const rows = Array.from({ length: 40 }, (_none, index) => [
    `s${index}@deep.example,${line.id(200)},,`,
    ...['a', 'b'].map((child) => `${child}${index}@deep.example,,s${index}@deep.example,${index % 3 !== 0}`),
    `c${index}@deep.example,,a${index}@deep.example,`,
    `side${index}@deep.example,${line.id(1 + index * 3)},,`,
  ]).flat();
  const run = await importCsv(app, tenant.liveKey, ['email,parent_id,sponsor_email,is_active', ...rows.toReversed()].join('\n'));
  expect(run).toMatchObject({ status: 'completed', appliedCount: 200, errors: [] });
  // One batch: the line, its 40 recruits and their first ones.
  expect(await pendingOf(tenant.tenantId)).toEqual([{ ids: 280, distinct: 280, direct: 121 }]);
  await expectSound(tenant.tenantId);
});

test('a line within the file, and recruits beside it', async () => {
  const { tenantId, sandboxKey } = await app.newTenant();
  const rows = Array.from({ length: 150 }, (_none, index) => [
    `c${index}@line.example,${index === 0 ? '' : `c${index - 1}@line.example`},`,
    `r${index}@line.example,c${index}@line.example,false`,
  ]).flat();
  const run = await importCsv(app, sandboxKey, ['email,sponsor_email,is_active', ...rows].join('\n'));
  expect(run).toMatchObject({ status: 'completed', appliedCount: 300, errors: [] });
  expect(await pendingOf(tenantId)).toMatchObject([{ distinct: 150, direct: 150 }]);
  await expectSound(tenantId, 'SANDBOX');
});

test.each([
  ['a line', 'nullif(n - 1, 0)'],
  ['a wide tree', 'nullif(n / 3, 0)'],
  ['many lines', 'case when n > 15 then n - 15 end'],
])('counted in parts when many are above: %s', async (_name, sponsor) => {
  const tenant = await app.newTenant();
  const scope = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
  await plantMembers(app, tenant, { count: 90, sponsor, joined: '0', active: 'n % 4 <> 0' });
  const members = await app.database.asSuperuser<{ sponsorId: string | null; isActive: boolean; createdAt: Date }>(
    'select parent_id as "sponsorId", is_active as "isActive", created_at as "createdAt" from member where tenant_id = $1',
    [tenant.tenantId],
  );
  const { frames } = app.composition;
  await frames.write(scope, (db) => countJoined(db, scope, members, { mostAbove: 20, fewSponsors: 3 }));
  const [pending] = await pendingOf(tenant.tenantId);
  expect(pending?.ids).toBeGreaterThan(pending?.distinct ?? 0);
  await expectSound(tenant.tenantId);
});

test('members of two moments are counted in the months of each', async () => {
  const tenant = await app.newTenant();
  const scope = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
  const line = await plantMembers(app, tenant, { count: 30, sponsor: 'nullif(n - 1, 0)', joined: 'n % 2 * 60 * 24 * 31' });
  const members = await app.database.asSuperuser<{ sponsorId: string | null; isActive: boolean; createdAt: Date }>(
    'select parent_id as "sponsorId", is_active as "isActive", created_at as "createdAt" from member where tenant_id = $1',
    [tenant.tenantId],
  );
  await app.composition.frames.write(scope, (db) => countJoined(db, scope, members));
  await expectSound(tenant.tenantId);
  const months = await app.database.asSuperuser('select joined from downline_month where member_id = $1 order by month', [
    line.id(1),
  ]);
  expect(months).toEqual([{ joined: 15 }, { joined: 14 }]);
});
