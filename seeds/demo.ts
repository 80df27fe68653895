/**
 * The demo tenant: a small sponsor tree with a lead, links, half a year of purchases and what its staff works on in SANDBOX,
 * and an empty LIVE.
 * Its keys are kept in `demo.json` beside the embedded database, to be shown again at each start.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { byOperator } from '../src/actor.ts';
import type { Composition } from '../src/compose.ts';
import { purchaseOf } from '../src/features/events/open/purchase.ts';
import { createReferralLink } from '../src/features/referrals/links-operations.ts';
import { settingsOperations } from '../src/features/tenants/settings-operations.ts';
import { events as eventsHandle, leads as leadsHandle, tenants as tenantsHandle, users as usersHandle } from '../src/features.ts';
import { seedPeople } from './demo-people.ts';

export interface Demo {
  tenantId: string;
  liveKey: string;
  sandboxKey: string;
}

const TREE = [
  { email: 'ada@demo.example', name: 'Ada Root', tier: 'DIRECTOR', sponsor: undefined },
  { email: 'ben@demo.example', name: 'Ben Branch', tier: 'MANAGER', sponsor: 'ada@demo.example' },
  { email: 'cleo@demo.example', name: 'Cleo Limb', tier: 'SENIOR', sponsor: 'ben@demo.example' },
  { email: 'dan@demo.example', name: 'Dan Leaf', tier: 'ORDINARY', sponsor: 'cleo@demo.example' },
] as const;

/** In the order they came in. */
const ORDERS = [
  { daysAgo: 161, amount: 5_200n, seller: 'ben@demo.example' },
  { daysAgo: 148, amount: 60_000n, seller: 'ben@demo.example' },
  { daysAgo: 133, amount: 17_500n, seller: 'dan@demo.example' },
  { daysAgo: 112, amount: 45_000n, seller: 'cleo@demo.example' },
  { daysAgo: 104, amount: 9_900n, seller: 'cleo@demo.example' },
  { daysAgo: 75, amount: 3_250n, seller: 'dan@demo.example' },
  { daysAgo: 68, amount: 21_000n, seller: 'ben@demo.example' },
  { daysAgo: 41, amount: 6_400n, seller: 'dan@demo.example' },
  { daysAgo: 24, amount: 15_800n, seller: 'cleo@demo.example' },
  { daysAgo: 9, amount: 8_900n, seller: 'ben@demo.example' },
  { daysAgo: 0, amount: 4_550n, seller: 'dan@demo.example' },
  { daysAgo: 0, amount: 12_000n, seller: 'dan@demo.example' },
] as const;

/** Where members' links may lead, so that a widget can make some. */
const SHOP = 'shop.example';
const LINKS = [
  { owner: 'ada@demo.example', name: 'Spring boxes', path: '/spring' },
  { owner: 'dan@demo.example', name: 'For my neighbours', path: '/' },
] as const;
const { updateSettings } = settingsOperations([]);

const SEED_RIGHTS = ['admin:settings', 'referrals:write', 'members:write', 'kyc:write', 'admin:kyc', 'accounts:write'];

const DAY_MS = 86_400_000;

/** Creates the demo tenant and returns its keys. */
export async function seedDemo({ offer, invoke, storage }: Composition): Promise<Demo> {
  const { tenants } = offer(tenantsHandle);
  const users = offer(usersHandle);
  const leads = offer(leadsHandle);
  const { events } = offer(eventsHandle);
  const tenantId = await tenants.createTenant({ name: 'Demo Shop', defaultCurrency: 'USD', reportingTimeZone: 'UTC' });
  const live = await tenants.createKey({ tenantId, environment: 'LIVE', name: 'demo' });
  const sandbox = await tenants.createKey({ tenantId, environment: 'SANDBOX', name: 'demo' });
  const provenance = byOperator('seed demo');
  const context = {
    scope: { rights: [], root: 'operator', tenantId, environment: 'SANDBOX', provenance },
    guard: undefined,
  } as const;
  const idByEmail = new Map<string, string>();
  for (const { email, name, tier, sponsor } of TREE) {
    const parent = sponsor === undefined ? undefined : idByEmail.get(sponsor);
    const member = await users.createMember(context, { email, name, membership_tier: tier, parent_id: parent });
    idByEmail.set(email, member.id);
  }
  const by = {
    caller: { ...context.scope, rights: SEED_RIGHTS },
    origin: { ip: '127.0.0.1', userAgent: null },
  };
  await invoke(updateSettings, { body: { referrals: { allowedDestinationHosts: [SHOP] } } }, by);
  for (const { owner, name, path: at } of LINKS) {
    const body = { user_id: idByEmail.get(owner), destination_url: `https://${SHOP}${at}`, name };
    await invoke(createReferralLink, { body }, by);
  }
  // So that a payout can be tried out on the first day.
  await invoke(updateSettings, { body: { payments: { accountCooldownHours: 0 } } }, by);
  await seedPeople({ invoke, storage }, by, idByEmail);
  await leads.captureLead(context, { email: 'lea@demo.example', name: 'Lea Lead', source: 'demo' });
  const now = Date.now();
  for (const [index, { daysAgo, amount, seller }] of ORDERS.entries()) {
    await events.record(context, {
      kind: 'purchase',
      purchase: purchaseOf({
        external_event_id: `demo-order-${index + 1}`,
        occurred_at: daysAgo === 0 ? undefined : new Date(now - daysAgo * DAY_MS).toISOString(),
        amount_minor: amount,
        currency: 'USD',
        customer: { external_id: `demo-customer-${index + 1}` },
        attribution: { user_id: idByEmail.get(seller) },
      }),
    });
  }
  return { tenantId, liveKey: live.apiKey, sandboxKey: sandbox.apiKey };
}

/** The demo tenant of a data directory, made at the first call. */
export async function ensureDemo(composition: Composition, dataDir: string): Promise<Demo> {
  const file = path.join(dataDir, 'demo.json');
  if (!existsSync(file)) {
    const demo = await seedDemo(composition);
    writeFileSync(`${file}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Demo;
}
