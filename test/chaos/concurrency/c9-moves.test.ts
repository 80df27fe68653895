/**
 * C-9 (docs/specification/reliability.md#c-9): a hundred moves at once on a tree of 63, round after round,
 * over two processes with a pool each. Every move is made or refused, no cycle is left at any time, and all
 * counts are exact.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { countStatuses, type Load, openLoad, type RawAnswer } from '../../support/app/model-load.ts';
import { type ApiProcess, startApiProcess } from '../../support/app/model-process.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';

vi.setConfig({ testTimeout: 300_000 }); // a busy machine takes its time

const ROUNDS = 6;
const MOVES = 100;
const DEPTH = 6;

let app: TestApp;
let processes: ApiProcess[] = [];
let load: Load;

beforeAll(async () => {
  app = await startTestApp();
  processes = await Promise.all([1, 2].map(() => startApiProcess(app, { DATABASE_POOL_SIZE: '10' })));
  load = openLoad();
});
afterAll(async () => {
  load.close();
  await Promise.all(processes.map((process) => process.stop()));
  await app.close();
});

/** A binary tree of 63 by level order: the children of n are 2n + 1 and 2n + 2. */
async function plantTree(client: ApiClient): Promise<string[]> {
  const ids: string[] = [];
  for (let level = 0; level < DEPTH; level++) {
    const first = 2 ** level - 1;
    const fresh = Array.from({ length: 2 ** level }, (_, offset) => {
      const parentId = ids[Math.floor((first + offset - 1) / 2)];
      return client.newMember(parentId === undefined ? {} : { parent_id: parentId });
    });
    ids.push(...(await Promise.all(fresh)).map(({ id }) => id));
  }
  return ids;
}

const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)];
const baseUrl = (index: number) => processes[index % processes.length]?.baseUrl ?? '';

function expectMovedOrRefused(answers: readonly RawAnswer[]): void {
  const odd = answers.filter(({ status, text }) => status !== 200 && !(status === 409 && text.includes('"CYCLE_DETECTED"')));
  expect(odd.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
  expect(countStatuses(answers)[200]).toBeGreaterThan(0);
}

/** Members whose upline comes round again as of some instant of the tenant's history. */
async function cyclesEver(tenantId: string): Promise<unknown[]> {
  return app.database.asSuperuser(
    `with recursive instant as (select distinct valid_from as at from member_sponsor_history where tenant_id = $1),
     sponsor as (
       select i.at, m.id, case when h.found then h.sponsor_id else m.parent_id end as sponsor_id
       from instant i cross join member m
       left join lateral (
         select true as found, s.sponsor_id from member_sponsor_history s
         where s.member_id = m.id and s.valid_from <= i.at order by s.valid_from desc, s.id desc limit 1) h on true
       where m.tenant_id = $1),
     reached as (
       select at, id from sponsor where sponsor_id is null
       union all
       select s.at, s.id from reached r join sponsor s on s.at = r.at and s.sponsor_id = r.id)
     select at, id from sponsor except select at, id from reached`,
    [tenantId],
  );
}

test.each(['undated', 'back-dated'])('a hundred %s moves at once', async (kind) => {
  for (let round = 0; round < ROUNDS; round++) {
    const { tenantId, liveKey: key } = await app.newTenant();
    const ids = await plantTree(apiClient(app, key));
    const day = () => `2026-03-${String(1 + Math.floor(Math.random() * 20)).padStart(2, '0')}T00:00:00Z`;
    const answers = await load.sendAllUntilTaken(
      Array.from({ length: MOVES }, (_, index) => ({
        baseUrl: baseUrl(index),
        key,
        path: `/api/v1/members/${pick(ids)}/sponsor`,
        body: { sponsorId: pick(ids), ...(kind === 'undated' ? {} : { effectiveAt: day() }) },
      })),
    );
    expectMovedOrRefused(answers);
    expect(await cyclesEver(tenantId)).toEqual([]);
  }
  await expectCleanBooks(app); // I-8, I-9, H-1, H-2
});

test('moves while members are created below the moved', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { liveKey: key } = await app.newTenant();
    const ids = await plantTree(apiClient(app, key));
    const moves = Array.from({ length: MOVES / 2 }, (_, index) =>
      load.send({ baseUrl: baseUrl(index), key, path: `/api/v1/members/${pick(ids)}/sponsor`, body: { sponsorId: pick(ids) } }),
    );
    const children = Array.from({ length: MOVES / 2 }, (_, index) =>
      load.send({
        baseUrl: baseUrl(index),
        key,
        path: '/api/v1/users',
        body: { email: `child-${index}@shop.example`, parent_id: pick(ids) },
      }),
    );
    expectMovedOrRefused(await Promise.all(moves));
    expect(countStatuses(await Promise.all(children))).toEqual({ 201: MOVES / 2 });
  }
  await expectCleanBooks(app);
});
