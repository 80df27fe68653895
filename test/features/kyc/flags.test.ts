/** What a reviewer is told of other members and of accounts. Source: docs/specification/verification.md#flags. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantRecord, plantRequired } from '../../support/kyc/kyc-records.ts';
import { accountsPath, newAccount, newIban, newPayee, sepaAccount } from '../../support/payments/payout-accounts.ts';
import { approveKyc } from '../../support/payments/payout-world.ts';

const NUMBER = 'AB-123 456 789';
const ADA = { givenName: 'Ada', surname: 'Example', countryCode: 'DEU', idNumber: NUMBER };

let app: TestApp;
let tenant: TestTenant;
let scope: Scope;
let client: ApiClient;
let memberId: string;
let kycId: string;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  memberId = await newPerson();
  kycId = await plantRecord(app, scope, { memberId });
});
afterAll(() => app.close());

const patch = async (id: string, body: object, by = client): Promise<void> => {
  const answer = await by.patch(`/api/v1/members/${id}/profile`, body);
  expect(answer.status, answer.text).toBe(200);
};
async function newPerson(fields: object = {}, by = client): Promise<string> {
  const { id } = await by.newMember();
  await patch(id, { ...ADA, ...fields }, by);
  return id;
}
const flags = async (id = kycId) => (await client.get(`/api/v1/admin/kyc/${id}`)).body.flags as object[];
const sharedWith = (...userIds: string[]) => [
  { kind: 'ID_NUMBER_SHARED', userIds: userIds.toSorted(), more: false, accountId: null, found: null },
];
const digestOf = async (id: string) => {
  const text = 'select id_number_digest as digest from member_profile where member_id = $1';
  return (await app.database.asSuperuser<{ digest: Buffer | null }>(text, [id]))[0]?.digest ?? null;
};

describe('an ID number that another member has too', () => {
  test('is told on both sides, whatever its case, spaces and signs', async () => {
    expect(await flags()).toEqual([]);
    const other = await newPerson({ idNumber: 'ab 123456/789' });
    const third = await newPerson({ idNumber: 'AB.123.456.789' });
    expect(await flags()).toEqual(sharedWith(other, third));
    const theirs = await plantRecord(app, scope, { memberId: other });
    expect(await flags(theirs)).toEqual(sharedWith(memberId, third));
  });

  test.each([
    ['another number', { idNumber: 'AB-123 456 788' }],
    ['another country', { countryCode: 'FRA' }],
    ['no country', { countryCode: null }],
    ['no number', { idNumber: null }],
  ])('is not told of %s', async (_name, fields) => {
    await newPerson(fields);
    expect(await flags()).toEqual([]);
  });

  test('is told of nobody in another tenant or environment', async () => {
    const other = await app.newTenant();
    for (const key of [tenant.sandboxKey, other.liveKey, other.sandboxKey]) await newPerson({}, apiClient(app, key));
    expect(await flags()).toEqual([]);
  });

  test('is told no more once it is changed, cleared or erased, or the country is changed', async () => {
    const [changed = '', cleared = '', erased = '', moved = ''] = await Promise.all([1, 2, 3, 4].map(() => newPerson()));
    expect(await flags()).toEqual(sharedWith(changed, cleared, erased, moved));
    await patch(changed, { idNumber: 'other' });
    await patch(cleared, { idNumber: null });
    await patch(moved, { countryCode: 'FRA' });
    expect((await client.post(`/api/v1/members/${erased}/erasure`, {})).status).toBe(200);
    expect(await flags()).toEqual([]);
    expect([await digestOf(cleared), await digestOf(erased)]).toEqual([null, null]);
    await patch(moved, { countryCode: 'DEU' });
    expect(await flags()).toEqual(sharedWith(moved));
  });

  test('stays told when something else of the profile is changed', async () => {
    const other = await newPerson();
    await patch(other, { address: { city: 'Berlin' }, surname: 'Other' });
    expect(await flags()).toEqual(sharedWith(other));
  });

  test('names ten, and says that there are more', async () => {
    const others: string[] = [];
    for (let i = 0; i < 10; i++) others.push(await newPerson());
    expect(await flags()).toEqual(sharedWith(...others));
    others.push(await newPerson());
    expect(await flags()).toMatchObject([{ userIds: others.toSorted().slice(0, 10), more: true }]);
  });

  test('is a keyed digest that shows nothing of the number, and another in each scope', async () => {
    const sandbox = await newPerson({}, apiClient(app, tenant.sandboxKey));
    const [one, same, other] = [await digestOf(memberId), await digestOf(await newPerson()), await digestOf(sandbox)];
    expect(one).toHaveLength(32);
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
    expect(one?.toString('latin1')).not.toContain('123');
  });
});

describe('ID numbers from before digests were kept', () => {
  const forget = (...ids: string[]) =>
    app.database.asSuperuser('update member_profile set id_number_digest = null where member_id = any ($1::uuid[])', [ids]);
  const sweep = () => app.runSweep('digest-id-numbers', scope);

  test('are digested by a sweep, as they would have been', async () => {
    const other = await newPerson();
    const nameless = await newPerson({ idNumber: null });
    const before = await digestOf(other);
    await forget(memberId, other, nameless);
    expect(await flags()).toEqual([]);
    expect(await sweep()).toBe(2);
    expect(await digestOf(other)).toEqual(before);
    expect(await digestOf(nameless)).toBeNull();
    expect(await flags()).toEqual(sharedWith(other));
    expect(await sweep()).toBe(0);
  });

  test('are found due by every worker, and nothing where all are digested', async () => {
    await forget(memberId);
    expect(await app.runSweep('digest-id-numbers')).toBeGreaterThanOrEqual(1);
    expect(await digestOf(memberId)).toHaveLength(32);
    expect(await app.runSweep('digest-id-numbers')).toBe(0);
  });

  test('that do not open are compared with none, and hold the others up no more', async () => {
    const [broken, twin] = [await newPerson(), await newPerson()];
    await app.database.asSuperuser(
      "update member_profile set id_number_digest = null, id_number_sealed = id_number_sealed || '\\x00' where member_id = any ($1::uuid[])",
      [[broken, twin]],
    );
    await forget(memberId);
    expect(await sweep()).toBe(3);
    expect(await flags()).toEqual([]);
    expect(await sweep()).toBe(0);
    expect(app.logLines.join('\n')).toContain('an ID number cannot be opened');
  });
});

describe('a payout account', () => {
  const account = async (id: string, iban: string, accountHolderName = 'Ada Example') =>
    (await newAccount(client, id, sepaAccount(undefined, { bankAccount: { accountHolderName, iban } }))).id;
  const review = async (id: string) => {
    const found = await app.database.asSuperuser<{ id: string }>('select id from kyc_record where member_id = $1', [id]);
    return found[0]?.id ?? plantRecord(app, scope, { memberId: id });
  };

  test('that another member has too is told, until it is deactivated', async () => {
    const [one, other] = [await newPayee(client), await newPayee(client)];
    const iban = newIban();
    const mine = await account(one.id, iban);
    expect(await flags(await review(one.id))).toEqual([]);
    const theirs = await account(other.id, iban);
    expect(await flags(await review(one.id))).toEqual([
      { kind: 'ACCOUNT_SHARED', userIds: [other.id], more: false, accountId: mine, found: null },
    ]);
    expect((await client.delete(accountsPath(other.id, theirs))).status).toBeLessThan(300);
    expect(await flags(await review(one.id))).toEqual([]);
  });

  test('of another environment or tenant is not told', async () => {
    const one = await newPayee(client);
    const iban = newIban();
    await account(one.id, iban);
    for (const key of [tenant.sandboxKey, (await app.newTenant()).liveKey]) {
      const there = apiClient(app, key);
      const bankAccount = { accountHolderName: 'Ada Example', iban };
      await newAccount(there, (await newPayee(there)).id, sepaAccount(undefined, { bankAccount }));
    }
    expect(await flags(await review(one.id))).toEqual([]);
  });

  test('under another name than the stated one is told without that name, until the stated name is another', async () => {
    const one = await newPayee(client);
    const id = await review(one.id);
    await plantRequired(app, scope, id);
    expect((await client.post(`/api/v1/admin/kyc/${id}/approve`, {})).status).toBe(200);
    const mine = await account(one.id, newIban(), 'Eve Other');
    const answer = await client.get(`/api/v1/admin/kyc/${id}`);
    expect(answer.body.flags).toEqual([{ kind: 'NAME_MISMATCH', userIds: [], more: false, accountId: mine, found: null }]);
    expect(answer.text).not.toContain('Eve');
    const found = (await client.get(`/api/v1/admin/kyc/${id}/findings`)).body;
    expect(found.source).toBe('accounts');
    expect(found.fields[0]).toMatchObject({ field: 'givenName', stated: expect.any(String), found: null, matches: false });
    await patch(one.id, { givenName: 'Eve', surname: 'Other' });
    expect(await flags(id)).toEqual([]);
  });

  test('under the stated name is none, also where it was approved before digests were kept', async () => {
    const one = await newPayee(client);
    await approveKyc(app, one.id);
    await account(one.id, newIban());
    const id = await review(one.id);
    expect(await flags(id)).toEqual([]);
    const found = (await client.get(`/api/v1/admin/kyc/${id}/findings`)).body;
    expect([found.source, found.fields[1].matches, found.fields[2].matches]).toEqual(['accounts', true, null]);
  });
});
