/** The pending counts of many new members in SQL, behind the tree's lock. Rows never leave this file unmapped. */
import type { Db, Scope } from '../../db/frame.ts';
import { memberStep } from '../../db/member-step.ts';
import { prepared } from '../../db/statement.ts';
import type { Ancestor, Joined, Share } from './share-counts.ts';

const walk = prepared<Ancestor, [string, string, sponsorIds: readonly string[], most: number | null]>(
  'users_walk_uplines',
  `with recursive up as (
     select m.id, m.parent_id from unnest($3::uuid[]) s(id)
     ${memberStep('s.id', ['id', 'parent_id'])}
     union -- not all: whom several are below is gone through once
     select m.id, m.parent_id from up
     ${memberStep('up.parent_id', ['id', 'parent_id'])})
   select up.id, up.parent_id as "parentId" from up limit $4`,
);

/** The sponsors and everybody above them, once each; no more than `most` of them. */
export async function listUplines(
  db: Db,
  scope: Scope,
  sponsorIds: readonly string[],
  most: number | undefined,
): Promise<Ancestor[]> {
  return db.rows(walk(scope.tenantId, scope.environment, sponsorIds, most ?? null));
}

const insert = prepared<unknown, [string, string, joinedAt: Date, shares: string, joined: string]>(
  'users_insert_joined_counts',
  `insert into downline_pending (tenant_id, environment, member_id, ancestor_ids, delta, active_delta, sponsor_id, sponsor_delta,
                                 joined_at)
   select $1::uuid, $2::text, i.ids[1], i.ids, i.members, i.active, null::uuid, 0, $3::timestamptz
   from jsonb_to_recordset($4::jsonb) i(ids uuid[], members int, active int)
   union all
   select $1::uuid, $2::text, i.sponsor, '{}'::uuid[], 0, 0, i.sponsor, i.members, null::timestamptz
   from jsonb_to_recordset($5::jsonb) i(sponsor uuid, members int)`,
);

/** The shares of the uplines, and for each sponsor how many of its own are new. */
export async function insertJoinedCounts(
  db: Db,
  scope: Scope,
  joinedAt: Date,
  shares: readonly Share[],
  joined: readonly Joined[],
): Promise<void> {
  const ofUplines = shares.map(({ ancestorIds, members, active }) => ({ ids: ancestorIds, members, active }));
  const ofSponsors = joined.map(({ sponsorId, members }) => ({ sponsor: sponsorId, members }));
  await db.rows(insert(scope.tenantId, scope.environment, joinedAt, JSON.stringify(ofUplines), JSON.stringify(ofSponsors)));
}
