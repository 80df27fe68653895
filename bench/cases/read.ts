/** GET /users/status of random members, against one indexed select of the member's row. */
import { anyOf, type DataSet } from '../data-set.ts';
import { CLIENTS, httpContender } from '../drive.ts';
import type { Case } from '../measure.ts';

/** So that the clients together ask for about every member. */
const PATHS_PER_CLIENT = Math.ceil(20_000 / CLIENTS);

export function readCase(data: DataSet, serviceUrl: string, floorUrl: string): Case {
  const requestsTo = (path: string) => () =>
    Array.from({ length: PATHS_PER_CLIENT }, () => ({ method: 'GET', path: `${path}?user_id=${anyOf(data.memberIds)}` }));
  return {
    name: 'read',
    unit: 'requests',
    ours: httpContender({
      url: serviceUrl,
      headers: { 'x-tenant-api-key': data.apiKey },
      requestsOfClient: requestsTo('/api/v1/users/status'),
    }),
    floor: httpContender({ url: floorUrl, requestsOfClient: requestsTo('/users/status') }),
    target: { ratio: 0.7, p99: 2 },
  };
}
