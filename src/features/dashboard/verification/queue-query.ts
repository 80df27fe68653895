/** Which verifications a list has: the filters of the queue, which go along from record to record. */
import type { PageContext } from '../../../pages/define-page.ts';

/** Names of the filters in the address. */
export const FILTERS = ['status', 'provider', 'assignedTo', 'userId'];

/** In the place of one status: those of all. */
export const ALL = 'all';

/** As `GET /admin/kyc` takes them; without a status those that wait for a review. */
export function queueQuery({ query }: Pick<PageContext, 'query'>): Record<string, string | undefined> {
  const { status, provider, assignedTo, userId } = query;
  return {
    status: status === ALL ? undefined : status || 'pending',
    provider: provider || undefined,
    assignedTo: assignedTo?.trim() || undefined,
    userId: userId?.trim() || undefined,
  };
}

/** The filters as they stand in the address. */
export function kept({ query }: Pick<PageContext, 'query'>): Record<string, string | undefined> {
  return Object.fromEntries(FILTERS.map((name) => [name, query[name]]));
}
