/** An erasure beside what is told, and read, while it runs: docs/security/erasure.md. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bySystem } from '../../../src/actor.ts';
import type { Scope } from '../../../src/db/scope.ts';
import { lockLead, updateLead } from '../../../src/features/leads/leads-queries.ts';
import { tell } from '../../../src/features/webhooks/webhooks-service.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { beside, blocked } from '../../support/database/beside.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { purchaseOf } from '../../support/money/money-calls.ts';
import { toldEvents } from '../../support/webhooks/told-events.ts';
import { newSnapshot, readSnapshot, runSnapshots } from './snapshot-calls.ts';

let app: TestApp;
let scope: Scope;
let client: ApiClient;
let member: MemberBody;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
  // Whoever waits for a lock does so for two seconds; a busy machine takes longer for what happens meanwhile.
  await app.database.asSuperuser(
    `do $$ begin
       execute format('alter role svc_app in database %I set lock_timeout = ''60s''', current_database());
       execute format('alter role svc_app in database %I set statement_timeout = ''60s''', current_database());
     end $$`,
  );
  await app.database.asSuperuser(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'svc_app'",
  );
  // Until the pool has other connections.
  await eventually(() =>
    app.newTenant().then(
      () => true,
      () => false,
    ),
  );
});
afterAll(() => app.close());
beforeEach(async () => {
  const { tenantId, sandboxKey } = await app.newTenant();
  // Here everything is written down.
  scope = { tenantId, environment: 'SANDBOX' };
  client = apiClient(app, sandboxKey);
  member = await client.newMember({ email: `${randomUUID()}@adasword.example`, name: 'Adasword' });
});

async function erase(): Promise<void> {
  const { status, text } = await client.post(`/api/v1/members/${member.id}/erasure`, { acknowledgeOwed: true });
  expect(status, text).toBe(200);
}
const typesWith = async (word: string): Promise<string[]> =>
  (await toldEvents(app, scope)).filter(({ data }) => JSON.stringify(data).includes(word)).map(({ type }) => type);

test('a purchase that is committed while an erasure waits for its customer is emptied, and what came with it goes', async () => {
  const other = await client.newMember();
  const customer = { external_id: randomUUID(), email: member.email };
  await purchaseOf(client, { customer, attribution: { user_id: other.id } });
  const { erased, sale } = await beside(app.database, scope, async (holder) => {
    await holder.query('select from customer where external_id = $1 for key share', [customer.external_id]);
    const erasing = erase();
    await blocked(app.database);
    const bought = await purchaseOf(client, { customer, metadata: { gift: 'Adasword' }, attribution: { user_id: other.id } });
    return { erased: erasing, sale: bought };
  });
  await erased;
  expect(await typesWith('dasword')).toEqual([]);
  const told = (await toldEvents(app, scope)).filter(({ objectId }) => objectId === sale.event_id);
  expect(told.map(({ type, data }) => [type, data])).toEqual([
    ['event.purchase_recorded', null],
    ['commissions.created', null],
  ]);
  expect(await app.database.asSuperuser('select metadata from event_detail where event_id = $1', [sale.event_id])).toEqual([
    { metadata: null },
  ]);
});

test('what is told of a lead while an erasure runs is waited for, and emptied', async () => {
  const { body: lead } = await client.post('/api/v1/leads/capture', { email: `${randomUUID()}@adasword.example` });
  member = await client.newMember({ email: lead.email });
  const { promise: changed, resolve: change } = Promise.withResolvers<void>();
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const by = bySystem('expire-leads');
  const changing = app.composition.frames.write(scope, async (db) => {
    await lockLead(db, scope, lead.id);
    await updateLead(db, scope, lead.id, { name: 'Adasword', phone: undefined, source: undefined, status: undefined }, by.actor);
    tell(db, by, 'lead.updated', lead.id);
    change();
    await finished;
  });
  await changed;
  const erasing = erase();
  await blocked(app.database);
  finish();
  await Promise.all([changing, erasing]);
  const told = (await toldEvents(app, scope)).filter(({ objectId }) => objectId === lead.id);
  expect(told.map(({ type, data }) => [type, data])).toEqual([
    ['lead.captured', null],
    ['lead.converted', null],
    ['lead.updated', null],
  ]);
});

test('a snapshot that is asked for while an erasure runs waits for it, and has nothing of the member', async () => {
  await client.patch(`/api/v1/members/${member.id}/profile`, { givenName: 'Ada' });
  const { erased, made } = await beside(app.database, scope, async (holder) => {
    // The profile is erased behind the snapshots that there are.
    await holder.query('select from member_profile where member_id = $1 for update', [member.id]);
    const erasing = erase();
    await blocked(app.database);
    const making = newSnapshot(client, ['members']).then(async (id) => {
      await runSnapshots(app);
      return id;
    });
    await Promise.race([making, blocked(app.database, 2)]);
    return { erased: erasing, made: making };
  });
  await erased;
  const { lines } = await readSnapshot(client, await made);
  expect(lines.map(({ objectId }) => objectId)).toEqual([member.id]);
  expect(JSON.stringify(lines)).not.toContain('dasword');
});
