/** POST /events/purchase paid by a plan with ten rules and a ladder, against the same paid by levels alone. */
import { anyOf, type DataSet } from '../data-set.ts';
import { httpContender } from '../drive.ts';
import type { Case } from '../measure.ts';
import type { Stage } from '../stage.ts';

/** The two plans are told apart by what is sold: all requests are alike but for this. */
const RULED = 'ruled';

const rules = Array.from({ length: 10 }, (_, index) => ({
  id: `rule-${index}`,
  levels: index % 2 === 0 ? 'all' : [1, 2],
  when: {
    all: [
      { fact: 'member.group', in: ['vip', `group-${index}`] },
      {
        any: [
          { fact: 'credited.ageDays', lt: 30 },
          { fact: 'sale.baseMinor', gte: { USD: 1_000 * index } },
        ],
      },
    ],
  },
  pay: { rateBps: 1_100 + index },
}));

const definition = {
  mode: 'unilevel',
  base: 'net_of_tax_shipping',
  compression: 'compress',
  personalPurchase: 'sponsor_first',
  holding: { days: 30 },
  tierRules: { ORDINARY: {}, SENIOR: {}, MANAGER: {}, DIRECTOR: {} },
  scope: { skus: [RULED], priority: 10 },
  levels: [{ level: 1, ladder: 'monthly' }, ...[500, 300, 200, 100].map((rateBps, index) => ({ level: index + 2, rateBps }))],
  rules,
  ladders: [
    {
      id: 'monthly',
      measure: 'base',
      period: 'month',
      steps: [
        { from: { USD: 0 }, rateBps: 1_000 },
        { from: { USD: 1_000_000 }, rateBps: 1_200 },
      ],
    },
  ],
};

let last = 0;

export async function ruledPurchaseCase(stage: Stage, data: DataSet, serviceUrl: string): Promise<Case> {
  const call = async (path: string, body: object): Promise<{ id: string }> => {
    const answer = await fetch(`${serviceUrl}/api/v1${path}`, {
      method: 'POST',
      headers: { 'x-tenant-api-key': data.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { id: string };
  };
  // The rules name them.
  for (const key of ['vip', ...rules.map((_, index) => `group-${index}`)]) await call('/groups', { key, name: key });
  const { id } = await call('/commission-plans', { name: 'Ruled', definition });
  await call(`/commission-plans/${id}/publish`, {});
  // No worker runs: the sums are made ready as its sweep would. What was sold before today would be in them: nothing was.
  await stage.sql(`update rollup_state set ready = true, since_xid = null where tenant_id = $1 and rollup = 'sales'`, [
    data.tenantId,
  ]);
  const purchases = (sku: string) =>
    httpContender({
      url: serviceUrl,
      headers: { 'x-tenant-api-key': data.apiKey },
      post: {
        path: '/api/v1/events/purchase',
        nextBody() {
          const name = `ruled-${++last}`;
          return JSON.stringify({
            external_event_id: name,
            amount_minor: 10_000,
            currency: 'USD',
            customer: { external_id: name, email: `${name}@bench.example` },
            attribution: { user_id: anyOf(data.uplines)[0] },
            line_items: [{ sku, amount_minor: 10_000 }],
          });
        },
      },
    });
  return {
    name: 'purchase, ten rules and a ladder',
    unit: 'events',
    ours: purchases(RULED),
    floor: purchases('plain'),
    target: { ratio: 0.9 },
    async check() {
      const [paid] = await stage.sql<{ lines: number; whole: number }>(
        `select count(*)::int as lines, count(*) filter (where l.pay_source is not null)::int as whole
         from commission_line l join event e on e.tenant_id = l.tenant_id and e.environment = l.environment and e.id = l.event_id
         where e.tenant_id = $1 and e.plan_version_id = (select v.id from commission_plan_version v where v.plan_id = '${id}')`,
        [data.tenantId],
      );
      if (!paid || paid.lines === 0 || paid.lines !== paid.whole) throw new Error(`the rules paid ${JSON.stringify(paid)}`);
    },
  };
}
