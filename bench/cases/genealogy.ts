/**
 * GET /members/{id}/genealogy three levels deep at the root, against one statement that reads the same
 * rows; in a small tree too; and how long others wait while a tree of 5,000 nodes is answered.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { oneAfterAnother, type Timed, type TimedCase, timesOf } from '../answer-times.ts';
import type { BigTree } from '../big-tree.ts';
import { getTimes, keepAliveClient } from '../keep-alive.ts';
import { randomNumbers } from '../numbers.ts';
import type { Stage } from '../stage.ts';

const DEPTH = 3;
/** In a tree of sevens. */
const NODES = 1 + 7 + 49 + 343;
/** Deep enough that more than the most that are shown stand below the root. */
const FULL_DEPTH = 10;
const MOST_NODES = 5_000;
/** Between two questions for a status, whether the one before is answered or not. */
const STATUS_EVERY_MS = 5;
const STATUS_CONNECTIONS = 64;

interface GenealogyNode {
  userId: string;
  directReferrals: number;
  totalDownline: number;
  children: GenealogyNode[];
}

interface GenealogyAnswer {
  tree: GenealogyNode;
  meta: { totalNodes: number; truncated?: boolean };
}

type Name = 'ours' | 'floor' | 'ours in the small tree' | 'status' | 'status beside a tree';

export async function genealogyCase(stage: Stage, serviceUrl: string, big: BigTree, small: BigTree): Promise<TimedCase<Name>> {
  const readRows = await floorReader(stage, big);
  return {
    name: 'genealogy',
    timed: {
      ours: treeTimes(serviceUrl, big),
      floor: oneAfterAnother(async () => {
        const rows = await readRows();
        if (rows.length !== NODES) throw new Error(`genealogy: the floor read ${rows.length} rows`);
      }),
      'ours in the small tree': treeTimes(serviceUrl, small),
      status: statusTimes(serviceUrl, big),
      'status beside a tree': statusTimes(serviceUrl, big, pathOf(big, FULL_DEPTH)),
    },
    figures: [
      { name: 'ours to the statement', unit: '×', limit: 2.5, of: ({ ours, floor }) => ours.p50 / floor.p50 },
      {
        name: `growth ${small.members.toLocaleString('en')} → ${big.members.toLocaleString('en')} members`,
        unit: '×',
        limit: 1.2,
        of: (round) => round.ours.p50 / round['ours in the small tree'].p50,
      },
      {
        name: 'longest wait beside a 5,000-node tree (p99 of status)',
        unit: 'ms',
        limit: 50,
        of: (round) => round['status beside a tree'].p99,
      },
      { name: 'the longest of all', unit: 'ms', of: (round) => round['status beside a tree'].most },
      { name: 'p99 of status alone', unit: 'ms', of: ({ status }) => status.p99 },
      { name: 'its longest', unit: 'ms', of: ({ status }) => status.most },
    ],
    async check() {
      for (const tree of [big, small]) await assertWhole(serviceUrl, tree);
      await assertSame(serviceUrl, big, await readRows());
    },
  };
}

function pathOf(tree: BigTree, depth: number): string {
  return `/api/v1/members/${tree.idOf(0)}/genealogy?depth=${depth}&includeInactive=true`;
}

function treeTimes(serviceUrl: string, tree: BigTree): Timed {
  return getTimes(keepAliveClient(serviceUrl, tree.apiKey), () => pathOf(tree, DEPTH));
}

interface FloorRow {
  id: string;
  direct: number;
  total: number;
}

/** What an answer is made of, by one prepared statement. */
async function floorReader(stage: Stage, tree: BigTree): Promise<() => Promise<FloorRow[]>> {
  const client = await stage.connect();
  const text = `
    with recursive tree as (
      select m.id, m.email, m.name, m.membership_tier, m.is_active, m.created_at, m.parent_id, 0 as depth
      from member m where m.tenant_id = $1 and m.environment = $2 and m.id = $3
      union all
      select m.id, m.email, m.name, m.membership_tier, m.is_active, m.created_at, m.parent_id, t.depth + 1
      from tree t join member m on m.tenant_id = $1 and m.environment = $2 and m.parent_id = t.id where t.depth < $4)
    select t.*, coalesce(c.direct, 0) as direct, coalesce(c.total, 0) as total
    from tree t left join downline_count c on c.tenant_id = $1 and c.environment = $2 and c.member_id = t.id`;
  const values = [tree.tenantId, tree.environment, tree.idOf(0), DEPTH];
  return async () => (await client.query<FloorRow>({ name: 'genealogy_floor', text, values })).rows;
}

/** How long GET /users/status takes, asked at a steady pace; while one other client reads the tree at `beside` again and again. */
function statusTimes(serviceUrl: string, tree: BigTree, beside?: string): Timed {
  const asking = keepAliveClient(serviceUrl, tree.apiKey, STATUS_CONNECTIONS);
  const reading = keepAliveClient(serviceUrl, tree.apiKey);
  const random = randomNumbers(tree.members);
  return {
    async run(seconds) {
      const times: number[] = [];
      const state = { done: false };
      const reader = beside === undefined ? undefined : readUntil(state, () => reading.get(beside));
      const ask = async (): Promise<void> => {
        const sent = performance.now();
        await asking.get(`/api/v1/users/status?user_id=${tree.idOf(Math.floor(random() * tree.members))}`);
        times.push(performance.now() - sent);
      };
      const asked: Promise<void>[] = [];
      const started = performance.now();
      for (let next = 0; next < seconds * 1000; next += STATUS_EVERY_MS) {
        await sleep(Math.max(0, started + next - performance.now()));
        asked.push(ask());
      }
      await Promise.all(asked);
      state.done = true;
      await reader;
      for (const client of [asking, reading]) client.close();
      return timesOf(times);
    },
  };
}

async function readUntil(state: { done: boolean }, read: () => Promise<void>): Promise<void> {
  while (!state.done) await read();
}

async function assertWhole(serviceUrl: string, tree: BigTree): Promise<void> {
  const client = keepAliveClient(serviceUrl, tree.apiKey);
  const shown = (await client.getJson(pathOf(tree, DEPTH))) as GenealogyAnswer;
  const full = (await client.getJson(pathOf(tree, FULL_DEPTH))) as GenealogyAnswer;
  client.close();
  if (shown.meta.totalNodes !== NODES || shown.tree.totalDownline !== tree.members - 1)
    throw new Error(`genealogy: ${shown.meta.totalNodes} nodes, a downline of ${shown.tree.totalDownline}`);
  if (full.meta.totalNodes !== MOST_NODES || full.meta.truncated !== true)
    throw new Error(`genealogy: ${full.meta.totalNodes} nodes at depth ${FULL_DEPTH}`);
}

/** Node by node, with the counts. */
async function assertSame(serviceUrl: string, tree: BigTree, rows: readonly FloorRow[]): Promise<void> {
  const client = keepAliveClient(serviceUrl, tree.apiKey);
  const answer = (await client.getJson(pathOf(tree, DEPTH))) as GenealogyAnswer;
  client.close();
  const nodes: string[] = [];
  const collect = (node: GenealogyNode): void => {
    nodes.push(`${node.userId} ${node.directReferrals} ${node.totalDownline}`);
    node.children.forEach(collect);
  };
  collect(answer.tree);
  const expected = rows.map((row) => `${row.id} ${row.direct} ${row.total}`);
  if (nodes.toSorted().join() !== expected.toSorted().join()) throw new Error('genealogy: the answer is not what the floor read');
}
