/**
 * POST /events/purchase paying five levels, with an Idempotency-Key as clients send it, against the same rows in one prepared
 * statement an event: 32 clients, one, and 128. A service that records each purchase by itself takes its turns among them.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { anyOf, type DataSet } from '../data-set.ts';
import { CLIENTS, httpContender } from '../drive.ts';
import type { FloorPurchasesSettings } from '../floor-purchases.ts';
import type { Case, Contender, Round, Target } from '../measure.ts';
import { noSlowerThanKept } from '../results.ts';
import { POOL_SIZE, type Stage } from '../stage.ts';

/** Stored by the service for the fields of these requests: twelve bytes each, in base64. */
const FIELDS = ['external_event_id', 'amount_minor', 'currency', 'customer.external_id', 'customer.email', 'attribution.user_id'];

/** Numbers the service's purchases and their customers. */
let last = 0;

export async function purchaseCases(stage: Stage, data: DataSet, serviceUrl: string): Promise<Case[]> {
  const floorOn = async (connections: number): Promise<Contender> => {
    const settings: FloorPurchasesSettings = {
      databaseUrl: stage.superuserUrl,
      connections,
      tenantId: data.tenantId,
      environment: data.environment,
      planVersionId: data.planVersionId,
      contentDigests: Object.fromEntries(FIELDS.map((field) => [field, 'A'.repeat(16)])),
      uplines: data.uplines,
    };
    return childContender(await stage.startFloor('floor-purchases.ts', settings));
  };
  const sentTo = (url: string, clients: number): Contender =>
    httpContender({
      url,
      clients,
      headers: { 'x-tenant-api-key': data.apiKey },
      post: { path: '/api/v1/events/purchase', nextBody: () => purchaseBody(data), keyed: true },
    });
  const apartUrl = await stage.startService({ env: { PURCHASE_COALESCING: 'off' } });
  const caseOf = (name: string, clients: number, { apart = {}, ...others }: Others): Case => ({
    name,
    unit: 'events',
    ours: sentTo(serviceUrl, clients),
    peers: [{ name: `${name}, each by itself`, contender: sentTo(apartUrl, clients), target: apart }],
    check: () => assertWhole(stage, data),
    ...others,
  });
  const floor = await floorOn(POOL_SIZE);
  return [
    caseOf('purchase', CLIENTS, { floor, target: { ratio: 0.85, p99Ms: 100 } }),
    caseOf(ONE_CLIENT, 1, {
      floor: await floorOn(1),
      target: await noSlowerThanKept(ONE_CLIENT),
      apart: { ratio: 0.97 },
    }),
    caseOf('purchase, 128 clients', 128, { floor, target: { ratio: 1 }, close: () => stage.stopService(apartUrl) }),
  ];
}

interface Others extends Pick<Case, 'floor' | 'target' | 'close'> {
  /** Of the row that compares with a service without coalescing; it is only told where there is none. */
  apart?: Target;
}

const ONE_CLIENT = 'purchase, 1 client';

/** The body of a new customer's purchase that pays five levels. */
export function purchaseBody(data: DataSet): string {
  const name = `ours-${++last}`;
  return JSON.stringify({
    external_event_id: name,
    amount_minor: 10_000,
    currency: 'USD',
    customer: { external_id: name, email: `${name}@bench.example` },
    attribution: { user_id: anyOf(data.uplines)[0] },
  });
}

async function assertWhole(stage: Stage, data: DataSet): Promise<void> {
  const sides = await stage.sql<{ side: string; events: number; whole: number }>(
    `select split_part(e.external_event_id, '-', 1) as side, count(*)::int as events,
                count(*) filter (where e.status = 'accepted' and c.email is not null and l.lines = 5 and p.postings = 6)::int as whole
         from event e
         join customer c on c.tenant_id = e.tenant_id and c.environment = e.environment and c.id = e.customer_id
           and c.external_id = e.external_event_id
         cross join lateral (select count(*) as lines from commission_line x
           where x.tenant_id = e.tenant_id and x.environment = e.environment and x.event_id = e.id) l
         cross join lateral (select count(*) as postings from posting x
           join journal_entry j on j.tenant_id = x.tenant_id and j.environment = x.environment and j.id = x.journal_id
           where j.tenant_id = e.tenant_id and j.environment = e.environment and j.cause_type = 'event' and j.cause_id = e.id) p
         where e.tenant_id = $1 and e.external_event_id not like 'sale-%' group by 1`,
    [data.tenantId],
  );
  if (sides.length !== 2 || sides.some((side) => side.events !== side.whole)) {
    throw new Error(`purchase: not every event has its customer, 5 lines and 6 postings: ${JSON.stringify(sides)}`);
  }
}

function childContender(child: ChildProcess): Contender {
  return {
    async run(seconds) {
      const answered = once(child, 'message') as Promise<[Round]>;
      child.send({ seconds });
      return (await answered)[0];
    },
  };
}
