/** What is in the file of each kind: what its list answers, with the same filters. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { payOut } from '../../support/money/pay-out.ts';
import { cellsOf, exportFile, exportLines, listAll, type Row } from './export-calls.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let members: MemberBody[];

beforeAll(async () => {
  app = await startTestApp({ EXPORT_PAGE_ROWS: '4' });
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  const top = await client.newMember({ name: 'Ada', external_id: 'a-1' });
  members = [top];
  for (let n = 0; n < 9; n++) {
    members.push(await client.newMember({ parent_id: members.at(n % 3)?.id, is_active: n % 2 === 0, membership_tier: 'SENIOR' }));
  }
  for (let n = 0; n < 7; n++) {
    const purchase = client.purchaseBody({
      attribution: { user_id: members.at(-1 - n)?.id },
      occurred_at: new Date(Date.now() - n * 40 * 86_400_000).toISOString(),
      metadata: { n, note: '=1+1' },
      line_items: [{ sku: 'x', amount_minor: 10_000 }],
    });
    expect((await client.post('/api/v1/events/purchase', purchase)).status).toBe(201);
  }
});
afterAll(() => app.close());

const idsOf = (rows: readonly Row[], field = 'id') => rows.map((row) => row[field]);
const lines = (kind: string, filters: object = {}) => exportLines(app, tenant.liveKey, { kind, filters });
const list = (path: string, query: Record<string, unknown> = {}) => listAll(app, tenant.liveKey, path, query);

describe('members', () => {
  test.each([
    ['all', {}, 10],
    ['active ones', { isActive: true }, 6],
    ['inactive ones of a tier', { isActive: false, tier: 'SENIOR' }, 4],
    ['by name', { name: 'AD' }, 1],
    ['by time of joining', { joinedFrom: '2020-01-01T00:00:00Z', joinedTo: '2120-01-01T00:00:00Z' }, 10],
    ['nobody', { joinedTo: '2020-01-01T00:00:00Z' }, 0],
  ])('are the items of GET /members: %s', async (_name, filters, count) => {
    const rows = await lines('members', filters);
    expect(rows).toHaveLength(count);
    expect(rows).toEqual(await list('/api/v1/members', filters));
  });

  test('of one sponsor', async () => {
    const filters = { sponsorId: members[0]?.id };
    const rows = await lines('members', filters);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows).toEqual(await list('/api/v1/members', filters));
  });
});

describe('commissions', () => {
  test.each([
    ['all', {}],
    ['of a level', { level: 1 }],
    ['by status and kind', { status: 'pending', kind: 'commission' }],
    ['by currency', { currency: 'USD' }],
    ['of a month', { period: new Date().toISOString().slice(0, 7) }],
  ])('are the items of GET /commissions: %s', async (_name, filters) => {
    const rows = await lines('commissions', filters);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows).toEqual(await list('/api/v1/commissions', filters));
  });

  test('of one member', async () => {
    const rows = await lines('commissions', { userId: members[0]?.id });
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(idsOf(rows, 'userId'))).toEqual(new Set([members[0]?.id]));
  });
});

describe('events', () => {
  test.each([
    ['all', {}],
    ['by kind and time', { kind: 'purchase', occurred_from: new Date(Date.now() - 100 * 86_400_000).toISOString() }],
  ])('are the items of GET /events: %s', async (_name, filters) => {
    const rows = await lines('events', filters);
    expect(rows.length).toBeGreaterThan(2);
    expect(rows).toEqual(await list('/api/v1/events', filters));
  });

  test('of one customer', async () => {
    const [first] = await list('/api/v1/events');
    const customer = first?.['customer'] as { external_id: string };
    expect(idsOf(await lines('events', { customer_external_id: customer.external_id }), 'event_id')).toEqual([
      first?.['event_id'],
    ]);
  });
});

describe('ledger', () => {
  const placed = (rows: readonly Row[]) => rows.map(({ journalId, seq, amountMinor }) => [journalId, seq, amountMinor]);

  test('has every posting, and the postings of a currency sum to 0', async () => {
    const rows = await lines('ledger');
    const [stored] = await app.database.asSuperuser<{ count: number }>(
      `select count(*)::int as count from posting where tenant_id = $1 and environment = 'LIVE'`,
      [tenant.tenantId],
    );
    expect(rows).toHaveLength(stored?.count ?? -1);
    expect(rows.reduce((sum, { amountMinor }) => sum + Number(amountMinor), 0)).toBe(0);
  });

  test("of a member are the entries of the member's ledger", async () => {
    const entries = await list(`/api/v1/members/${members[0]?.id}/ledger`);
    const rows = await lines('ledger', { userId: members[0]?.id, currency: 'USD' });
    expect(entries.length).toBeGreaterThan(0);
    expect(placed(rows)).toEqual(placed(entries));
    expect(rows.map(({ account, userId }) => [account, userId])).toEqual(
      entries.map(({ account }) => [`member:${String(account)}`, members[0]?.id]),
    );
    expect(await lines('ledger', { userId: members[0]?.id, currency: 'EUR' })).toEqual([]);
  });

  test('is cut by the time of recording, the first instant in and the last out', async () => {
    const rows = await lines('ledger');
    const middle = String(rows.at(-6)?.['recordedAt']);
    const [before, since] = [await lines('ledger', { to: middle }), await lines('ledger', { from: middle })];
    expect(before.length).toBeGreaterThan(0);
    expect(placed([...before, ...since])).toEqual(placed(rows));
    expect(since.map(({ recordedAt }) => recordedAt)).toContain(middle);
    expect(await lines('ledger', { from: '2100-01-01T00:00:00Z' })).toEqual([]);
  });
});

test('payouts are the items of GET /payouts', async () => {
  const payee = members[0]?.id ?? '';
  await payOut(app, idsOf(await list('/api/v1/commissions', { userId: payee })) as string[]);
  const rows = await lines('payouts', { userId: payee });
  expect(rows.length).toBeGreaterThan(0);
  expect(rows).toEqual(await list('/api/v1/payouts', { userId: payee }));
  expect(await lines('payouts', { status: 'returned' })).toEqual([]);
});

describe('the audit log', () => {
  const filters = { action: 'thing.done' };
  const write = (details: Record<string, unknown>, kind = 'api_key') =>
    app.database.asSuperuser(
      `with entry as (
         insert into audit_log (tenant_id, environment, action, actor_kind, actor_id, object_kind, object_id, operation_id, details)
         values ($1, 'LIVE', 'thing.done', $2, $3, 'thing', '=2+5', '@do', $4) returning id)
       insert into audit_origin (tenant_id, environment, entry_id, ip) select $1, 'LIVE', id, '192.0.2.1' from entry`,
      [tenant.tenantId, kind, members[0]?.id, details],
    );

  test('is the items of GET /admin/audit-logs, and tells of the export', async () => {
    await write({ n: 1 });
    await write({ n: 2 }, 'member');
    const rows = await lines('auditLogs', filters);
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(await list('/api/v1/admin/audit-logs', filters));
    expect(rows[0]).toMatchObject({ actor: { kind: 'member', name: 'Ada' }, ip: '192.0.2.1' });
    expect(await lines('auditLogs', { ...filters, actorKind: 'member', actorId: members[0]?.id })).toEqual([rows[0]]);
    expect(await lines('auditLogs', { ...filters, from: '2100-01-01T00:00:00Z' })).toEqual([]);
    const deeds = await list('/api/v1/admin/audit-logs', { targetKind: 'export' });
    expect(deeds.slice(0, 2).map((entry) => [entry['action'], (entry['details'] as Row)['kind']])).toEqual([
      ['export.downloaded', 'auditLogs'],
      ['export.created', 'auditLogs'],
    ]);
  });

  test('has no formula in its CSV', async () => {
    const { text } = await exportFile(app, tenant.liveKey, { kind: 'auditLogs', format: 'csv', filters });
    expect(text.slice(0, text.indexOf('\r\n'))).toBe(
      'id,createdAt,action,actor.kind,actor.id,actor.name,target.kind,target.id,operationId,requestId,ip,details',
    );
    const [cells] = cellsOf(text);
    expect(cells).toMatchObject({
      action: 'thing.done',
      'actor.name': 'Ada',
      'target.id': "'=2+5",
      operationId: "'@do",
      requestId: '',
      ip: '192.0.2.1',
      details: '{"n":2}',
    });
  });
});

test('the trial balance is that of GET /admin/ledger/trial-balance at the instant', async () => {
  const asOf = new Date().toISOString();
  const answer = await client.get(`/api/v1/admin/ledger/trial-balance?asOf=${asOf}`);
  const { accounts } = answer.body as { accounts: Row[] };
  expect(accounts.length).toBeGreaterThan(1);
  expect(await lines('trialBalance', { asOf })).toEqual(accounts.map((account) => ({ asOf, ...account })));
});

describe('CSV', () => {
  /** Of a row's fields; an object is one where a column begins with its name. */
  const pathsOf = (row: Row, columns: readonly string[]): string[] =>
    Object.entries(row).flatMap(([name, value]) => {
      if (!columns.some((column) => column.startsWith(`${name}.`))) return [name];
      return Object.keys(value ?? {}).map((inner) => `${name}.${inner}`);
    });

  test.each(['members', 'commissions', 'events', 'ledger', 'payouts', 'trialBalance'])(
    'has a row of %s for each line of NDJSON',
    async (kind) => {
      const filters = kind === 'trialBalance' ? { asOf: new Date().toISOString() } : {};
      const rows = await lines(kind, filters);
      const { run, text } = await exportFile(app, tenant.liveKey, { kind, format: 'csv', filters });
      const cells = cellsOf(text);
      expect(run.rowCount).toBe(rows.length);
      expect(run.byteCount).toBe(Buffer.byteLength(text));
      expect(cells).toHaveLength(rows.length);
      expect(text.endsWith('\r\n')).toBe(true);
      const columns = text.slice(0, text.indexOf('\r\n')).split(',');
      for (const [index, row] of rows.entries()) {
        expect(pathsOf(row, columns).filter((path) => !columns.includes(path))).toEqual([]);
        for (const [column, cell] of Object.entries(cells[index] ?? {})) {
          const value = column.split('.').reduce<unknown>((part, name) => (part as Row | null)?.[name], row) ?? '';
          expect(cell).toBe(typeof value === 'string' ? value : JSON.stringify(value));
        }
      }
    },
  );
});
