/** POST /users under one root, against one insert of the same row into the same table. */
import type { DataSet } from '../data-set.ts';
import { httpContender } from '../drive.ts';
import type { Case } from '../measure.ts';
import type { Stage } from '../stage.ts';

/** Numbers the emails, whoever sends them. */
let last = 0;

export function createCase(stage: Stage, data: DataSet, serviceUrl: string, floorUrl: string): Case {
  const bodiesBy = (side: string) => () => JSON.stringify({ email: `${side}-${++last}@bench.example`, parent_id: data.rootId });
  return {
    name: 'create',
    unit: 'members',
    ours: httpContender({
      url: serviceUrl,
      headers: { 'x-tenant-api-key': data.apiKey },
      post: { path: '/api/v1/users', nextBody: bodiesBy('ours') },
    }),
    floor: httpContender({ url: floorUrl, post: { path: '/users', nextBody: bodiesBy('floor') } }),
    target: { ratio: 0.6 },
    async check() {
      const [bad] = await stage.sql<{ count: string }>(
        `select count(*) from member m
         where m.tenant_id = $1 and m.email like 'ours-%' and (
           m.parent_id <> $2
           or (select count(*) from referral_code c where c.tenant_id = $1 and c.environment = m.environment and c.member_id = m.id) <> 1
           or (select count(*) from downline_pending p where p.tenant_id = $1 and p.environment = m.environment and p.member_id = m.id
               and p.ancestor_ids = array[$2::uuid]) <> 1)`,
        [data.tenantId, data.rootId],
      );
      if (bad?.count !== '0') throw new Error(`create: ${bad?.count} members lack their code or their pending count`);
    },
  };
}
