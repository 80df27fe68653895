/** What stands between members and their next payouts, as the tests about it ask. */
import { expect } from 'vitest';
import type { ApiClient } from '../app/api-client.ts';

export interface RequirementBody {
  currency: string;
  dueMinor: number;
  minimumMinor: number | null;
  state: string;
  missing: string[];
  payout: { id: string; runId: string | null; amountMinor: number; currency: string; status: string; createdAt: string } | null;
}

export interface ReadinessBody {
  userId: string;
  asOf: string;
  requirements: RequirementBody[];
  lastPaid: { amountMinor: number; currency: string; paidAt: string } | null;
}

export const readinessPath = (memberId: string, currency?: string): string =>
  `/api/v1/members/${memberId}/payout-readiness${currency === undefined ? '' : `?currency=${currency}`}`;

export async function readinessOf(client: ApiClient, memberId: string, currency?: string): Promise<ReadinessBody> {
  const answer = await client.get(readinessPath(memberId, currency));
  expect(`${answer.status} ${answer.status === 200 ? '' : answer.text}`).toBe('200 ');
  return answer.body as ReadinessBody;
}

/** Of one currency, which is asked for. */
export async function requirementOf(client: ApiClient, memberId: string, currency = 'USD'): Promise<RequirementBody> {
  const { requirements } = await readinessOf(client, memberId, currency);
  expect(requirements.map((one) => one.currency)).toEqual([currency]);
  return requirements[0] as RequirementBody;
}

/** `blocked: HELD, NO_ACCOUNT` */
export async function standingOf(client: ApiClient, memberId: string, currency = 'USD'): Promise<string> {
  const { state, missing } = await requirementOf(client, memberId, currency);
  return `${state}: ${missing.join(', ')}`;
}
