/** The documentation as it is served: what stands where, that every link leads somewhere, and what browsers may do. */
import { HtmlValidate } from 'html-validate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../src/docs/markdown.ts';
import type { JsonObject } from '../../src/http/document/objects.ts';
import { call } from '../support/app/http-call.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

let app: TestApp;
let pages: Map<string, string>;
let document: { paths: Record<string, Record<string, { operationId: string }>>; webhooks: JsonObject; tags: { name: string }[] };

const get = (target: string, headers: Record<string, string> = {}) => call(app.baseUrl, { method: 'GET', target, headers });
const linksOf = (text: string): string[] =>
  [...text.matchAll(/\b(?:href|src|action)="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

beforeAll(async () => {
  app = await startTestApp();
  document = (await get('/api/v1/openapi.json')).json as typeof document;
  // Every page that is reached from the first.
  pages = new Map();
  const open = ['/docs'];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    const { status, text, headers } = await get(path);
    expect(status, path).toBe(200);
    if (!String(headers.get('content-type')).startsWith('text/html') || path === '/docs/try') continue;
    pages.set(path, text);
    for (const href of linksOf(text)) {
      const [target = ''] = href.split(/[#?]/);
      if (target.startsWith('/docs') && !target.startsWith('/docs/files') && !pages.has(target) && !open.includes(target))
        open.push(target);
    }
  }
});
afterAll(() => app.close());

test('every operation, every event and every error code stands on a page, under its name', () => {
  const all = [...pages.values()].join('');
  for (const item of Object.values(document.paths)) {
    for (const { operationId } of Object.values(item)) expect(all, operationId).toContain(`id="${operationId}"`);
  }
  for (const type of Object.keys(document.webhooks)) expect(pages.get('/docs/api/webhook-events')).toContain(`id="${type}"`);
  expect(pages.get('/docs/errors')).toContain('id="RATE_LIMITED"');
  expect([...pages.keys()].filter((path) => path.startsWith('/docs/api/'))).toHaveLength(document.tags.length + 1);
});

test('every link within leads somewhere, with its anchor', async () => {
  const seen = new Map<string, string>(pages);
  for (const [path, text] of pages) {
    for (const href of linksOf(text)) {
      if (/^(?:https?:|mailto:)/.test(href)) continue;
      const [target = '', anchor = ''] = href.split('#');
      const at = target === '' ? path : (target.split('?')[0] ?? '');
      if (at === '/dashboard') continue;
      if (!seen.has(at)) {
        const answer = await get(at);
        expect(answer.status, `${path} names ${at}`).toBe(200);
        seen.set(at, answer.text);
      }
      if (anchor !== '' && pages.has(at))
        expect(pages.get(at)?.includes(`id="${decodeURIComponent(anchor)}"`), `${path}: ${href}`).toBe(true);
    }
  }
});

test('each is valid HTML with a language, a title, one heading and a main part', async () => {
  const validator = new HtmlValidate({
    extends: ['html-validate:standard'],
    rules: {
      'no-trailing-whitespace': 'off',
      'long-title': 'off',
      'no-raw-characters': 'off',
      // Rows of a table that the Markdown leaves without a head have an empty one.
      'wcag/h63': 'off',
      'no-inline-style': 'error',
      'valid-id': 'off',
    },
  });
  for (const [path, text] of pages) {
    const { results } = await validator.validateString(text);
    expect(
      results.flatMap(({ messages }) => messages.map(({ ruleId, message, line }) => `${path} ${line} ${ruleId}: ${message}`)),
    ).toEqual([]);
    expect(text).toMatch(/<html lang="en">/);
    expect(text.match(/<h1\b/g), path).toHaveLength(1);
    expect(text.match(/<main\b/g), path).toHaveLength(1);
  }
});

test('none needs a script, has one within it or is framed, and browsers keep them for minutes', async () => {
  for (const [path, text] of pages) {
    for (const [, attributes = '', body = ''] of text.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
      expect(attributes).toContain('src="/docs/files/');
      expect(body).toBe('');
    }
    expect(text, path).not.toMatch(/<style|<[^>]*\sstyle="|<[^>]*\son\w+="|href="javascript:/i);
  }
  const { headers } = await get('/docs/api/leads');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(headers.get('cache-control')).toBe('public, max-age=300');
  const etag = headers.get('etag') ?? '';
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    // By a client that asks no cache to look again, as `fetch` does.
    const again = await app.http.get('/docs/api/leads').set('if-none-match', known);
    expect([again.status, again.headers['vary']], known).toEqual([304, expect.stringContaining('Accept-Encoding')]);
  }
  expect((await app.http.get('/docs/api/leads').set('if-none-match', '"other"')).status).toBe(200);
});

test('the reference says where a list is answered as a file, and a form takes what the operation takes', () => {
  expect(pages.get('/docs/api/members')).toContain('Accept: text/csv');
  expect(pages.get('/docs/api/auth')).toContain('name="header.X-Tenant-ID"');
  expect(pages.get('/docs/api/leads')).toContain('name="header.Idempotency-Key"');
  expect(pages.get('/docs/api/imports')).toContain('data-type="text/csv"');
});

test('a page is small on the wire', async () => {
  for (const path of pages.keys()) {
    // Which is drawn anew for each question.
    if (path === '/docs/search') continue;
    const answer = await fetch(app.baseUrl + path, { headers: { 'accept-encoding': 'br' } });
    expect(answer.headers.get('content-encoding'), path).toBe('br');
    expect(Number(answer.headers.get('content-length')), path).toBeLessThan(40_000);
  }
});

test('each has a twin in Markdown, and llms.txt names them all', async () => {
  const { text, headers } = await get('/llms.txt');
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(text).toMatch(/^# .+\n\n> .+\n/);
  for (const path of pages.keys()) {
    if (path === '/docs/search') continue;
    const twin = `${path === '/docs' ? '/docs/index' : path}.md`;
    const answer = await get(twin);
    expect([answer.status, answer.headers.get('content-type')], twin).toEqual([200, 'text/markdown; charset=utf-8']);
    if (path !== '/docs') expect(text).toContain(`(${twin})`);
    const prose = answer.text.replaceAll(/^```[\s\S]*?^```/gm, '');
    for (const [, href = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(?:https?:|mailto:|#)/.test(href)) continue;
      expect((await get(href.split('#')[0] ?? '')).status, `${twin} names ${href}`).toBe(200);
    }
  }
});

test('search finds operations, headings, codes and events without a script, and shows what was looked for as text', async () => {
  const search = async (words: string) => (await get(`/docs/search?q=${encodeURIComponent(words)}`)).text;
  expect(await search('capture lead')).toContain('href="/docs/api/leads#captureLead"');
  expect(await search('refund_exceeds')).toContain('href="/docs/errors#REFUND_EXCEEDS_PURCHASE"');
  expect(await search('payout.paid')).toContain('href="/docs/api/webhook-events#payout.paid"');
  expect(await search('converted_user_id')).toContain('href="/docs/api/leads#getLead"');
  expect(await search('carry_forward write_off')).not.toContain('Nothing has all of these words');
  expect(await search('KYC_REQUIRED')).toContain('href="/docs/payouts#');
  expect(await search('no-such-word-anywhere')).toContain('Nothing has all of these words');
  const hostile = await search('"><script>alert(1)</script>');
  expect(hostile).not.toContain('<script>alert');
  expect((await get(`/docs/search?q=${'a '.repeat(4000)}`)).status).toBe(200);
});

test('an address that leads nowhere is told the nearest page, a slash too many leads on, and / leads to the documentation', async () => {
  const missing = await get('/docs/api/leeds', { accept: 'text/html' });
  expect(missing.status).toBe(404);
  expect(missing.text).toContain('<a href="/docs/api/leads">');
  expect((await get('/docs/<script>', { accept: 'text/html' })).text).not.toContain('<script>');
  expect((await get('/docs/api/leeds')).json).toMatchObject({ code: 'NOT_FOUND' });
  const slash = await get('/docs/api/leads//');
  expect([slash.status, slash.headers.get('location')]).toEqual([308, '/docs/api/leads']);
  for (const path of ['/docs/try/', '/docs/search//', '/docs/api/', '/docs/guides'])
    expect((await get(path)).status, path).toBe(308);
  const home = await get('/?');
  expect(home.status).toBe(302);
  expect(home.headers.get('location')).toMatch(/^\/(?:docs|dashboard)$/);
});

describe('Markdown', () => {
  const render = (text: string) =>
    renderMarkdown(text, 'README.md', (file) => (file === 'docs/payouts.md' ? '/docs/b' : undefined));

  test('has no HTML of its own', () => {
    const { body } = render('# T\n\n<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1))');
    expect(body.text).not.toMatch(/<script|<img|href="javascript/);
  });

  test('links between files are links between pages; what is no page is named without one', () => {
    const { body } = render(
      '# T\n\n[b](docs/payouts.md), [c](docs/operations.md), [code](src/app.ts), [web](https://a.example), [here](#t)',
    );
    expect(body.text).toContain('<a href="/docs/b">b</a>');
    expect(body.text).toContain(', c, code, ');
    expect(body.text).toContain('href="https://a.example"');
  });

  test('headings have anchors, each its own', () => {
    const { title, lead, headings } = render('# The `title`\n\nFirst *words*.\n\n## One\n\n## One');
    expect([title, lead]).toEqual(['The title', 'First words.']);
    expect(headings.map(({ anchor }) => anchor)).toEqual(['#one', '#one-']);
  });
});
