/**
 * The SQL of each operation, by name: the same statements however long the list or deep the tree
 * (performance.md). A new statement has to be written down here.
 */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../support/api-client.ts';
import { newUpline } from '../support/model-upline.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
let client: ApiClient;
let chain: MemberBody[];
let deep: MemberBody[];
let statements: string[] = [];

const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_POOL_SIZE: '1' });
  client = apiClient(app, (await app.newTenant()).liveKey);
  chain = await newUpline(client, 'D D D D D');
  deep = [...(await newUpline(client, 'O'.repeat(40), chain[0])), ...chain];
  for (let i = 0; i < 60; i++) await client.newMember({ parent_id: chain[0]?.id });
  pg.Client.prototype.query = function countingQuery(this: pg.Client, ...args: unknown[]) {
    const [what] = args as [string | { name?: string; text?: string }];
    statements.push(typeof what === 'string' ? frameWord(what) : (what.name ?? 'built'));
    return query.apply(this, args);
  } as typeof pg.Client.prototype.query;
});
afterAll(async () => {
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query;
  await app.close();
});

/** `begin; select set_config(…)` is one message. */
const frameWord = (text: string) => text.split(/[; ]/)[0] ?? '';

/** The key's lookup is remembered for a second and not part of the operation; a cold one is one statement more. */
async function statementsOf(call: () => Promise<{ status: number }>, status: number): Promise<string[]> {
  await client.get('/api/v1/users?limit=1');
  statements = [];
  expect((await call()).status).toBe(status);
  return statements.filter((name) => name !== 'resolve_api_key');
}

const post = (path: string, body: object, headers?: Record<string, string>) => () => client.post(path, body, headers);
const get = (path: string) => () => client.get(path);
const email = () => ({ email: `${crypto.randomUUID()}@shop.example` });
const key = () => ({ 'idempotency-key': crypto.randomUUID() });
const claim = ['idempotency_wait', 'idempotency_claim', 'idempotency_reset_wait'];

const write = (...inner: string[]) => ['begin', ...inner, 'commit'];
const read = (...inner: string[]) => ['begin', ...inner, 'rollback'];

const purchaseOf = (by: () => MemberBody | undefined) => () =>
  client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: by()?.id } }));

const table: [operation: string, call: () => Promise<{ status: number }>, status: number, expected: string[]][] = [
  ['createUser, a root', () => post('/api/v1/users', email())(), 201, write('users_lock_tree_shared', 'users_insert')],
  [
    'createUser under 5',
    () => post('/api/v1/users', { ...email(), parent_id: chain[0]?.id })(),
    201,
    write('users_lock_tree_shared', 'users_insert'),
  ],
  [
    'createUser under 45, by code',
    () => post('/api/v1/users', { ...email(), referral_code: deep[0]?.referral_code })(),
    201,
    write('users_lock_tree_shared', 'users_insert'),
  ],
  [
    'createUser with an Idempotency-Key',
    () => post('/api/v1/users', email(), key())(),
    201,
    write(...claim, 'users_lock_tree_shared', 'users_insert', 'idempotency_store'),
  ],
  ['listUsers of 1', () => get('/api/v1/users?limit=1')(), 200, read('built')],
  ['listUsers of 100', () => get('/api/v1/users?limit=100')(), 200, read('built')],
  ['getUserStatus', () => get(`/api/v1/users/status?user_id=${chain[4]?.id}`)(), 200, read('users_status')],
  [
    'updateUser, flag only',
    () => client.patch(`/api/v1/users/${chain[4]?.id}`, { can_recruit: true }),
    200,
    write('users_lock_tree', 'users_find_for_update', 'history_now', 'history_apply', 'users_find_for_update'),
  ],
  [
    'updateUser, tier and activity',
    () => client.patch(`/api/v1/users/${deep[0]?.id}`, { membership_tier: 'SENIOR', is_active: false }),
    200,
    write(
      'users_find_for_update',
      'history_now',
      'history_record_tier',
      'history_record_activity',
      'history_apply',
      'users_find_for_update',
    ),
  ],
  ['captureLead', () => post('/api/v1/leads/capture', email())(), 201, write('leads_upsert')],
  ['recordPurchase paying 5 levels', purchaseOf(() => chain[0]), 201, write('events_purchase_facts', 'events_insert_purchase')],
  [
    'recordPurchase through 45 levels: one more read',
    purchaseOf(() => deep[1]),
    201,
    write('events_purchase_facts', 'events_upline_as_of', 'events_insert_purchase'),
  ],
  [
    'recordPurchase with 100 line items',
    () =>
      client.post(
        '/api/v1/events/purchase',
        client.purchaseBody({ line_items: Array.from({ length: 100 }, (_, i) => ({ sku: `s${i}`, amount_minor: i })) }),
      ),
    201,
    write('events_purchase_facts', 'events_insert_purchase'),
  ],
  [
    'getCommissionBreakdown',
    () => get(`/api/v1/members/${chain[4]?.id}/commissions/breakdown`)(),
    200,
    read('members_breakdown'),
  ],
  [
    'verifyLedger',
    () => get('/api/v1/admin/ledger/verify')(),
    200,
    read(
      'ledger_tune_for_ranges',
      'ledger_find_block',
      'ledger_next_block',
      'ledger_verify_blocks',
      'ledger_next_journals',
      'ledger_verify_ranges',
    ),
  ],
  [
    'getTrialBalance',
    () => get('/api/v1/admin/ledger/trial-balance')(),
    200,
    read('ledger_tune_for_ranges', 'ledger_as_of', 'ledger_next_journals', 'ledger_fold_accounts'),
  ],
  [
    'getTrialBalance, as of an instant',
    () => get('/api/v1/admin/ledger/trial-balance?asOf=2025-01-01T00:00:00Z')(),
    200,
    read('ledger_tune_for_ranges', 'ledger_as_of', 'ledger_next_journals', 'ledger_fold_accounts_as_of'),
  ],
  ['getMemberBalances', () => get(`/api/v1/members/${chain[0]?.id}/balances`)(), 200, read('ledger_member_balances')],
  ['listMemberLedger of 1', () => get(`/api/v1/members/${chain[0]?.id}/ledger?limit=1`)(), 200, read('ledger_member_entries')],
  [
    'listMemberLedger of 100',
    () => get(`/api/v1/members/${chain[0]?.id}/ledger?limit=100`)(),
    200,
    read('ledger_member_entries'),
  ],
];

test.each(table)('%s', async (_operation, call, status, expected) => {
  expect(await statementsOf(call, status)).toEqual(expected);
});

test('recordPurchase repeated: the facts, the first answer', async () => {
  const body = client.purchaseBody({ attribution: { user_id: chain[0]?.id } });
  const { body: first } = await client.post('/api/v1/events/purchase', body);
  const again = await statementsOf(post('/api/v1/events/purchase', body), 200);
  expect(again).toEqual(write('events_purchase_facts', 'events_find_by_external_id'));
  expect(await statementsOf(get(`/api/v1/events/${first.event_id}`), 200)).toEqual(read('events_find_by_id'));
});

test('every operation of the service is in the table', () => {
  const listed = new Set(table.map(([operation]) => operation.split(/[ ,]/)[0]));
  listed.add('getEvent');
  expect(app.composition.app.operations.map((operation) => operation.operationId).filter((id) => !listed.has(id))).toEqual([]);
});
