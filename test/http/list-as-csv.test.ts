/** Lists as CSV: what `Accept: text/csv` answers. Source: docs/specification/conventions.md#csv. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { expectRefusal } from '../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';
import { plantSession } from '../support/identity/sessions.ts';
import { countAnew, plantMembers } from '../support/tree/plant-tree.ts';

const CSV = { accept: 'text/csv' };

type Row = Record<string, unknown>;

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let payee: string;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  await plantMembers(app, tenant, { count: 350, sponsor: 'nullif(n - 1, 0)' });
  await countAnew(app, tenant);
  const member = await client.newMember({ name: '=HYPERLINK("http://evil.example")', external_id: '+1' });
  payee = member.id;
  for (let n = 0; n < 3; n++) {
    const purchase = client.purchaseBody({
      attribution: { user_id: payee },
      external_event_id: `@order-${n}`,
      currency: n === 2 ? 'JPY' : 'USD',
      metadata: { note: '"quoted", and\r\nin two lines' },
    });
    expect((await client.post('/api/v1/events/purchase', purchase)).status).toBe(201);
  }
});
afterAll(() => app.close());

/** All rows of a list in JSON, page after page. */
async function allOf(path: string, key = tenant.liveKey): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
    const joined = `${path}${path.includes('?') ? '&' : '?'}limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const { body } = await apiClient(app, key).get(joined);
    rows.push(...(body.data as Row[]));
    cursor = body.nextCursor ?? body.next_cursor;
  }
  return rows;
}

async function fileOf(path: string, headers: Record<string, string> = {}) {
  const answer = await client.get(path, { ...CSV, ...headers });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(answer.headers['vary']).toMatch(/accept(?!-)/i);
  return { answer, rows: parse(answer.text, { columns: true }) as Record<string, string>[] };
}

const LISTS = [
  ['members', '/api/v1/members', 'id'],
  ['commissions', '/api/v1/commissions', 'id'],
  ['events', '/api/v1/events', 'event_id'],
] as const;

describe.each(LISTS)('%s', (name, path, id) => {
  test('has every row of the list, in its order', async () => {
    const { answer, rows } = await fileOf(path);
    const listed = await allOf(path);
    expect(listed.length).toBeGreaterThan(2);
    expect(rows.map((row) => row[id])).toEqual(listed.map((row) => row[id]));
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="${name}.csv"`);
    expect(answer.headers).not.toHaveProperty('link');
  });

  test('has a column for each field', async () => {
    const { rows } = await fileOf(`${path}?limit=1`);
    const [listed] = (await client.get(`${path}?limit=1`)).body.data as Row[];
    const columns = Object.keys(rows[0] ?? {}).map((column) => column.split('.')[0]);
    expect(new Set(columns)).toEqual(new Set(Object.keys(listed ?? {})));
  });

  test('is JSON for who takes either, whichever is preferred', async () => {
    for (const accept of ['*/*', 'application/json', 'text/html,*/*;q=0.1', 'application/json, text/csv;q=0.5']) {
      const answer = await client.get(path, { accept });
      expect(answer.headers['content-type'], accept).toMatch(/^application\/json/);
    }
    const preferred = await client.get(path, { accept: 'application/json;q=0.5, text/csv' });
    expect(preferred.headers['content-type']).toMatch(/^text\/csv/);
  });
});

test('a limit asks for one page, and the header Link has the next', async () => {
  const ids: string[] = [];
  for (let path: string | undefined = '/api/v1/members?limit=100&sort=-joined'; path !== undefined; ) {
    const { answer, rows } = await fileOf(path);
    expect(rows.length).toBeLessThanOrEqual(100);
    ids.push(...rows.map(({ id }) => String(id)));
    path = /^<([^>]+)>; rel="next"$/.exec(answer.headers['link'] ?? '')?.[1];
  }
  expect(ids).toEqual((await allOf('/api/v1/members?sort=-joined')).map(({ id }) => id));
});

test('a cursor is where it begins', async () => {
  const { body } = await client.get('/api/v1/members?limit=10');
  const { rows } = await fileOf(`/api/v1/members?cursor=${body.nextCursor}`);
  expect(rows.map(({ id }) => id)).toEqual((await allOf('/api/v1/members')).slice(10).map(({ id }) => id));
});

test('an empty list has the line of its columns alone', async () => {
  const { answer, rows } = await fileOf('/api/v1/members?joinedTo=2001-01-01T00:00:00Z');
  expect(rows).toEqual([]);
  expect(answer.text).toMatch(/^id,email,[^\r\n]+\r\n$/);
});

test('the trial balance is that in JSON', async () => {
  const { rows } = await fileOf('/api/v1/admin/ledger/trial-balance');
  const { accounts } = (await client.get('/api/v1/admin/ledger/trial-balance')).body as { accounts: Row[] };
  const shown = accounts.map(({ account, currency, balanceMinor, postings }) => [account, currency, balanceMinor, postings]);
  expect(rows.map((row) => [row['account'], row['currency'], Number(row['balanceMinor']), Number(row['postings'])])).toEqual(
    shown,
  );
  for (const currency of ['USD', 'JPY']) {
    const ofIt = rows.filter((row) => row['currency'] === currency);
    expect(ofIt.length).toBeGreaterThan(1);
    expect(ofIt.reduce((sum, { balanceMinor }) => sum + Number(balanceMinor), 0)).toBe(0);
  }
});

test("a member's ledger is that in JSON, a minus included", async () => {
  const path = `/api/v1/members/${payee}/ledger`;
  const { rows } = await fileOf(path);
  const listed = await allOf(path);
  expect(listed.length).toBe(2);
  expect(rows).toEqual(
    listed.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]))),
  );
});

test('nothing that somebody wrote begins like a formula', async () => {
  const { rows } = await fileOf('/api/v1/members?sort=-joined');
  const mine = rows.find(({ id }) => id === payee);
  expect(mine?.['name']).toBe(`'=HYPERLINK("http://evil.example")`);
  expect(mine?.['externalId']).toBe("'+1");
  const events = (await fileOf('/api/v1/events')).rows;
  expect(events.map((row) => row['external_event_id'])).toEqual(["'@order-0", "'@order-1", "'@order-2"]);
  expect(JSON.parse(String(events[0]?.['metadata']))).toEqual({ note: '"quoted", and\r\nin two lines' });
});

describe('who may not', () => {
  test('is refused in JSON, before a byte of the file', async () => {
    const weaker = await app.tenants.createKey({ tenantId: tenant.tenantId, environment: 'LIVE', scopes: ['leads:read'] });
    expectRefusal(await apiClient(app, weaker.apiKey).get('/api/v1/members', CSV), 403, 'FORBIDDEN');
    expectRefusal(await client.get('/api/v1/members?limit=0', CSV), 400, 'VALIDATION_ERROR');
    expectRefusal(await client.get('/api/v1/members?cursor=none', CSV), 400, 'VALIDATION_ERROR');
  });

  test('sees no row of another tenant or of the other environment', async () => {
    const stranger = await app.newTenant();
    for (const key of [stranger.liveKey, tenant.sandboxKey]) {
      for (const [, path] of LISTS) {
        const { text } = await apiClient(app, key).get(path, CSV);
        expect(text.split('\r\n')).toHaveLength(2);
      }
    }
  });

  test('sees, as a member, the own lines alone, and not why one is on hold', async () => {
    const other = await client.newMember();
    const held = (await allOf('/api/v1/commissions'))[0];
    expect((await client.post(`/api/v1/commissions/${String(held?.['id'])}/hold`, { reason: 'secret reason' })).status).toBe(200);
    const asMember = async (memberId: string) => {
      const { accessToken } = await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, memberId);
      return fileOf('/api/v1/commissions', { authorization: `Bearer ${accessToken}` });
    };
    const mine = await asMember(payee);
    expect(mine.rows).toHaveLength(3);
    expect(mine.answer.text).not.toContain('secret reason');
    expect((await fileOf('/api/v1/commissions')).answer.text).toContain('secret reason');
    expect((await asMember(other.id)).rows).toEqual([]);
  });

  test('is cut off in the middle, once the key is revoked', async () => {
    const large = await app.newTenant();
    const { ids } = await plantMembers(app, large, { count: 40_000, sponsor: 'nullif(n - 1, 0)' });
    const { apiKey, keyId } = await app.tenants.createKey({
      tenantId: large.tenantId,
      environment: 'LIVE',
      scopes: ['members:read'],
    });
    const sent = request(`${app.baseUrl}/api/v1/members`, { headers: { ...CSV, 'x-tenant-api-key': apiKey } });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    const revoked = await apiClient(app, large.liveKey).delete(`/api/v1/admin/api-keys/${keyId}`);
    expect(revoked.status, revoked.text).toBe(200);
    // Longer than a good key is remembered; nothing of the file is read meanwhile.
    await sleep(1_000);
    let text = '';
    answer.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    const [error] = (await once(answer, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
    expect(text.split('\r\n').length).toBeLessThan(ids.length);
  });
});
