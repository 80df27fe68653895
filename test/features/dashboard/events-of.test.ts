/** From the page of each thing to what tenants' systems were told of it, through HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGES } from '../../../src/features/dashboard/pages.ts';
import { ROLES, rightsOf } from '../../../src/features/staff/open/roles.ts';
import { house } from '../../../src/features.ts';
import { allScopesOf, eventsOf as eventTypesOf } from '../../../src/house/house.ts';
import { eventsOf } from '../../../src/pages/parts/events-of.ts';
import { apiClient } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import { plantRecord } from '../../support/kyc/kyc-records.ts';
import { addressesOfPages } from '../../support/pages/page-addresses.ts';
import { type PageApp, startPageApp, wordsOf } from '../../support/pages/page-app.ts';
import { payStory } from '../../support/pages/paid-story.ts';
import { tellStory } from '../../support/pages/story.ts';
import { viewContext } from '../../support/pages/view-context.ts';
import { newAccount, newPayee } from '../../support/payments/payout-accounts.ts';

/** By the first word of a type: the page that leads to its events, none where its objects have no page. */
const PAGE_OF: Record<string, string | undefined> = {
  member: '/members/:userId',
  group: '/members/:userId',
  kyc: '/members/:userId',
  payout_account: '/members/:userId',
  lead: '/leads/:leadId',
  event: '/sales/:eventId',
  commissions: '/sales/:eventId',
  ladder: '/sales/:eventId',
  commission: '/commissions/:commissionId',
  ledger: '/ledger',
  import: '/imports/:importId',
  api_key: '/keys/:keyId',
  webhook_endpoint: '/webhooks/endpoints/:endpointId',
  settings: '/settings',
  payout: '/payouts/:payoutId',
  payouts: '/payouts/runs/:runId',
  payout_run: '/payouts/runs/:runId',
  rate_override: undefined,
};

let pages: PageApp;
let tenant: TestTenant;
/** Where the page of each stands, and what its link asks for. */
let links: Record<string, { path: string; query: string }>;

beforeAll(async () => {
  pages = await startPageApp();
  tenant = await pages.app.newTenant({ currency: 'EUR', timeZone: 'Europe/Berlin' });
  const { tenantId } = tenant;
  const scope = { tenantId, environment: 'LIVE' } as const;
  const sql = pages.app.database.asSuperuser;
  await tellStory(pages.app, tenant);
  await payStory(pages.app, tenant);
  const client = apiClient(pages.app, tenant.liveKey);
  const payee = await newPayee(client);
  const account = await newAccount(client, payee.id);
  const record = await plantRecord(pages.app, scope, { memberId: payee.id });
  const found = await addressesOfPages(sql, scope, PAGES);
  const pathOf = (page: string): string => found.find((one) => one.page.path === page)?.path ?? '';
  const own = (page: string) => ({ path: pathOf(page), query: `objectId=${pathOf(page).split('/').at(-1)}` });
  const commission = own('/commissions/:commissionId');
  const [line] = await sql<{ event_id: string }>('select event_id from commission_line where id = $1', [
    commission.path.split('/').at(-1),
  ]);
  const ofPayee = (objectId: string) => ({ path: `/members/${payee.id}`, query: `objectId=${objectId}` });
  links = {
    member: ofPayee(payee.id),
    group: ofPayee(payee.id),
    kyc: ofPayee(record),
    payout_account: ofPayee(account.id),
    lead: own('/leads/:leadId'),
    event: own('/sales/:eventId'),
    commissions: own('/sales/:eventId'),
    ladder: own('/sales/:eventId'),
    commission,
    'the sale of a commission': { path: commission.path, query: `objectId=${line?.event_id}` },
    ledger: { path: '/ledger', query: `objectId=${tenantId}&amp;type=ledger.fault_found` },
    import: own('/imports/:importId'),
    payout: own('/payouts/:payoutId'),
    payouts: own('/payouts/runs/:runId'),
    payout_run: own('/payouts/runs/:runId'),
    api_key: own('/keys/:keyId'),
    webhook_endpoint: own('/webhooks/endpoints/:endpointId'),
    settings: { path: '/settings', query: `objectId=${tenantId}&amp;type=settings.changed` },
  };
});
afterAll(() => pages.app.close());

const WITH_PAGE = Object.entries(PAGE_OF).flatMap(([what, page]) => (page === undefined ? [] : [what]));

test('each object of an event is known here, and those without a page have none', () => {
  const words = new Set([...eventTypesOf(house).keys()].map((type) => type.split('.')[0] ?? type));
  expect(words).toEqual(new Set(Object.keys(PAGE_OF)));
  const paths = PAGES.map(({ path }) => path);
  for (const page of Object.values(PAGE_OF)) if (page !== undefined) expect(paths).toContain(page);
});

test.each([...WITH_PAGE, 'the sale of a commission'])('%s: its page leads to its events, for who may read them', async (what) => {
  const { path = '', query = '' } = links[what] ?? {};
  const link = `${pages.home(tenant)}/webhooks/deliveries?${query}"`;
  for (const role of ROLES) {
    const { status, text } = await pages.signedIn(tenant, role).open(pages.home(tenant) + path);
    const mayRead = rightsOf(role, 'LIVE', allScopesOf(house)).some((right) => right === '*' || right === 'webhooks:read');
    if (role === 'owner') expect(status, wordsOf(text)).toBe(200);
    // Who stands outside the page is told nothing of its object.
    expect([200, 403], `${role} ${wordsOf(text)}`).toContain(status);
    const leads = text.includes(link);
    // A verification is shown to fewer than its member is.
    if (status === 200 && mayRead && !(what === 'kyc' && role !== 'owner')) expect(leads, `${role} ${path}`).toBe(true);
    if (status !== 200 || !mayRead) expect(text, `${role} ${path}`).not.toContain('/webhooks/deliveries');
  }
});

test('the link is drawn for nobody without the right, whatever else they may', () => {
  const others = allScopesOf(house).filter((scope) => scope !== 'webhooks:read');
  expect(eventsOf(viewContext({ rights: others }), 'some-id').text).toBe('');
  expect(eventsOf(viewContext({ rights: ['webhooks:read'] }), 'some-id').text).toContain('objectId=some-id');
});
