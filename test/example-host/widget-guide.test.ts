/** What docs/widget.md tells to copy does what it says, as it stands there. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { compileFunction } from 'node:vm';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

const guide = readFileSync(path.join(import.meta.dirname, '../../docs/widget.md'), 'utf8');
const blocks = [...guide.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, code }));
const firstOf = (wanted: string) => blocks.find(({ language }) => language === wanted)?.code ?? '';

let app: TestApp;
let sandboxKey: string;
let liveKey: string;
let ann: string;
let bob: string;

beforeAll(async () => {
  app = await startTestApp();
  ({ sandboxKey, liveKey } = await app.newTenant());
  const client = apiClient(app, sandboxKey);
  ann = (await client.newMember({ name: 'Ann Example' })).id;
  bob = (await client.newMember()).id;
});
afterAll(() => app.close());

describe('the ten lines', () => {
  let server: Server;
  let shopUrl: string;
  /** Whom the shop's own sign-in says. */
  let memberId: string | undefined;

  beforeAll(async () => {
    const shop = express();
    shop.use((req, _res, next) => {
      Object.assign(req, { session: { memberId } });
      next();
    });
    const run = compileFunction(firstOf('js'), ['app', 'express', 'process']) as (
      app: Express,
      express: unknown,
      process: { env: Record<string, string> },
    ) => void;
    run(shop, express, { env: { MCR_URL: app.baseUrl, MCR_KEY: sandboxKey } });
    shop.use((_error: unknown, _req: Request, res: Response, _next: NextFunction) => void res.sendStatus(500));
    server = shop.listen(0, '127.0.0.1');
    await once(server, 'listening');
    shopUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const ask = async (as: string | undefined, body: object, type = 'application/json') => {
    memberId = as;
    const answer = await fetch(`${shopUrl}/referral-session`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, cache: answer.headers.get('cache-control'), text };
  };
  const given = ({ text }: { text: string }) => JSON.parse(text) as { widgetToken: string; sessionId: string; embedUrl: string };
  const read = (token: string) => fetch(`${app.baseUrl}/widget/session`, { headers: { authorization: `Bearer ${token}` } });

  test('are ten', () => {
    const lines = [firstOf('html'), firstOf('js')].join('').trimEnd().split('\n');
    expect(lines).toHaveLength(10);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
    const [script = '', element = ''] = lines;
    expect(script).toContain('/widget/embed.js');
    expect(element).toBe('<mcr-referrals src="/referral-session"></mcr-referrals>');
  });

  test('give whoever is signed in a session and a token that opens the frame, and later another one', async () => {
    const begun = await ask(ann, {});
    expect(begun, begun.text).toMatchObject({ status: 201, cache: 'no-store' });
    const { widgetToken, sessionId, embedUrl } = given(begun);
    const frame = await fetch(embedUrl.replace(/^http:\/\/[^/]+/, app.baseUrl));
    expect(frame.status).toBe(200);
    expect(frame.headers.get('content-security-policy')).toContain('frame-ancestors https://shop.example');
    expect(await (await read(widgetToken)).json()).toMatchObject({ sessionId, environment: 'SANDBOX' });

    const renewed = await ask(ann, { sessionId });
    expect(renewed.status, renewed.text).toBe(200);
    expect(given(renewed)).toMatchObject({ sessionId });
    expect(given(renewed).widgetToken).not.toBe(widgetToken);
    expect((await read(given(renewed).widgetToken)).status).toBe(200);
    expect(begun.text + renewed.text).not.toContain(sandboxKey);
  });

  test("give nothing to whoever is not signed in, nor a token of somebody else's session", async () => {
    const { sessionId } = given(await ask(ann, {}));
    const answers = [await ask(undefined, {}), await ask(undefined, { sessionId }), await ask(bob, { sessionId })];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 404]);
    expect(answers.filter(({ text }) => text.includes('mwt_'))).toEqual([]);
  });

  test('take nothing that a form of another site could send', async () => {
    expect((await ask(ann, {}, 'text/plain')).status).toBe(500);
    expect((await ask(ann, {}, 'application/x-www-form-urlencoded')).status).toBe(500);
  });
});

describe('the commands', () => {
  const commands = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code);

  test('begin, renew and end a session, one after the other', async () => {
    const [settings = '', ...rest] = commands;
    expect(settings.match(/^\w+=/gm)).toEqual(['API=', 'KEY=', 'MEMBER=']);
    const { stdout } = await promisify(execFile)('bash', ['-euc', rest.join('\necho\n')], {
      env: { PATH: process.env['PATH'], API: `${app.baseUrl}/api/v1`, KEY: sandboxKey, MEMBER: ann },
    });
    const answers = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(answers).toHaveLength(3);
    const [begun = {}, renewed = {}, ended] = answers;
    const shown = JSON.parse(blocks.find(({ code }) => code.startsWith('{"widgetToken"'))?.code ?? '{}') as object;
    expect(Object.keys(begun)).toEqual(Object.keys(shown));
    expect(renewed).toMatchObject({ sessionId: begun['sessionId'] });
    expect(renewed['widgetToken']).not.toBe(begun['widgetToken']);
    expect(ended).toEqual({ sessionId: begun['sessionId'], ended: true });
  });
});

describe('the table of what is wrong', () => {
  const begin = async (key: string, body: object) => {
    const answer = await fetch(`${app.baseUrl}/api/v1/widget/tokens`, {
      method: 'POST',
      headers: { 'x-tenant-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.status;
  };
  const origins = { allowedOrigins: ['https://shop.example'] };

  test.each([
    ['an origin with a path', ['https://shop.example/account']],
    ['an origin with a slash', ['https://shop.example/']],
    ['a wildcard', ['https://*.shop.example']],
    ['no origin', []],
  ])('400: %s', async (_name, allowedOrigins) => {
    expect(await begin(sandboxKey, { userId: ann, allowedOrigins })).toBe(400);
  });

  test('401: a key that is none; 403: one without the scope; 404: a member of the other environment; 409: an inactive one', async () => {
    const { tenantId } = await app.newTenant();
    const weak = await app.tenants.createKey({ tenantId, environment: 'SANDBOX', name: 'weak', scopes: ['users:read'] });
    const client = apiClient(app, sandboxKey);
    const idle = await client.newMember({ is_active: false });
    const { sessionId } = (await client.post('/api/v1/widget/tokens', { userId: ann, ...origins })).body as { sessionId: string };
    await client.delete(`/api/v1/widget/tokens/${sessionId}`);
    expect(await begin(`svc_sandbox_${'x'.repeat(43)}`, { userId: ann, ...origins })).toBe(401);
    expect(await begin(weak.apiKey, { userId: ann, ...origins })).toBe(403);
    expect(await begin(liveKey, { userId: ann, ...origins })).toBe(404);
    expect(await begin(sandboxKey, { userId: idle.id, ...origins })).toBe(409);
    expect((await client.post('/api/v1/widget/tokens/refresh', { sessionId })).status).toBe(409);
  });
});
