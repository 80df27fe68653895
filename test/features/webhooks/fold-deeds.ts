/** What random histories are made of: what a tenant, its members, its vendors and the service do. */
import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../src/db/scope.ts';
import type { ApiClient } from '../../support/app/api-client.ts';
import type { TestApp } from '../../support/app/test-app.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';
import { accountsPath, COMPLETE_PROFILE } from '../../support/payments/payout-accounts.ts';
import { tellPayouts } from '../../support/webhooks/told-events.ts';

export interface World {
  app: TestApp;
  scope: Scope;
  client: ApiClient;
  members: { id: string; referral_code: string }[];
  leads: string[];
  sales: string[];
}

const pick = <T>(items: readonly T[], n: number): T | undefined => items[n % Math.max(1, items.length)];
const memberOf = ({ members }: World, n: number): string => pick(members, n)?.id ?? randomUUID();

async function oneOf({ client }: World, n: number, path: string): Promise<{ id: string; [field: string]: unknown }> {
  const { body } = await client.get(`/api/v1/${path}`);
  return pick((body.data ?? body.accounts ?? []) as { id: string }[], n) ?? { id: randomUUID() };
}

const lineIn = async (world: World, n: number, status: string): Promise<string> =>
  (await oneOf(world, n, `commissions?status=${status}&limit=100`)).id;

const payoutIn = async (world: World, n: number): Promise<string> => (await oneOf(world, n, 'payouts?limit=100')).id;
const accountIn = async (world: World, n: number): Promise<string> =>
  (await oneOf(world, n >> 3, accountsPath(memberOf(world, n)).replace('/api/v1/', ''))).id;

/** By its end the simulated vendor pays to an account, or lets it fail, or leaves it on its way. */
const LAST_FOUR = ['6789', '0003', '0001'];

const ENDPOINTS = 'webhook-endpoints';

/** Types of each way in which an event is folded. */
const TESTED = ['member.created', 'commissions.created', 'commissions.cleared', 'payouts.updated', 'payout.paid', 'kyc.approved'];

/** What is due of runs and at the vendor is done. */
async function work({ app, scope }: World): Promise<void> {
  await app.runSweep('execute-payouts', scope);
  await runJobs(app, 'advance-payouts');
  await tellPayouts(app);
  await app.runSweep('check-payouts', scope);
  await runJobs(app, 'advance-payouts');
}

export const DEEDS = {
  async join({ client, members }, n) {
    const sponsor = pick(members, n);
    members.push(await client.newMember(sponsor ? { referral_code: sponsor.referral_code } : {}));
  },
  async capture({ client, leads }, n) {
    const email = `${n}-${leads.length}@lead.example`;
    leads.push((await client.post('/api/v1/leads/capture', { email, name: `Lead ${n}` })).body.id);
  },
  convert: ({ client, leads }, n) => client.post(`/api/v1/leads/${pick(leads, n) ?? randomUUID()}/convert`, {}),
  async sell({ client, members, sales }, n) {
    const by = pick(members, n);
    const body = client.purchaseBody({ amount_minor: 1_000 + n, ...(by && { attribution: { user_id: by.id } }) });
    await client.post('/api/v1/events/purchase', body);
    sales.push(String(body['external_event_id']));
  },
  /** The customer of an earlier sale goes by another name. */
  async sellAgain({ client, members, sales }, n) {
    const by = pick(members, n >> 3);
    const customer = {
      external_id: `by-${pick(sales, n)}`,
      name: `C ${n}`,
      ...(n % 2 === 0 && { email: `${n}@customer.example` }),
    };
    const body = client.purchaseBody({ amount_minor: 1_000 + n, customer, ...(by && { attribution: { user_id: by.id } }) });
    await client.post('/api/v1/events/purchase', body);
    sales.push(String(body['external_event_id']));
  },
  refund: ({ client, sales }, n) =>
    client.post('/api/v1/events/refund', {
      external_event_id: randomUUID(),
      purchase_external_event_id: pick(sales, n) ?? 'none',
      ...(n % 2 === 0 && { amount_minor: 300 }),
    }),
  dispute: ({ client, sales }, n) =>
    client.post('/api/v1/events/chargeback', {
      external_event_id: randomUUID(),
      purchase_external_event_id: pick(sales, n) ?? 'none',
      dispute_id: `d-${pick(sales, n)}`,
      stage: ['opened', 'won', 'lost'][n % 3],
      amount_minor: 500,
    }),
  byHand: (world, n) =>
    world.client.post('/api/v1/events/commission', {
      external_event_id: randomUUID(),
      type: ['bonus', 'adjustment'][n % 2],
      user_id: memberOf(world, n),
      amount_minor: n % 5 === 1 ? -300 : 6_000 + n,
      currency: n % 7 === 0 ? 'EUR' : 'USD',
      description: 'By hand',
      actor: 'Kim',
    }),
  hold: async (world, n) =>
    world.client.post(`/api/v1/commissions/${await lineIn(world, n, n % 2 ? 'pending' : 'cleared')}/hold`, { reason: 'look' }),
  release: async (world, n) =>
    world.client.post(`/api/v1/commissions/${await lineIn(world, n, 'held')}/release`, { reason: 'fine' }),
  void: async (world, n) => world.client.post(`/api/v1/commissions/${await lineIn(world, n, 'pending')}/void`, { reason: 'no' }),
  wait: ({ client }, n) => client.post('/api/v1/sandbox/clock', { advanceSeconds: (n % 30) * 86_400 }),
  change: (world, n) =>
    world.client.patch(`/api/v1/users/${memberOf(world, n)}`, n % 2 === 0 ? { name: `N ${n}` } : { is_active: n % 3 > 0 }),
  move: (world, n) =>
    world.client.post(`/api/v1/members/${memberOf(world, n)}/sponsor`, { sponsorId: pick(world.members, n >> 3)?.id ?? null }),
  /** Of a member: who it is, that it was verified, and where it is paid. */
  async enrol(world, n) {
    const [{ client }, userId] = [world, memberOf(world, n)];
    const address = { addressLine1: '1 Main St', city: 'Austin', state: 'TX', postalCode: '78701' };
    await client.patch(`/api/v1/members/${userId}/profile`, { ...COMPLETE_PROFILE, countryCode: 'USA', address });
    await client.post(`/api/v1/members/${userId}/kyc/start`, {});
    await client.post('/api/v1/sandbox/vendor-events', { kind: 'kyc', userId, outcome: 'approved' });
    await DEEDS.bank(world, n);
  },
  bank: (world, n) =>
    world.client.post(accountsPath(memberOf(world, n)), {
      methodType: 'us_bank_transfer',
      currency: 'USD',
      isPrimary: n % 4 > 0,
      bankAccount: {
        accountHolderName: 'Ada Example',
        routingNumber: '110000000',
        accountNumber: `000${String(n).padStart(5, '0')}${pick(LAST_FOUR, n >> 2)}`,
      },
    }),
  changeAccount: async (world, n) =>
    world.client.patch(
      accountsPath(memberOf(world, n), await accountIn(world, n)),
      [{ isPrimary: true }, { displayName: `A ${n}` }][n % 2] ?? {},
    ),
  endAccount: async (world, n) => world.client.delete(accountsPath(memberOf(world, n), await accountIn(world, n))),
  judgeAccount: async (world, n) =>
    world.client.post('/api/v1/sandbox/vendor-events', {
      kind: 'payout_account',
      accountId: await accountIn(world, n),
      outcome: ['active', 'action_required', 'rejected'][n % 3],
    }),
  judge: (world, n) =>
    world.client.post('/api/v1/sandbox/vendor-events', {
      kind: 'kyc',
      userId: memberOf(world, n),
      outcome: ['pending', 'approved', 'rejected', 'resubmit_required', 'reset'][n % 5],
    }),
  async draft({ client }, n) {
    const { body } = await client.post('/api/v1/payout-runs', { currency: 'USD' });
    if (n % 3 === 0) await client.post(`/api/v1/payout-runs/${body.id}/cancel`, {});
  },
  async pay(world, n) {
    const { client } = world;
    const { body } = await client.post('/api/v1/payout-runs', { currency: 'USD' });
    for (const deed of ['approve', 'execute']) await client.post(`/api/v1/payout-runs/${body.id}/${deed}`, {});
    if (n % 4 > 0) await work(world);
  },
  work: (world) => work(world),
  outcome: async (world, n) =>
    world.client.post('/api/v1/sandbox/vendor-events', {
      kind: 'payout',
      payoutId: await payoutIn(world, n),
      outcome: ['paid', 'returned', 'failed'][(n >> 3) % 3],
    }),
  payoutByHand: async (world, n) => {
    const [deed, body] = pick(
      [
        ['settle', { reference: `W-${n}` }],
        ['return', { reason: 'Closed' }],
      ] as const,
      n,
    ) ?? ['settle', {}];
    return world.client.post(`/api/v1/payouts/${await payoutIn(world, n >> 1)}/${deed}`, body);
  },
  again: async (world, n) => world.client.post(`/api/v1/payouts/${await payoutIn(world, n)}/${n % 3 ? 'retry' : 'cancel'}`, {}),
  async settle(world, n) {
    const line = await oneOf(world, n, 'commissions?status=cleared&limit=100');
    await world.client.post(`/api/v1/members/${String(line['userId'])}/settlements`, {
      currency: line['currency'],
      amountMinor: line['amountMinor'],
      reference: randomUUID(),
    });
  },
  /** Of an endpoint: an example is sent to it, and stands in the log under the type that it is of. */
  async test(world, n) {
    const { data } = (await world.client.get(`/api/v1/${ENDPOINTS}`)).body as { data: { id: string }[] };
    const made = { url: 'https://shop.example/hooks', eventTypes: ['*'] };
    const { id } = data[0] ?? ((await world.client.post(`/api/v1/${ENDPOINTS}`, made)).body as { id: string });
    await world.client.post(`/api/v1/${ENDPOINTS}/${id}/test`, { type: pick(TESTED, n) });
  },
} satisfies Record<string, (world: World, n: number) => Promise<unknown>>;

export type Deed = keyof typeof DEEDS;
