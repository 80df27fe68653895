/** What is told, in the transaction of its cause: docs/specification/webhooks.md#events. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { openEar, sealAll, toldEvents } from '../../support/webhooks/told-events.ts';

let app: TestApp;
let tenant: TestTenant;
let scope: Scope;
let client: ApiClient;
let ear: ReturnType<typeof openEar>;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' };
  client = apiClient(app, tenant.sandboxKey);
  ear = openEar(app, scope);
  await ear.heard(); // the tenant's key
});
afterAll(() => app.close());

const read = async (path: string) => (await client.get(path)).body;

describe('members', () => {
  test('are told as the API shows them, by whoever did it', async () => {
    const member = await client.newMember({ name: 'Ann' });
    const [created, ...rest] = await ear.heard();
    expect(rest).toEqual([]);
    expect(created).toMatchObject({ type: 'member.created', objectId: member.id, leftOut: [] });
    expect(created?.actor).toMatch(/^api_key:[0-9a-f-]{36}$/);
    expect(created?.data).toEqual(await read(`/api/v1/users/${member.id}`));
    const path = `/api/v1/users/${member.id}`;
    await client.patch(path, { name: 'Bea' });
    await client.patch(path, { email: `${randomUUID()}@new.example`, is_active: false });
    await client.patch(path, { name: 'Bea' });
    const changes = await ear.heard();
    expect(changes.map(({ type }) => type)).toEqual(['member.updated', 'member.email_changed', 'member.deactivated']);
    expect(changes[0]?.data['name']).toBe('Bea');
    expect(changes.at(-1)?.data).toEqual(await read(path));
    const versions = [created, ...changes].map((event) => event?.version ?? 0);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(new Set(versions.slice(0, 3)).size).toBe(3);
  });

  test('that move or are erased are told of', async () => {
    const [sponsor, member] = [await client.newMember(), await client.newMember({ name: 'Carl' })];
    await ear.heard();
    await client.post(`/api/v1/members/${member.id}/sponsor`, { sponsorId: sponsor.id });
    expect((await ear.heard()).map(({ type }) => type)).toEqual(['member.moved']);
    await client.post(`/api/v1/members/${member.id}/erasure`, {});
    const [erased] = await ear.heard();
    expect(erased).toMatchObject({ type: 'member.erased', objectId: member.id });
    expect(erased?.data).toEqual(await read(`/api/v1/users/${member.id}`));
    expect(JSON.stringify(erased?.data)).not.toContain('Carl');
  });
});

test('leads are told of', async () => {
  const email = `${randomUUID()}@lead.example`;
  const { body: lead } = await client.post('/api/v1/leads/capture', { email });
  await client.post('/api/v1/leads/capture', { email });
  await client.post('/api/v1/leads/capture', { email, name: 'Dan' });
  const { body: converted } = await client.post(`/api/v1/leads/${lead.id}/convert`, {});
  const heard = await ear.heard();
  expect(heard.map(({ type }) => type)).toEqual(['lead.captured', 'lead.updated', 'member.created', 'lead.converted']);
  expect(heard.at(-1)?.data).toEqual(await read(`/api/v1/leads/${lead.id}`));
  expect(heard.at(-1)?.data['converted_user_id']).toBe(converted.user.id);
});

test('a lead that is captured as it is already is not told of, while the clock stands still too', async () => {
  await client.post('/api/v1/sandbox/clock', { frozenAt: new Date(Date.now() + 86_400_000).toISOString() });
  const member = await client.newMember();
  await ear.heard();
  const capture = async (fields: object): Promise<string[]> => {
    const answer = await client.post('/api/v1/leads/capture', fields);
    expect(answer.status, answer.text).toBeLessThan(300);
    return (await ear.heard()).map(({ type }) => type);
  };
  const said = { email: `${randomUUID()}@lead.example`, referral_code: member.referral_code, name: 'Dan' };
  expect(await capture(said)).toEqual(['lead.captured']);
  expect(await capture(said)).toEqual([]);
  expect(await capture({ ...said, phone: '123' })).toEqual(['lead.updated']);
  const own = { email: member.email };
  expect(await capture(own)).toEqual(['lead.converted']);
  expect(await capture(own)).toEqual([]);
  expect(await capture({ ...own, name: 'Eve' })).toEqual(['lead.updated']);
});

test('a sign-up converts the lead of its email, and both are told of', async () => {
  const email = `${randomUUID()}@lead.example`;
  await client.post('/api/v1/leads/capture', { email });
  await ear.heard();
  await client.newMember({ email });
  expect((await ear.heard()).map(({ type }) => type)).toEqual(['member.created', 'lead.converted']);
});

describe('sales', () => {
  test('are told with the lines that they pay', async () => {
    const sponsor = await client.newMember();
    await ear.heard();
    const { body } = await client.post(
      '/api/v1/events/purchase',
      client.purchaseBody({ attribution: { referral_code: sponsor.referral_code } }),
    );
    const [sale, lines] = await ear.heard();
    expect(sale).toMatchObject({ type: 'event.purchase_recorded', objectId: body.event_id });
    expect(sale?.data).toEqual(await read(`/api/v1/events/${body.event_id}`));
    const { data: items } = await read(`/api/v1/commissions?eventId=${body.event_id}`);
    expect(items).toHaveLength(1);
    expect(lines).toMatchObject({ type: 'commissions.created', objectId: body.event_id, data: { eventId: body.event_id } });
    expect(lines?.data['commissions']).toEqual(items);
  });

  test('that are repeated, refused or only tried are not told of', async () => {
    const body = client.purchaseBody();
    await client.post('/api/v1/events/purchase', body);
    await ear.heard();
    await client.post('/api/v1/events/purchase', body);
    expect((await client.post('/api/v1/events/purchase', { ...body, amount_minor: 1 })).status).toBe(409);
    const batch = [client.purchaseBody(), { ...body, amount_minor: 2 }].map((item) => ({ kind: 'purchase', ...item }));
    await client.post('/api/v1/events/batch', { events: batch, validate_only: true });
    expect(await ear.heard()).toEqual([]);
    await client.post('/api/v1/events/batch', { events: batch });
    expect((await ear.heard()).map(({ type }) => type)).toEqual(['event.purchase_recorded']);
  });

  test('that are given back are told of, with all lines that changed', async () => {
    const sponsor = await client.newMember();
    const sold = client.purchaseBody({ attribution: { referral_code: sponsor.referral_code } });
    await client.post('/api/v1/events/purchase', sold);
    await ear.heard();
    const of = { purchase_external_event_id: sold['external_event_id'] };
    const dispute = { ...of, dispute_id: 'd-1', amount_minor: 5_000 };
    await client.post('/api/v1/events/chargeback', { ...dispute, external_event_id: randomUUID(), stage: 'opened' });
    await client.post('/api/v1/events/chargeback', { ...dispute, external_event_id: randomUUID(), stage: 'won' });
    await client.post('/api/v1/events/refund', { ...of, external_event_id: randomUUID() });
    const heard = await ear.heard();
    expect(heard.map(({ type }) => type)).toEqual([
      'event.disputed',
      'commission.held',
      'event.disputed',
      'commission.released',
      'event.refunded',
      'commissions.reversed',
    ]);
    const { data: items } = await read(`/api/v1/commissions?userId=${sponsor.id}`);
    const told = heard.at(-1)?.data['commissions'] as { id: string }[];
    expect(told.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(items);
  });

  test('of commissions by hand are told of with their line, once', async () => {
    const { id } = await client.newMember();
    await ear.heard();
    const body = { external_event_id: randomUUID(), type: 'bonus', user_id: id, amount_minor: 500, currency: 'USD' };
    for (let i = 0; i < 2; i++) await client.post('/api/v1/events/commission', { ...body, description: 'By hand', actor: 'Kim' });
    const [recorded, line, ...rest] = await ear.heard();
    expect(rest).toEqual([]);
    expect(recorded?.type).toBe('event.commission_recorded');
    expect(recorded?.data).toEqual(await read(`/api/v1/events/${recorded?.objectId}`));
    expect(line).toMatchObject({
      type: 'commissions.created',
      objectId: recorded?.objectId,
      data: { commissions: [{ userId: id }] },
    });
  });
});

describe('commissions', () => {
  async function paid() {
    const sponsor = await client.newMember();
    await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { referral_code: sponsor.referral_code } }));
    const { data: items } = await read(`/api/v1/commissions?userId=${sponsor.id}`);
    return { sponsor, line: items[0] as { id: string; amountMinor: number } };
  }

  test('that a person holds, releases and voids are told of', async () => {
    const { line } = await paid();
    await ear.heard();
    for (const deed of ['hold', 'release', 'void'])
      await client.post(`/api/v1/commissions/${line.id}/${deed}`, { reason: 'look' });
    const heard = await ear.heard();
    expect(heard.map(({ type }) => type)).toEqual([
      'commission.held',
      'commission.released',
      'commission.voided',
      'commissions.reversed',
    ]);
    expect(heard[2]?.data).toEqual(await read(`/api/v1/commissions/${line.id}`));
  });

  test('that clear are told of by member, with their sum', async () => {
    const { sponsor, line } = await paid();
    await ear.heard();
    await client.post('/api/v1/sandbox/clock', { advanceSeconds: 60 * 86_400 });
    const cleared = (await ear.heard()).filter(({ type }) => type === 'commissions.cleared');
    expect(cleared).toHaveLength(1);
    expect(cleared[0]).toMatchObject({
      objectId: sponsor.id,
      actor: 'system',
      data: { userId: sponsor.id, totals: [{ currency: 'USD', amountMinor: line.amountMinor }], commissionIds: [line.id] },
    });
  });
});

test('keys and settings are told of, without a secret', async () => {
  const { body: key } = await client.post('/api/v1/admin/api-keys', { scopes: ['users:read'] });
  await client.delete(`/api/v1/admin/api-keys/${key.id}`);
  await client.patch('/api/v1/admin/settings', { mail: { payouts: true } });
  const heard = await ear.heard();
  expect(heard.map(({ type }) => type)).toEqual(['api_key.created', 'api_key.revoked', 'settings.changed']);
  expect(JSON.stringify(heard)).not.toContain(key.apiKey);
  expect(heard.at(-1)?.data).toMatchObject({ fields: ['mail.payouts'], settings: { mail: { payouts: true } } });
});

describe('who hears', () => {
  test('nobody in LIVE without an endpoint, and a SANDBOX from the start', async () => {
    await apiClient(app, tenant.liveKey).newMember();
    await client.newMember();
    expect(await toldEvents(app, { ...scope, environment: 'LIVE' })).toEqual([]);
    expect((await ear.heard()).map(({ type }) => type)).toEqual(['member.created']);
  });
});

describe('the sequence', () => {
  test('is dense, and in the order of commits: a transaction that is open for long loses nothing', async () => {
    const { frames } = app.composition.background;
    await sealAll(app, scope);
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const { promise: finish, resolve: end } = Promise.withResolvers<void>();
    // Its id is made at the end of the frame: so it is written by hand here, at the beginning.
    const slow = frames.write(scope, async (db) => {
      await db.rows({
        text: `with e as (insert into outgoing_event (tenant_id, environment, type, occurred_at, object_id, object_version, actor, data)
                 values ($1, $2, 'member.updated', now(), 'slow', 1, 'system', '{}') returning id)
               insert into outgoing_unsealed (tenant_id, environment, event_id) select $1, $2, id from e`,
        values: [scope.tenantId, scope.environment],
      });
      open();
      await finish;
    });
    await opened;
    try {
      for (let n = 0; n < 5; n++) {
        await client.newMember();
        await sealAll(app, scope);
      }
    } finally {
      end();
    }
    await slow;
    await sealAll(app, scope);
    const events = await ear.heard();
    expect(events[0]?.objectId).toBe('slow');
    expect(events.map(({ sequence }) => sequence)).toEqual([7, 2, 3, 4, 5, 6]);
  });

  test('is given once by sealers at once', async () => {
    for (let n = 0; n < 20; n++) await client.newMember();
    await Promise.all([sealAll(app, scope), sealAll(app, scope), sealAll(app, scope)]);
    const numbers = (await toldEvents(app, scope)).map(({ sequence }) => sequence ?? 0);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 21 }, (_, n) => n + 1));
  });
});
