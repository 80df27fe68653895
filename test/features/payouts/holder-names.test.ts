/** Names that accounts are held under, and payouts to them. Source: docs/specification/payouts.md#holder-name. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { accountsPath, newAccount, newIban, newPayee, sepaAccount } from '../../support/payments/payout-accounts.ts';
import { act, approveKyc, draft, earn } from '../../support/payments/payout-world.ts';

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

const scope = () => ({ tenantId: tenant.tenantId, environment: 'LIVE' as const });
const heldBy = (accountHolderName: string, fields: object = {}) =>
  newAccount(client, member.id, sepaAccount(undefined, { bankAccount: { accountHolderName, iban: newIban() }, ...fields }));
const shown = async (id: string) => (await client.get(accountsPath(member.id, id))).body;
const patch = (body: object) => client.patch(`/api/v1/members/${member.id}/profile`, body);
const accept = (id: string, by = client) => by.post(`${accountsPath(member.id, id)}/accept-name`, {});
/** Long active, so that no cool-down is in the way. */
const age = () =>
  app.database.asSuperuser(
    "update payout_account set activated_at = activated_at - interval '3 days', destination_since = destination_since - interval '3 days' where member_id = $1",
    [member.id],
  );
const reason = async () => {
  const { body } = await client.post('/api/v1/payout-runs', { currency: 'EUR', dryRun: true });
  const blocked = body.blocked as { userId: string; reason: string }[];
  return blocked.find(({ userId }) => userId === member.id)?.reason;
};

test('another name than the verified one stops the payout until it is accepted, once', async () => {
  await approveKyc(app, member.id);
  const { id } = await heldBy('Eve Other');
  expect(await shown(id)).toMatchObject({ nameMatch: 'mismatch', nameAcceptedBy: null });
  await earn(app, scope(), client, member, 10_000, 'EUR');
  expect(await reason()).toBe('ACCOUNT_COOLDOWN');
  await age();
  expect(await reason()).toBe('NAME_MISMATCH');
  const weak = apiClient(
    app,
    (await client.post('/api/v1/admin/api-keys', { name: 'w', scopes: ['payouts:write', 'accounts:write'] })).body
      .apiKey as string,
  );
  expectRefusal(await accept(id, weak), 403, 'FORBIDDEN');
  expect((await accept(id)).body).toMatchObject({ nameMatch: 'accepted', nameAcceptedBy: { kind: 'api_key' } });
  expect((await accept(id)).status).toBe(200);
  expect(await reason()).toBeUndefined();
  const { data } = (await client.get(`/api/v1/admin/audit-logs?objectId=${id}&action=payout_account.name_accepted`)).body;
  expect(data).toHaveLength(1);
  expect(JSON.stringify(data)).not.toContain('Eve');
});

test.each([
  ['ADA EXAMPLE', 'matched'],
  ['Example A.', 'matched'],
  ['Eve Example', 'mismatch'],
])('%s is %s by the approval that comes behind the account', async (holder, nameMatch) => {
  const { id } = await heldBy(holder);
  expect(await shown(id)).toMatchObject({ nameMatch: 'not_compared' });
  await earn(app, scope(), client, member, 10_000, 'EUR');
  await age();
  expect(await reason()).toBe('KYC_REQUIRED');
  await approveKyc(app, member.id);
  expect(await shown(id)).toMatchObject({ nameMatch });
  expect(await reason()).toBe(nameMatch === 'matched' ? undefined : 'NAME_MISMATCH');
});

test('the account of somebody who is not verified, or without a name, is not compared', async () => {
  const { id } = await heldBy('Eve Other');
  expectRefusal(await accept(id), 409, 'STATE_CONFLICT');
  await patch({ givenName: null, surname: null });
  await approveKyc(app, member.id);
  expect(await shown(id)).toMatchObject({ nameMatch: 'not_compared' });
});

test('the name is compared again when the verified one is corrected; what was accepted is so no more', async () => {
  await approveKyc(app, member.id);
  const matched = await heldBy('Ada Example');
  const accepted = await heldBy('Eve Other');
  await accept(accepted.id);
  expect((await patch({ surname: 'Exempel', keepVerification: { reason: 'Typed wrongly' } })).status).toBe(200);
  expect(await shown(matched.id)).toMatchObject({ nameMatch: 'mismatch' });
  expect(await shown(accepted.id)).toMatchObject({ nameMatch: 'mismatch', nameAcceptedBy: null });
  await patch({ dateOfBirth: '1991-01-01', keepVerification: { reason: 'Typed wrongly' } });
  await accept(accepted.id);
  await patch({ dateOfBirth: '1991-01-02', keepVerification: { reason: 'Typed wrongly' } });
  expect(await shown(accepted.id)).toMatchObject({ nameMatch: 'accepted' });
});

describe('a business', () => {
  test('is compared by the business name of the profile, which a member does not set', async () => {
    await approveKyc(app, member.id);
    const body = sepaAccount(undefined, {
      holderType: 'business',
      bankAccount: { accountHolderName: 'Example GmbH', iban: newIban() },
    });
    const lacking = await client.post(accountsPath(member.id), body);
    expectRefusal(lacking, 422, 'PROFILE_INCOMPLETE');
    expect(lacking.body.details).toEqual({ missing: ['businessName'] });
    const bearer = { authorization: `Bearer ${(await plantSession(app, scope(), member.id)).accessToken}` };
    const own = await client.patch(`/api/v1/members/${member.id}/profile`, { businessName: 'Example GmbH' }, bearer);
    expectRefusal(own, 403, 'FORBIDDEN');
    expect((await patch({ businessName: 'EXAMPLE GMBH' })).body).toMatchObject({ businessName: 'EXAMPLE GMBH' });
    const { body: account } = await client.post(accountsPath(member.id), body);
    expect(account).toMatchObject({ holderType: 'business', nameMatch: 'matched' });
    await patch({ businessName: 'Another GmbH' });
    expect(await shown(account.id)).toMatchObject({ nameMatch: 'mismatch' });
    await accept(account.id);
    await patch({ businessName: null });
    expect(await shown(account.id)).toMatchObject({ nameMatch: 'mismatch' });
  });
});

describe('a run that was approved', () => {
  const executed = async (meanwhile: () => Promise<unknown>) => {
    await approveKyc(app, member.id);
    await heldBy('Ada Example');
    await age();
    await earn(app, scope(), client, member, 10_000, 'EUR');
    const run = await draft(client, { currency: 'EUR' });
    expect(run.payouts).toHaveLength(1);
    expect((await act(client, run.id, 'approve')).status).toBe(200);
    await meanwhile();
    expect((await act(client, run.id, 'execute')).status).toBe(200);
    await app.runSweep('execute-payouts', scope());
    return (await client.get(`/api/v1/payouts/${run.payouts[0]?.id}`)).body;
  };

  test('pays who is still the verified person', async () => {
    expect(await executed(async () => undefined)).toMatchObject({ status: 'processing', failureCode: null });
  });

  test('does not pay who has become another person, though verifications are not asked for', async () => {
    const relaxed = await client.patch('/api/v1/admin/settings', { payments: { requireKyc: false } });
    expect(relaxed.body.payments).toMatchObject({ requireKyc: false });
    expect(await executed(() => patch({ surname: 'Other' }))).toMatchObject({ status: 'cancelled', failureCode: 'KYC_REQUIRED' });
    expect(await reason()).toBe('KYC_REQUIRED');
  });

  test('does not pay to a name that is another by a correction', async () => {
    const payout = await executed(() => patch({ surname: 'Exempel', keepVerification: { reason: 'Typed wrongly' } }));
    expect(payout).toMatchObject({ status: 'cancelled', failureCode: 'NAME_MISMATCH' });
  });
});
