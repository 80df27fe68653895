/** Events that a SANDBOX has its simulated payment vendor send. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCipher } from '../../../src/encryption.ts';
import { createPaymentSettingsReader } from '../../../src/features/payouts/settings/payment-settings.ts';
import {
  createSimulatedPaymentEvents,
  type SimulatedPaymentEvents,
} from '../../../src/features/payouts/vendor-events/simulated-payment-events.ts';
import { payouts } from '../../../src/features.ts';
import type { Caller } from '../../../src/http/operation.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { testCaller } from '../../support/app/test-caller.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { factsOf, newPayee, plantPayoutAccount } from '../../support/payments/plant-payout-account.ts';

let app: TestApp;
let sandbox: Caller;
let client: ApiClient;
let events: SimulatedPaymentEvents;
const settled: object[] = [];
let providerType = 'payvendor';

beforeAll(async () => {
  app = await startTestApp();
  const tenant = await app.newTenant();
  sandbox = testCaller({ tenantId: tenant.tenantId, environment: 'SANDBOX' });
  client = apiClient(app, tenant.sandboxKey);
  await plantPaymentSettings(app, sandbox);
  const { frames } = app.composition;
  events = createSimulatedPaymentEvents({
    frames,
    settings: createPaymentSettingsReader({ frames, cipher: createCipher(app.config.secrets.dataKeys) }),
    async settlePayout(_db, scope, settlement) {
      if (settlement.payoutId === UNKNOWN) return undefined;
      settled.push({ environment: scope.environment, ...settlement });
      return { settled: settlement.outcome !== 'returned', payout: { status: 'paid', providerType } };
    },
  });
});
afterAll(() => app.close());

const UNKNOWN = randomUUID();
type Event = Parameters<SimulatedPaymentEvents['send']>[1];
const send = (event: Event, scope: Caller = sandbox) => events.send({ scope, guard: undefined }, event);

async function newAccount(accountNumber = '000123456789'): Promise<string> {
  const id = await plantPayoutAccount(app, sandbox, await newPayee(client), { accountNumber });
  await app.composition.offer(payouts).provisioner.provision(sandbox, id);
  return id;
}

describe('of an account', () => {
  test('it needs action, is active again, and the vendor stands by it', async () => {
    const accountId = await newAccount();
    const event = { kind: 'payout_account', accountId } as const;
    const { provisioner } = app.composition.offer(payouts);
    expect(await send({ ...event, outcome: 'active' })).toEqual({ ...event, status: 'active', effect: 'no_change' });
    expect(await send({ ...event, outcome: 'action_required' })).toEqual({
      ...event,
      status: 'action_required',
      effect: 'applied',
    });
    await provisioner.provision(sandbox, accountId);
    expect(await factsOf(app, accountId)).toMatchObject({ status: 'action_required', is_activated: true });
    expect(await send({ ...event, outcome: 'active' })).toMatchObject({ status: 'active' });
    await provisioner.provision(sandbox, accountId);
    expect(await factsOf(app, accountId)).toMatchObject({ status: 'active', status_reason: null });
    expect(await send({ ...event, outcome: 'rejected' })).toMatchObject({ status: 'rejected' });
    expect(await send({ ...event, outcome: 'active' })).toMatchObject({ status: 'rejected', effect: 'no_change' });
  });

  test('one that waits for action by its number becomes active', async () => {
    const accountId = await newAccount('000000000002');
    expect((await factsOf(app, accountId)).status).toBe('action_required');
    await send({ kind: 'payout_account', accountId, outcome: 'active' });
    expect(await factsOf(app, accountId)).toMatchObject({ status: 'active', is_activated: true });
  });

  test('of nobody, of another environment and of one that the vendor does not have', async () => {
    const accountId = await newAccount();
    const event = { kind: 'payout_account', accountId, outcome: 'rejected' } as const;
    await expect(send({ ...event, accountId: randomUUID() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(send(event, testCaller({ ...sandbox, environment: 'LIVE' }))).rejects.toMatchObject({
      code: 'ENVIRONMENT_MISMATCH',
    });
    const other = await app.newTenant();
    await expect(send(event, testCaller({ tenantId: other.tenantId, environment: 'SANDBOX' }))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const waiting = await plantPayoutAccount(app, sandbox, await newPayee(client));
    await expect(send({ ...event, accountId: waiting })).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect((await factsOf(app, accountId)).status).toBe('active');
  });
});

describe('of a payout', () => {
  test.each([
    ['paid', null, 'applied'],
    ['failed', 'account_closed', 'applied'],
    ['returned', 'account_closed', 'no_change'],
  ] as const)('%s', async (outcome, failureCode, effect) => {
    const payoutId = randomUUID();
    expect(await send({ kind: 'payout', payoutId, outcome })).toEqual({ kind: 'payout', payoutId, status: 'paid', effect });
    const by = { ...sandbox.provenance, actor: { kind: 'vendor', id: 'payvendor' } };
    expect(settled.at(-1)).toEqual({ environment: 'SANDBOX', payoutId, outcome, failureCode, by });
  });

  test('of nobody, and of one that the tenant pays by itself', async () => {
    await expect(send({ kind: 'payout', payoutId: UNKNOWN, outcome: 'paid' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    providerType = 'manual';
    await expect(send({ kind: 'payout', payoutId: randomUUID(), outcome: 'paid' })).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
    });
  });
});

test('a SANDBOX with an account of its own is not simulated', async () => {
  const accountId = await newAccount();
  await plantPaymentSettings(app, sandbox, { secretKey: 'sk_test_1' });
  const sent = send({ kind: 'payout_account', accountId, outcome: 'rejected' });
  await expect(sent).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  await plantPaymentSettings(app, sandbox);
});
