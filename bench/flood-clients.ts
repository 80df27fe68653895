/**
 * A flood of one tenant's requests, in a process of its own: three reads of a member for each new member, over many
 * connections, each of which sends its next request when it has the last answer. Started by the bench, which gives it
 * its settings and then how many seconds to go on.
 */
import { once } from 'node:events';
import autocannon from 'autocannon';

export interface FloodSettings {
  urls: readonly string[];
  apiKey: string;
  rootId: string;
  connections: number;
}

/** What was answered in a flood. */
export interface Flood {
  perSecond: number;
  statuses: Record<string, number>;
}

const [settings] = (await once(process, 'message')) as [FloodSettings];
let last = 0;

/** The service closes a connection after 1,000 requests. */
const REQUESTS_PER_CONNECTION = 900;

async function floodOne(url: string, seconds: number): Promise<Flood> {
  const read = { method: 'GET', path: `/api/v1/users/status?user_id=${settings.rootId}` };
  const create = {
    method: 'POST',
    path: '/api/v1/users',
    headers: { 'x-tenant-api-key': settings.apiKey, 'content-type': 'application/json' },
    setupRequest: (request: autocannon.Request) => ({
      ...request,
      body: JSON.stringify({ email: `flood-${process.pid}-${++last}@bench.example`, parent_id: settings.rootId }),
    }),
  };
  const result = await autocannon({
    url,
    headers: { 'x-tenant-api-key': settings.apiKey },
    connections: Math.ceil(settings.connections / settings.urls.length),
    duration: seconds,
    reconnectRate: REQUESTS_PER_CONNECTION,
    requests: [read, read, read, create],
  });
  const statuses = Object.entries(result.statusCodeStats).map(([status, { count }]) => [status, count]);
  return { perSecond: result['2xx'] / result.duration, statuses: Object.fromEntries(statuses) as Record<string, number> };
}

process.on('message', ({ seconds }: { seconds: number }) => {
  void Promise.all(settings.urls.map((url) => floodOne(url, seconds))).then((floods) => {
    const statuses: Record<string, number> = {};
    for (const flood of floods)
      for (const [status, count] of Object.entries(flood.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
    process.send?.({ perSecond: floods.reduce((sum, flood) => sum + flood.perSecond, 0), statuses } satisfies Flood);
  });
});
process.send?.('ready');
