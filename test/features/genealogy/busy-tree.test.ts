/**
 * Members join, move and are switched off and on, all at once, while two workers fold and counts are built
 * anew. In every answer meanwhile the counts agree with the tree shown beside them; afterwards they are exact.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compose } from '../../../src/compose.ts';
import type { Scope } from '../../../src/db/scope.ts';
import { rebuildDownline } from '../../../src/features/genealogy/fold-downline.ts';
import { createLogger } from '../../../src/http/request-log.ts';
import { runBatch } from '../../../src/jobs/schedule.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { countStatuses, type Load, openLoad } from '../../support/app/model-load.ts';
import { type ApiProcess, startApiProcess } from '../../support/app/model-process.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { levelsOf, readPage, readTree, type TreeNode } from '../../support/tree/tree-calls.ts';

const JOINING = 200;

let app: TestApp;
let processes: ApiProcess[] = [];
let load: Load;

beforeAll(async () => {
  app = await startTestApp();
  processes = await Promise.all([1, 2].map(() => startApiProcess(app, { DATABASE_POOL_SIZE: '10' })));
  load = openLoad(60);
});
afterAll(async () => {
  load.close();
  await Promise.all(processes.map((process) => process.stop()));
  await app.close();
});

const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)];
const baseUrl = (index: number) => processes[index % processes.length]?.baseUrl ?? '';
const scopeOf = ({ tenantId }: TestTenant): Scope => ({ tenantId, environment: 'LIVE' });

async function newTree(client: ApiClient, size: number): Promise<string[]> {
  const ids = [(await client.newMember()).id];
  while (ids.length < size) ids.push((await client.newMember({ parent_id: pick(ids) })).id);
  return ids;
}

/** What is wrong with a node's counts, when all that is below it is shown: what it says and what is there. */
function misfits(tree: TreeNode): object[] {
  const found: object[] = [];
  const sizeOf = (node: TreeNode): { size: number; whole: boolean } => {
    const below = node.children.map(sizeOf);
    const size = below.reduce((sum, child) => sum + 1 + child.size, 0);
    const whole = node.depth < 10 && below.every((child) => child.whole);
    const { userId, directReferrals: direct, totalDownline: total } = node;
    if (direct < 0 || total < direct) found.push({ userId, direct, total });
    if (node.depth < 10 && direct !== node.children.length) found.push({ userId, direct, shown: node.children.length });
    if (whole ? total !== size : total < size) found.push({ userId, total, shown: size });
    return { size, whole };
  };
  sizeOf(tree);
  return found;
}

/** Reads until it is over. Returns how often. */
async function watch(client: ApiClient, top: string, isOver: () => boolean): Promise<number> {
  let times = 0;
  while (!isOver()) {
    const { tree, meta } = await readTree(client, top, 'depth=10&includeInactive=true');
    expect(misfits(tree)).toEqual([]);
    expect(meta.totalNodes).toBe(levelsOf(tree).flat().length);
    const { data } = await readPage(client, top, 'downline', 'sort=totalDownline&limit=100');
    expect(data.filter((one) => one.directReferrals < 0 || one.totalDownline < one.directReferrals)).toEqual([]);
    expect(data.map((one) => one.totalDownline)).toEqual(data.map((one) => one.totalDownline).toSorted((a, b) => b - a));
    times += 1;
  }
  return times;
}

/** Two hundred joining, sixty moves and eighty switches, spread over the processes. */
function requestsOn(ids: readonly string[], key: string) {
  const joins = Array.from({ length: JOINING }, (_, index) => ({
    baseUrl: baseUrl(index),
    key,
    path: '/api/v1/users',
    body: { email: `${index}@shop.example`, parent_id: pick(ids), is_active: index % 4 > 0 },
  }));
  const moves = Array.from({ length: 60 }, (_, index) => ({
    baseUrl: baseUrl(index),
    key,
    path: `/api/v1/members/${pick(ids.slice(2))}/sponsor`,
    body: { sponsorId: pick(ids), ...(index % 3 === 0 ? { effectiveAt: `2026-03-0${1 + (index % 9)}T00:00:00Z` } : {}) },
  }));
  const switches = Array.from({ length: 80 }, (_, index) => ({
    baseUrl: baseUrl(index),
    key,
    method: 'PATCH' as const,
    path: `/api/v1/users/${pick(ids)}`,
    body: { is_active: index % 2 > 0 },
  }));
  return { joins, moves, switches };
}

/** Works until it is over. Returns how often. */
async function keepUp(work: () => Promise<unknown>, pauseMs: number, isOver: () => boolean): Promise<number> {
  let times = 0;
  for (; !isOver(); times++) {
    await work();
    await sleep(Math.random() * pauseMs);
  }
  return times;
}

test('all at once, counts agree with the tree at any time and are exact afterwards', async () => {
  const tenant = await app.newTenant();
  const scope = scopeOf(tenant);
  const client = apiClient(app, tenant.liveKey);
  const ids = await newTree(client, 40);
  const other = await compose(app.config, app.database, createLogger('silent'));
  let over = false;
  const isOver = () => over;
  const fold = other.background.sweeps.find(({ name }) => name === 'fold-downline');
  if (!fold) throw new Error('there is no fold');
  const watched = [watch(client, ids[0] ?? '', isOver), watch(client, ids[1] ?? '', isOver)];
  const kept = [
    keepUp(() => app.runSweep('fold-downline', scope), 10, isOver),
    keepUp(() => runBatch(other.background.frames, other.logger, fold, scope), 10, isOver),
    keepUp(() => app.composition.frames.write(scope, (db) => rebuildDownline(db, scope)), 60, isOver),
    keepUp(() => other.background.frames.write(scope, (db) => rebuildDownline(db, scope)), 60, isOver),
  ];
  const { joins, moves, switches } = requestsOn(ids, tenant.liveKey);
  try {
    const [joined, moved, switched] = await Promise.all([load.sendAll(joins), load.sendAll(moves), load.sendAll(switches)]);
    expect(countStatuses(joined)).toEqual({ 201: JOINING });
    expect(countStatuses(switched)).toEqual({ 200: 80 });
    // A move waits for a rebuild, for a while.
    expect(moved.filter(({ status }) => ![200, 409, 503].includes(status))).toEqual([]);
    expect(countStatuses(moved)[200]).toBeGreaterThan(0);
  } finally {
    over = true;
    const times = await Promise.all([...watched, ...kept]);
    await other.close();
    expect(Math.min(...times)).toBeGreaterThan(0);
  }
  await expectCleanBooks(app); // with what is still pending
  await app.runSweep('fold-downline', scope);
  expect(await app.database.asSuperuser('select from downline_pending where tenant_id = $1', [tenant.tenantId])).toEqual([]);
  await expectCleanBooks(app);
  const [counted] = await app.database.asSuperuser<{ members: number; direct: number }>(
    `select (select count(*)::int from member where tenant_id = $1) as members,
            (select sum(direct)::int from downline_count where tenant_id = $1) as direct`,
    [tenant.tenantId],
  );
  expect(counted?.members).toBe(JOINING + 40);
  const roots = await app.database.asSuperuser('select from member where tenant_id = $1 and parent_id is null', [
    tenant.tenantId,
  ]);
  expect(counted?.direct).toBe(JOINING + 40 - roots.length);
});

test('a worker killed behind the fold, before its commit, leaves all pending; the next folds it once', async () => {
  const tenant = await app.newTenant();
  const client = apiClient(app, tenant.liveKey);
  await app.runSweep('fold-downline');
  const pending = async () =>
    (
      await app.database.asSuperuser<{ rows: number; folded: number }>(
        `select (select count(*)::int from downline_pending where tenant_id = $1) as rows,
                (select count(*)::int from downline_count where tenant_id = $1) as folded`,
        [tenant.tenantId],
      )
    )[0];
  const doomed = await startApiProcess(app, {
    JOBS: 'inline',
    DATABASE_WORKER_URL: app.database.workerUrl,
    SWEEP_INTERVAL_MS: '250',
    FAULT_POINTS: 'sweep:handled=kill',
  });
  const top = await client.newMember();
  const members = await Promise.all(Array.from({ length: 30 }, () => client.newMember({ parent_id: top.id })));
  await client.newMember({ parent_id: members[0]?.id });
  await client.post(`/api/v1/members/${members[0]?.id}/sponsor`, { sponsorId: members[1]?.id });
  await client.patch(`/api/v1/users/${members[2]?.id}`, { is_active: false });
  expect(await doomed.ended).toBe('SIGKILL');
  expect(await pending()).toMatchObject({ folded: 0 });
  expect((await pending())?.rows).toBeGreaterThan(31);
  const counts = async () => {
    const { tree } = await readTree(client, top.id, 'depth=3&includeInactive=true');
    expect(misfits(tree)).toEqual([]);
    return [tree.directReferrals, tree.totalDownline];
  };
  expect(await counts()).toEqual([29, 31]);
  await expectCleanBooks(app);

  const next = await startApiProcess(app, {
    JOBS: 'inline',
    DATABASE_WORKER_URL: app.database.workerUrl,
    SWEEP_INTERVAL_MS: '50',
  });
  await eventually(async () => (await pending())?.rows === 0);
  await next.stop();
  expect(await counts()).toEqual([29, 31]);
  await expectCleanBooks(app);
});

test('a rebuild that does not commit leaves counts and what is pending as they were', async () => {
  const tenant = await app.newTenant();
  const scope = scopeOf(tenant);
  const client = apiClient(app, tenant.liveKey);
  const ids = await newTree(client, 10);
  await app.runSweep('fold-downline', scope);
  await client.newMember({ parent_id: ids.at(-1) });
  const digest = () =>
    app.database.asSuperuser(
      `select (select jsonb_agg(to_jsonb(c) order by member_id) from downline_count c where tenant_id = $1) as counts,
              (select jsonb_agg(to_jsonb(p) order by id) from downline_pending p where tenant_id = $1) as pending`,
      [tenant.tenantId],
    );
  const before = await digest();
  const broken = app.composition.background.frames.write(scope, async (db) => {
    expect(await rebuildDownline(db, scope)).toBe(11);
    throw new Error('cut off');
  });
  await expect(broken).rejects.toThrow('cut off');
  expect(await digest()).toEqual(before);
  await expectCleanBooks(app);
});

test('while a move waits for a rebuild, members join and are switched off', async () => {
  const tenant = await app.newTenant();
  const scope = scopeOf(tenant);
  const client = apiClient(app, tenant.liveKey);
  const [top, first, second] = await newTree(client, 3);
  await app.composition.background.frames.write(scope, async (db) => {
    await rebuildDownline(db, scope);
    let answered = false;
    const move = client.post(`/api/v1/members/${second}/sponsor`, { sponsorId: null }).then((answer) => {
      answered = true;
      return answer;
    });
    await eventually(async () => {
      const waiting = await app.database.asSuperuser("select from pg_locks where locktype = 'advisory' and not granted");
      return waiting.length > 0;
    });
    await client.newMember({ parent_id: top });
    expect((await client.patch(`/api/v1/users/${first}`, { is_active: false })).status).toBe(200);
    expect(answered).toBe(false);
    expect((await move).status).toBe(503);
  });
  expect((await client.post(`/api/v1/members/${second}/sponsor`, { sponsorId: null })).status).toBe(200);
  await expectCleanBooks(app);
});
