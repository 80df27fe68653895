/** Cursors of a downline and an upline: whose they are, and what becomes of them when the tree changes between pages. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Frames } from '../../../src/db/frame.ts';
import type { Scope } from '../../../src/db/scope.ts';
import { createDownlineService } from '../../../src/features/genealogy/downline-service.ts';
import type { RequestContext } from '../../../src/http/operation.ts';
import { createCursors } from '../../../src/http/pagination.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { countAnew, plantMembers } from '../../support/tree/plant-tree.ts';
import { idsOf, readList, readPage, SORTS } from '../../support/tree/tree-calls.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
/** Under the first of `top` six members, each with two below it. */
let top: string[];
let below: string[];

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  top = [(await client.newMember()).id, (await client.newMember()).id];
  below = [];
  for (let i = 0; i < 6; i++) below.push((await client.newMember({ parent_id: top[0] })).id);
  for (const id of below.slice(0, 6)) for (let i = 0; i < 2; i++) below.push((await client.newMember({ parent_id: id })).id);
  await client.newMember({ parent_id: top[1] });
});
afterAll(() => app.close());

describe('of another list', () => {
  const refused = async (as: ApiClient, id: string, list: string, query: string, cursor: string | null) => {
    const answer = await as.get(`/api/v1/members/${id}/${list}?${query}&cursor=${cursor}`);
    expectRefusal(answer, 400, 'VALIDATION_ERROR', ['cursor']);
  };
  const cursorOf = async (query: string) => {
    const { nextCursor } = await readPage(client, top[0] ?? '', 'downline', `${query}&limit=2`);
    expect(nextCursor).not.toBe(null);
    return nextCursor;
  };

  test.each(SORTS)('one by %s serves its member, order and filter alone', async (sort) => {
    const query = `sort=${sort}&includeInactive=true`;
    const cursor = await cursorOf(query);
    expect((await readPage(client, top[0] ?? '', 'downline', query, cursor)).data.length).toBeGreaterThan(0);
    for (const other of SORTS)
      if (other !== sort) await refused(client, top[0] ?? '', 'downline', `sort=${other}&includeInactive=true`, cursor);
    await refused(client, top[0] ?? '', 'downline', `sort=${sort}&includeInactive=false`, cursor);
    await refused(client, top[0] ?? '', 'downline', `sort=${sort}`, cursor);
    await refused(client, top[1] ?? '', 'downline', query, cursor);
    await refused(client, below[0] ?? '', 'downline', query, cursor);
    await refused(client, top[0] ?? '', 'upline', '', cursor);
    await refused(apiClient(app, tenant.sandboxKey), top[0] ?? '', 'downline', query, cursor);
    await refused(apiClient(app, (await app.newTenant()).liveKey), top[0] ?? '', 'downline', query, cursor);
  });

  test('what is said in full and what is left out are one list', async () => {
    const cursor = await cursorOf('');
    expect(
      (await readPage(client, top[0] ?? '', 'downline', 'sort=joinedAt&includeInactive=false', cursor)).data.length,
    ).toBeGreaterThan(0);
  });

  test('one of an upline serves its member alone', async () => {
    const deepest = below.at(-1) ?? '';
    const { nextCursor } = await readPage(client, deepest, 'upline', 'limit=1');
    await refused(client, below[0] ?? '', 'upline', '', nextCursor);
    await refused(client, deepest, 'downline', '', nextCursor);
    expect(idsOf((await readPage(client, deepest, 'upline', '', nextCursor)).data)).toEqual([top[0]]);
  });
});

describe('stale', () => {
  /** The first page, a change of its last member, and the rest. */
  async function readAround(sort: string, change: (last: string) => Promise<unknown>) {
    const query = `sort=${sort}&limit=5`;
    const first = await readPage(client, top[0] ?? '', 'downline', query);
    const whole = await readList(client, top[0] ?? '', 'downline', `sort=${sort}`, () => 100);
    await change(first.data.at(-1)?.userId ?? '');
    const rest: string[] = [];
    for (let cursor = first.nextCursor; cursor !== null; ) {
      const page = await readPage(client, top[0] ?? '', 'downline', query, cursor);
      rest.push(...idsOf(page.data));
      cursor = page.nextCursor;
    }
    return { first: idsOf(first.data), rest, behind: idsOf(whole.members).slice(5) };
  }

  /** The member and its recruits. */
  const withRecruits = (id: string) => [
    id,
    ...(below.indexOf(id) < 6 ? [0, 1].map((n) => below[6 + 2 * below.indexOf(id) + n]) : []),
  ];

  test.each(SORTS)('its last member moved away: by %s the rest goes on, nobody twice', async (sort) => {
    let gone: (string | undefined)[] = [];
    const { first, rest, behind } = await readAround(sort, (last) => {
      gone = withRecruits(last);
      return client.post(`/api/v1/members/${last}/sponsor`, { sponsorId: top[1] });
    });
    expect(rest).toEqual(behind.filter((id) => !gone.includes(id)));
    expect(first.filter((id) => rest.includes(id))).toEqual([]);
  });

  test.each(SORTS)('its last member switched off: by %s the rest goes on without its downline', async (sort) => {
    let hidden: (string | undefined)[] = [];
    const { rest, behind } = await readAround(sort, (last) => {
      hidden = withRecruits(last);
      return client.patch(`/api/v1/users/${last}`, { is_active: false });
    });
    expect(rest).toEqual(behind.filter((id) => !hidden.includes(id)));
  });

  test('counts folded and built anew between pages change nothing', async () => {
    const scope: Scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
    for (const sort of SORTS) {
      const { rest, behind } = await readAround(sort, () => app.runSweep('fold-downline', scope));
      expect(rest).toEqual(behind);
      const again = await readAround(sort, () => countAnew(app, tenant));
      expect(again.rest).toEqual(again.behind);
    }
  });

  test('the upline of a member that moved goes on from where it was', async () => {
    const deepest = below.at(-1) ?? '';
    const { nextCursor, data } = await readPage(client, deepest, 'upline', 'limit=1');
    await client.post(`/api/v1/members/${data[0]?.userId}/sponsor`, { sponsorId: top[1] });
    expect(idsOf((await readPage(client, deepest, 'upline', '', nextCursor)).data)).toEqual([top[1]]);
  });
});

test('who joins while a page of a walk is made puts nobody on two pages', async () => {
  // All 4,000 that one page of a walk looks at; only the oldest of them is below the top.
  const planted = await plantMembers(app, tenant, { count: 4_001, sponsor: 'case when n = 2 then 1 end' });
  await countAnew(app, tenant);
  const { frames } = app.composition;
  let joining = 0;
  const busy: Frames = {
    ...frames,
    read: (scope, fn, options) =>
      frames.read(
        scope,
        (db) =>
          fn({
            ...db,
            async row(statement) {
              if (statement.name?.endsWith('_end')) {
                await client.newMember();
                joining += 1;
              }
              return db.row(statement);
            },
          }),
        options,
      ),
  };
  const cursors = createCursors(app.config.secrets.apiKeyPepper);
  const viewerOf = () => Promise.resolve({ memberId: undefined, visibility: 'full' as const });
  const scope: Scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  const query = { sort: '-joinedAt', includeInactive: true, limit: 10 } as const;
  const memberId = planted.id(1);
  const list = { scope, operationId: 'listDownline', filters: { memberId, sort: query.sort, includeInactive: true } };
  // As if the downline were a large one; from the newest planted on.
  let cursor: string | null = cursors.seal(JSON.stringify({ how: 'walk', id: null, at: null }), list);
  const found: string[] = [];
  await app.database.asSuperuser("update member set created_at = '2026-02-01' where tenant_id = $1 and id <> all ($2)", [
    tenant.tenantId,
    planted.ids,
  ]);
  for (
    let service = createDownlineService({ frames: busy, cursors, viewerOf });
    cursor !== null;
    service = createDownlineService({ frames, cursors, viewerOf })
  ) {
    const page = await service.listDownline({ scope } as RequestContext, memberId, { ...query, cursor });
    found.push(...page.members.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(joining).toBe(1);
  expect(found).toEqual([planted.id(2)]);
});
