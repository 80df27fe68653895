/** Other programs that read and create the same members, on the same database: a process and ten connections each. */
import path from 'node:path';
import type { DataSet } from './data-set.ts';
import type { PeerFastifySettings } from './peer-fastify-server.ts';
import type { PeerGraphqlSettings } from './peer-graphql-server.ts';
import { findFreePort, POOL_SIZE, type Stage } from './stage.ts';

export interface Peers {
  graphqlUrl: string;
  fastifyUrl: string;
}

/** Reads a member as the preset names it; the fields are those that the service answers with. */
const QUERY = `query ($tenantId: UUID!, $environment: String!, $id: UUID!) {
  member: memberByTenantIdAndEnvironmentAndRowId(tenantId: $tenantId, environment: $environment, rowId: $id) {
    rowId email membershipTier isActive canRecruit payCurrency
  }
}`;

export function graphqlBody({ tenantId, environment }: DataSet, id: string): string {
  return JSON.stringify({ query: QUERY, variables: { tenantId, environment, id } });
}

export async function startPeers(stage: Stage, data: DataSet, serviceUrl: string): Promise<Peers> {
  const { tenantId, environment } = data;
  const shared = { databaseUrl: stage.urls.appUrl, poolSize: POOL_SIZE };
  const graphql: PeerGraphqlSettings = { ...shared, port: await findFreePort(), tenantId, environment };
  await stage.startFloor('peer-graphql-server.ts', graphql);
  const fastify: PeerFastifySettings = {
    ...shared,
    port: await findFreePort(),
    pepper: stage.pepper,
    logFile: path.join(stage.directory, 'peer-fastify.log'),
  };
  await stage.startFloor('peer-fastify-server.ts', fastify);
  const peers = { graphqlUrl: `http://127.0.0.1:${graphql.port}`, fastifyUrl: `http://127.0.0.1:${fastify.port}` };
  await assertSameRow(data, serviceUrl, peers);
  return peers;
}

/** All three answer with the row of the same member. */
async function assertSameRow(data: DataSet, serviceUrl: string, { graphqlUrl, fastifyUrl }: Peers): Promise<void> {
  const id = data.memberIds[data.memberIds.length >> 1] ?? '';
  const headers = { 'x-tenant-api-key': data.apiKey };
  const read = async (url: string, init: RequestInit): Promise<Record<string, unknown>> =>
    (await (await fetch(url, init)).json()) as Record<string, unknown>;
  const ours = await read(`${serviceUrl}/api/v1/users/status?user_id=${id}`, { headers });
  const fastify = await read(`${fastifyUrl}/users/status?user_id=${id}`, { headers });
  const answer = await read(`${graphqlUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: graphqlBody(data, id),
  });
  const graphql = (answer['data'] as { member: Record<string, unknown> | null } | undefined)?.member ?? {};
  const rows = [
    [ours['user_id'], ours['email'], ours['membership_tier'], ours['is_active'], ours['can_recruit'], ours['currency']],
    [
      graphql['rowId'],
      graphql['email'],
      graphql['membershipTier'],
      graphql['isActive'],
      graphql['canRecruit'],
      graphql['payCurrency'],
    ],
    [
      fastify['id'],
      fastify['email'],
      fastify['membership_tier'],
      fastify['is_active'],
      fastify['can_recruit'],
      fastify['pay_currency'],
    ],
  ].map((row) => row.join());
  if (ours['user_id'] !== id || new Set(rows).size !== 1)
    throw new Error(`the peers answer otherwise: ${JSON.stringify(rows)} ${JSON.stringify(answer).slice(0, 500)}`);
}
