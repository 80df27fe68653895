/** POST /users under one root, against one insert of the same row into the same table, and Fastify with pg. */
import type { DataSet } from '../data-set.ts';
import { httpContender } from '../drive.ts';
import type { Case } from '../measure.ts';
import type { Peers } from '../peers.ts';
import type { Stage } from '../stage.ts';

/** Numbers the emails, whoever sends them. */
let last = 0;

interface Urls {
  serviceUrl: string;
  floorUrl: string;
  peers: Peers;
}

export function createCase(stage: Stage, data: DataSet, { serviceUrl, floorUrl, peers }: Urls): Case {
  const bodiesBy = (side: string) => () => JSON.stringify({ email: `${side}-${++last}@bench.example`, parent_id: data.rootId });
  const headers = { 'x-tenant-api-key': data.apiKey };
  return {
    name: 'create',
    unit: 'members',
    ours: httpContender({
      url: serviceUrl,
      headers,
      post: { path: '/api/v1/users', nextBody: bodiesBy('ours') },
    }),
    floor: httpContender({ url: floorUrl, post: { path: '/users', nextBody: bodiesBy('floor') } }),
    target: { ratio: 0.6, p99: 2 },
    peers: [
      {
        name: 'create, Fastify and pg',
        contender: httpContender({ url: peers.fastifyUrl, headers, post: { path: '/users', nextBody: bodiesBy('fastify') } }),
        target: {},
      },
    ],
    async check() {
      const [bad] = await stage.sql<{ count: string }>(
        `with code as (
           select member_id, count(*) as codes from referral_code where tenant_id = $1 group by member_id),
         pending as (
           select member_id, count(*) filter (where ancestor_ids = array[$2::uuid]) as counted
           from downline_pending where tenant_id = $1 group by member_id)
         select count(*) from member m left join code on code.member_id = m.id left join pending on pending.member_id = m.id
         where m.tenant_id = $1 and m.email like 'ours-%'
           and (m.parent_id <> $2 or code.codes is distinct from 1 or pending.counted is distinct from 1)`,
        [data.tenantId, data.rootId],
      );
      if (bad?.count !== '0') throw new Error(`create: ${bad?.count} members lack their code or their pending count`);
    },
  };
}
