/** The example shop: whom it serves, what it gives away, and what it keeps (docs/specification/widget.md#example). */
import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openExampleHost } from '../../src/example-host/example-host.ts';
import { openExampleShop } from '../../src/example-host/open-example-shop.ts';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { startApiProcess } from '../support/app/model-process.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

interface Shop {
  port: number;
  origin: string;
  /** Of a browser's request to its own page, unless `headers` say otherwise; undefined takes one away. */
  ask(method: string, path: string, body?: string, headers?: Record<string, string | undefined>): Promise<Answer>;
  /** Signs a member in; returns the cookie. */
  signIn(memberId: string): Promise<string>;
  close(): Promise<void>;
}

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let ada: string;
let ben: string;
let shop: Shop;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.sandboxKey);
  ada = (await client.newMember({ name: 'Ada <b>Root</b>' })).id;
  ben = (await client.newMember({ name: 'Ben Branch' })).id;
  shop = await openShop(tenant.sandboxKey);
});
afterAll(async () => {
  await shop.close();
  await app.close();
});

async function openShop(apiKey: string, apiUrl = app.baseUrl): Promise<Shop> {
  const opened = await openExampleHost({ port: 0, host: '127.0.0.1', serviceUrl: app.baseUrl, apiUrl, apiKey });
  if (typeof opened === 'string') throw new Error(opened);
  const origin = `http://localhost:${opened.port}`;
  const ask: Shop['ask'] = async (method, path, body, headers = {}) => {
    const own = method === 'POST' ? { origin, 'sec-fetch-site': 'same-origin' } : {};
    const all = Object.entries({ host: new URL(origin).host, ...own, ...headers }).filter(([, value]) => value !== undefined);
    const req = request({
      host: '127.0.0.1',
      port: opened.port,
      method,
      path,
      headers: Object.fromEntries(all) as Record<string, string>,
    });
    req.end(body);
    const [res] = (await once(req, 'response')) as [import('node:http').IncomingMessage];
    let text = '';
    for await (const chunk of res) text += String(chunk);
    return { status: res.statusCode ?? 0, headers: res.headers, text };
  };
  return {
    port: opened.port,
    origin,
    ask,
    async signIn(memberId) {
      const { status, headers } = await ask('POST', '/sign-in', `member=${memberId}`);
      expect(status).toBe(303);
      return (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
    },
    close: opened.close,
  };
}

const JSON_BODY = { 'content-type': 'application/json' };
const token = (cookie: string, body: object = {}, headers: Record<string, string | undefined> = {}) =>
  shop.ask('POST', '/referral-session', JSON.stringify(body), { ...JSON_BODY, cookie, ...headers });
const sessionIdOf = ({ text }: Answer) => (JSON.parse(text) as { sessionId: string }).sessionId;
const readAs = async ({ text }: Answer) => {
  const { widgetToken } = JSON.parse(text) as { widgetToken: string };
  return (await fetch(`${app.baseUrl}/widget/session`, { headers: { authorization: `Bearer ${widgetToken}` } })).status;
};

describe('a visit', () => {
  test('begins by choosing a member, who then has a session of the widget for this origin alone', async () => {
    const before = await shop.ask('GET', '/');
    expect(before.text).toContain('Who are you today?');
    expect(before.text).not.toContain('<mcr-referrals');
    expect(before.text).toContain('Ada &lt;b&gt;Root');

    const cookie = await shop.signIn(ada);
    const { text } = await shop.ask('GET', '/?lang=de', undefined, { cookie });
    expect(text).toContain(`<script type="module" src="${app.baseUrl}/widget/embed.js"></script>`);
    expect(text).toContain('<mcr-referrals src="/referral-session" locale="de"');

    const answer = await token(cookie);
    expect(answer.status).toBe(201);
    expect(Object.keys(JSON.parse(answer.text) as object).toSorted()).toEqual([
      'embedUrl',
      'expiresAt',
      'sessionId',
      'widgetToken',
    ]);
    const [row] = await app.database.asSuperuser('select member_id, allowed_origins from widget_session where id = $1', [
      sessionIdOf(answer),
    ]);
    expect(row).toEqual({ member_id: ada, allowed_origins: [shop.origin] });
  });

  test('has another token of its session, and none of somebody else’s', async () => {
    const [first, second] = [await shop.signIn(ada), await shop.signIn(ben)];
    const sessionId = sessionIdOf(await token(first));
    const again = await token(first, { sessionId });
    expect([again.status, sessionIdOf(again)]).toEqual([200, sessionId]);
    const stolen = await token(second, { sessionId });
    expect([stolen.status, JSON.parse(stolen.text)]).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })]);
    expect(stolen.text).not.toContain('mwt_');
  });

  test('ends the sessions of the widget with it, at sign-out and when somebody else signs in', async () => {
    for (const end of ['/sign-out', '/sign-in']) {
      const cookie = await shop.signIn(ada);
      const answer = await token(cookie);
      expect(await readAs(answer)).toBe(200);
      expect((await shop.ask('POST', end, `member=${ben}`, { cookie })).status).toBe(303);
      await expect.poll(() => readAs(answer), { timeout: 15_000 }).toBe(401);
      expect((await token(cookie)).status).toBe(401);
    }
  });

  test('without one there is no token, whatever session is named', async () => {
    const sessionId = sessionIdOf(await token(await shop.signIn(ada)));
    for (const cookie of ['', 'example_shop=', `example_shop=${ada}`]) {
      expect((await token(cookie, { sessionId })).status).toBe(401);
    }
  });

  test('is of nobody who is not on the list', async () => {
    const other = apiClient(app, (await app.newTenant()).sandboxKey);
    const stranger = await other.newMember();
    expect((await shop.ask('POST', '/sign-in', `member=${stranger.id}`)).status).toBe(400);
  });
});

describe('what is refused', () => {
  test.each<[string, Record<string, string | undefined>]>([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['the service itself, which is another origin on the same site', { 'sec-fetch-site': 'same-site' }],
    ['a page without an origin', { origin: 'null' }],
    ['another port', { origin: 'http://localhost:1' }],
    ['another site, by the browser’s word', { origin: undefined, 'sec-fetch-site': 'cross-site' }],
    ['who does not say where it comes from', { origin: undefined, 'sec-fetch-site': undefined }],
    ['another name of this machine, by which others could reach it', { host: 'rebound.example' }],
    ['a proxy', { 'x-forwarded-for': '203.0.113.7' }],
  ])('%s', async (_name, headers) => {
    const cookie = await shop.signIn(ada);
    for (const [path, body] of [
      ['/referral-session', '{}'],
      ['/sign-in', `member=${ben}`],
      ['/sign-out', ''],
    ] as const) {
      const answer = await shop.ask('POST', path, body, { ...JSON_BODY, cookie, ...headers });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    expect((await token(cookie)).status).toBe(201);
  });

  test('a body that is no JSON object, or names no session by a text, or is long', async () => {
    const cookie = await shop.signIn(ada);
    const send = (body: string, type = 'application/json') =>
      shop.ask('POST', '/referral-session', body, { 'content-type': type, cookie });
    expect((await send('{}', 'text/plain')).status).toBe(415);
    for (const body of ['{', '7', 'null', '{"sessionId": {"a": 1}}'])
      expect([body, (await send(body)).status]).toEqual([body, 400]);
    expect((await send(`{"a": "${'x'.repeat(5_000)}"}`)).status).toBe(413);
  });
});

test('the page allows the script and the frame of one other origin, and nothing else', async () => {
  const { headers } = await shop.ask('GET', '/');
  expect(headers['content-security-policy']?.toString().split('; ').toSorted()).toEqual([
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    `frame-src ${app.baseUrl}`,
    "img-src 'self'",
    `script-src ${app.baseUrl}`,
    "style-src 'self'",
  ]);
  expect((await shop.ask('GET', '/shop.css')).headers['content-type']).toContain('text/css');
});

test('the key stands in no answer, also where the service refuses it or repeats it', async () => {
  const { apiKey } = await app.tenants.createKey({ tenantId: tenant.tenantId, environment: 'SANDBOX', name: 'for this' });
  const echo = createServer((socket) => {
    // What a broken proxy in front of the service might do.
    socket.on('data', (sent) =>
      socket.end(`HTTP/1.1 400 Bad\r\nContent-Type: application/json\r\n\r\n${JSON.stringify({ echo: String(sent) })}`),
    );
  }).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const echoUrl = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
  const answers: Answer[] = [];
  for (const [key, apiUrl] of [
    [apiKey, app.baseUrl],
    [`svc_sandbox_${'x'.repeat(43)}`, app.baseUrl],
    [apiKey, echoUrl],
    [apiKey, 'http://127.0.0.1:1'],
  ] as const) {
    const own = await openShop(key, apiUrl);
    const page = await own.ask('GET', '/');
    const signIn = await own.ask('POST', '/sign-in', `member=${ada}`);
    const cookie = (signIn.headers['set-cookie']?.[0] ?? '').split(';')[0];
    const post = (body: string) => own.ask('POST', '/referral-session', body, { ...JSON_BODY, cookie });
    answers.push(page, signIn, await own.ask('GET', '/shop.css'), await own.ask('GET', '/nowhere'));
    answers.push(
      await post('{}'),
      await post('{"sessionId": "x"}'),
      await post('{'),
      await own.ask('POST', '/sign-out', '', { cookie }),
    );
    await own.close();
  }
  echo.close();
  const keys = [apiKey, 'x'.repeat(43)];
  expect(answers.filter((answer) => keys.some((key) => JSON.stringify(answer).includes(key)))).toEqual([]);
  expect(answers.some(({ text }) => text.includes('mwt_'))).toBe(true);
});

test('says that nobody is there yet and how to get somebody, and offers them without a start', async () => {
  const empty = await app.newTenant();
  const own = await openShop(empty.sandboxKey);
  expect((await own.ask('GET', '/')).text).toContain('npm run demo -- --key');
  await apiClient(app, empty.sandboxKey).newMember({ name: 'Cleo Limb' });
  expect((await own.ask('GET', '/')).text).toContain('Cleo Limb');
  await own.close();
});

describe('beside the service', () => {
  const open = (EXAMPLE_PORT: number | undefined, port = 3000) =>
    openExampleShop({
      config: { EXAMPLE_PORT, host: '127.0.0.1' },
      port,
      serviceUrl: app.baseUrl,
      apiKey: tenant.sandboxKey,
    });

  test('stands on the port behind the service’s, unless another is named, and tells it', async () => {
    const free = shop.port; // taken; the one before it is what the service would have
    const { line, close } = await open(undefined, free - 1);
    expect(line).toBe(`no example shop: port ${free} is taken; EXAMPLE_PORT names another`);
    expect(close).toBeUndefined();
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const opened = await open(port);
    expect(opened.line).toContain(`http://localhost:${port} `);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    await opened.close?.();
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  test('is switched off by 0, and is none behind the last port', async () => {
    expect(await open(0)).toEqual({ line: 'no example shop: EXAMPLE_PORT is 0' });
    expect((await open(undefined, 65_535)).line).toContain('port 65536 does not exist');
  });

  test('is not there on a database of one’s own', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const api = await startApiProcess(app, { EXAMPLE_PORT: String(port) });
    await api.logs('started');
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    expect((await fetch(`${api.baseUrl}/healthz`)).status).toBe(200);
    await api.stop();
  });
});
