/**
 * Whoever was let in and whose body is long in coming: what has ended meanwhile does nothing any more.
 * Sources: docs/specification/people.md#sessions, docs/specification/tenancy.md#key-cache.
 */
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiClient } from '../support/app/api-client.ts';
import { type RawAnswer, readAnswer } from '../support/app/raw-http.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';
import { formsOf, type Opened } from '../support/pages/browser.ts';
import { type RealPerson, realPerson } from '../support/pages/real-person.ts';

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  tenant = await app.newTenant();
});

/** Longer than anything is remembered of a session or a key. */
const A_SECOND = 1_000;

/** Sends all but the last byte, does something, and sends that too behind what is remembered. */
async function sendWithheld(
  path: string,
  headers: Record<string, string>,
  body: string,
  meanwhile: () => Promise<unknown>,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(app.baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  try {
    const bytes = Buffer.from(body);
    const lines = Object.entries({ host: `${hostname}:${port}`, connection: 'close', ...headers }).map((one) => one.join(': '));
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\ncontent-length: ${bytes.length}\r\n\r\n`);
    socket.write(bytes.subarray(0, -1));
    const answer = readAnswer(socket);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await meanwhile();
    await new Promise((resolve) => setTimeout(resolve, A_SECOND));
    socket.write(bytes.subarray(-1));
    return await answer;
  } finally {
    socket.destroy();
  }
}

function fieldsOf(page: Opened, action: string, typed: Record<string, string>): { address: string; fields: URLSearchParams } {
  const form = formsOf(page.text).find(({ fields }) => fields.get('_do') === action);
  if (!form) throw new Error(`no form of ${action}`);
  for (const [name, value] of Object.entries(typed)) form.fields.set(name, value);
  return form;
}

const ofPerson = ({ person }: RealPerson, type: string): Record<string, string> => ({
  cookie: `mcr=${person.cookie}`,
  'sec-fetch-site': 'same-origin',
  'content-type': type,
});

const endSession = ({ person }: RealPerson) =>
  app.database.asSuperuser(
    `update staff_session set ended_at = now(), ended_by = 'operator', ended_reason = 'ended' where id = $1`,
    [person.sessionId],
  );

describe('a form of somebody', () => {
  const rename = async (by: RealPerson, meanwhile: () => Promise<unknown>): Promise<RawAnswer> => {
    const form = fieldsOf(await by.browser.open(`${by.home()}/account`), 'rename', { name: 'Written Late' });
    return sendWithheld(form.address, ofPerson(by, 'application/x-www-form-urlencoded'), form.fields.toString(), meanwhile);
  };
  const nameOf = async ({ person }: RealPerson): Promise<string | undefined> => {
    const [row] = await app.database.asSuperuser<{ name: string }>('select name from staff where id = $1', [person.staffId]);
    return row?.name;
  };

  test('who is still there by its last byte is done', async () => {
    const by = await realPerson(app, tenant, { role: 'admin' });
    expect((await rename(by, async () => undefined)).status).toBe(303);
    expect(await nameOf(by)).toBe('Written Late');
  });

  test('whose session ended before its last byte leads to sign in, and writes nothing', async () => {
    const by = await realPerson(app, tenant, { role: 'admin' });
    const sent = await rename(by, () => endSession(by));
    expect([sent.status, sent.headers['location']]).toEqual([303, expect.stringContaining('/dashboard/sign-in?next=')]);
    expect(await nameOf(by)).toBe('Pat Planted');
  });

  test('whose second factor is no longer of just now is asked for it', async () => {
    const by = await realPerson(app, tenant, { role: 'admin' });
    const form = fieldsOf(await by.browser.open(`${by.home()}/account`), 'recoveryCodes', {});
    const sent = await sendWithheld(form.address, ofPerson(by, 'application/x-www-form-urlencoded'), form.fields.toString(), () =>
      app.database.asSuperuser(`update staff_session set factor_at = now() - interval '11 minutes' where id = $1`, [
        by.person.sessionId,
      ]),
    );
    expect(sent.status).toBe(403);
    expect(await app.database.asSuperuser('select 1 from staff_recovery_code where staff_id = $1', [by.person.staffId])).toEqual(
      [],
    );
  });

  test('of parts, whose session ended before its fields were read, imports nothing', async () => {
    const by = await realPerson(app, tenant, { role: 'admin' });
    const { address, fields } = fieldsOf(await by.browser.open(`${by.home()}/imports`), 'send', {});
    const part = (head: string, content: string): string =>
      `--XX\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
    const sent = [...fields].map(([name, value]) => part(`name="${name}"`, value)).join('');
    const file = part('name="file"; filename="a.csv"', 'email,name\nada@shop.example,Ada');
    // The last byte of the fields is withheld, and the file comes with it.
    const head = `${sent}${file}--XX--\r\n`;
    const { hostname, port } = new URL(app.baseUrl);
    const socket = connect({ host: hostname, port: Number(port) });
    const headers = { host: `${hostname}:${port}`, connection: 'close', ...ofPerson(by, 'multipart/form-data; boundary=XX') };
    const lines = Object.entries(headers).map((one) => one.join(': '));
    socket.write(`POST ${address} HTTP/1.1\r\n${lines.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(head)}\r\n\r\n`);
    socket.write(sent.slice(0, -1));
    const answer = readAnswer(socket);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await endSession(by);
    await new Promise((resolve) => setTimeout(resolve, A_SECOND));
    socket.write(head.slice(sent.length - 1));
    const { status, headers: said } = await answer;
    socket.destroy();
    expect([status, said['location']]).toEqual([303, expect.stringContaining('/dashboard/sign-in?next=')]);
    expect((await apiClient(app, tenant.liveKey).get('/api/v1/imports')).body.data).toEqual([]);
  });
});

describe('a body with a key', () => {
  const lead = JSON.stringify({ email: 'late@shop.example' });
  const headers = (key: string) => ({
    'x-tenant-api-key': key,
    'content-type': 'application/json',
    'idempotency-key': 'late-lead',
  });
  const leads = async (): Promise<unknown[]> => (await apiClient(app, tenant.liveKey).get('/api/v1/leads')).body.data;
  const newKey = async (): Promise<{ id: string; apiKey: string }> =>
    (await apiClient(app, tenant.liveKey).post('/api/v1/admin/api-keys', { name: 'late', scopes: ['leads:write'] })).body;

  test('that is good by its last byte is taken', async () => {
    const { apiKey } = await newKey();
    expect((await sendWithheld('/api/v1/leads/capture', headers(apiKey), lead, async () => undefined)).status).toBe(201);
    expect(await leads()).toHaveLength(1);
  });

  test('that was revoked before its last byte is refused, and writes nothing', async () => {
    const { id, apiKey } = await newKey();
    const revoke = () => apiClient(app, tenant.liveKey).delete(`/api/v1/admin/api-keys/${id}`);
    const sent = await sendWithheld('/api/v1/leads/capture', headers(apiKey), lead, async () =>
      expect((await revoke()).status).toBeLessThan(300),
    );
    expect([sent.status, JSON.parse(sent.body).code]).toEqual([401, 'INVALID_API_KEY']);
    expect(await leads()).toEqual([]);
  });
});
