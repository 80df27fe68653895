/** Where the money goes, and since when. Source: docs/specification/payouts.md#cool-down. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { accountsPath } from '../../support/payments/payout-accounts.ts';
import { approveKyc, draft, earn, plantAccount } from '../../support/payments/payout-world.ts';

let app: TestApp;
let client: ApiClient;
let scope: Scope;
let member: MemberBody;
let first: string;
let second: string;

beforeAll(async () => {
  app = await startTestApp();
});
/** Two accounts, both active for long; the first is the primary one. */
beforeEach(async () => {
  const tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  member = await client.newMember();
  await approveKyc(app, member.id);
  first = await plantAccount(app, scope, member.id);
  second = await plantAccount(app, scope, member.id, { isPrimary: false });
  await earn(app, scope, client, member, 10_000);
});
afterAll(() => app.close());

const setPrimary = (id: string) => client.patch(accountsPath(member.id, id), { isPrimary: true });
const status = (id: string, to: string) =>
  app.database.asSuperuser('update payout_account set status = $2 where id = $1', [id, to]);
const passes = (hours: number) =>
  app.database.asSuperuser(
    'update payout_account set destination_since = destination_since - make_interval(hours => $2) where member_id = $1',
    [member.id, hours],
  );
const paidTo = async () => {
  const { payouts, blocked } = await draft(client, { dryRun: true });
  return payouts[0]?.payoutAccountId ?? blocked[0]?.reason;
};

test('the account that has been the destination for long is paid', async () => {
  expect(await paidTo()).toBe(first);
});

test('a change of the primary account begins the cool-down anew, and back again too', async () => {
  expect((await setPrimary(second)).status).toBe(200);
  expect(await paidTo()).toBe('ACCOUNT_COOLDOWN');
  await passes(23);
  expect(await paidTo()).toBe('ACCOUNT_COOLDOWN');
  await passes(2);
  expect(await paidTo()).toBe(second);
  await setPrimary(first);
  expect(await paidTo()).toBe('ACCOUNT_COOLDOWN');
  const { usableFrom } = (await client.get(accountsPath(member.id, first))).body;
  expect(Date.parse(usableFrom)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
});

test('an account that lay in readiness does not get the money at once when the primary one goes', async () => {
  const answer = await client.delete(accountsPath(member.id, first));
  expect(answer.status).toBe(200);
  expect(await paidTo()).toBe('ACCOUNT_COOLDOWN');
  await passes(25);
  expect(await paidTo()).toBe(second);
});

test('nor when the vendor stops the primary one, which begins anew when it comes back', async () => {
  await status(first, 'action_required');
  expect(await paidTo()).toBe('ACCOUNT_COOLDOWN');
  await status(first, 'active');
  expect(await paidTo()).toBe('ACCOUNT_COOLDOWN');
  await passes(25);
  expect(await paidTo()).toBe(first);
});

test('an account that is alone goes on where it was when the vendor lets it', async () => {
  await status(second, 'deactivated');
  await status(first, 'action_required');
  expect(await paidTo()).toBe('NO_ACCOUNT');
  await status(first, 'active');
  expect(await paidTo()).toBe(first);
});

test('of two active ones without a primary the newer counts, from when it became active', async () => {
  await status(second, 'provisioning');
  await app.database.asSuperuser('update payout_account set is_primary = false where id = $1', [first]);
  expect(await paidTo()).toBe(first);
  await status(second, 'active');
  expect(await paidTo()).toBe('ACCOUNT_COOLDOWN');
});

test('an account in another currency is another destination', async () => {
  await plantAccount(app, scope, member.id, { currency: 'EUR', isPrimary: false });
  expect(await paidTo()).toBe(first);
});

test('becoming the primary one beside a draft: the old one is paid, or nobody', async () => {
  const [changed, drafted] = await Promise.all([setPrimary(second), draft(client)]);
  expect(changed.status).toBe(200);
  expect([first, undefined]).toContain(drafted.payouts[0]?.payoutAccountId);
  if (drafted.payouts.length === 0) expect(drafted.blocked[0]?.reason).toBe('ACCOUNT_COOLDOWN');
});
