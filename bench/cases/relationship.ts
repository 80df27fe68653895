/** GET /members/{id}/relationship/{id} of random pairs, against one statement that climbs from both to the root. */
import { oneAfterAnother, type TimedCase } from '../answer-times.ts';
import type { BigTree } from '../big-tree.ts';
import { getTimes, keepAliveClient } from '../keep-alive.ts';
import { randomNumbers } from '../numbers.ts';
import type { Stage } from '../stage.ts';

const PAIRS = 5_000;
const CHECKED = 100;

interface UplineRow {
  side: 'first' | 'second';
  id: string;
}

export async function relationshipCase(
  stage: Stage,
  serviceUrl: string,
  tree: BigTree,
): Promise<TimedCase<'ours' | 'floor' | 'status'>> {
  const random = randomNumbers(tree.members + 1);
  const anyId = (): string => tree.idOf(Math.floor(random() * tree.members));
  const pairs = Array.from({ length: PAIRS }, (): [string, string] => [anyId(), anyId()]);
  const pairAt = (index: number): [string, string] => pairs[index % PAIRS] ?? ['', ''];
  const pathOf = ([first, second]: [string, string]): string => `/api/v1/members/${first}/relationship/${second}`;
  const readUplines = await uplineReader(stage, tree);
  return {
    name: 'relationship',
    timed: {
      ours: getTimes(keepAliveClient(serviceUrl, tree.apiKey), (index) => pathOf(pairAt(index))),
      floor: oneAfterAnother(async (index) => {
        const rows = await readUplines(pairAt(index));
        if (rows.length < 2) throw new Error(`relationship: the floor read ${rows.length} rows`);
      }),
      status: getTimes(keepAliveClient(serviceUrl, tree.apiKey), (index) => `/api/v1/users/status?user_id=${pairAt(index)[0]}`),
    },
    figures: [
      { name: 'ours to GET /users/status', unit: '×', limit: 2, of: ({ ours, status }) => ours.p50 / status.p50 },
      { name: 'ours to the statement', unit: '×', of: ({ ours, floor }) => ours.p50 / floor.p50 },
      // The statement takes less than the least that any request takes.
      {
        name: 'what it takes over GET /users/status, to the statement',
        unit: '×',
        limit: 2,
        of: ({ ours, floor, status }) => (ours.p50 - status.p50) / floor.p50,
      },
    ],
    async check() {
      const client = keepAliveClient(serviceUrl, tree.apiKey);
      for (const pair of pairs.slice(0, CHECKED)) {
        const answer = (await client.getJson(pathOf(pair))) as {
          connected: boolean;
          distance: number;
          path: { userId: string }[];
        };
        const expected = pathBetween(await readUplines(pair)).join();
        if (!answer.connected || answer.path.map((node) => node.userId).join() !== expected)
          throw new Error(`relationship: ${JSON.stringify(answer)} instead of ${expected}`);
      }
      client.close();
    },
  };
}

/** Two recursions in one statement; the rows come nearest first. */
async function uplineReader(stage: Stage, tree: BigTree): Promise<(pair: [string, string]) => Promise<UplineRow[]>> {
  const client = await stage.connect();
  const climb = (from: string): string => `
      select m.id, m.parent_id, 0 as distance from member m where m.tenant_id = $1 and m.environment = $2 and m.id = ${from}
      union all
      select m.id, m.parent_id, u.distance + 1
      from UPLINE u join member m on m.tenant_id = $1 and m.environment = $2 and m.id = u.parent_id`;
  const text = `
    with recursive one as (${climb('$3').replace('UPLINE', 'one')}), other as (${climb('$4').replace('UPLINE', 'other')})
    select 'first' as side, id, distance from one union all select 'second', id, distance from other order by 1, 3`;
  return async (pair) => {
    const values = [tree.tenantId, tree.environment, ...pair];
    return (await client.query<UplineRow>({ name: 'relationship_floor', text, values })).rows;
  };
}

/** Up to the nearest common ancestor, and down to the other. */
function pathBetween(rows: readonly UplineRow[]): string[] {
  const of = (side: UplineRow['side']): string[] => rows.filter((row) => row.side === side).map((row) => row.id);
  const [up, down] = [of('first'), of('second')];
  const common = up.find((id) => down.includes(id)) ?? '';
  return [...up.slice(0, up.indexOf(common) + 1), ...down.slice(0, down.indexOf(common)).toReversed()];
}
