/** How many payout accounts a member may have: docs/specification/conventions.md#caps. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { accountsPath, newPayee, sepaAccount } from '../../support/payments/payout-accounts.ts';

const ACCOUNTS = 2;

let app: TestApp;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp({ MEMBER_MAX_PAYOUT_ACCOUNTS: `${ACCOUNTS}` });
  client = apiClient(app, (await app.newTenant()).liveKey);
});
afterAll(() => app.close());

const count = async (id: string) =>
  ((await client.get(accountsPath(id))).body.accounts as { isActive: boolean }[]).filter(({ isActive }) => isActive).length;

test('past the last account it is refused until one is deactivated', async () => {
  const { id } = await newPayee(client);
  const first = await client.post(accountsPath(id), sepaAccount());
  expect(first.status).toBe(201);
  expect((await client.post(accountsPath(id), sepaAccount())).status).toBe(201);
  for (const fields of [{}, { isPrimary: true }]) {
    const refused = await client.post(accountsPath(id), sepaAccount(undefined, fields));
    expectRefusal(refused, 422, 'LIMIT_REACHED');
    expect(refused.body.details).toEqual({ limit: ACCOUNTS });
  }
  expect((await client.get(`${accountsPath(id)}/${first.body.id}`)).body.isPrimary).toBe(true);
  const { id: another } = await newPayee(client);
  expect((await client.post(accountsPath(another), sepaAccount())).status).toBe(201);
  expect((await client.delete(`${accountsPath(id)}/${first.body.id}`)).status).toBe(200);
  expect((await client.post(accountsPath(id), sepaAccount())).status).toBe(201);
  expectRefusal(await client.post(accountsPath(id), sepaAccount()), 422, 'LIMIT_REACHED');
});

test('an account that the member has is not one more: it is said that it is there', async () => {
  const { id } = await newPayee(client);
  const account = sepaAccount();
  expect((await client.post(accountsPath(id), account)).status).toBe(201);
  expect((await client.post(accountsPath(id), sepaAccount())).status).toBe(201);
  expectRefusal(await client.post(accountsPath(id), account), 409, 'STATE_CONFLICT');
});

test('one that was rejected makes way for itself', async () => {
  const { id } = await newPayee(client);
  const account = sepaAccount();
  const first = await client.post(accountsPath(id), account);
  expect((await client.post(accountsPath(id), sepaAccount())).status).toBe(201);
  await app.database.asSuperuser("update payout_account set status = 'rejected' where id = $1", [first.body.id]);
  expect((await client.post(accountsPath(id), account)).status).toBe(201);
  expectRefusal(await client.post(accountsPath(id), sepaAccount()), 422, 'LIMIT_REACHED');
});

test('of those that come at once only so many are made', async () => {
  const { id } = await newPayee(client);
  const answers = await Promise.all(Array.from({ length: ACCOUNTS + 3 }, () => client.post(accountsPath(id), sepaAccount())));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 422, 422, 422]);
  expect(await count(id)).toBe(ACCOUNTS);
});
