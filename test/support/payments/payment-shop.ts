/** A tenant with the payment vendor's webhooks, a member with an account there, payouts on their way, and deliveries. */
import type { Scope } from '../../../src/db/scope.ts';
import { apiClient, type MemberBody } from '../app/api-client.ts';
import type { TestApp } from '../app/test-app.ts';
import { type CommissionBody, newUpline } from '../money/model-upline.ts';
import { deliver, type EventFields, eventText, signatureOf } from './payment-delivery.ts';
import { plantPaymentSettings } from './payment-settings.ts';
import { type PlantedAccount, type PlantedPayout, plantAccount, plantPayout } from './plant-payout.ts';

export const SECRETS = ['whsec_platform', 'whsec_connect'];

export interface Shop {
  scope: Scope;
  member: MemberBody;
  account: PlantedAccount;
  sell(): Promise<string>;
  pay(options?: { unanswered?: boolean }): Promise<PlantedPayout>;
  /** `to` is the service itself unless it is named. */
  send(
    fields: EventFields,
    options?: { secret?: string; query?: string; to?: Pick<TestApp, 'baseUrl'> },
  ): ReturnType<typeof deliver>;
}

export async function openShop(app: TestApp, environment: Scope['environment'] = 'LIVE', secrets = SECRETS): Promise<Shop> {
  const tenant = await app.newTenant();
  const scope: Scope = { tenantId: tenant.tenantId, environment };
  const client = apiClient(app, environment === 'LIVE' ? tenant.liveKey : tenant.sandboxKey);
  await plantPaymentSettings(app, scope, { webhookSecrets: secrets });
  const [member] = (await newUpline(client, 'D')) as [MemberBody];
  const account = await plantAccount(app, scope, member.id);
  const sell = async (): Promise<string> => {
    const { body } = await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: member.id } }));
    return (body.commissions as CommissionBody[])[0]?.id ?? '';
  };
  return {
    scope,
    member,
    account,
    sell,
    pay: async (options = {}) =>
      plantPayout(app, scope, { memberId: member.id, accountId: account.accountId, lineIds: [await sell()], ...options }),
    send(fields, { secret = secrets[1] ?? '', query = environment === 'SANDBOX' ? '?environment=sandbox' : '', to = app } = {}) {
      const text = eventText({ livemode: environment === 'LIVE', ...fields });
      return deliver(to, text, { signature: signatureOf(text, secret), query });
    },
  };
}

/** What the vendor tells of the end of a payout. */
export const paidEvent = (
  { scope, account }: Shop,
  payout: PlantedPayout,
  type = 'payout.paid',
  fields: Partial<EventFields> = {},
): EventFields => ({
  type,
  account: account.providerAccountId,
  object: {
    id: type === 'transfer.reversed' ? payout.transferId : payout.vendorPayoutId,
    object: type === 'transfer.reversed' ? 'transfer' : 'payout',
    status: type.split('.')[1],
    metadata: { payout_id: payout.payoutId, attempt: '1', tenant_id: scope.tenantId, environment: scope.environment },
  },
  ...fields,
});
