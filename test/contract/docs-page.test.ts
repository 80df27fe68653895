/** Swagger UI works from our own origin alone. Source: docs/specification/conventions.md#openapi. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../support/app/http-call.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const get = (target: string) => call(app.baseUrl, { method: 'GET', target });

test('everything the page names is on our own origin and there', async () => {
  const { status, text, headers } = await get('/docs/try');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/html/);
  const named = [...text.matchAll(/\b(?:src|href|action|data|poster|srcset)\s*=\s*["']?([^"'\s>]+)/gi)].map(
    (match) => match[1] ?? '',
  );
  expect(named.length).toBeGreaterThan(3);
  for (const address of named) {
    expect(address).toMatch(/^\/(?!\/)/);
    expect((await get(address)).status, address).toBe(200);
  }
  expect(text).not.toMatch(/https?:|\/\/[a-z]|@import|<base|<iframe|<object/i);
});

test('no script stands in the page itself', async () => {
  const { text } = await get('/docs/try');
  const scripts = [...text.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/gi)];
  expect(scripts.length).toBeGreaterThan(0);
  for (const [, attributes, body] of scripts) {
    expect(attributes).toContain('src=');
    expect(body?.trim()).toBe('');
  }
  expect(text).not.toMatch(/\son\w+\s*=|javascript:/i);
});

test('the script that starts it names only our own document', async () => {
  const { text } = await get('/docs/start.js');
  expect(text).not.toMatch(/https?:|["'`]\/\//);
  expect(text).toContain("'/api/v1/openapi.json'");
  expect(text).toContain('validatorUrl: null');
});

test('a key that was typed in is gone with the page', async () => {
  expect((await get('/docs/start.js')).text).toContain('persistAuthorization: false');
});

test('the stylesheet loads nothing from elsewhere', async () => {
  const { text } = await get('/docs/assets/swagger-ui.css');
  expect(text).not.toMatch(/@import|url\(\s*["']?(?:https?:)?\/\//i);
});

test('the policy allows no other origin and no script in the page', async () => {
  for (const path of ['/docs/try', '/docs/start.js', '/docs/assets/swagger-ui-bundle.js']) {
    const policy = (await get(path)).headers.get('content-security-policy') ?? '';
    const directives = new Map(
      policy.split(';').map((part) => {
        const [name = '', ...sources] = part.trim().split(/\s+/);
        return [name, sources];
      }),
    );
    expect(directives.get('default-src'), path).toEqual(["'none'"]);
    expect(directives.get('script-src'), path).toEqual(["'self'"]);
    expect(directives.get('frame-ancestors'), path).toEqual(["'none'"]);
    const sources = new Set([...directives.values()].flat());
    expect([...sources].toSorted(), path).toEqual(["'none'", "'self'", "'unsafe-inline'", 'data:'].toSorted());
    expect(
      [...directives].filter(([, list]) => list.includes("'unsafe-inline'")).map(([name]) => name),
      path,
    ).toEqual(['style-src']);
  }
});

test('any other answer may run nothing and be framed by nobody', async () => {
  for (const path of ['/healthz', '/api/v1/openapi.json', '/api/v1/users', '/nothing']) {
    const { headers } = await get(path);
    expect(headers.get('content-security-policy'), path).toMatch(
      /^default-src 'none';\s?base-uri 'none';\s?frame-ancestors 'none'$/,
    );
    expect(headers.get('x-content-type-options'), path).toBe('nosniff');
    expect(headers.get('x-powered-by'), path).toBeNull();
    expect(headers.get('cache-control'), path).toBe('no-store');
  }
});
