/**
 * Purchases of a tenant beside another that asks little, and what the other's requests take meanwhile; where the purchases
 * that wait share turns, and where each is recorded by itself. Source: docs/decisions/0037-coalesced-purchases.md.
 */
import type { TimedCase } from '../answer-times.ts';
import { createMember, type DataSet } from '../data-set.ts';
import { httpContender } from '../drive.ts';
import { keepAliveClient } from '../keep-alive.ts';
import type { Case, Contender } from '../measure.ts';
import type { Stage } from '../stage.ts';
import { atAPace } from '../vendor-events.ts';
import { purchaseBody } from './purchase.ts';

/** A request of the other tenant begins so often. */
const QUIET_EVERY_MS = 20;

type Name = 'alone' | 'beside purchases' | 'beside purchases, each by itself';

/** The row of purchases, and the one of their neighbour. The service that coalesces none ends with the second. */
export async function neighbourCases(stage: Stage, data: DataSet, serviceUrl: string): Promise<[Case, TimedCase<Name>]> {
  const apartUrl = await stage.startService({ env: { PURCHASE_COALESCING: 'off' } });
  const { apiKey } = await stage.newTenant();
  const memberId = await createMember(serviceUrl, apiKey, 'quiet');

  const purchasesOf = (url: string): Contender =>
    httpContender({
      url,
      headers: { 'x-tenant-api-key': data.apiKey },
      post: { path: '/api/v1/events/purchase', nextBody: () => purchaseBody(data), keyed: true },
    });
  const asked = async (url: string, seconds: number) => {
    const client = keepAliveClient(url, apiKey, 4);
    const times = await atAPace(seconds, QUIET_EVERY_MS, () => client.get(`/api/v1/users/status?user_id=${memberId}`));
    client.close();
    return times;
  };
  const both = async (url: string, seconds: number) => Promise.all([purchasesOf(url).run(seconds), asked(url, seconds)]);
  const purchases = (url: string): Contender => ({ run: async (seconds) => (await both(url, seconds))[0] });
  const neighbour = (url: string) => ({ run: async (seconds: number) => (await both(url, seconds))[1] });

  return [
    {
      name: 'purchase, beside another tenant',
      unit: 'events',
      ours: purchases(serviceUrl),
      floor: purchases(apartUrl),
      target: { ratio: 2 },
    },
    {
      name: 'neighbour',
      timed: {
        alone: { run: (seconds) => asked(serviceUrl, seconds) },
        'beside purchases': neighbour(serviceUrl),
        'beside purchases, each by itself': neighbour(apartUrl),
      },
      figures: [
        { name: 'p50 beside purchases of another tenant', unit: 'ms', of: (round) => round['beside purchases'].p50 },
        { name: 'p99', unit: 'ms', limit: 50, of: (round) => round['beside purchases'].p99 },
        { name: 'p99 where each is by itself', unit: 'ms', of: (round) => round['beside purchases, each by itself'].p99 },
        { name: 'p99 alone', unit: 'ms', of: ({ alone }) => alone.p99 },
      ],
      close: () => stage.stopService(apartUrl),
    },
  ];
}
