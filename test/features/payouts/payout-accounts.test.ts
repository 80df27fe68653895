/** Payout accounts of a tenant that pays by itself: what they need, who sees them, which one is the primary. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCipher } from '../../../src/encryption.ts';
import { openBankDetails } from '../../../src/features/payouts/methods/bank-details.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { accountsPath, newAccount, newIban, newPayee, sepaAccount } from '../../support/payments/payout-accounts.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let member: MemberBody;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  member = await newPayee(client);
});
afterAll(() => app.close());

const live = () => ({ tenantId: tenant.tenantId, environment: 'LIVE' as const });
const create = (body: object, by = client, id = member.id, headers = {}) => by.post(accountsPath(id), body, headers);
const list = async (id = member.id, by = client) => (await by.get(accountsPath(id))).body;
const remove = (id: string, by = tenant.liveKey, memberId = member.id) =>
  app.http.delete(accountsPath(memberId, id)).set('x-tenant-api-key', by);
const bearer = async (id: string) => ({ authorization: `Bearer ${(await plantSession(app, live(), id)).accessToken}` });
const storedRow = async (id: string) => {
  const [row] = await app.database.asSuperuser<Record<string, unknown>>('select * from payout_account where id = $1', [id]);
  return row ?? {};
};
const auditOf = async (id: string) => {
  const { data } = (await client.get(`/api/v1/admin/audit-logs?objectId=${id}`)).body;
  return (data as { action: string; details: object; actor: { kind: string } }[]).toReversed();
};
interface Page {
  accounts: { id: string }[];
  hasMore: boolean;
  nextCursor: string | null;
}
const HOUR = 3_600_000;

describe('creating', () => {
  test('makes an account that is active, primary, and shows the end of its number', async () => {
    const iban = newIban();
    const answer = await create(sepaAccount(iban));
    expect(answer.status, answer.text).toBe(201);
    const { body } = answer;
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      methodType: 'sepa_bank_transfer',
      category: 'bank_transfer',
      displayName: `•••• ${iban.slice(-4)}`,
      countryCode: 'DE',
      currency: 'EUR',
      providerType: 'manual',
      isPrimary: true,
      isActive: true,
      status: 'active',
      statusReason: null,
      usableFrom: new Date(Date.parse(body.createdAt) + 24 * HOUR).toISOString(),
      sharedWithOthers: false,
      holderType: 'individual',
      nameMatch: 'not_compared',
      nameAcceptedBy: null,
      createdAt: expect.any(String),
      updatedAt: body.createdAt,
    });
    expect(answer.headers['location']).toBe(accountsPath(member.id, body.id));
    expect(answer.headers).not.toHaveProperty('deprecation');
    expect((await client.get(accountsPath(member.id, body.id))).body).toEqual(body);
    expect(await list()).toEqual({ accounts: [body], hasMore: false, nextCursor: null });
  });

  test('keeps the details for whoever pays, sealed to their row', async () => {
    const iban = newIban();
    const one = await newAccount(client, member.id, sepaAccount(iban.replaceAll(/(.{4})/g, '$1 ')));
    const other = await newAccount(client, member.id);
    const cipher = createCipher(app.config.secrets.dataKeys);
    const [sealed, otherSealed] = [await storedRow(one.id), await storedRow(other.id)].map((row) => row['bank_sealed'] as Buffer);
    if (!sealed || !otherSealed) throw new Error('nothing is sealed');
    expect(openBankDetails(cipher, live(), one.id, sealed)).toEqual({ accountHolderName: 'Ada Example', iban });
    expect(() => openBankDetails(cipher, live(), one.id, otherSealed)).toThrow();
    expect(() => openBankDetails(cipher, { ...live(), environment: 'SANDBOX' }, one.id, sealed)).toThrow();
  });

  test('leaves an entry in the log, without the number', async () => {
    const iban = newIban();
    const { id } = await newAccount(client, member.id, sepaAccount(iban));
    const entries = await auditOf(id);
    expect(entries).toMatchObject([
      {
        action: 'payout_account.created',
        actor: { kind: 'api_key' },
        details: { userId: member.id, methodType: 'sepa_bank_transfer', isPrimary: true, sharedWithOthers: false },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(iban.slice(-4));
  });

  test('takes a later account as the primary one only when asked to', async () => {
    const first = await newAccount(client, member.id);
    const second = await newAccount(client, member.id);
    expect([first.isPrimary, second.isPrimary]).toEqual([true, false]);
    const third = await newAccount(client, member.id, sepaAccount(undefined, { isPrimary: true }));
    const { accounts } = await list();
    expect(accounts.map(({ id, isPrimary }: { id: string; isPrimary: boolean }) => [id, isPrimary])).toEqual([
      [third.id, true],
      [second.id, false],
      [first.id, false],
    ]);
  });

  test('names every fault of the details at once', async () => {
    const { status, body, text } = await create(
      sepaAccount('DE89370400440532031000', { bankAccount: { iban: 'DE89370400440532031000', bsb: '1' } }),
    );
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.details.fields).toEqual([
      { field: 'bankAccount.bsb', message: 'is not a field of this method' },
      { field: 'bankAccount.accountHolderName', message: 'is required' },
      { field: 'bankAccount.iban', message: 'is no IBAN: its check digits are wrong' },
    ]);
    expect(text).not.toContain('89370400440532031000');
    expect((await list()).accounts).toEqual([]);
  });

  test.each<[string, object, code: string]>([
    ['a currency that is not the method’s', { currency: 'USD' }, 'CURRENCY_MISMATCH'],
    ['a method of another country', { methodType: 'us_bank_transfer' }, 'METHOD_NOT_SUPPORTED'],
    ['a method that there is not', { methodType: 'constructor' }, 'METHOD_NOT_SUPPORTED'],
  ])('refuses %s', async (_label, fields, code) => {
    const answer = await create(sepaAccount(undefined, fields));
    expect([answer.status, answer.body.code]).toEqual([422, code]);
  });

  test('refuses a method that the tenant does not offer', async () => {
    await plantPaymentSettings(app, live());
    expect((await create(sepaAccount())).body.code).toBe('METHOD_NOT_SUPPORTED');
  });

  test.each<[string, object]>([
    ['no currency', { currency: undefined }],
    ['no details', { bankAccount: undefined }],
    ['another field', { bankName: 'x' }],
    ['a number for a text', { bankAccount: { iban: 1 } }],
  ])('refuses %s', async (_label, fields) => {
    const answer = await create(sepaAccount(undefined, fields));
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('is for members that are there: not for strangers, and not after an erasure', async () => {
    const other = await app.newTenant();
    for (const key of [other.liveKey, tenant.sandboxKey]) {
      const answer = await create(sepaAccount(), apiClient(app, key));
      expect([answer.status, answer.body.code]).toEqual([404, 'USER_NOT_FOUND']);
    }
    await client.post(`/api/v1/members/${member.id}/erasure`, {});
    expect((await create(sepaAccount())).body.code).toBe('STATE_CONFLICT');
  });

  test('is for inactive members too: they may have earned something', async () => {
    await client.patch(`/api/v1/users/${member.id}`, { is_active: false });
    expect((await create(sepaAccount())).status).toBe(201);
  });
});

describe('the profile', () => {
  test('must say where the member lives; all that it lacks is named in one answer', async () => {
    const bare = await client.newMember();
    const answer = await create(sepaAccount(), client, bare.id);
    expect([answer.status, answer.body.code]).toEqual([422, 'PROFILE_INCOMPLETE']);
    expect(answer.body.details.missing).toEqual(['countryCode', 'address.addressLine1', 'address.city']);
    await client.patch(`/api/v1/members/${bare.id}/profile`, { countryCode: 'DEU', address: { city: 'Berlin' } });
    expect((await create(sepaAccount(), client, bare.id)).body.details.missing).toEqual(['address.addressLine1']);
    await client.patch(`/api/v1/members/${bare.id}/profile`, { address: { addressLine1: 'Lindenstr. 1' } });
    expect((await create(sepaAccount(), client, bare.id)).status).toBe(201);
  });

  test('must say who the member is, too, for the payment vendor', async () => {
    await plantPaymentSettings(app, live(), { secretKey: 'sk_live_x' });
    const bare = await client.newMember();
    expect((await create(sepaAccount(), client, bare.id)).body.details.missing).toEqual([
      'givenName',
      'surname',
      'dateOfBirth',
      'countryCode',
      'address.addressLine1',
      'address.city',
    ]);
  });

  test('decides on the country', async () => {
    const swiss = await newPayee(client, { countryCode: 'CHE' });
    expect((await create(sepaAccount(), client, swiss.id)).body.details.fields[0].message).toMatch(/begins with CH$/);
    const body = { accountHolderName: 'Ada', iban: 'CH9300762011623852957' };
    const francs = { methodType: 'ch_bank_transfer', currency: 'CHF', bankAccount: body };
    expect((await newAccount(client, swiss.id, francs)).status).toBe('active');
    const euros = { methodType: 'sepa_bank_transfer', currency: 'EUR', bankAccount: body };
    expect((await newAccount(client, swiss.id, euros)).status).toBe('active');
  });
});

describe('deprecated inputs', () => {
  const iban = 'DE89370400440532013000';

  test.each<[string, object]>([
    ['details', { bankAccount: undefined, details: { accountHolderName: 'Ada', iban } }],
    ['details and accountHolderName', { bankAccount: undefined, details: { iban }, accountHolderName: 'Ada' }],
    ['accountHolderName beside bankAccount', { bankAccount: { iban }, accountHolderName: 'Ada' }],
  ])('%s: still work, and say until when', async (_label, fields) => {
    const answer = await create(sepaAccount(iban, fields));
    expect(answer.status, answer.text).toBe(201);
    expect(answer.headers['deprecation']).toMatch(/^@\d{10}$/);
    const since = Number(answer.headers['deprecation']?.slice(1)) * 1000;
    const until = new Date(answer.headers['sunset'] ?? '');
    expect(until.toUTCString()).toBe(answer.headers['sunset']);
    expect(until.getTime()).toBeGreaterThan(since);
  });

  test.each<[string, object, field: string]>([
    ['details beside bankAccount', { details: { iban } }, 'details'],
    ['two names', { accountHolderName: 'Ada' }, 'accountHolderName'],
    [
      'two names, one in details',
      { bankAccount: undefined, details: { accountHolderName: 'A', iban }, accountHolderName: 'A' },
      'accountHolderName',
    ],
  ])('%s: refused', async (_label, fields, field) => {
    const answer = await create(sepaAccount(iban, fields));
    expect([answer.status, answer.body.details.fields[0].field]).toEqual([400, field]);
  });
});

describe('the same bank account', () => {
  test('is refused to the same member, however it is written, until the first is deactivated', async () => {
    const iban = newIban();
    const { id } = await newAccount(client, member.id, sepaAccount(iban));
    const spelled = { accountHolderName: 'A. Example', iban: `${iban.slice(0, 4)} ${iban.slice(4).toLowerCase()}` };
    const again = await create(sepaAccount(iban, { bankAccount: spelled }));
    expect([again.status, again.body.code, again.body.details]).toEqual([409, 'STATE_CONFLICT', { accountId: id }]);
    await remove(id);
    const anew = await newAccount(client, member.id, sepaAccount(iban));
    expect(anew.id).not.toBe(id);
    expect(await storedRow(id)).toMatchObject({ status: 'deactivated' });
  });

  test('sent twenty times at once is there once', async () => {
    const body = sepaAccount();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(body)));
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    expect((await list()).accounts).toHaveLength(1);
  });

  test('of two members is flagged to the tenant, not to them', async () => {
    const body = sepaAccount();
    const friend = await newPayee(client);
    const own = await newAccount(client, member.id, body);
    const theirs = await newAccount(client, friend.id, body);
    expect([own.sharedWithOthers, theirs.sharedWithOthers]).toEqual([false, true]);
    expect((await list()).accounts[0].sharedWithOthers).toBe(true);
    expect((await auditOf(theirs.id))[0]?.details).toMatchObject({ sharedWithOthers: true });
    const asMember = await client.get(accountsPath(member.id), await bearer(member.id));
    expect(asMember.body.accounts[0].sharedWithOthers).toBeNull();
    await remove(theirs.id, tenant.liveKey, friend.id);
    expect((await list()).accounts[0].sharedWithOthers).toBe(false);
  });

  test('elsewhere is another one: no digest tells that they are the same', async () => {
    const body = sepaAccount();
    const { id } = await newAccount(client, member.id, body);
    const other = await app.newTenant();
    const digests = [(await storedRow(id))['fingerprint']];
    for (const key of [tenant.sandboxKey, other.liveKey]) {
      const by = apiClient(app, key);
      const account = await newAccount(by, (await newPayee(by)).id, body);
      expect(account.sharedWithOthers).toBe(false);
      digests.push((await storedRow(account.id))['fingerprint']);
    }
    expect(new Set(digests.map((digest) => (digest as Buffer).toString('hex'))).size).toBe(3);
  });
});

describe('a repeat with an Idempotency-Key', () => {
  test('gets the first answer and makes no second account', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = sepaAccount();
    const first = await create(body, client, member.id, key);
    const again = await create(body, client, member.id, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect((await create(sepaAccount(), client, member.id, key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await list()).accounts).toHaveLength(1);
  });
});

describe('the cool-down', () => {
  test('goes by the clock of the SANDBOX and the settings of the tenant', async () => {
    const sandbox = apiClient(app, tenant.sandboxKey);
    const scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' as const };
    const payee = await newPayee(sandbox);
    await sandbox.post('/api/v1/sandbox/clock', { frozenAt: '2030-01-01T00:00:00Z' });
    const { id, usableFrom, createdAt } = await newAccount(sandbox, payee.id);
    expect([createdAt, usableFrom]).toEqual(['2030-01-01T00:00:00.000Z', '2030-01-02T00:00:00.000Z']);
    const shown = async () => (await sandbox.get(accountsPath(payee.id, id))).body.usableFrom;
    await plantPaymentSettings(app, scope, { provider: 'manual', accountCooldownHours: 0 });
    expect(await shown()).toBe(createdAt);
    await plantPaymentSettings(app, scope, { provider: 'manual', accountCooldownHours: 720 });
    expect(await shown()).toBe('2030-01-31T00:00:00.000Z');
    await remove(id, tenant.sandboxKey, payee.id);
    expect(await shown()).toBeNull();
  });
});

describe('reading', () => {
  test('pages through the accounts, the newest first', async () => {
    const made = [];
    for (let turn = 0; turn < 5; turn++) made.unshift((await newAccount(client, member.id)).id);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page = (await client.get(`${accountsPath(member.id)}?limit=2${cursor && `&cursor=${cursor}`}`)).body;
      seen.push(...page.accounts.map(({ id }) => id));
      expect(page.hasMore).toBe(page.nextCursor !== null);
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(made);
    const { nextCursor } = (await client.get(`${accountsPath(member.id)}?limit=2`)).body;
    const friend = await newPayee(client);
    expect((await client.get(`${accountsPath(friend.id)}?cursor=${nextCursor}`)).status).toBe(400);
  });

  test('is refused to strangers as if there was nothing', async () => {
    const { id } = await newAccount(client, member.id);
    const friend = await newPayee(client);
    const missing = await client.get(accountsPath(member.id, randomUUID()));
    const foreign = await client.get(accountsPath(friend.id, id));
    expect([foreign.status, foreign.body]).toEqual([404, missing.body]);
    for (const key of [(await app.newTenant()).liveKey, tenant.sandboxKey]) {
      const by = apiClient(app, key);
      expect((await by.get(accountsPath(member.id))).body.code).toBe('USER_NOT_FOUND');
      expect((await by.get(accountsPath(member.id, id))).body.code).toBe('USER_NOT_FOUND');
      expect((await by.patch(accountsPath(member.id, id), { isPrimary: true })).body.code).toBe('USER_NOT_FOUND');
      expect((await remove(id, key)).body.code).toBe('USER_NOT_FOUND');
    }
    expect((await client.patch(accountsPath(friend.id, id), { isPrimary: true })).body.code).toBe('NOT_FOUND');
    expect((await remove(id, tenant.liveKey, friend.id)).body.code).toBe('NOT_FOUND');
  });

  test('and writing is open to a member for itself alone', async () => {
    const own = await bearer(member.id);
    const answer = await create(sepaAccount(), client, member.id, own);
    expect(answer.status).toBe(201);
    expect((await auditOf(answer.body.id))[0]?.actor).toEqual({ kind: 'member', id: member.id, name: null });
    const sponsor = await newPayee(client);
    const { id } = await newAccount(client, sponsor.id);
    for (const refused of [
      await client.get(accountsPath(sponsor.id), own),
      await client.get(accountsPath(sponsor.id, id), own),
      await create(sepaAccount(), client, sponsor.id, own),
      await client.patch(accountsPath(sponsor.id, id), { displayName: 'Mine' }, own),
      await remove(id, tenant.liveKey, sponsor.id).set(own),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
    }
  });
});

describe('changing', () => {
  test('names it, or makes it primary in the place of the other', async () => {
    const first = await newAccount(client, member.id);
    const second = await newAccount(client, member.id);
    const answer = await client.patch(accountsPath(member.id, second.id), { isPrimary: true, displayName: 'Savings' });
    expect(answer.body).toMatchObject({ id: second.id, isPrimary: true, displayName: 'Savings' });
    expect((await client.get(accountsPath(member.id, first.id))).body.isPrimary).toBe(false);
    expect((await auditOf(second.id)).slice(1)).toMatchObject([
      { action: 'payout_account.made_primary', details: { before: first.id } },
      { action: 'payout_account.updated', details: { fields: ['displayName'] } },
    ]);
    const unchanged = await client.patch(accountsPath(member.id, second.id), { isPrimary: true, displayName: 'Savings' });
    expect(unchanged.body).toEqual(answer.body);
    expect(await auditOf(second.id)).toHaveLength(3);
  });

  test('does not take the primary account away without another one', async () => {
    const first = await newAccount(client, member.id);
    const second = await newAccount(client, member.id);
    expect((await client.patch(accountsPath(member.id, first.id), { isPrimary: false })).body.code).toBe('STATE_CONFLICT');
    expect((await client.patch(accountsPath(member.id, second.id), { isPrimary: false })).status).toBe(200);
    expect((await list()).accounts.filter(({ isPrimary }: { isPrimary: boolean }) => isPrimary)).toHaveLength(1);
  });

  test('is no way to change bank details, and changes something', async () => {
    const { id } = await newAccount(client, member.id);
    for (const body of [
      {},
      { isPrimary: null },
      { bankAccount: { iban: newIban() } },
      { currency: 'USD' },
      { displayName: ' ' },
    ]) {
      expect((await client.patch(accountsPath(member.id, id), body)).status, JSON.stringify(body)).toBe(400);
    }
  });
});

describe('deactivating', () => {
  test('hands the primary place to the newest account that is active, and forgets the details', async () => {
    const first = await newAccount(client, member.id);
    const second = await newAccount(client, member.id);
    const third = await newAccount(client, member.id);
    await app.database.asSuperuser("update payout_account set status = 'action_required' where id = $1", [third.id]);
    const gone = await remove(first.id);
    expect(gone.status).toBe(200);
    expect(gone.body).toMatchObject({ id: first.id, isActive: false, isPrimary: false, status: 'deactivated', usableFrom: null });
    expect((await client.get(accountsPath(member.id, second.id))).body.isPrimary).toBe(true);
    expect(await storedRow(first.id)).toMatchObject({ bank_sealed: null });
    expect((await auditOf(first.id)).at(-1)).toMatchObject({
      action: 'payout_account.deactivated',
      details: { primaryNow: second.id },
    });
    expect((await remove(second.id)).body.isPrimary).toBe(false);
    expect((await list()).accounts.some(({ isPrimary }: { isPrimary: boolean }) => isPrimary)).toBe(false);
    const fourth = await newAccount(client, member.id);
    expect(fourth.isPrimary).toBe(true);
  });

  test('repeated changes nothing, and what is gone is not brought back', async () => {
    const { id } = await newAccount(client, member.id);
    const first = await remove(id);
    const again = await remove(id);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await auditOf(id)).toHaveLength(2);
    for (const body of [{ isPrimary: true }, { displayName: 'Back' }]) {
      expect((await client.patch(accountsPath(member.id, id), body)).body.code).toBe('STATE_CONFLICT');
    }
  });
});
