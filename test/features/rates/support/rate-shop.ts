/** A shop whose plan lets agreed rates count, what is agreed there, and what sales of it are explained by. */
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { expect } from 'vitest';
import type { Scope } from '../../../../src/db/scope.ts';
import type { PlanDefinitionInput } from '../../../../src/features/commissions/open/plan-definition.ts';
import { createClickIds } from '../../../../src/features/referrals/open/click-ids.ts';
import { findDifferences } from '../../../../tools/evaluate-explain.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../../support/app/api-client.ts';
import type { TestApp, TestTenant } from '../../../support/app/test-app.ts';
import { publishPlan } from '../../../support/money/model-plan.ts';
import { newUpline } from '../../../support/money/model-upline.ts';
import { linesOf, purchaseOf, type Sale } from '../../../support/money/money-calls.ts';
import { attributionWorld, SALE_AT } from '../../attribution/attribution-world.ts';

export const OVERRIDES = '/api/v1/rate-overrides';
/** Long before any sale of a test. */
export const EARLY = '2026-01-01T00:00:00.000Z';
export { SALE_AT };

export interface RateShop {
  app: TestApp;
  tenant: TestTenant;
  scope: Scope;
  client: ApiClient;
  planId: string;
  /** Level 1 first: the seller and two above, all directors. */
  people: MemberBody[];
}

export const LEVELS = [
  { level: 1, rateBps: 1000 },
  { level: 2, rateBps: 500 },
];

/** Levels 1 and 2 pay 10 % and 5 %; up to 30 % may be agreed for level 1. */
export async function openRateShop(
  app: TestApp,
  change: Partial<PlanDefinitionInput> = {},
  options: { upline?: string; timeZone?: string } = {},
): Promise<RateShop> {
  const { upline = 'D D D', timeZone = 'UTC' } = options;
  const tenant = await app.newTenant({ timeZone });
  const client = apiClient(app, tenant.liveKey);
  const overrides = { levels: [1], maxRateBps: 3000, maxFlatMinor: {} };
  const versionId = await publishPlan(app, tenant, { levels: LEVELS, base: 'gross', overrides, ...change });
  const [row] = await app.database.asSuperuser<{ plan_id: string }>(
    'select plan_id from commission_plan_version where tenant_id = $1 and id = $2',
    [tenant.tenantId, versionId],
  );
  const scope: Scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  return { app, tenant, scope, client, planId: row?.plan_id ?? '', people: await newUpline(client, upline) };
}

/** By name: 0 is the seller. */
export function person({ people }: Pick<RateShop, 'people'>, index = 0): MemberBody {
  const found = people[index];
  if (!found) throw new Error(`nobody is at place ${index}`);
  return found;
}

// biome-ignore lint/suspicious/noExplicitAny: documents as they go over the wire.
export type Wire = any;

export interface Told {
  sale: Sale;
  /** Amounts, level 1 first. */
  paid: number[];
  /** What each share is paid by: the id, or the source where it has none. */
  chosen: (string | null)[];
  why: Wire;
}

/** A sale of 100.00 USD to somebody new, credited to the seller, with what explains it; both calculations of it agree. */
export async function told(shop: RateShop, fields: object = {}, client = shop.client): Promise<Told> {
  const sale = await purchaseOf(client, {
    external_event_id: randomUUID(),
    occurred_at: SALE_AT,
    attribution: { user_id: shop.people[0]?.id },
    ...fields,
  });
  return { sale, ...(await explained(client, sale.event_id)) };
}

export async function explained(client: ApiClient, eventId: string): Promise<Omit<Told, 'sale'>> {
  const { body: why, status, text } = await client.get(`/api/v1/events/${eventId}/explain`);
  expect(status, text).toBe(200);
  expect(findDifferences(why)).toEqual([]);
  expect(why.recomputed).toBe(true);
  const shares: Wire[] = why.outcomes.flatMap((outcome: { shares: object[] }) => outcome.shares);
  return {
    why,
    paid: shares.map((share) => share.amount_minor),
    chosen: shares.map(({ chosen }) => chosen?.id ?? chosen?.source ?? null),
  };
}

/** Why the other sources of the first share do not pay: `id or source, reason`. */
export const passedOver = ({ why }: Pick<Told, 'why'>): string[] =>
  why.outcomes[0].shares[0].chosen.considered.map((one: Wire) => `${one.id ?? one.source} ${one.reason}`);

/** What the parts of the first share are paid by: source, id and rate, or sum. */
export const partsOf = ({ why }: Pick<Told, 'why'>): (string | number | null)[][] =>
  why.outcomes[0].shares[0].rate_parts.map((part: Wire) => [part.source, part.id, part.flat_minor ?? part.rate_bps]);

/** Sent as it is. */
export function propose(shop: Pick<RateShop, 'client'>, fields: object, headers: Record<string, string> = {}): Promise<Response> {
  return shop.client.post(OVERRIDES, fields, headers);
}

/** Agreed with the seller from early on unless `fields` say otherwise; throws unless it is. */
export async function agree(shop: RateShop, fields: object): Promise<Wire> {
  const answer = await propose(shop, { target: 'member', targetId: shop.people[0]?.id, validFrom: EARLY, ...fields });
  if (answer.status !== 201) throw new Error(`not agreed: ${answer.status} ${answer.text}`);
  return answer.body;
}

export const endOf = (shop: Pick<RateShop, 'client'>, id: string, fields: object = {}): Promise<Response> =>
  shop.client.post(`${OVERRIDES}/${id}/end`, fields);

export const linkOf = ({ app, scope }: RateShop, member: MemberBody): Promise<string> =>
  attributionWorld(app, scope).link(member.id);

/** The id of a member's own code. */
export async function codeOf({ app, scope }: RateShop, member: MemberBody): Promise<string> {
  const [row] = await app.database.asSuperuser<{ id: string }>(
    'select id from referral_code where tenant_id = $1 and environment = $2 and member_id = $3 and is_default',
    [scope.tenantId, scope.environment, member.id],
  );
  return row?.id ?? '';
}

/** A click on a link or a code, a day before the sale: signed, as a browser brings it back. */
export async function clickOn({ app, scope }: RateShop, on: 'link' | 'code', id: string, member: MemberBody): Promise<string> {
  const [row] = await app.database.asSuperuser<{ id: string }>(
    `insert into referral_click (tenant_id, environment, ${on}_id, member_id, kind, clicked_at)
     values ($1, $2, $3, $4, 'redirect', $5::timestamptz - interval '1 day') returning id`,
    [scope.tenantId, scope.environment, id, member.id, SALE_AT],
  );
  return createClickIds(app.config.secrets.apiKeyPepper).sign(scope, row?.id ?? '');
}

/** Takes a sale back in these parts: what is left of it is nothing. */
export async function refundInParts(client: ApiClient, sale: Sale, amounts: readonly number[]): Promise<void> {
  for (const amount_minor of amounts) {
    const refund = { external_event_id: randomUUID(), purchase_external_event_id: sale.external_event_id, amount_minor };
    const answer = await client.post('/api/v1/events/refund', refund);
    expect(answer.status, answer.text).toBe(201);
  }
  const left = new Map<string, number>();
  for (const { user_id, amount_minor } of await linesOf(client, sale.event_id)) {
    left.set(user_id, (left.get(user_id) ?? 0) + amount_minor);
  }
  expect(left.size).toBe(new Set(sale.commissions.map(({ user_id }) => user_id)).size);
  expect([...left.values()].filter((sum) => sum !== 0)).toEqual([]);
}
