/** Which addresses pages have: what stands for the gaps in their paths, as `:userId`, found in the tenant's tables. */
import type { Environment } from '../../../src/db/scope.ts';
import type { Page } from '../../../src/pages/define-page.ts';
import type { Sql } from './plant-person.ts';

/** The rows that a gap of a path stands for, the most telling first; $1 is the tenant, $2 the environment. */
const IDS: Record<string, string> = {
  userId: `select m.id from member m where m.tenant_id = $1 and m.environment = $2
    order by exists (select from commission_line l where l.tenant_id = $1 and l.environment = $2 and l.beneficiary_id = m.id) desc, m.id`,
  eventId: `select e.id from event e where e.tenant_id = $1 and e.environment = $2
    order by (select count(*) from commission_line l where l.tenant_id = $1 and l.environment = $2 and l.event_id = e.id) desc, e.id`,
  commissionId: 'select id from commission_line where tenant_id = $1 and environment = $2 order by amount_minor desc, id',
  planId: 'select id from commission_plan where tenant_id = $1 and environment = $2 order by id',
  kycId:
    'select id from kyc_record where tenant_id = $1 and environment = $2 order by (select count(*) from kyc_document d where d.kyc_record_id = kyc_record.id) desc, id',
  leadId: 'select id from lead where tenant_id = $1 and environment = $2 order by id',
  receiptId: 'select id from attribution_receipt where tenant_id = $1 and environment = $2 order by id',
  linkId: 'select id from referral_link where tenant_id = $1 and environment = $2 order by id',
  runId: 'select id from payout_run where tenant_id = $1 and environment = $2 order by status, id',
  payoutId: 'select id from payout where tenant_id = $1 and environment = $2 order by id',
  keyId: 'select id from api_key where tenant_id = $1 and environment = $2 order by id',
  staffId: "select id from staff where tenant_id = $1 and $2 <> '' order by id",
  importId: 'select id from import_run where tenant_id = $1 and environment = $2 order by id',
  authProviderId: 'select id from auth_provider where tenant_id = $1 and environment = $2 order by id',
  exportId: 'select id from export_run where tenant_id = $1 and environment = $2 order by id',
  changeId: 'select id from pending_change where tenant_id = $1 and environment = $2 order by id',
  endpointId: 'select id from webhook_endpoint where tenant_id = $1 and environment = $2 and deleted_at is null order by id',
  deliveryId: 'select id from webhook_delivery where tenant_id = $1 and environment = $2 order by attempt_count desc, id',
  webhookEventId: 'select event_id as id from outgoing_sequence where tenant_id = $1 and environment = $2 order by sequence',
  providerId: 'select provider_id as id from auth_provider where tenant_id = $1 and environment = $2 order by 1',
};

/** Other names that pages have for them. */
const ALSO: Record<string, string> = {
  id: 'userId',
  memberId: 'userId',
  event_id: 'eventId',
  saleId: 'eventId',
  lineId: 'commissionId',
  personId: 'staffId',
  pendingChangeId: 'changeId',
};

export interface PageAddress {
  page: Page;
  /** Behind the environment: `/members/01a2…`. */
  path: string;
}

/**
 * The addresses of pages in a tenant's environment, `most` for each page that is of one thing. Where the tenant has none
 * of its things a page has no address; a gap that nobody knows is an error: it belongs into IDS.
 */
export async function addressesOfPages(
  sql: Sql,
  { tenantId, environment }: { tenantId: string; environment: Environment },
  pages: readonly Page[],
  most = 1,
): Promise<PageAddress[]> {
  const found = new Map<string, Promise<string[]>>();
  const idsFor = (gap: string): Promise<string[]> => {
    const name = ALSO[gap] ?? gap;
    const text = IDS[name];
    if (text === undefined) throw new Error(`nobody says in page-addresses.ts which rows :${gap} of a page stands for`);
    const ids =
      found.get(name) ??
      sql<{ id: string }>(`${text} limit 50`, [tenantId, environment]).then((rows) => rows.map(({ id }) => id));
    found.set(name, ids);
    return ids;
  };
  const addresses: PageAddress[] = [];
  for (const page of pages) {
    if (page.environments && !page.environments.includes(environment)) continue;
    const gaps = [...page.path.matchAll(/:(\w+)/g)].map(([, gap = '']) => gap);
    const ids = await Promise.all(gaps.map(idsFor));
    const count = gaps.length === 0 ? 1 : Math.min(most, ...ids.map((all) => all.length));
    for (let nr = 0; nr < count; nr += 1) {
      const path = gaps.reduce(
        (text, gap, index) => text.replace(`:${gap}`, encodeURIComponent(ids[index]?.[nr] ?? '')),
        page.path,
      );
      addresses.push({ page, path });
    }
  }
  return addresses;
}
