/** Random histories: a snapshot taken at any moment, and the events behind it, make the state that the API shows. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { foldEvent, type State, stateOf } from '../../support/webhooks/fold-events.ts';
import { sealAll, toldEvents } from '../../support/webhooks/told-events.ts';
import { takeSnapshot } from './snapshot-calls.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface World {
  client: ApiClient;
  members: { id: string; referral_code: string }[];
  leads: string[];
  sales: string[];
}

const pick = <T>(items: readonly T[], n: number): T | undefined => items[n % Math.max(1, items.length)];

async function lineIn({ client }: World, n: number, status: string): Promise<string> {
  const { body } = await client.get(`/api/v1/commissions?status=${status}&limit=100`);
  return pick(body.data as { id: string }[], n)?.id ?? randomUUID();
}

const DEEDS = {
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
  hold: async (world, n) =>
    world.client.post(`/api/v1/commissions/${await lineIn(world, n, 'pending')}/hold`, { reason: 'look' }),
  release: async (world, n) =>
    world.client.post(`/api/v1/commissions/${await lineIn(world, n, 'held')}/release`, { reason: 'fine' }),
  void: async (world, n) => world.client.post(`/api/v1/commissions/${await lineIn(world, n, 'pending')}/void`, { reason: 'no' }),
  wait: ({ client }, n) => client.post('/api/v1/sandbox/clock', { advanceSeconds: (n % 30) * 86_400 }),
  change: ({ client, members }, n) =>
    client.patch(
      `/api/v1/users/${pick(members, n)?.id ?? randomUUID()}`,
      n % 2 === 0 ? { name: `N ${n}` } : { is_active: n % 3 > 0 },
    ),
  move: ({ client, members }, n) =>
    client.post(`/api/v1/members/${pick(members, n)?.id ?? randomUUID()}/sponsor`, {
      sponsorId: pick(members, n >> 3)?.id ?? null,
    }),
} satisfies Record<string, (world: World, n: number) => Promise<unknown>>;

type Deed = keyof typeof DEEDS;
const deeds = fc.array(fc.tuple(fc.constantFrom(...(Object.keys(DEEDS) as Deed[])), fc.nat(1_000)), {
  minLength: 6,
  maxLength: 30,
});

/**
 * Balances are compared by themselves. The lines that an event has within it are as of when it was told, and a change of a
 * member to what it is already moves the time of its last change, of which nothing is told.
 */
function comparable(state: State): Record<string, unknown> {
  const shown = [...state].filter(([key]) => !key.startsWith('balances ')).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const without = (key: string): object =>
    key.startsWith('events ') ? { commissions: undefined } : key.startsWith('members ') ? { updated_at: undefined } : {};
  return Object.fromEntries(shown.map(([key, object]) => [key, { ...object, ...without(key) }]));
}

/** What a member is owed, by its lines. */
function sumsOf(state: State): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [key, line] of state) {
    if (!key.startsWith('commissions ')) continue;
    sums.set(line['userId'], (sums.get(line['userId']) ?? 0) + Number(line['amountMinor']));
  }
  return sums;
}

test('a snapshot and the events behind it make the state', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, fc.nat(100), async (history, moment) => {
      const tenant = await app.newTenant();
      const scope: Scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' };
      const world: World = { client: apiClient(app, tenant.sandboxKey), members: [], leads: [], sales: [] };
      const at = moment % history.length;
      let before: Awaited<ReturnType<typeof takeSnapshot>> | undefined;
      for (const [index, [deed, n]] of history.entries()) {
        if (index === at) before = await takeSnapshot(app, tenant.sandboxKey);
        await DEEDS[deed](world, n);
      }
      if (!before) throw new Error('there was no snapshot');
      const { head, lines } = before;
      await sealAll(app, scope);
      const told = (await toldEvents(app, scope)).toSorted((a, b) => Number(a.sequence) - Number(b.sequence));
      const folded = stateOf(lines);
      for (const event of told.filter(({ sequence }) => Number(sequence) > head.sequence)) foldEvent(folded, event);
      const now = await takeSnapshot(app, tenant.sandboxKey);
      const state = stateOf(now.lines);
      expect(comparable(folded)).toEqual(comparable(state));
      const sums = sumsOf(folded);
      for (const { kind, objectId, data } of now.lines) {
        if (kind !== 'balances') continue;
        const total = (data['balances'] as { totalMinor: number }[]).reduce((sum, { totalMinor }) => sum + totalMinor, 0);
        expect(total, objectId).toBe(sums.get(objectId) ?? 0);
      }
    }),
    { numRuns: Number(process.env['FOLD_RUNS'] ?? 15) },
  );
}, 300_000);
