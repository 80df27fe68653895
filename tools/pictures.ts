/**
 * Makes the pictures of the README: `npm run pictures`. Starts a PostgreSQL and the service, plays the demo shop, opens three
 * pages in Chromium, and writes docs/pictures/. Everything else it made is gone afterwards.
 */
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openStage, type Stage, type Tenant } from '../bench/stage.ts';
import { createShopApi } from '../seeds/demo-shop-api.ts';
import { generateShop } from '../seeds/demo-shop-generate.ts';
import { playShop } from '../seeds/demo-shop-run.ts';
import { startBrowser } from '../test/browser/support/chromium.ts';
import { openAs } from '../test/browser/support/watched-page.ts';
import { plantPerson } from '../test/support/pages/plant-person.ts';

const FOLDER = path.resolve(import.meta.dirname, '../docs/pictures');

interface Picture {
  file: string;
  /** Behind the environment. */
  address: string;
  theme: 'light' | 'dark';
  height: number;
}

const WIDTH = 1280;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function makePictures(stage: Stage): Promise<void> {
  const baseUrl = await stage.startService({ env: { JOBS: 'inline' } });
  const tenant = await stage.newTenant();
  await stage.sql("update tenant set name = 'Demo Shop', slug = 'demo-shop' where id = $1", [tenant.tenantId]);
  await play(tenant, baseUrl);
  const sql: typeof stage.sql = (text, values) => stage.sql(text, values);
  const { cookie } = await plantPerson(sql, tenant.tenantId, { role: 'owner', name: 'Olivia Owner' });
  await allCleared(sql, tenant.tenantId);
  const pictures: Picture[] = [
    { file: 'explain.png', address: `/sales/${await tellingSaleOf(baseUrl, tenant)}`, theme: 'light', height: 1000 },
    { file: 'team-tree.png', address: await openedTeamOf(sql, tenant.tenantId), theme: 'dark', height: 760 },
    { file: 'overview.png', address: '', theme: 'light', height: 860 },
  ];
  await mkdir(FOLDER, { recursive: true });
  const browser = await startBrowser();
  try {
    for (const { file, address, theme, height } of pictures) {
      const { context, page } = await openAs(browser, { theme, width: WIDTH }, cookie);
      await page.setViewportSize({ width: WIDTH, height });
      await page.goto(`${baseUrl.replace('127.0.0.1', 'localhost')}/dashboard/demo-shop/live${address}`);
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: path.join(FOLDER, file) });
      await context.close();
      say(`docs/pictures/${file}, ${Math.round((await stat(path.join(FOLDER, file))).size / 1000)} kB`);
    }
  } finally {
    await browser.close();
  }
}

/** Until what the shop's older sales have earned is cleared, as the service does by itself. */
async function allCleared(sql: Stage['sql'], tenantId: string): Promise<void> {
  for (let seconds = 0; seconds < 120; seconds += 1) {
    const [row] = await sql<{ due: number }>(
      `select count(*)::int as due from commission_line where tenant_id = $1 and status = 'pending' and clears_at < now()`,
      [tenantId],
    );
    if (row?.due === 0) return;
    await setTimeout(1000);
  }
  throw new Error('lines that are due were not cleared within two minutes');
}

/** A sale where several are paid and somebody between them is not, of those with the most outcomes. */
async function tellingSaleOf(baseUrl: string, { apiKey }: Tenant): Promise<string> {
  const ask = async (address: string): Promise<unknown> => {
    const answer = await fetch(`${baseUrl}/api/v1${address}`, { headers: { 'x-tenant-api-key': apiKey } });
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    return answer.json();
  };
  const { data } = (await ask('/events?kind=purchase&limit=100')) as { data: { event_id: string }[] };
  let best = { id: data[0]?.event_id ?? '', worth: -1 };
  for (const { event_id: id } of data) {
    const { outcomes } = (await ask(`/events/${id}/explain`)) as { outcomes: { outcome: string }[] };
    const unpaid = outcomes.findIndex(({ outcome }) => outcome !== 'paid');
    const paid = outcomes.filter(({ outcome }) => outcome === 'paid').length;
    const isBetween = unpaid > 0 && outcomes.slice(unpaid).some(({ outcome }) => outcome === 'paid');
    const worth = (isBetween ? 10 : unpaid >= 0 ? 5 : 0) + Math.min(paid, 4) - Math.max(0, outcomes.length - 6);
    if (worth > best.worth) best = { id, worth };
  }
  return best.id;
}

/** The team of the widest top, with the branch of its largest recruit open. */
async function openedTeamOf(sql: Stage['sql'], tenantId: string): Promise<string> {
  const [row] = await sql<{ top: string; below: string }>(
    `select m.id as top, (select c.member_id from downline_count c where c.parent_id = m.id order by c.total desc limit 1) as below
     from member m join downline_count d on d.member_id = m.id
     where m.tenant_id = $1 and m.parent_id is null order by d.total desc limit 1`,
    [tenantId],
  );
  if (!row) throw new Error('the shop has no team');
  return `/team/${row.top}?open=${row.below}&mark=share&sort=-totalDownline`;
}

async function play({ apiKey }: Tenant, baseUrl: string): Promise<void> {
  const shop = generateShop({ members: 120, leads: 16, purchases: 500, seed: 3, today: new Date() });
  const silent = { phase: () => undefined, tick: () => undefined, note: () => undefined, end: () => undefined };
  await playShop(createShopApi({ baseUrl, key: apiKey, onWait: () => undefined }), shop, silent);
}

const stage = await openStage();
try {
  await makePictures(stage);
} finally {
  await stage.close();
}
