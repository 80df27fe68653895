/** POST /events/purchase where an endpoint hears nothing of it, or all, against the same where there is none. */
import { anyOf, type DataSet } from '../data-set.ts';
import { httpContender } from '../drive.ts';
import type { Case, Contender } from '../measure.ts';

interface Hearing {
  name: string;
  eventTypes: string[];
  ratio: number;
}

const HEARINGS: readonly Hearing[] = [
  { name: 'purchase, an endpoint hears nothing of it', eventTypes: ['ledger.fault_found'], ratio: 0.97 },
  { name: 'purchase, an endpoint hears all', eventTypes: ['*'], ratio: 0.85 },
];

let last = 0;

export async function toldPurchaseCases(data: DataSet, serviceUrl: string): Promise<Case[]> {
  const call = async (method: string, path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${serviceUrl}${path}`, {
      method,
      headers: { 'x-tenant-api-key': data.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  // Nothing is sent to it: no worker runs.
  const endpoint = { url: 'https://hooks.example/bench', eventTypes: ['*'], enabled: false };
  const { id } = await call('POST', '/api/v1/webhook-endpoints', endpoint);
  await call('PATCH', '/api/v1/admin/settings', { webhooks: { eventLog: false } });
  const purchases = httpContender({
    url: serviceUrl,
    headers: { 'x-tenant-api-key': data.apiKey },
    post: {
      path: '/api/v1/events/purchase',
      nextBody() {
        const name = `told-${++last}`;
        return JSON.stringify({
          external_event_id: name,
          amount_minor: 10_000,
          currency: 'USD',
          customer: { external_id: name, email: `${name}@bench.example` },
          attribution: { user_id: anyOf(data.uplines)[0] },
        });
      },
    },
  });
  const hearing = (change: object): Contender => ({
    async run(seconds) {
      await call('PATCH', `/api/v1/webhook-endpoints/${String(id)}`, change);
      return purchases.run(seconds);
    },
  });
  return HEARINGS.map(({ name, eventTypes, ratio }) => ({
    name,
    unit: 'events',
    ours: hearing({ enabled: true, eventTypes }),
    floor: hearing({ enabled: false }),
    target: { ratio },
    // What is measured next is not heard.
    check: async () => void (await call('PATCH', `/api/v1/webhook-endpoints/${String(id)}`, { enabled: false })),
  }));
}
