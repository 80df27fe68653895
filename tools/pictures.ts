/**
 * Makes the pictures of the README: `npm run pictures`. Starts a PostgreSQL and the service, plays the demo shop, opens three
 * pages in Chromium, and writes docs/pictures/. Everything else it made is gone afterwards.
 */
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { openStage, type Stage, type Tenant } from '../bench/stage.ts';
import { createShopApi } from '../seeds/demo-shop-api.ts';
import { generateShop } from '../seeds/demo-shop-generate.ts';
import { playShop } from '../seeds/demo-shop-run.ts';
import { PAGES } from '../src/features/dashboard/pages.ts';
import { startBrowser } from '../test/browser/support/chromium.ts';
import { openAs } from '../test/browser/support/watched-page.ts';
import { addressesOfPages } from '../test/support/pages/page-addresses.ts';
import { plantPerson } from '../test/support/pages/plant-person.ts';

const FOLDER = path.resolve(import.meta.dirname, '../docs/pictures');

/** The page by the path that it is defined with. */
const PICTURES = [
  { file: 'explain.png', page: '/sales/:eventId', theme: 'light', width: 1280, height: 860 },
  { file: 'team-tree.png', page: '/team', theme: 'dark', width: 1280, height: 720 },
  { file: 'overview.png', page: '', theme: 'light', width: 1280, height: 760 },
] as const;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function makePictures(stage: Stage): Promise<void> {
  const baseUrl = await stage.startService();
  const tenant = await stage.newTenant();
  await stage.sql("update tenant set name = 'Demo Shop', slug = 'demo-shop' where id = $1", [tenant.tenantId]);
  await play(tenant, baseUrl);
  const sql: typeof stage.sql = (text, values) => stage.sql(text, values);
  const { cookie } = await plantPerson(sql, tenant.tenantId, { role: 'owner', name: 'Olivia Owner' });
  const scope = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
  const opened = await openedOf(sql, tenant.tenantId);
  const addresses = await addressesOfPages(sql, scope, PAGES);
  await mkdir(FOLDER, { recursive: true });
  const browser = await startBrowser();
  try {
    for (const { file, page: wanted, theme, width, height } of PICTURES) {
      const address = addresses.find(({ page }) => page.path === wanted);
      if (!address) throw new Error(`there is no page ${wanted}`);
      const { context, page } = await openAs(browser, { theme, width }, cookie);
      await page.setViewportSize({ width, height });
      await page.goto(
        `${baseUrl.replace('127.0.0.1', 'localhost')}/dashboard/demo-shop/live${address.path}${wanted === '/team' ? `?open=${opened}` : ''}`,
      );
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: path.join(FOLDER, file) });
      await context.close();
      say(`docs/pictures/${file}, ${Math.round((await stat(path.join(FOLDER, file))).size / 1000)} kB`);
    }
  } finally {
    await browser.close();
  }
}

/** Who is at the top, and the widest of those below: as the page names the rows that are open. */
async function openedOf(sql: Stage['sql'], tenantId: string): Promise<string> {
  const rows = await sql<{ id: string }>(
    `with top as (select m.id from member m where m.tenant_id = $1 and m.parent_id is null
       order by (select count(*) from member c where c.parent_id = m.id) desc limit 1)
     select id from top union all
     (select m.id from member m join top on m.parent_id = top.id
      order by (select count(*) from member c where c.parent_id = m.id) desc limit 1)`,
    [tenantId],
  );
  return rows.map(({ id }) => id).join('.');
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
