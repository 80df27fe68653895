/** POST /events/purchase paying five levels, against the same rows in one prepared statement an event. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { anyOf, type DataSet } from '../data-set.ts';
import { httpContender } from '../drive.ts';
import type { FloorPurchasesSettings } from '../floor-purchases.ts';
import type { Case, Contender, Round } from '../measure.ts';
import { POOL_SIZE, type Stage } from '../stage.ts';

/** Stored by the service for the fields of these requests: twelve bytes each, in base64. */
const FIELDS = ['external_event_id', 'amount_minor', 'currency', 'customer.external_id', 'customer.email', 'attribution.user_id'];

/** Numbers the service's purchases and their customers. */
let last = 0;

export async function purchaseCase(stage: Stage, data: DataSet, serviceUrl: string): Promise<Case> {
  const settings: FloorPurchasesSettings = {
    databaseUrl: stage.superuserUrl,
    connections: POOL_SIZE,
    tenantId: data.tenantId,
    environment: data.environment,
    planVersionId: data.planVersionId,
    contentDigests: Object.fromEntries(FIELDS.map((field) => [field, 'A'.repeat(16)])),
    uplines: data.uplines,
  };
  const floor = await stage.startFloor('floor-purchases.ts', settings);
  const nextBody = () => {
    const name = `ours-${++last}`;
    return JSON.stringify({
      external_event_id: name,
      amount_minor: 10_000,
      currency: 'USD',
      customer: { external_id: name, email: `${name}@bench.example` },
      attribution: { user_id: anyOf(data.uplines)[0] },
    });
  };
  return {
    name: 'purchase',
    unit: 'events',
    ours: httpContender({
      url: serviceUrl,
      headers: { 'x-tenant-api-key': data.apiKey },
      post: { path: '/api/v1/events/purchase', nextBody },
    }),
    floor: childContender(floor),
    target: { ratio: 0.5, perSecond: 300 },
    async check() {
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
    },
  };
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
