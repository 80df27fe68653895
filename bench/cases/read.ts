/** GET /users/status of random members, against one indexed select of the member's row, PostGraphile, and Fastify with pg. */
import { anyOf, type DataSet } from '../data-set.ts';
import { CLIENTS, httpContender } from '../drive.ts';
import type { Case } from '../measure.ts';
import { graphqlBody, type Peers } from '../peers.ts';

/** So that the clients together ask for about every member. */
const PATHS_PER_CLIENT = Math.ceil(20_000 / CLIENTS);

export function readCase(data: DataSet, serviceUrl: string, floorUrl: string, peers: Peers): Case {
  const requestsTo = (path: string) => () =>
    Array.from({ length: PATHS_PER_CLIENT }, () => ({ method: 'GET', path: `${path}?user_id=${anyOf(data.memberIds)}` }));
  const headers = { 'x-tenant-api-key': data.apiKey };
  return {
    name: 'read',
    unit: 'requests',
    ours: httpContender({
      url: serviceUrl,
      headers,
      requestsOfClient: requestsTo('/api/v1/users/status'),
    }),
    floor: httpContender({ url: floorUrl, requestsOfClient: requestsTo('/users/status') }),
    target: { ratio: 0.8, p99: 1.5 },
    peers: [
      {
        name: 'read, PostGraphile',
        contender: httpContender({
          url: peers.graphqlUrl,
          requestsOfClient: () =>
            Array.from({ length: PATHS_PER_CLIENT }, () => ({
              method: 'POST',
              path: '/graphql',
              headers: { 'content-type': 'application/json' },
              body: graphqlBody(data, anyOf(data.memberIds)),
            })),
        }),
        target: { ratio: 1.4 },
      },
      {
        name: 'read, Fastify and pg',
        contender: httpContender({ url: peers.fastifyUrl, headers, requestsOfClient: requestsTo('/users/status') }),
        target: { ratio: 0.8 },
      },
    ],
  };
}
