/** All accounts and all holds of a tenant, and whether payouts are frozen. Source: docs/specification/payouts.md#all-accounts. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { newAccount, newIban, newPayee, plantOtherName, sepaAccount } from '../../support/payments/payout-accounts.ts';
import { execute, payable, startPayouts } from '../../support/payments/payout-world.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.asSuperuser('update payout_freeze set frozen_at = null');
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
});

interface Row {
  id: string;
  userId: string;
  nameMatch: string;
  sharedWithOthers: boolean;
  onHold: boolean;
}

async function pages(path: string, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ''; ; ) {
    const { status, body, text } = await client.get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor}`);
    expect(status, text).toBe(200);
    rows.push(...body.data);
    if (!body.hasMore) return rows;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
}

const idsOf = (rows: Row[]) => rows.map(({ id }) => id);

describe('all accounts', () => {
  const PATH = '/api/v1/payout-accounts';

  test.each([1, 2, 100])('newest first with their members, in pages of %i, each as its member has it', async (limit) => {
    const made: string[] = [];
    for (let i = 0; i < 3; i++) {
      const { id } = await newPayee(client);
      made.push((await newAccount(client, id)).id);
    }
    const rows = await pages(PATH, limit);
    expect(idsOf(rows)).toEqual(made.toReversed());
    const [first] = rows;
    const alone = await client.get(`/api/v1/members/${first?.userId}/payout-accounts/${first?.id}`);
    expect(first).toEqual({ userId: first?.userId, onHold: false, ...alone.body });
  });

  test('by status, currency, the name that they are held under, whether others have them, and the primary ones', async () => {
    const iban = newIban();
    const [one, two, three] = [await newPayee(client), await newPayee(client), await newPayee(client)];
    const first = await newAccount(client, one.id, sepaAccount(iban));
    const second = await newAccount(client, two.id, sepaAccount(iban));
    const third = await newAccount(client, two.id);
    const other = await newAccount(client, three.id);
    await plantOtherName(app, other.id);
    const gone = await newAccount(client, three.id);
    await client.delete(`/api/v1/members/${three.id}/payout-accounts/${gone.id}`);
    const list = async (query: string) => idsOf(await pages(`${PATH}?${query}`, 2)).toSorted();
    const sorted = (...accounts: { id: string }[]) => accounts.map(({ id }) => id).toSorted();
    expect(await list('status=deactivated')).toEqual(sorted(gone));
    expect(await list('status=active')).toEqual(sorted(first, second, third, other));
    expect(await list('currency=USD')).toEqual([]);
    expect(await list('currency=EUR')).toHaveLength(5);
    expect(await list('shared=true')).toEqual(sorted(first, second));
    expect(await list('shared=false')).toEqual(sorted(third, other, gone));
    expect(await list('primary=true')).toEqual(sorted(first, second, other));
    expect(await list('primary=false&status=active')).toEqual(sorted(third));
    expect(await list(`userId=${two.id}`)).toEqual(sorted(second, third));
    expect(await list('onHold=true')).toEqual([]);
    await client.put(`/api/v1/members/${two.id}/payout-hold`, { reason: 'Asked by the bank' });
    await client.put(`/api/v1/members/${one.id}/payout-hold`, { reason: 'Over', until: '2099-01-01T00:00:00Z' });
    await app.database.asSuperuser("update payout_hold set until = now() - interval '1 second' where member_id = $1", [one.id]);
    expect(await list('onHold=true')).toEqual(sorted(second, third));
    expect(await list('onHold=false&status=active')).toEqual(sorted(first, other));
    expect((await pages(`${PATH}?userId=${two.id}`, 2)).map(({ onHold }) => onHold)).toEqual([true, true]);
    // The verified name is another than it was compared with: the next draft compares.
    await app.database.asSuperuser(
      `update payout_account a set name_judged_for = k.names_digest from kyc_record k
       where a.id = $1 and k.member_id = a.member_id and k.status = 'approved'`,
      [other.id],
    );
    expect(await list('nameMatch=mismatch')).toEqual(sorted(other));
    expect(await list('nameMatch=accepted')).toEqual([]);
    const accepted = await client.post(`/api/v1/members/${three.id}/payout-accounts/${other.id}/accept-name`, {});
    expect(accepted.status, accepted.text).toBe(200);
    expect(await list('nameMatch=accepted')).toEqual(sorted(other));
    expect(await list('nameMatch=mismatch')).toEqual([]);
    expect(await list('nameMatch=not_compared&status=active')).toEqual(sorted(first, second, third));
  });

  test('another tenant, another environment, a weaker key, a cursor of other filters', async () => {
    for (let i = 0; i < 2; i++) await newAccount(client, (await newPayee(client)).id);
    const other = await app.newTenant();
    for (const key of [other.liveKey, tenant.sandboxKey]) {
      expect((await apiClient(app, key).get(PATH)).body).toEqual({ data: [], hasMore: false, nextCursor: null });
    }
    const weak = await app.tenants.createKey({ ...scope, scopes: ['accounts:write', 'payouts:read'] });
    expect((await apiClient(app, weak.apiKey).get(PATH)).status).toBe(403);
    const { nextCursor } = (await client.get(`${PATH}?limit=1`)).body;
    expect((await client.get(`${PATH}?limit=1&currency=EUR&cursor=${nextCursor}`)).status).toBe(400);
    expect((await client.get(`${PATH}?shared=perhaps`)).status).toBe(400);
  });
});

describe('all holds', () => {
  const PATH = '/api/v1/payout-holds';
  const hold = (userId: string, body: object) => client.put(`/api/v1/members/${userId}/payout-hold`, body);

  test.each([1, 2, 100])('those in force, the newest first, in pages of %i', async (limit) => {
    const held: string[] = [];
    for (let i = 0; i < 4; i++) {
      const { id } = await client.newMember();
      expect((await hold(id, { reason: `Reason ${i}` })).status).toBe(200);
      held.push(id);
    }
    const over = (await client.newMember()).id;
    await hold(over, { reason: 'Over', until: '2099-01-01T00:00:00Z' });
    await app.database.asSuperuser("update payout_hold set until = now() - interval '1 second' where member_id = $1", [over]);
    // Two set at one moment: no page repeats or leaves out a row for it.
    await app.database.asSuperuser(
      'update payout_hold set created_at = (select created_at from payout_hold where member_id = $1) where member_id = $2',
      [held[1], held[2]],
    );
    const rows = await pages(PATH, limit);
    expect(rows.map(({ userId }) => userId)).toEqual([
      held[3],
      ...[held[1], held[2]].toSorted((a = '', b = '') => (a > b ? -1 : 1)),
      held[0],
    ]);
    expect(rows[0]).toEqual({
      userId: held[3],
      reason: 'Reason 3',
      until: null,
      createdBy: expect.objectContaining({ kind: 'api_key' }),
      createdAt: expect.any(String),
    });
    await client.delete(`/api/v1/members/${held[3]}/payout-hold`);
    expect(await pages(PATH, limit)).toHaveLength(3);
  });

  test('another tenant, another environment and a weaker key see none', async () => {
    await hold((await client.newMember()).id, { reason: 'Asked by the bank' });
    const other = await app.newTenant();
    for (const key of [other.liveKey, tenant.sandboxKey]) {
      expect((await apiClient(app, key).get(PATH)).body.data).toEqual([]);
    }
    const weak = await app.tenants.createKey({ ...scope, scopes: ['accounts:read', 'payouts:write'] });
    expect((await apiClient(app, weak.apiKey).get(PATH)).status).toBe(403);
    expect((await client.get(`${PATH}?cursor=nonsense`)).status).toBe(400);
  });
});

describe('whether payouts are frozen', () => {
  const PATH = '/api/v1/payouts/freeze';
  const THAWED = { frozen: false, reason: null, message: null, vendor: 'none', bank: 'none', unanswered: 0, accepted: 0 };
  const freeze = () => app.database.asSuperuser('update payout_freeze set frozen_at = now()');

  test('they are not; the address is not that of a payout', async () => {
    expect((await client.get(PATH)).body).toEqual(THAWED);
  });

  test('a tenant of which nobody is paid has nothing to match', async () => {
    await freeze();
    expect((await client.get(PATH)).body).toEqual({
      ...THAWED,
      frozen: true,
      reason: 'by_hand',
      message: 'an operator has frozen them',
    });
  });

  test('what is open and what is matched, by vendor and bank, in this freeze alone', async () => {
    await plantPaymentSettings(app, scope, { secretKey: 'sk_live_ours' });
    await payable(app, scope, client, 6_000);
    await payable(app, scope, client, 7_000, { provider: 'payvendor' });
    await execute(client);
    await startPayouts(app, scope);
    await freeze();
    expect((await client.get(PATH)).body).toMatchObject({ frozen: true, vendor: 'open', bank: 'open', unanswered: 1 });
    const match = (freezeId: string) =>
      app.database.asSuperuser(
        `insert into payout_reconciliation (tenant_id, environment, freeze_id, vendor_at, accepted)
         select $1, 'LIVE', ${freezeId}, now(), array['tr_1', 'tr_2'] from payout_freeze_state() s
         on conflict (tenant_id, environment) do update set freeze_id = excluded.freeze_id`,
        [tenant.tenantId],
      );
    await match("'another'");
    expect((await client.get(PATH)).body).toMatchObject({ vendor: 'open', bank: 'open', accepted: 0 });
    await match('s.freeze_id');
    expect((await client.get(PATH)).body).toMatchObject({ vendor: 'matched', bank: 'open', accepted: 2 });
    const weak = await app.tenants.createKey({ ...scope, scopes: ['accounts:read'] });
    expect((await apiClient(app, weak.apiKey).get(PATH)).status).toBe(403);
    const other = await app.newTenant();
    expect((await apiClient(app, other.liveKey).get(PATH)).body).toMatchObject({ frozen: true, vendor: 'none', bank: 'none' });
  });
});
