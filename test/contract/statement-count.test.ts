/**
 * The SQL of each operation, by name: the same statements however long the list or deep the tree
 * (docs/specification/conventions.md#statement-counts). A new statement has to be written down here.
 */

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient } from '../support/app/api-client.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { gatherFromFeatures } from '../support/gather.ts';
import { newUpline } from '../support/money/model-upline.ts';
import { alone, type Counted, read, type StatementRow, write } from '../support/statements/statement-row.ts';

/** What a group of one statement without locks opens with. */
const PLAIN_OPENINGS = ['scope', 'scope_keeping_plans'];

let world: Counted;
let statements: string[] = [];
/** Which sent a statement last. */
const connections = new Map<string, pg.Client>();

const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;

beforeAll(async () => {
  const app = await startTestApp({ DATABASE_POOL_SIZE: '1' });
  const { tenantId, liveKey } = await app.newTenant();
  const client = apiClient(app, liveKey);
  const chain = await newUpline(client, 'D D D D D');
  const deep = [...(await newUpline(client, 'O'.repeat(40), chain[0])), ...chain];
  for (let i = 0; i < 60; i++) await client.newMember({ parent_id: chain[0]?.id });
  const forget = (): void => {
    statements = [];
  };
  // A connection's first transaction of one statement sends one more ahead.
  await client.get(`/api/v1/members/${chain[0]?.id}/balances`);
  world = { app, client, tenantId, scope: { tenantId, environment: 'LIVE' }, liveKey, chain, deep, forget };
  pg.Client.prototype.query = function countingQuery(this: pg.Client, ...args: unknown[]) {
    const [what] = args as [string | { name?: string; text?: string; opening?: string }];
    // A group alone opens with its scope, and with the locks of its statement where it has some.
    if (typeof what === 'object' && what.opening !== undefined && !PLAIN_OPENINGS.includes(what.opening))
      statements.push(what.opening);
    statements.push(typeof what === 'string' ? frameWord(what) : (what.name ?? 'built'));
    if (typeof what === 'object' && what.name !== undefined) connections.set(what.name, this);
    return query.apply(this, args);
  } as typeof pg.Client.prototype.query;
});
afterAll(async () => {
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query;
  await world.app.close();
});

/** `begin; select set_config(…)` is one message. */
const frameWord = (text: string) => text.split(/[; ]/)[0] ?? '';

/**
 * The key's lookup is remembered for a second and not part of the operation; a cold one is one statement more. So is
 * what a connection that the pool has made anew sends ahead of its first transaction of one statement.
 */
async function statementsOf(call: () => Promise<{ status: number }>, status: number): Promise<string[]> {
  await world.client.get(`/api/v1/members/${world.chain[0]?.id}/balances`);
  statements = [];
  expect((await call()).status).toBe(status);
  return statements.filter((name) => name !== 'resolve_api_key');
}

const gathered = await gatherFromFeatures('statements.ts');
const table = gathered.filter(({ name }) => name.endsWith('Statements')).flatMap(({ value }) => value as StatementRow[]);

test.each(table)('%s', async (_operation, call, status, expected) => {
  expect(await statementsOf(() => call(world), status)).toEqual(expected);
});

test('recordPurchase repeated: the facts, the first answer', async () => {
  const { client, chain } = world;
  const body = client.purchaseBody({ attribution: { user_id: chain[0]?.id } });
  const { body: first } = await client.post('/api/v1/events/purchase', body);
  const again = await statementsOf(() => client.post('/api/v1/events/purchase', body), 200);
  expect(again).toEqual(
    write('events_fix_time', 'events_purchase_facts', 'attribution_candidates', 'events_find_by_external_id'),
  );
  expect(await statementsOf(() => client.get(`/api/v1/events/${first.event_id}`), 200)).toEqual(alone('events_find_by_id'));
  expect(await statementsOf(() => client.get(`/api/v1/events/${first.event_id}/explain`), 200)).toEqual(
    read('events_find_by_id', 'events_explain_extras'),
  );
});

test('recordPurchase, several at once: the statements of one, for all of a batch', async () => {
  const { app } = world;
  const eager = await startTestApp({ PURCHASE_COALESCING: 'always', DATABASE_POOL_SIZE: '1' }, app.database);
  try {
    const client = apiClient(eager, (await eager.newTenant()).liveKey);
    const [member] = await newUpline(client, 'D D D');
    const send = () =>
      client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: member?.id } }), {
        'idempotency-key': crypto.randomUUID(),
      });
    await send();
    statements = [];
    const answers = await Promise.all(Array.from({ length: 12 }, send));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const sent = statements.filter((name) => name !== 'resolve_api_key');
    const reads = ['events_fix_time', 'events_purchases_facts', 'attribution_candidates_of_many'];
    const batch = write(
      'events_wait_briefly',
      'idempotency_claim_many',
      ...reads,
      'idempotency_store_many',
      'events_insert_many',
    );
    const batches = sent.length / batch.length;
    expect(sent).toEqual(Array.from({ length: batches }, () => batch).flat());
    expect(batches).toBeLessThan(12);
  } finally {
    await eager.close();
  }
});

test('what is sent most is not planned anew each time', async () => {
  const { app } = world;
  const eager = await startTestApp({ PURCHASE_COALESCING: 'always', DATABASE_POOL_SIZE: '1' }, app.database);
  const calm = await startTestApp({ PURCHASE_COALESCING: 'off', DATABASE_POOL_SIZE: '1' }, app.database);
  try {
    for (const { plans, service } of [
      { plans: 'events_insert_many', service: eager },
      { plans: 'events_insert', service: calm },
    ]) {
      const { liveKey, tenantId } = await service.newTenant();
      const client = apiClient(service, liveKey);
      const [member] = await newUpline(client, 'D D D');
      // What the planner knows of a table tells it whether a plan of its own is worth it.
      await app.database.asSuperuser(
        `insert into lead (tenant_id, environment, email)
           select '${tenantId}', 'LIVE', 'lead-' || n || '@planned.example' from generate_series(1, 20000) n`,
      );
      await app.database.asSuperuser('analyze lead, member');
      connections.clear();
      for (let n = 0; n < 12; n++) {
        const body = client.purchaseBody({ attribution: { user_id: member?.id } });
        await client.post('/api/v1/events/purchase', body, { 'idempotency-key': crypto.randomUUID() });
        await client.newMember({ parent_id: member?.id });
        await client.get(`/api/v1/users/status?user_id=${member?.id}`);
      }
      const kept = await plansOf(connections.get(plans));
      expect(kept.find(({ name }) => name === plans)).toMatchObject({ custom: 0 });
      expect(kept.find(({ name }) => name.startsWith('users_insert'))).toMatchObject({ custom: 0 });
      // A table's new statistics have its plans made again, and that is counted.
      expect(kept.filter(({ custom, generic }) => custom > 5 && custom > generic)).toEqual([]);
    }
  } finally {
    await Promise.all([eager.close(), calm.close()]);
  }
});

/** How often the connection's statements ran by a plan for their values, and by one for all. */
async function plansOf(
  connection: pg.Client = expect.unreachable(),
): Promise<{ name: string; custom: number; generic: number }[]> {
  const text = 'select name, custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements';
  return (await connection.query(text)).rows;
}

test('every operation of the service is in the table', () => {
  const listed = new Set(table.map(([operation]) => operation.split(/[ ,]/)[0]));
  listed.add('getEvent');
  listed.add('explainEvent');
  expect(world.app.composition.app.operations.map((operation) => operation.operationId).filter((id) => !listed.has(id))).toEqual(
    [],
  );
});
