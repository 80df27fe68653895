/** A tenant's SANDBOX whose members have something to see: half a year of sales, links, a team, a payout. */
import { inject } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import type { TestApp, TestTenant } from '../../support/app/test-app.ts';
import { payOut } from '../../support/money/pay-out.ts';
import { beginWidget, type GivenToken } from '../../support/widget/widget-session.ts';
import { openWorld } from './world.ts';

export interface WidgetShop {
  app: TestApp;
  /** Where browsers find the service. */
  service: string;
  tenant: TestTenant;
  /** Of its SANDBOX. */
  client: ApiClient;
  /** Has everything. */
  anna: MemberBody;
  /** Has joined, and nothing else. */
  neo: MemberBody;
  begin(origins: readonly string[], userId?: string, fields?: object): Promise<GivenToken>;
}

const MONTH = 30 * 86_400;

let kept: Promise<WidgetShop> | undefined;

/** The same for all files that have the same world. */
export function openWidgetShop(): Promise<WidgetShop> {
  if (inject('sharesApp') === true) return makeWidgetShop();
  kept ??= makeWidgetShop();
  return kept;
}

async function makeWidgetShop(): Promise<WidgetShop> {
  const { app, origin: service } = await openWorld();
  const tenant = await app.newTenant({ timeZone: 'Europe/Berlin', currency: 'EUR' });
  const client = apiClient(app, tenant.sandboxKey);
  await done(client.patch('/api/v1/admin/settings', { referrals: { allowedDestinationHosts: ['shop.example'] } }));
  const anna = await client.newMember({ name: 'Anna Schmidt', membership_tier: 'DIRECTOR' });
  const neo = await client.newMember({ name: 'Neo Newman' });
  await tell(app, client, anna);
  return {
    app,
    service,
    tenant,
    client,
    anna,
    neo,
    begin: (origins, userId = anna.id, fields = {}) => beginWidget(client, userId, { allowedOrigins: origins, ...fields }),
  };
}

/** A new member of the shop, and of another tenant, for those who ask for what is not theirs. */
export async function strangerOf({ app }: WidgetShop): Promise<{ client: ApiClient; member: MemberBody }> {
  const tenant = await app.newTenant({ currency: 'EUR' });
  const client = apiClient(app, tenant.sandboxKey);
  return { client, member: await client.newMember({ name: 'Someone Else' }) };
}

const TEAM = ['Ben Okafor', 'Cleo Márquez', 'Dana van der Berg', 'Émile Laurent', 'Fatima Al-Sayed'];

async function tell(app: TestApp, client: ApiClient, anna: MemberBody): Promise<void> {
  const team: MemberBody[] = [];
  for (const name of TEAM) team.push(await client.newMember({ name, parent_id: anna.id, membership_tier: 'SENIOR' }));
  for (const parent of team.slice(0, 2)) await client.newMember({ name: 'Gil Small', parent_id: parent.id });
  for (const [nr, slug] of ['spring', 'autumn'].entries()) {
    const link = { user_id: anna.id, destination_url: `https://shop.example/${slug}`, slug: `anna-${slug}` };
    await done(client.post('/api/v1/referrals/links', nr === 0 ? { ...link, name: 'Spring sale' } : link));
  }
  const first: string[] = [];
  for (let month = 0; month < 6; month += 1) {
    for (let nr = 0; nr < 5; nr += 1) {
      const of = nr % 2 === 0 ? anna : (team[nr] ?? anna);
      const amount_minor = 4_990 + ((month * 7 + nr * 3) % 11) * 1_730;
      const sold = await done<{ commissions: { id: string; user_id: string }[] }>(
        client.post(
          '/api/v1/events/purchase',
          client.purchaseBody({ amount_minor, currency: 'EUR', attribution: { user_id: of.id } }),
        ),
      );
      if (month === 0) first.push(...sold.commissions.filter((line) => line.user_id === anna.id).map(({ id }) => id));
    }
    if (month === 4) await payOut(app, first);
    if (month < 5) await done(client.post('/api/v1/sandbox/clock', { advanceSeconds: MONTH }));
  }
}

async function done<Body>(answer: Promise<{ status: number; text: string; body: unknown }>): Promise<Body> {
  const { status, text, body } = await answer;
  if (status >= 300) throw new Error(`the story of the widget was refused: ${status} ${text}`);
  return body as Body;
}
