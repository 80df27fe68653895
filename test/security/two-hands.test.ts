/**
 * Ways round two pairs of hands on the way of money out: one root drafts, and tries to be the second pair itself, or to
 * have other money sent than was approved. Whatever is answered, what counts is what the vendor was asked for.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { plantSession } from '../support/identity/sessions.ts';
import { createPayoutVendorDouble, type PayoutVendorDouble } from '../support/payments/payout-vendor-double.ts';
import { act, draft, earn, payoutOf, runOf } from '../support/payments/payout-world.ts';
import {
  changeSettings,
  type Gone,
  goneOf,
  type Hands,
  type HandsWorld,
  keyMadeBy,
  letMoneyGo,
  newRoot,
  openHandsWorld,
  pass,
  type RunOfOne,
} from '../support/two-hands/hands-world.ts';

const KEYS = '/api/v1/admin/api-keys';

let app: TestApp;
let vendor: PayoutVendorDouble;
let world: HandsWorld;
let first: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  vendor = createPayoutVendorDouble();
  world = await openHandsWorld(app, vendor);
  first = world.first.client;
});

const sql = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  app.database.asSuperuser<Row>(text, values);

/** What the vendor was asked to send, of this tenant. */
const sent = () => [...vendor.transfers.values()].filter(({ metadata }) => metadata['tenant_id'] === world.scope.tenantId);

const asApproved = ({ runId, payoutId, accountId, amountMinor }: RunOfOne): Gone => ({
  runId,
  payoutId,
  accountId,
  amountMinor,
  status: 'processing',
});

/** The first root cannot approve the run, execute it, or make its payout go. */
async function cannotPass(approver: ApiClient, runId = world.drafted.runId): Promise<void> {
  const { status, body } = await act(approver, runId, 'approve');
  expect([status, body.code]).toEqual([403, 'SECOND_PERSON_REQUIRED']);
  expect((await act(first, runId, 'execute')).status).toBe(409);
  expect((await runOf(first, runId)).status).toBe('draft');
  await letMoneyGo(world, vendor);
  expect(await goneOf(world)).toEqual([]);
  expect(sent()).toEqual([]);
}

async function rolled(by: ApiClient, keyId: string): Promise<Hands> {
  const { body } = await pass(by.post(`${KEYS}/${keyId}/roll`, {}));
  return { keyId: body.id, key: body.apiKey, client: apiClient(app, body.apiKey) };
}

test('the world is sound: what two roots have passed goes, as it was approved', async () => {
  await pass(act(world.second.client, world.drafted.runId, 'approve'));
  await pass(act(first, world.drafted.runId, 'execute'));
  await pass(act(first, world.approved.runId, 'execute'));
  await letMoneyGo(world, vendor);
  expect((await goneOf(world)).toSorted((a, b) => a.amountMinor - b.amountMinor)).toEqual([
    asApproved(world.drafted),
    asApproved(world.approved),
  ]);
  expect(sent()).toHaveLength(2);
});

describe('one root has no second pair of hands:', () => {
  test('the key itself, and a key that it has made', async () => {
    await cannotPass(first);
    await cannotPass(world.firstsOwn.client);
  });

  test.each([
    ['by a preset', { preset: 'full' }],
    ['with the one right', { scopes: ['payouts:approve'] }],
    ['under the name of another', { scopes: ['*'], name: 'Second root' }],
  ])('a key made %s', async (_how, fields) => {
    await cannotPass((await keyMadeBy(app, first, fields)).client);
  });

  test('a key made by a key that was made by a key', async () => {
    const child = await keyMadeBy(app, first);
    const grandchild = await keyMadeBy(app, child.client);
    await cannotPass((await keyMadeBy(app, grandchild.client)).client);
  });

  test('a key that was made narrow and is widened afterwards', async () => {
    const made = await keyMadeBy(app, first, { scopes: ['payouts:read'] });
    await pass(first.patch(`${KEYS}/${made.keyId}`, { scopes: ['payouts:read', 'payouts:approve'] }));
    await cannotPass(made.client);
  });

  test('a key of its own that the other root widens, in good faith', async () => {
    const made = await keyMadeBy(app, first, { scopes: ['payouts:read'] });
    await pass(world.second.client.patch(`${KEYS}/${made.keyId}`, { scopes: ['payouts:read', 'payouts:approve'] }));
    await cannotPass(made.client);
  });

  test('its own key rolled, and the key of a roll rolled again', async () => {
    const once = await rolled(first, world.firstsOwn.keyId);
    await cannotPass(once.client);
    await cannotPass((await rolled(first, once.keyId)).client);
  });

  test("the other root's key, rolled by the first, which sees the secret", async () => {
    const stolen = await rolled(first, world.second.keyId);
    await cannotPass(stolen.client);
    await cannotPass((await rolled(stolen.client, stolen.keyId)).client);
    await cannotPass((await keyMadeBy(app, stolen.client)).client);
  });

  test('a key that drafted and was revoked leaves its root behind', async () => {
    const drafter = await keyMadeBy(app, first);
    await earn(app, world.scope, first, world.ada, 20_000, 'USD');
    const { id } = await draft(drafter.client, { currency: 'USD' });
    await pass(first.delete(`${KEYS}/${drafter.keyId}`));
    await cannotPass(first, id);
    await cannotPass(world.firstsOwn.client, id);
  });

  test('a root that is revoked: its keys are what they were', async () => {
    await pass(world.firstsOwn.client.delete(`${KEYS}/${world.first.keyId}`));
    const { status, body } = await act(world.firstsOwn.client, world.drafted.runId, 'approve');
    expect([status, body.code]).toEqual([403, 'SECOND_PERSON_REQUIRED']);
  });

  test("its own draft is not the other root's for having been drafted by a stolen roll", async () => {
    const stolen = await rolled(first, world.second.keyId);
    await earn(app, world.scope, first, world.ada, 20_000, 'USD');
    const { id } = await draft(stolen.client, { currency: 'USD' });
    await cannotPass(first, id);
    await cannotPass(stolen.client, id);
    await pass(act(world.second.client, id, 'approve'));
  });

  test('a member token beside the other key, a weaker key, another tenant and the other environment', async () => {
    const { accessToken } = await plantSession(app, world.scope, world.bob.id);
    const path = `/api/v1/payout-runs/${world.drafted.runId}/approve`;
    const beside = await world.second.client.post(path, {}, { authorization: `Bearer ${accessToken}` });
    const weak = await newRoot(app, world.scope, ['payouts:read', 'payouts:write', 'payouts:execute']);
    const other = await app.newTenant();
    const sandbox = await newRoot(app, { ...world.scope, environment: 'SANDBOX' });
    const refused = await Promise.all(
      [weak.client, apiClient(app, other.liveKey), sandbox.client].map((client) => act(client, world.drafted.runId, 'approve')),
    );
    expect([beside, ...refused].map(({ status }) => status)).toEqual([403, 403, 404, 404]);
    expect((await runOf(first, world.drafted.runId)).status).toBe('draft');
  });

  test('a sock puppet: a root that counts as the first is none, neither by one tie nor by two, until they end', async () => {
    const tie = (subject: string, countsAs: string) =>
      sql(
        `insert into approval_tie (tenant_id, environment, subject, counts_as, reason, until)
         values ($1, 'LIVE', $2, $3, 'invited', now() + interval '7 days')`,
        [world.scope.tenantId, subject, countsAs],
      );
    const between = await newRoot(app, world.scope);
    const [one, middle, other] = [world.first, between, world.second].map(({ keyId }) => `api_key:${keyId}`) as [
      string,
      string,
      string,
    ];
    await tie(other, middle);
    await tie(middle, one);
    await cannotPass(world.second.client);
    await cannotPass(between.client);
    await cannotPass((await keyMadeBy(app, world.second.client)).client);
    await sql("update approval_tie set until = now() - interval '1 second' where tenant_id = $1 and subject = $2", [
      world.scope.tenantId,
      other,
    ]);
    await pass(act(world.second.client, world.drafted.runId, 'approve'));
  });
});

describe('a stored answer moves nothing:', () => {
  const key = () => ({ 'idempotency-key': randomUUID() });

  test("another's approval, repeated by a roll of its key, is read and not made", async () => {
    const headers = key();
    await earn(app, world.scope, first, world.ada, 20_000, 'USD');
    const { id } = await draft(first, { currency: 'USD' });
    const path = (runId: string) => `/api/v1/payout-runs/${runId}/approve`;
    await pass(world.second.client.post(path(id), {}, headers));
    const stolen = await rolled(first, world.second.keyId);
    const repeat = await stolen.client.post(path(id), {}, headers);
    expect([repeat.status, repeat.headers['idempotent-replayed']]).toEqual([200, 'true']);
    // For the other run the same key is refused.
    const again = await stolen.client.post(path(world.drafted.runId), {}, headers);
    expect(again.status).toBe(422);
    expect((await runOf(first, world.drafted.runId)).status).toBe('draft');
    // And the stranger, whose family it is not.
    expect((await first.post(path(id), {}, headers)).status).toBe(422);
  });

  test('a refusal that was sent ahead is not what the other root gets later, nor an approval', async () => {
    const headers = key();
    const stolen = await rolled(first, world.second.keyId);
    const path = `/api/v1/payout-runs/${world.drafted.runId}/approve`;
    expect((await stolen.client.post(path, {}, headers)).status).toBe(403);
    expect((await runOf(first, world.drafted.runId)).status).toBe('draft');
    await pass(world.second.client.post(path, {}, headers));
  });
});

describe('the rule is stamped on the run:', () => {
  test('drafted while dual control was off, it is bound by what is on now', async () => {
    const off = await openHandsWorld(app, vendor, { dualControl: false });
    await pass(changeSettings(off.first.client, { dualControl: true }));
    const { status, body } = await act(off.firstsOwn.client, off.drafted.runId, 'approve');
    expect([status, body.code]).toEqual([403, 'SECOND_PERSON_REQUIRED']);
  });

  test('drafted while it was on, it is bound when it is off, though two pairs of hands have put it off', async () => {
    const { body } = await changeSettings(first, { dualControl: false });
    await pass(world.second.client.post(`/api/v1/admin/pending-changes/${body.pendingChange.id}/confirm`, {}));
    await cannotPass(first);
    await cannotPass(world.firstsOwn.client);
  });

  test('drafted under persons, no key approves it, whatever the rule is now', async () => {
    const persons = await openHandsWorld(app, vendor);
    await pass(changeSettings(persons.first.client, { dualControlBy: 'persons' }));
    await earn(app, persons.scope, persons.first.client, persons.ada, 20_000, 'USD');
    const { id } = await draft(persons.first.client, { currency: 'USD' });
    await sql("update payment_settings set dual_control_by = 'keys' where tenant_id = $1", [persons.scope.tenantId]);
    for (const { client } of [persons.first, persons.second]) {
      const { status, body } = await act(client, id, 'approve');
      expect([status, body.code]).toEqual([403, 'SECOND_PERSON_REQUIRED']);
    }
  });

  test('drafted under keys, persons bind it as soon as they are asked for', async () => {
    await pass(changeSettings(first, { dualControlBy: 'persons' }));
    await cannotPass(world.second.client);
  });

  test('a dry run leaves nothing that could be approved', async () => {
    const { body } = await first.post('/api/v1/payout-runs', { currency: 'CAD', dryRun: true });
    expect([body.id, body.payouts.every((payout: { id: unknown }) => payout.id === null)]).toEqual([null, true]);
  });
});

describe('what was approved goes as it was approved, or not at all:', () => {
  const accounts = (memberId: string, id: string) => `/api/v1/members/${memberId}/payout-accounts/${id}`;
  const executed = async (): Promise<Gone[]> => {
    await pass(act(first, world.approved.runId, 'execute'));
    await letMoneyGo(world, vendor);
    return goneOf(world);
  };

  test('the other account was made primary', async () => {
    await pass(first.patch(accounts(world.bob.id, world.readyAccountId), { isPrimary: true }));
    await letItCool(world.readyAccountId);
    expect([[], [asApproved(world.approved)]]).toContainEqual(await executed());
    expect(sent().map(({ amountMinor }) => amountMinor)).not.toContain(0n);
  });

  test('the approved account was given up: nothing goes to the one that lay in readiness', async () => {
    await pass(first.delete(accounts(world.bob.id, world.approved.accountId)));
    expect(await executed()).toEqual([]);
    expect(sent()).toEqual([]);
    expect((await payoutOf(first, world.approved.payoutId)).status).toBe('cancelled');
  });

  test('more was earned meanwhile: the payout does not grow', async () => {
    await earn(app, world.scope, first, world.bob, 900_000, 'EUR');
    expect(await executed()).toEqual([asApproved(world.approved)]);
    expect(sent().map(({ amountMinor }) => amountMinor)).toEqual([20_000n]);
  });

  test('a failed payout is retried to its own account, or not at all', async () => {
    await plantBesides(world.failed);
    await first.post(`/api/v1/payouts/${world.failed.payoutId}/retry`, {});
    await letMoneyGo(world, vendor);
    for (const gone of await goneOf(world)) expect(gone).toEqual(asApproved(world.failed));
    const payouts = [...vendor.payouts.values()].filter(({ metadata }) => metadata['tenant_id'] === world.scope.tenantId);
    for (const payout of payouts) expect(payout).toMatchObject({ bankAccountId: `ba_${world.failed.accountId}` });
  });

  test('a failed payout whose account was given up pays nobody', async () => {
    await pass(first.delete(accounts(world.bob.id, world.failed.accountId)));
    await plantBesides(world.failed);
    await first.post(`/api/v1/payouts/${world.failed.payoutId}/retry`, {});
    await letMoneyGo(world, vendor);
    expect(await goneOf(world)).toEqual([]);
  });

  test('the payouts of the vendor are not settled, returned or freed by hand', async () => {
    const on = (payoutId: string, deed: string, body: object) => first.post(`/api/v1/payouts/${payoutId}/${deed}`, body);
    const answers = [
      await on(world.approved.payoutId, 'settle', { reference: 'ours' }),
      await on(world.approved.payoutId, 'return', { reason: 'ours' }),
      await on(world.failed.payoutId, 'settle', { reference: 'ours' }),
      await on(world.failed.payoutId, 'return', { reason: 'ours' }),
      await on(world.drafted.payoutId, 'retry', {}),
      await on(world.approved.payoutId, 'retry', {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409, 409]);
  });

  /** A second account in the currency, active for long and primary. */
  async function plantBesides({ accountId }: RunOfOne): Promise<void> {
    const [row] = await sql<{ id: string }>(
      `with none as (update payout_account set is_primary = false where tenant_id = $1 and member_id = $3)
       insert into payout_account (tenant_id, environment, member_id, provider_type, method_type, display_name, country, currency,
                                   is_primary, status, fingerprint, activated_at, provider_account_ref, external_account_id, created_at, updated_at)
       select tenant_id, environment, member_id, provider_type, method_type, display_name, country, currency, false, 'active',
              sha256(gen_random_uuid()::text::bytea), now() - interval '90 days', provider_account_ref, 'ba_attacker',
              now() - interval '90 days', now()
       from payout_account where tenant_id = $1 and id = $2 returning id`,
      [world.scope.tenantId, accountId, world.bob.id],
    );
    await pass(first.patch(accounts(world.bob.id, row?.id ?? ''), { isPrimary: true }));
    await letItCool(row?.id ?? '');
  }

  /** It is primary for long, so that no cool-down keeps money from it. */
  const letItCool = (accountId: string) =>
    sql("update payout_account set destination_since = now() - interval '90 days' where tenant_id = $1 and id = $2", [
      world.scope.tenantId,
      accountId,
    ]);
});

describe('and what we have thought of ourselves:', () => {
  test('the actor is the key, whatever the request calls itself', async () => {
    const headers = {
      'x-request-id': `api_key:${world.second.keyId}`,
      'x-tenant-id': world.scope.tenantId,
      'x-api-key': world.second.keyId,
      'x-http-method-override': 'POST',
    };
    const path = `/api/v1/payout-runs/${world.drafted.runId}/approve`;
    const { status, body } = await first.post(path, {}, headers);
    expect([status, body.code]).toEqual([403, 'SECOND_PERSON_REQUIRED']);
    expect((await first.post(path, { approvedBy: `api_key:${world.second.keyId}` })).status).toBe(400);
    expect((await first.get(path, headers)).status).toBe(405);
  });

  test('a person who became another since the approval is paid nothing', async () => {
    await pass(first.patch(`/api/v1/members/${world.bob.id}/profile`, { givenName: 'Bob', surname: 'Builder' }));
    await sql("update kyc_record set status = 'approved', verified_at = now() where tenant_id = $1 and member_id = $2", [
      world.scope.tenantId,
      world.bob.id,
    ]);
    await sql("update member set kyc_approved_at = now() - interval '1 hour' where tenant_id = $1 and id = $2", [
      world.scope.tenantId,
      world.bob.id,
    ]);
    await pass(first.patch(`/api/v1/members/${world.bob.id}/profile`, { givenName: 'Mallory', surname: 'Other' }));
    await pass(act(first, world.approved.runId, 'execute'));
    await letMoneyGo(world, vendor);
    expect(await goneOf(world)).toEqual([]);
    expect((await payoutOf(first, world.approved.payoutId)).failureCode).toBe('KYC_REQUIRED');
  });

  test("the SANDBOX's clock, its simulated vendor and its settings end nothing in LIVE", async () => {
    const sandbox = await newRoot(app, { ...world.scope, environment: 'SANDBOX' });
    await pass(first.patch(accountOf(world.readyAccountId), { isPrimary: true }));
    const { body } = await changeSettings(first, { requireKyc: false });
    await pass(sandbox.client.post('/api/v1/sandbox/clock', { advanceSeconds: 8 * 86_400 }));
    await pass(changeSettings(sandbox.client, { dualControl: false, requireKyc: false, accountCooldownHours: 0 }));
    expect((await first.get(`/api/v1/admin/pending-changes/${body.pendingChange.id}`)).body.status).toBe('open');
    expect((await sandbox.client.post(`/api/v1/admin/pending-changes/${body.pendingChange.id}/confirm`, {})).status).toBe(404);
    const told = { kind: 'payout', payoutId: world.failed.payoutId, outcome: 'paid' };
    expect((await sandbox.client.post('/api/v1/sandbox/vendor-events', told)).status).toBe(404);
    expect((await first.post('/api/v1/sandbox/vendor-events', told)).status).toBe(403);
    await cannotPass(first);
  });

  test('the request of one change under the name of another is not carried out: what is sealed is bound to its place', async () => {
    const { body: shown } = await changeSettings(first, { accountCooldownHours: 1 });
    const { body: hidden } = await changeSettings(first, { requireKyc: false });
    await sql(
      `update pending_change p set request_sealed = o.request_sealed from pending_change o
       where p.tenant_id = $1 and o.tenant_id = $1 and p.id = $2 and o.id = $3`,
      [world.scope.tenantId, shown.pendingChange.id, hidden.pendingChange.id],
    );
    const { status } = await world.second.client.post(`/api/v1/admin/pending-changes/${shown.pendingChange.id}/confirm`, {});
    expect(status).toBe(500);
    expect((await first.get('/api/v1/admin/settings')).body.payments).toMatchObject({
      requireKyc: true,
      accountCooldownHours: 24,
    });
  });

  const accountOf = (id: string) => `/api/v1/members/${world.bob.id}/payout-accounts/${id}`;
});
