/** A tenant whose members are paid by a payment vendor that speaks the real one's wire, for drills about money. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type FakePaymentVendor, startFakePaymentVendor } from '../test/support/payments/fake-payment-vendor.ts';
import type { DrillCluster } from './cluster.ts';
import type { DrillKit } from './kit.ts';
import { newShop } from './new-shop.ts';
import type { DrillProcess, Env } from './processes.ts';

export interface Shop {
  tenantId: string;
  key: string;
  vendor: FakePaymentVendor;
  /** Lets the processes speak to the vendor. */
  env: Env;
  memberIds: string[];
}

const OLD = new Date(Date.now() - 60 * 86_400_000).toISOString();

export async function openShop(kit: DrillKit, cluster: DrillCluster): Promise<Shop> {
  const vendor = await startFakePaymentVendor();
  kit.onEnd(() => vendor.close());
  const { tenantId, apiKey } = await newShop(kit, cluster);
  return { tenantId, key: apiKey, vendor, env: { OUTGOING_ALLOWED_HOSTS: vendor.host }, memberIds: [] };
}

/** Settings by the API, members by the API, their accounts as the provisioning would have left them. */
export async function addPayees(
  kit: DrillKit,
  cluster: DrillCluster,
  api: DrillProcess,
  shop: Shop,
  count: number,
): Promise<void> {
  const { vendor, key } = shop;
  const secretKey = `sk_live_${randomBytes(12).toString('hex')}`;
  vendor.keys.add(secretKey);
  const payvendor = {
    secretKey,
    webhookSecrets: vendor.account.webhookSecrets,
    platformCountry: 'US',
    baseUrl: vendor.account.baseUrl,
  };
  const payments = { provider: 'payvendor', payvendor, requireKyc: false, accountCooldownHours: 0 };
  const set = await kit.call(api, key, 'PATCH', '/api/v1/admin/settings', { payments });
  if (set.status !== 200) throw new Error(`settings: ${set.status} ${JSON.stringify(set.body)}`);
  for (let i = 0; i < count; i++) {
    const made = await kit.call(api, key, 'POST', '/api/v1/users', { email: `${randomUUID()}@test.example` });
    if (made.status !== 201) throw new Error(`member: ${made.status}`);
    shop.memberIds.push(made.body.id as string);
    await plantAccount(cluster, shop, made.body.id as string);
  }
}

async function plantAccount(cluster: DrillCluster, { tenantId, vendor }: Shop, memberId: string): Promise<void> {
  const plain = memberId.replaceAll('-', '');
  const [accountId, bankId] = [`acct_${plain}`, `ba_${plain}`];
  const bank = {
    id: bankId,
    object: 'bank_account',
    account: accountId,
    account_holder_name: null,
    bank_name: 'BANK',
    country: 'US',
  };
  vendor.accounts.set(accountId, {
    id: accountId,
    country: 'US',
    email: 'payee@test.example',
    agreement: 'full',
    individual: {},
    tosDate: 0,
    metadata: {},
    bankAccounts: [
      {
        ...bank,
        object: 'bank_account',
        currency: 'usd',
        default_for_currency: true,
        fingerprint: plain,
        last4: '6789',
        metadata: {},
        routing_number: null,
        status: 'new',
      },
    ],
    numbers: new Map([[bankId, '000123456789']]),
    balance: new Map(),
    told: { transfers: 'active' },
    created: 0,
  });
  await cluster.query(
    `with provider as (
       insert into provider_account (tenant_id, environment, member_id, country, provider_account_id, status, transfers,
                                     profile_version, created_at, updated_at)
       values ($1, 'LIVE', $2, 'US', $3, 'active', 'active', '1', now(), now()) returning id)
     insert into payout_account (tenant_id, environment, member_id, provider_type, method_type, display_name, country, currency,
                                 is_primary, status, fingerprint, activated_at, provider_account_ref, external_account_id,
                                 created_at, updated_at)
     select $1, 'LIVE', $2, 'payvendor', 'us_bank_transfer', 'Bank •••• 6789', 'US', 'USD', true, 'active', sha256($3::text::bytea),
            now() - interval '2 days', provider.id, $4, now(), now() from provider`,
    [tenantId, memberId, accountId, bankId],
  );
}

/** A commission for everybody, which a worker clears. */
export async function earn(
  kit: DrillKit,
  cluster: DrillCluster,
  api: DrillProcess,
  shop: Shop,
  amountMinor: number,
): Promise<void> {
  const { key, memberIds, tenantId } = shop;
  for (const memberId of memberIds) {
    const body = {
      external_event_id: randomUUID(),
      type: 'adjustment',
      user_id: memberId,
      amount_minor: amountMinor,
      currency: 'USD',
    };
    const said = { ...body, description: 'By hand', actor: 'Kim', occurred_at: OLD };
    const made = await kit.call(api, key, 'POST', '/api/v1/events/commission', said);
    if (made.status !== 201) throw new Error(`commission: ${made.status} ${JSON.stringify(made.body)}`);
  }
  await kit.until('the commissions are cleared', async () => {
    const [row] = await cluster.query<{ left: number }>(
      `select count(*)::int as left from commission_line where tenant_id = $1 and status = 'pending'`,
      [tenantId],
    );
    return row?.left === 0;
  });
}

/** Drafts and approves; the id of the run. */
export async function draftRun(kit: DrillKit, api: DrillProcess, { key }: Shop): Promise<{ runId: string; payoutCount: number }> {
  const drafted = await kit.call(api, key, 'POST', '/api/v1/payout-runs', { currency: 'USD' });
  if (drafted.status !== 201) throw new Error(`draft: ${drafted.status} ${JSON.stringify(drafted.body)}`);
  const runId = drafted.body.id as string;
  const approved = await kit.call(api, key, 'POST', `/api/v1/payout-runs/${runId}/approve`, {});
  if (approved.status !== 200) throw new Error(`approve: ${approved.status}`);
  return { runId, payoutCount: drafted.body.payoutCount as number };
}

/** Until no payout is on its way any more. */
export async function awaitPayouts(
  kit: DrillKit,
  cluster: DrillCluster,
  { tenantId, vendor }: Shop,
  timeoutMs = 120_000,
): Promise<void> {
  const open = `select count(*)::int as open from payout p join payout_run r on r.id = p.payout_run_id
    where p.tenant_id = $1 and r.status = 'executing' and p.status in ('queued', 'processing')`;
  const isOver = async () => {
    vendor.settlePayouts(); // the banks take what has arrived
    return (await cluster.query<{ open: number }>(open, [tenantId]))[0]?.open === 0;
  };
  await kit.until('all payouts have ended', isOver, timeoutMs).catch(async (error: Error) => {
    const stand = 'select status, attempt, checks, failure_code, count(*)::int from payout group by 1, 2, 3, 4';
    throw new Error(`${error.message}: ${JSON.stringify(await cluster.query(stand))}; ${vendor.requests.slice(-3).join(', ')}`);
  });
}

export interface Difference {
  paidTwice: number;
  unpaid: number;
  differenceMinor: number;
}

/** What the vendor has sent to each member, against what each had earned: `expectedMinor`, each the same. */
export async function comparePaid(
  cluster: DrillCluster,
  { vendor, memberIds, tenantId }: Shop,
  expectedMinor: number,
): Promise<Difference> {
  const booked = new Map(
    (
      await cluster.query<{ id: string; sum: number }>(
        `select member_id as id, sum(amount_minor)::int as sum from posting
         where tenant_id = $1 and account = 'member:paid_out' group by 1`,
        [tenantId],
      )
    ).map(({ id, sum }) => [id, Math.abs(sum)]),
  );
  const difference: Difference = { paidTwice: 0, unpaid: 0, differenceMinor: 0 };
  for (const memberId of memberIds) {
    const accountId = `acct_${memberId.replaceAll('-', '')}`;
    const sent = [...vendor.transfers.values()]
      .filter(({ destination }) => destination === accountId)
      .reduce((sum, { amount, amount_reversed: back }) => sum + amount - back, 0);
    if (sent > expectedMinor) difference.paidTwice += 1;
    if (sent < expectedMinor) difference.unpaid += 1;
    difference.differenceMinor += Math.abs(sent - (booked.get(memberId) ?? 0));
  }
  return difference;
}
