/** The pages of webhooks, through HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rightsOf } from '../../../src/features/staff/open/roles.ts';
import { house } from '../../../src/features.ts';
import { allScopesOf } from '../../../src/house/house.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import { plantPerson } from '../../support/app/test-people.ts';
import type { Browser } from '../../support/pages/browser.ts';
import { arrive, wordsOf } from '../../support/pages/follow.ts';
import { type PageApp, RIGHT_CODE, startPageApp } from '../../support/pages/page-app.ts';
import { sealAll } from '../../support/webhooks/told-events.ts';
import { type PlantedLog, plantLog } from '../webhooks/plant-log.ts';

let pages: PageApp;
let tenant: TestTenant;
let api: ApiClient;
let browser: Browser;
let log: PlantedLog;
const fresh = { hasFreshFactor: true, factorAt: new Date() };

beforeAll(async () => {
  pages = await startPageApp();
  tenant = await pages.app.newTenant({ timeZone: 'Europe/Berlin' });
  api = apiClient(pages.app, tenant.sandboxKey);
  const { staffId } = await plantPerson(pages.app, tenant.tenantId, { role: 'developer' });
  browser = pages.signedIn(tenant, 'developer', { ...fresh, staffId });
  log = await plantLog(pages.app, scope());
});
afterAll(() => pages.app.close());

const scope = () => ({ tenantId: tenant.tenantId, environment: 'SANDBOX' }) as const;
const at = (path: string): string => `${pages.home(tenant, 'SANDBOX')}/webhooks${path}`;
const open = async (path: string) => {
  const opened = await browser.open(at(path));
  expect(opened.status, `${path} ${wordsOf(opened)}`).toBe(200);
  return opened;
};

async function makeEndpoint(typed: Record<string, string | string[]> = {}): Promise<{ id: string; secret: string }> {
  const made = await browser.send(await open('/endpoints/new'), 'create', {
    url: 'https://shop.example/hooks',
    description: 'Shop <b>of Ida</b>',
    eventTypes: ['payout.*', 'member.created'],
    ...typed,
  });
  expect(made.status, wordsOf(made)).toBe(200);
  const id = /\/webhooks\/endpoints\/([0-9a-f-]{36})/.exec(made.text)?.[1] ?? '';
  return { id, secret: /<code>(whsec_[^<]+)<\/code>/.exec(made.text)?.[1] ?? '' };
}

const read = async (id: string): Promise<Record<string, unknown>> => (await api.get(`/api/v1/webhook-endpoints/${id}`)).body;

test('an endpoint is made of what is ticked and typed; its secret is shown once, and its header never', async () => {
  const form = await open('/endpoints/new');
  const typed = {
    url: 'https://shop.example/hooks',
    eventTypes: ['payout.*', 'member.created'],
    patterns: 'lead.*\nmember.created',
    headerName1: 'X-Gate',
    headerValue1: 'open sesame',
  };
  const made = await browser.send(form, 'create', typed);
  expect(made.status, wordsOf(made)).toBe(200);
  const secret = /<code>(whsec_[^<]+)<\/code>/.exec(made.text)?.[1] ?? '';
  expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
  expect(made.headers.get('cache-control')).toContain('no-store');
  const id = /\/webhooks\/endpoints\/([0-9a-f-]{36})/.exec(made.text)?.[1] ?? '';
  expect(await read(id)).toMatchObject({ eventTypes: ['payout.*', 'member.created', 'lead.*'], headerNames: ['X-Gate'] });

  const again = await browser.send(form, 'create', typed);
  expect(again.status).toBe(200);
  expect(wordsOf(again)).toContain('cannot be shown again');
  for (const page of [again, await open(''), await open(`/endpoints/${id}`)]) {
    expect(page.text).not.toContain(secret);
    expect(page.text).not.toContain('sesame');
  }
});

test('what is wrong stands beside where it was typed, and a typed value is not drawn again', async () => {
  const send = async (typed: Record<string, string | string[]>) =>
    browser.send(await open('/endpoints/new'), 'create', { url: 'https://shop.example/hooks', eventTypes: ['*'], ...typed });
  const badPattern = await send({ patterns: 'payout.paid\nno.such' });
  expect(badPattern.status).toBe(400);
  expect(badPattern.text).toMatch(/id="create-patterns-fault">no\.such is no type of event/);
  const badUrl = await send({ url: 'http://127.0.0.1/', headerName1: 'X-Gate', headerValue1: 'open sesame' });
  expect(badUrl.text).toContain('id="create-url-fault"');
  expect(badUrl.text).not.toContain('sesame');
  expect((await send({ eventTypes: [] })).text).toContain('id="create-eventTypes-fault"');
  expect((await send({ headerName1: 'Host', headerValue1: 'x' })).text).toContain('has a header that is not yours to set');
  expect((await send({ headerValue1: 'x' })).text).toContain('id="create-headerName1-fault"');
  expect((await send({ headerName1: 'X-Gate' })).text).toContain('id="create-headerValue1-fault"');
});

test('an endpoint is changed, disabled and enabled, and deleted', async () => {
  const { id } = await makeEndpoint();
  const page = await open(`/endpoints/${id}`);
  expect(page.text).toContain('Shop &lt;b&gt;of Ida&lt;/b&gt;');
  expect(wordsOf(page)).toMatch(/Made by .+ Has the rights of /);
  // Ticked as it is: sent as it stands, nothing is lost.
  expect(page.text).toMatch(/value="payout\.\*" checked/);
  const changed = await browser.send(page, 'change', { description: '', eventTypes: ['*'], patterns: '' });
  expect(wordsOf(await arrive(browser, changed))).toContain('The endpoint is changed.');
  expect(await read(id)).toMatchObject({ description: null, eventTypes: ['*'], url: 'https://shop.example/hooks' });

  await browser.send(page, 'headers', { headerName1: 'X-A', headerValue1: 'a', headerName2: 'X-B', headerValue2: 'b' });
  expect(await read(id)).toMatchObject({ headerNames: ['X-A', 'X-B'] });
  await browser.send(await open(`/endpoints/${id}`), 'change', { description: 'Shop' });
  expect(await read(id)).toMatchObject({ description: 'Shop', headerNames: ['X-A', 'X-B'] });
  const withHeaders = await open(`/endpoints/${id}`);
  const elsewhere = { url: 'https://shop.example/elsewhere' };
  const refused = await browser.send(withHeaders, 'change', elsewhere);
  expect([refused.status, wordsOf(refused)]).toEqual([400, expect.stringContaining('must be sent again with another address')]);
  const half = await browser.send(withHeaders, 'change', { ...elsewhere, headerValue1: 'a' });
  expect(half.text).toContain('id="change-headerValue2-fault"');
  await browser.send(withHeaders, 'change', { ...elsewhere, headerValue1: 'a', headerName2: '' });
  expect(await read(id)).toMatchObject({ ...elsewhere, headerNames: ['X-A'] });
  await browser.send(await open(`/endpoints/${id}`), 'headers', { headerName1: '', headerName2: '' });
  expect(await read(id)).toMatchObject({ headerNames: [] });

  await browser.send(page, 'disable');
  expect(await read(id)).toMatchObject({ enabled: false, disabledReason: 'by_hand' });
  const off = await open(`/endpoints/${id}`);
  expect(wordsOf(off)).toContain('It was disabled by hand.');
  expect(off.text).not.toContain('data-dialog="test"');
  await browser.send(off, 'enable');
  expect(await read(id)).toMatchObject({ enabled: true, disabledReason: null });

  const gone = await browser.send(page, 'delete');
  expect(wordsOf(await arrive(browser, gone))).toContain('The endpoint is deleted.');
  expect((await browser.open(at(`/endpoints/${id}`))).status).toBe(404);
});

test('in LIVE what waits and what was sent is touched with a second factor alone, with the form kept meanwhile', async () => {
  const live = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
  const { endpointId } = await plantLog(pages.app, live);
  const client = apiClient(pages.app, tenant.liveKey);
  const { staffId } = await plantPerson(pages.app, tenant.tenantId, { role: 'developer' });
  const path = `${pages.home(tenant, 'LIVE')}/webhooks/endpoints/${endpointId}`;
  const waiting = async (): Promise<number> =>
    (await client.get(`/api/v1/webhook-deliveries?endpointId=${endpointId}&status=waiting`)).body.data.length;
  const isThere = async (): Promise<boolean> => (await client.get(`/api/v1/webhook-endpoints/${endpointId}`)).status === 200;
  // Each with a session of its own, for the factor counts for ten minutes.
  const doing = async (action: string, typed: Record<string, string>) => {
    const without = pages.signedIn(tenant, 'developer', { staffId });
    const asked = await without.send(await without.open(path), action, typed);
    expect([asked.status, wordsOf(asked)]).toEqual([403, expect.stringContaining('Confirm that it is you')]);
    return async () => wordsOf(await arrive(without, await without.send(asked, action, { _answer: RIGHT_CODE })));
  };
  const replay = await doing('replay', { which: 'all', from: '2020-01-01T00:00' });
  const remove = await doing('delete', {});
  expect([await waiting(), await isThere()]).toEqual([1, true]);
  expect(await replay()).toContain('3 events are sent again.');
  expect(await waiting()).toBe(3);
  expect(await remove()).toContain('The endpoint is deleted.');
  expect(await isThere()).toBe(false);
});

test('a rotation shows the new secret, and until when the old one signs', async () => {
  const { id, secret } = await makeEndpoint();
  const rotated = await browser.send(await open(`/endpoints/${id}`), 'rotate', { overlapHours: '72' });
  const another = /<code>(whsec_[^<]+)<\/code>/.exec(rotated.text)?.[1];
  expect(another).toBeDefined();
  expect(another).not.toBe(secret);
  expect(wordsOf(rotated)).toContain('signed with the old secret as well');
  const { oldSecretUntil } = await read(id);
  expect(Date.parse(String(oldSecretUntil)) - Date.now()).toBeGreaterThan(71 * 3_600_000);
});

test('an endpoint is drawn with a bar for each of its last 24 hours, and with words for who sees none', async () => {
  const { id } = await makeEndpoint({ description: 'Of the hours' });
  await pages.app.database.asSuperuser(
    `insert into webhook_hour (tenant_id, environment, endpoint_id, starts_at, delivered, failed)
     values ($1, 'SANDBOX', $2, date_trunc('hour', now()), 1, 1)`,
    [tenant.tenantId, id],
  );
  const [, row = ''] = (await open('')).text.split('Of the hours');
  for (const text of [(await open(`/endpoints/${id}`)).text, row]) {
    const bars = /<span class="hours">.*?<\/svg>.*?<\/span>/s.exec(text)?.[0] ?? '';
    expect(bars).toContain('role="img" aria-label="The last 24 hours"');
    expect(new Set(Array.from(bars.matchAll(/ x="(\d+)"/g), ([, x]) => Number(x)))).toEqual(
      new Set(Array.from({ length: 24 }, (_, n) => n * 6)),
    );
    const titles = Array.from(bars.matchAll(/<title>.+?: (.+?)<\/title>/g), ([, said]) => said);
    expect(titles.filter((said) => said === 'nothing sent')).toHaveLength(23);
    // What arrived and what did not stand above each other.
    expect(titles.filter((said) => said === '1 delivered, 1 failed attempts')).toHaveLength(2);
    expect(bars).toContain('<span class="muted">1 delivered, 1 failed attempts</span>');
  }
});

test('a test leads to its delivery', async () => {
  const { id } = await makeEndpoint({ eventTypes: ['lead.captured'] });
  const sent = await browser.send(await open(`/endpoints/${id}`), 'test', { type: 'member.created' });
  await sealAll(pages.app, scope());
  const list = await arrive(browser, sent);
  expect(wordsOf(list)).toMatch(/member\.created.*Object test.*waiting/);
});

test('what failed is sent again, alone or once more, and what did not stays', async () => {
  const [, failed = ''] = log.deliveryIds;
  const list = wordsOf(await open(`/deliveries?status=failed&endpointId=${log.endpointId}`));
  expect(list).toContain('member.created');
  expect(wordsOf(await open(`/deliveries?status=failed&objectId=nobody`))).toContain('matches these filters');
  const one = await open(`/deliveries/${failed}`);
  expect(wordsOf(one)).toContain('heard of Planted');
  expect(one.text).toContain('&quot;name&quot;: &quot;Planted&quot;');
  const statuses = async (): Promise<string[]> => {
    const answers = await Promise.all(log.deliveryIds.map((id) => api.get(`/api/v1/webhook-deliveries/${id}`)));
    return answers.map(({ body }) => body.status as string);
  };
  const replay = async (typed: Record<string, string>) =>
    browser.send(await open(`/endpoints/${log.endpointId}`), 'replay', typed);
  const said = async (typed: Record<string, string>) => wordsOf(await arrive(browser, await replay(typed)));
  // A day ago, as the tenant's clock shows it: in autumn it shows an hour twice.
  const from = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'short' })
    .format(Date.now() - 86_400_000)
    .replace(' ', 'T');
  expect(wordsOf(await replay({ which: 'all', from, to: from }))).toContain('must be after from');
  expect(wordsOf(await replay({ which: 'all' }))).toContain('must be a date');
  expect(await statuses()).toEqual(['delivered', 'failed', 'waiting']);
  expect(await said({ which: 'failed', from })).toContain('2 events are sent again.');
  expect(await statuses()).toEqual(['delivered', 'waiting', 'waiting']);
  const [delivered = ''] = log.deliveryIds;
  await browser.send(await open(`/deliveries/${delivered}`), 'retry');
  expect(await statuses()).toEqual(['waiting', 'waiting', 'waiting']);
  expect(await said({ which: 'all', from })).toMatch(/\d events are sent again\./);
});

test('the log is shown newest first, and by filters from its beginning; an event leads to its deliveries', async () => {
  const [first = '', , third = ''] = log.eventIds;
  const own = await open('/events');
  expect(own.text.indexOf(third)).toBeLessThan(own.text.indexOf(first));
  const filtered = await open('/events?objectId=planted-object');
  expect(filtered.text.indexOf(first)).toBeLessThan(filtered.text.indexOf(third));
  const early = await open('/events?upTo=1');
  expect(early.text).toContain(first);
  expect(early.text).not.toContain(third);
  expect(early.text).toContain('Newer');
  for (const upTo of ['0', '-5', 'x', '99999999999999999999']) await open(`/events?upTo=${upTo}`);
  expect((await open(`/events/${first}`)).text).toContain(`/webhooks/deliveries?eventId=${first}`);
});

test('each type has its example, and the helper for signatures sends nothing', async () => {
  expect((await open('/types')).text).toContain('<code>webhook_endpoint.disabled</code>');
  const helper = await open('/signature');
  const main = helper.text.slice(helper.text.indexOf('<main'), helper.text.indexOf('</main>'));
  expect(main).not.toContain('<form');
  expect(main).not.toMatch(/<(?:input|textarea|button)[^>]*\sname=/);
});

test('the page of a thing leads to what was told of it, for who may read that', async () => {
  const member = await api.newMember({ name: 'Ida' });
  const path = `${pages.home(tenant, 'SANDBOX')}/members/${member.id}`;
  const link = `/webhooks/deliveries?objectId=${member.id}`;
  expect((await pages.signedIn(tenant, 'read-only').open(path)).text).toContain(link);
  expect((await pages.signedIn(tenant, 'finance').open(path)).text).not.toContain(link);
});

test('endpoints are for those whose role has their scopes, in LIVE too', async () => {
  const all = allScopesOf(house);
  const own = (role: Parameters<typeof rightsOf>[0], environment: 'LIVE' | 'SANDBOX') =>
    rightsOf(role, environment, all).filter((scope) => scope.startsWith('webhooks:'));
  expect(own('developer', 'LIVE')).toEqual(['webhooks:read', 'webhooks:write']);
  expect(own('developer', 'SANDBOX')).toEqual(['webhooks:read', 'webhooks:write']);
  expect(own('admin', 'LIVE')).toEqual(['webhooks:read', 'webhooks:write']);
  expect(own('read-only', 'SANDBOX')).toEqual(['webhooks:read']);
  expect([...own('finance', 'LIVE'), ...own('reviewer', 'LIVE')]).toEqual([]);
  const live = `${pages.home(tenant, 'LIVE')}/webhooks`;
  expect((await browser.open(live)).status).toBe(200);
  expect((await browser.open(`${live}/endpoints/new`)).status).toBe(200);
  expect((await pages.signedIn(tenant, 'read-only').open(`${live}/endpoints/new`)).status).toBe(403);
});
