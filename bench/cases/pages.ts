/**
 * Every page of the dashboard as an owner of the demo shop opens it, and a level of the team tree below the root of a very
 * large one, whose members are searched for too; and how many bytes a browser loads that was never here, and one that was.
 */
import { createShopApi } from '../../seeds/demo-shop-api.ts';
import { generateShop } from '../../seeds/demo-shop-generate.ts';
import { playShop } from '../../seeds/demo-shop-run.ts';
import { PAGES } from '../../src/features/dashboard/pages.ts';
import { addressesOfPages } from '../../test/support/pages/page-addresses.ts';
import { oneAfterAnother, type TimedCase, type TimedPlan, type Times } from '../answer-times.ts';
import type { BigTree } from '../big-tree.ts';
import { readerOf } from '../page-reader.ts';
import type { Stage, Tenant } from '../stage.ts';

/** Many pages, each for a short while. */
const PLAN: TimedPlan = { rounds: 5, seconds: 2, warmUpSeconds: 2 };
const QUICK_PLAN: TimedPlan = { rounds: 1, seconds: 0.5, warmUpSeconds: 0.5 };
const SHOP = { full: { members: 300, leads: 40, purchases: 2000 }, quick: { members: 30, leads: 4, purchases: 60 } };

/** What a script asks for when a row of the tree is opened, and the pages around it. */
const LEVEL = 'a level of the tree at the root';
const LARGEST = 'the same, largest teams first';
const FILTERED = 'the same, filtered';
const TEAM = 'the page of the team at the root';
const FOUND = 'the page of a member found in it';
const OF_TREE = [LEVEL, LARGEST, FILTERED, TEAM, FOUND];
/** Where nobody is found by a name, there are two further places to look. */
const SEARCHES = {
  'the list searched for a name that many have': '/members?q=amelia',
  'the list searched for a whole name': '/members?q=zuzana+mcallister',
  'the list searched for an email': '/members?q=ingrid.petrov.',
  'the list searched for what nobody has': '/members?q=nobody+has+this',
  'the search for a name that many have': '/search?q=kowalski',
  'the search for a beginning': '/search?q=a',
  'the search for an email': '/search?q=ingrid.petrov.1',
} as const;
const ON_TREE: readonly string[] = [...OF_TREE, ...Object.keys(SEARCHES)];
const PART = { 'hx-request': 'true', 'hx-target': 'rows' };

export async function pagesCase(
  stage: Stage,
  serviceUrl: string,
  { tree, quick, say }: { tree: BigTree; quick: boolean; say: (line: string) => void },
): Promise<TimedCase> {
  const shop = await stage.newTenant();
  await play(shop, serviceUrl, quick ? SHOP.quick : SHOP.full, say);
  const reader = await readerOf(stage, serviceUrl, shop);
  const treeReader = await readerOf(stage, serviceUrl, tree);
  const scope = { tenantId: shop.tenantId, environment: 'LIVE' } as const;
  const all = await addressesOfPages((text, values) => stage.sql(text, values), scope, PAGES);
  const addresses: typeof all = [];
  // What is given out as a file is as large as what is known of a member, and no page.
  for (const one of all) if (await reader.isPage(one.path)) addresses.push(one);
  const timed: TimedCase['timed'] = {};
  for (const { page, path } of addresses) {
    timed[page.path === '' ? '/' : page.path] = oneAfterAnother(() => reader.open(path));
  }
  const top = `/team/${tree.idOf(0)}`;
  const deep = tree.idOf(tree.members - 1);
  timed[LEVEL] = oneAfterAnother(() => treeReader.open(top, PART));
  timed[LARGEST] = oneAfterAnother(() => treeReader.open(`${top}?sort=-totalDownline`, PART));
  timed[FILTERED] = oneAfterAnother(() => treeReader.open(`${top}?q=e`, PART));
  timed[TEAM] = oneAfterAnother(() => treeReader.open(top));
  const foundAt = await treeReader.redirectOf(`/team?at=${deep}`);
  timed[FOUND] = oneAfterAnother(() => treeReader.open(foundAt));
  for (const [name, path] of Object.entries(SEARCHES)) timed[name] = oneAfterAnother(() => treeReader.open(path));
  let bytes = { first: 0, later: 0, firstOf: '', laterOf: '' };
  const greatest = (round: Record<string, Times>): number =>
    Math.max(...Object.entries(round).map(([name, { p95 }]) => (ON_TREE.includes(name) ? 0 : p95)));
  return {
    name: 'pages',
    plan: quick ? QUICK_PLAN : PLAN,
    timed,
    figures: [
      { name: 'slowest page of the demo shop, p95', unit: 'ms', limit: 50, of: greatest },
      ...ON_TREE.map((name) => ({
        name: `${name} of ${tree.members.toLocaleString('en')} members, p95`,
        unit: 'ms' as const,
        limit: 100,
        of: (round: Record<string, Times>) => round[name]?.p95 ?? Number.NaN,
      })),
      { name: 'most bytes of a first visit', unit: 'kB', limit: 60, of: () => bytes.first / 1000 },
      { name: 'most bytes of a later one', unit: 'kB', limit: 20, of: () => bytes.later / 1000 },
    ],
    async check() {
      for (const { page, path } of addresses) {
        const first = await reader.bytesOf(path);
        if (first.all > bytes.first) bytes = { ...bytes, first: first.all, firstOf: page.path };
        if (first.page > bytes.later) bytes = { ...bytes, later: first.page, laterOf: page.path };
      }
      say(`pages: a first visit loads most on ${bytes.firstOf || '/'}, a later one on ${bytes.laterOf || '/'}`);
    },
  };
}

async function play(tenant: Tenant, baseUrl: string, size: (typeof SHOP)['full'], say: (line: string) => void): Promise<void> {
  const shop = generateShop({ ...size, seed: 3, today: new Date() });
  const api = createShopApi({ baseUrl, key: tenant.apiKey, onWait: () => undefined });
  const silent = { phase: () => undefined, tick: () => undefined, note: () => undefined, end: () => undefined };
  const { problems } = await playShop(api, shop, silent);
  if (problems.length > 0) throw new Error(`pages: ${problems.join('; ')}`);
  say(`pages: ${size.members} members and ${size.purchases} purchases of the demo shop`);
}
