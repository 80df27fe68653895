/**
 * The widget of the demo shop's busiest member: what the frame reads, and the first view as a browser has it that was never
 * here, on a page of another origin.
 */
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { createShopApi } from '../../seeds/demo-shop-api.ts';
import { generateShop } from '../../seeds/demo-shop-generate.ts';
import { playShop } from '../../seeds/demo-shop-run.ts';
import { startBrowser } from '../../test/browser/support/chromium.ts';
import { type HostSite, hostPage, json, startHost } from '../../test/browser/support/widget-host.ts';
import { oneAfterAnother, type TimedCase, type TimedPlan, type Times, timesOf } from '../answer-times.ts';
import type { Stage, Tenant } from '../stage.ts';

const PLAN: TimedPlan = { rounds: 5, seconds: 5, warmUpSeconds: 3 };
const QUICK_PLAN: TimedPlan = { rounds: 1, seconds: 1, warmUpSeconds: 1 };
const SHOP = { full: { members: 300, leads: 40, purchases: 2000 }, quick: { members: 30, leads: 4, purchases: 60 } };
const READS = ['/session', '/summary', '/links', '/earnings', '/team'] as const;
const WHY = 'why one amount';
const VIEW = 'first view in the frame';

export async function widgetCase(
  stage: Stage,
  serviceUrl: string,
  { quick, say }: { quick: boolean; say: (line: string) => void },
): Promise<TimedCase> {
  const shop = await stage.newTenant('SANDBOX');
  await play(shop, serviceUrl, quick ? SHOP.quick : SHOP.full, say);
  const [busiest] = await stage.sql<{ member: string; line: string; lines: number }>(
    `select beneficiary_id as member, min(id::text) as line, count(*)::int as lines from commission_line
     where tenant_id = $1 group by beneficiary_id order by count(*) desc limit 1`,
    [shop.tenantId],
  );
  if (!busiest) throw new Error('widget: nobody has earned anything');
  say(`widget: ${busiest.lines} commissions of the busiest member`);
  const service = serviceUrl.replace('127.0.0.1', 'localhost');
  const host = await startHost();
  const given = await begin(serviceUrl, shop, { userId: busiest.member, allowedOrigins: [host.origin] });
  host.put('/', { body: hostPage(service, '<mcr-referrals src="/session"></mcr-referrals>') });
  host.put('/session', json(given));
  const read = readerOf(serviceUrl, given.widgetToken);
  const browser = await startBrowser();
  const timed: TimedCase['timed'] = Object.fromEntries(
    READS.map((path) => [path, oneAfterAnother(() => read(`/widget${path}`))]),
  );
  timed[WHY] = oneAfterAnother(() => read(`/widget/earnings/${busiest.line}`));
  const views: View[] = [];
  timed[VIEW] = {
    async run(seconds) {
      const until = performance.now() + seconds * 1000;
      const drawn: number[] = [];
      do {
        const view = await firstView(browser, host);
        views.push(view);
        drawn.push(view.drawnMs);
      } while (performance.now() < until);
      return timesOf(drawn);
    },
  };
  return {
    name: 'widget',
    plan: quick ? QUICK_PLAN : PLAN,
    timed,
    figures: [
      ...[...READS, WHY].map((name) => ({
        name: `${name}, p95`,
        unit: 'ms' as const,
        limit: 50,
        of: (round: Record<string, Times>) => round[name]?.p95 ?? Number.NaN,
      })),
      {
        name: 'first view drawn, from the frame’s navigation, p95',
        unit: 'ms',
        limit: 1000,
        of: (round) => round[VIEW]?.p95 ?? Number.NaN,
      },
      {
        name: 'its largest contentful paint, most',
        unit: 'ms',
        limit: 1000,
        of: () => Math.max(...views.map(({ lcpMs }) => lcpMs)),
      },
      { name: 'its bytes, most', unit: 'kB', limit: 40, of: () => Math.max(...views.map(({ bytes }) => bytes)) / 1000 },
    ],
    async close() {
      await browser.close();
      host.close();
    },
  };
}

interface Given {
  widgetToken: string;
  embedUrl: string;
}

async function begin(serviceUrl: string, { apiKey }: Tenant, body: object): Promise<Given> {
  const answer = await fetch(`${serviceUrl}/api/v1/widget/tokens`, {
    method: 'POST',
    headers: { 'x-tenant-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ ttlSeconds: 3600, ...body }),
  });
  if (answer.status !== 201) throw new Error(`widget: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Given;
}

async function play(tenant: Tenant, baseUrl: string, size: (typeof SHOP)['full'], say: (line: string) => void): Promise<void> {
  const api = createShopApi({ baseUrl, key: tenant.apiKey, onWait: () => undefined });
  const silent = { phase: () => undefined, tick: () => undefined, note: () => undefined, end: () => undefined };
  const { problems } = await playShop(api, generateShop({ ...size, seed: 3, today: new Date() }), silent);
  if (problems.length > 0) throw new Error(`widget: ${problems.join('; ')}`);
  say(`widget: ${size.members} members and ${size.purchases} purchases of the demo shop`);
}

function readerOf(serviceUrl: string, token: string): (path: string) => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'br' };
  return (path) =>
    new Promise((resolve, reject) => {
      const sent = request(`${serviceUrl}${path}`, { agent, headers }, (answer: IncomingMessage) => {
        answer.resume().once('error', reject);
        answer.once('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${answer.statusCode}`))));
      });
      sent.once('error', reject).end();
    });
}

interface View {
  /** From the frame's navigation until its first page has its figures. */
  drawnMs: number;
  lcpMs: number;
  /** Of the module, the frame with its files and what it reads first, heads and all, as they came over the wire. */
  bytes: number;
}

const PAINTED = `new Promise((resolve) => {
  const drawnMs = performance.now();
  new PerformanceObserver((list) => resolve({ drawnMs, lcpMs: list.getEntries().at(-1).startTime }))
    .observe({ type: 'largest-contentful-paint', buffered: true });
})`;

/** With nothing kept of a visit before. */
async function firstView(browser: Browser, { origin }: HostSite): Promise<View> {
  const context = await browser.newContext({ viewport: { width: 720, height: 900 } });
  try {
    const page = await context.newPage();
    const counted = countBytes(page, origin);
    await page.goto(origin);
    const element = await page.waitForSelector('iframe');
    const frame = await element.contentFrame();
    if (!frame) throw new Error('widget: the frame did not load');
    await frame.locator('#widget:not([aria-busy="true"]):not(:has([aria-busy="true"]))').waitFor();
    const { drawnMs, lcpMs } = await frame.evaluate<{ drawnMs: number; lcpMs: number }>(PAINTED);
    return { drawnMs, lcpMs, bytes: await counted() };
  } finally {
    await context.close();
  }
}

/** Of all that has come from the service until it is asked. */
function countBytes(page: Page, own: string): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (sent) => {
    if (sent.url().startsWith(own)) return;
    sizes.push(sent.sizes().then(({ responseHeadersSize, responseBodySize }) => responseHeadersSize + responseBodySize));
  });
  return async () => (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}
