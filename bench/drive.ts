/** Driving an HTTP server with autocannon. */
import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import { type Contender, quantile } from './measure.ts';

/** Concurrent clients of an HTTP contender that says nothing else; each sends its next request when it has the last answer. */
export const CLIENTS = 32;

/**
 * The service closes a connection after 1,000 requests, and autocannon then counts a request that
 * was never answered. Clients of both sides therefore reconnect by themselves a little earlier.
 */
const REQUESTS_PER_CONNECTION = 900;

interface Load {
  url: string;
  headers?: Record<string, string>;
  /** Each client's requests, built once and sent in turn. */
  requestsOfClient?: () => autocannon.Request[];
  /** A request whose body is made anew each time; with an Idempotency-Key of its own where `keyed`. */
  post?: { path: string; nextBody: () => string; keyed?: boolean };
  clients?: number;
  /** Whether every answer is to be a redirect. */
  redirects?: boolean;
}

export function httpContender({
  url,
  headers = {},
  requestsOfClient,
  post,
  clients = CLIENTS,
  redirects = false,
}: Load): Contender {
  return {
    async run(seconds) {
      const run = autocannon({
        url,
        headers,
        connections: clients,
        duration: seconds,
        reconnectRate: REQUESTS_PER_CONNECTION,
        ...(requestsOfClient && { setupClient: (client: autocannon.Client) => client.setRequests(requestsOfClient()) }),
        ...(post && {
          requests: [
            {
              method: 'POST',
              path: post.path,
              headers: { ...headers, 'content-type': 'application/json' },
              setupRequest: (request) => ({
                ...request,
                ...(post.keyed && { headers: { ...request.headers, 'idempotency-key': randomUUID() } }),
                body: post.nextBody(),
              }),
            },
          ],
        }),
      });
      const times: number[] = [];
      run.on('response', (_client: unknown, _status: number, _bytes: number, ms: number) => times.push(ms));
      const result = await run;
      const good = redirects ? result['3xx'] : result['2xx'];
      const others = result['2xx'] + result.non2xx - good;
      if (result.errors + result.timeouts + others > 0 || times.length === 0) {
        throw new Error(
          `${url}: ${times.length} answers, ${result.errors} errors, ${result.timeouts} time-outs, statuses ${JSON.stringify(result.statusCodeStats)}`,
        );
      }
      const sample = Float64Array.from(times);
      return { perSecond: good / result.duration, p50: quantile(sample, 0.5), p99: quantile(sample, 0.99) };
    },
  };
}
