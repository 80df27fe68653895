/** What an erasure does to what a member bought and was written of it. Source: docs/specification/identity.md#erasure. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { importCsv } from '../imports/csv-imports.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let top: MemberBody;
let member: MemberBody;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  top = await client.newMember({ membership_tier: 'DIRECTOR' });
  member = await client.newMember({ parent_id: top.id });
});
afterAll(() => app.close());

const sql = <Row extends object = Record<string, unknown>>(text: string, ...values: unknown[]) =>
  app.database.asSuperuser<Row>(text, values);
const erase = (request: object = {}) => client.post(`/api/v1/members/${member.id}/erasure`, request);
const buy = (body: object, by = client) => by.post('/api/v1/events/purchase', body);
const saleOf = (email: string, fields: object = {}) =>
  client.purchaseBody({
    customer: { external_id: `c-${randomUUID()}`, email, name: 'Somebody' },
    metadata: { gift: 'for Ada' },
    line_items: [{ sku: 'S-1', name: 'A ring', amount_minor: 10_000 }],
    attribution: { user_id: top.id },
    ...fields,
  });
const detailsOf = async (externalEventId: unknown) => {
  const [row] = await sql(
    `select d.metadata, d.line_items, c.email, c.name, c.external_id, e.reason
     from event e left join event_detail d on d.event_id = e.id left join customer c on c.id = e.customer_id
     where e.external_event_id = $1 and e.tenant_id = $2 and e.environment = 'LIVE'`,
    externalEventId,
    tenant.tenantId,
  );
  return row;
};
const NOTHING = { metadata: null, line_items: null, email: null, name: null, external_id: expect.stringMatching(/^erased-/) };

describe('an erasure', () => {
  test('reaches sales by an email that the member has not had for long', async () => {
    const sale = saleOf(member.email.toUpperCase());
    expect((await buy(sale)).status).toBe(201);
    for (const email of [`${randomUUID()}@second.example`, `${randomUUID()}@third.example`]) {
      expect((await client.patch(`/api/v1/users/${member.id}`, { email })).status).toBe(200);
    }
    await erase();
    expect(await detailsOf(sale['external_event_id'])).toMatchObject(NOTHING);
  });

  test('reaches all sales of a customer of which one names the member as the buyer', async () => {
    const customer = { external_id: 'by-hand', email: 'another@address.example' };
    const [named, plain] = [saleOf('', { customer, buyer_user_id: member.id, attribution: undefined }), saleOf('', { customer })];
    for (const sale of [named, plain]) expect((await buy(sale)).status).toBe(201);
    await erase();
    for (const sale of [named, plain]) expect(await detailsOf(sale['external_event_id'])).toMatchObject(NOTHING);
  });

  test('leaves the sales of others alone, of whom has a former email now, and of the same in the SANDBOX', async () => {
    const former = member.email;
    await client.patch(`/api/v1/users/${member.id}`, { email: `${randomUUID()}@second.example` });
    await client.newMember({ email: former });
    const others = [saleOf(former), saleOf('other@address.example', { attribution: { user_id: member.id } })];
    for (const sale of others) await buy(sale);
    const sandbox = apiClient(app, tenant.sandboxKey);
    const twin = await buy(saleOf(member.email, { attribution: undefined }), sandbox);
    expect(twin.status).toBe(201);
    await erase();
    for (const sale of others) {
      expect(await detailsOf(sale['external_event_id'])).toMatchObject({ metadata: { gift: 'for Ada' }, name: 'Somebody' });
    }
    expect(
      await sql("select from customer where tenant_id = $1 and environment = 'SANDBOX' and email is not null", tenant.tenantId),
    ).toHaveLength(1);
  });

  test('leaves the sale what it is: a repeat is answered, other content refused, and it can be explained and refunded', async () => {
    const sale = saleOf(member.email);
    const first = await buy(sale);
    await erase();
    const again = await buy(sale);
    expect([again.status, again.body.event_id]).toEqual([200, first.body.event_id]);
    expect(again.text).not.toContain(member.email);
    expect((await buy({ ...sale, metadata: { gift: 'for Bob' } })).body.code).toBe('EVENT_ID_REUSED');
    const explained = await client.get(`/api/v1/events/${first.body.event_id}/explain`);
    expect(explained.status, explained.text).toBe(200);
    const refund = { external_event_id: randomUUID(), purchase_external_event_id: sale['external_event_id'], amount_minor: 100 };
    expect((await client.post('/api/v1/events/refund', refund)).status).toBe(201);
  });

  test('takes the reason of a refund, which nobody can change', async () => {
    const sale = saleOf(member.email);
    await buy(sale);
    const refund = {
      external_event_id: randomUUID(),
      purchase_external_event_id: sale['external_event_id'],
      amount_minor: 100,
      reason: 'Ada has sent it back',
    };
    await client.post('/api/v1/events/refund', refund);
    const [row] = await sql<{ id: string }>('select id from event where external_event_id = $1', refund.external_event_id);
    for (const change of ["reason = 'other'", 'reason = null, amount_minor = 1', 'amount_minor = 1']) {
      await expect(sql(`update event set ${change} where id = $1`, row?.id)).rejects.toThrow(/append-only/);
    }
    await expect(sql('delete from event where id = $1', row?.id)).rejects.toThrow(/append-only/);
    await erase();
    expect(await sql('select reason, amount_minor::int from event where id = $1', row?.id)).toEqual([
      { reason: null, amount_minor: 100 },
    ]);
  });

  test('takes codes out of receipts, which say otherwise what they said', async () => {
    const code = `ADA-${randomUUID().slice(0, 8)}`.toUpperCase();
    await client.post('/api/v1/referrals/codes', { user_id: member.id, code });
    const sale = await buy(client.purchaseBody({ attribution: { referral_code: code } }));
    const read = async () =>
      (
        await sql<{ id: string; candidates: { reference: string; memberId: string }[] }>(
          'select id, candidates from attribution_receipt where event_id = $1',
          sale.body.event_id,
        )
      )[0];
    const stored = await read();
    expect(stored?.candidates[0]?.reference).toBe(code);
    const changes = [`jsonb_set(candidates, '{0,memberId}', 'null')`, `jsonb_set(candidates, '{0,reference}', '"x"')`, `'[]'`];
    for (const change of changes) {
      await expect(sql(`update attribution_receipt set candidates = ${change} where id = $1`, stored?.id)).rejects.toThrow(
        /append-only/,
      );
    }
    // The sale has paid the member.
    expect((await erase({ acknowledgeOwed: true })).status).toBe(200);
    expect((await read())?.candidates).toEqual(
      stored?.candidates.map((one) => (one.reference === code ? { ...one, reference: '(erased)' } : one)),
    );
  });

  test('gives a code to nobody else, by request or by file, also to whom asks at the same time', async () => {
    const code = `ADA-${randomUUID().slice(0, 8)}`.toUpperCase();
    await client.post('/api/v1/referrals/codes', { user_id: member.id, code });
    const [erased, ...asked] = await Promise.all([
      erase(),
      ...[0, 1, 2, 3].map(() => client.post('/api/v1/referrals/codes', { user_id: top.id, code })),
    ]);
    expect(erased.status, erased.text).toBe(200);
    for (const answer of [
      ...asked,
      await client.post('/api/v1/referrals/codes', { user_id: top.id, code: code.toLowerCase() }),
    ]) {
      expectRefusal(answer, 409, 'CODE_TAKEN');
    }
    const { errors } = await importCsv(app, tenant.liveKey, `email,referral_code\n${randomUUID()}@file.example,${code}\n`);
    expect(errors).toMatchObject([{ faults: [{ field: 'referral_code', code: 'CODE_TAKEN' }] }]);
    const elsewhere = apiClient(app, tenant.sandboxKey);
    const twin = await elsewhere.newMember();
    expect((await elsewhere.post('/api/v1/referrals/codes', { user_id: twin.id, code })).status).toBe(201);
  });

  // The tables were not analysed since: a plan must not be right by luck.
  test('takes some seconds at most for twenty thousand sales, their receipts and commissions', async () => {
    await buy(saleOf(member.email));
    const copies = (table: string, key: string): string =>
      `insert into ${table} select (jsonb_populate_record(x, jsonb_build_object('id', uuidv7(), '${key}', c.id))).*
       from ${table} x cross join event c where x.tenant_id = '${tenant.tenantId}' and c.tenant_id = x.tenant_id and c.id <> x.${key};`;
    // Without the checks of references, which read all the rows that are there for each new one of so many at once.
    await app.database.asSuperuser(
      `set session_replication_role = replica;
       insert into event select (jsonb_populate_record(e, jsonb_build_object('id', uuidv7(), 'external_event_id', 'copy-' || n))).*
       from event e cross join generate_series(1, 20000) n where e.tenant_id = '${tenant.tenantId}';
       insert into event_detail (tenant_id, environment, event_id, metadata)
       select tenant_id, environment, id, '{"gift": "for Ada"}' from event
       where tenant_id = '${tenant.tenantId}' and external_event_id like 'copy-%';
       ${copies('attribution_receipt', 'event_id')}
       ${copies('commission_line', 'event_id')}
       set session_replication_role = origin`,
    );
    const [planted] = await sql(
      `select (select count(*)::int from event_detail where tenant_id = $1 and metadata is not null) as details,
              (select count(*)::int from attribution_receipt where tenant_id = $1 and event_id is not null) as receipts,
              (select count(*)::int from commission_line where tenant_id = $1) as lines`,
      tenant.tenantId,
    );
    expect(planted).toMatchObject({ details: 20_001, receipts: 20_001 });
    expect(planted?.['lines']).toBeGreaterThanOrEqual(20_001);
    const begun = performance.now();
    const answer = await erase();
    const took = performance.now() - begun;
    expect(answer.status, answer.text).toBe(200);
    expect(await sql('select from event_detail where tenant_id = $1 and metadata is not null', tenant.tenantId)).toEqual([]);
    expect(took).toBeLessThan(10_000);
    process.stderr.write(`20,000 sales: ${Math.round(took)} ms\n`);
  });
});
