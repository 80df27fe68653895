/** The pending counts of many new members in SQL, behind the tree's lock. Rows never leave this file unmapped. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { memberStep } from '../../db/upline-step-sql.ts';
import { insertPendingCounts } from '../genealogy/open/downline-sql.ts';
import type { Ancestor, Joined, Share } from './share-counts.ts';

const walk = statement<Ancestor, { sponsorIds: readonly string[]; most: number | null }>(
  'users_walk_uplines',
  ({ sponsorIds, most }) =>
    raw(
      `with recursive up as (
     select m.id, m.parent_id from unnest(:sponsorIds::uuid[]) s(id)
     ${memberStep('s.id', ['id', 'parent_id'])}
     union -- not all: whom several are below is gone through once
     select m.id, m.parent_id from up
     ${memberStep('up.parent_id', ['id', 'parent_id'])})
   select up.id, up.parent_id as "parentId" from up limit :most`,
      { sponsorIds, most },
    ),
);

/** The sponsors and everybody above them, once each; no more than `most` of them. */
export async function listUplines(
  db: Db,
  scope: Scope,
  sponsorIds: readonly string[],
  most: number | undefined,
): Promise<Ancestor[]> {
  return db.rows(walk(scope, { sponsorIds, most: most ?? null }));
}

const insert = statement<unknown, { joinedAt: Date; shares: string; joined: string }>(
  'users_insert_joined_counts',
  ({ joinedAt, shares, joined }) =>
    raw(
      insertPendingCounts(`(
     select i.ids[1] as member_id, i.ids as ancestor_ids, i.members as delta, i.active as active_delta, null::uuid as sponsor_id,
            0 as sponsor_delta, :joinedAt::timestamptz as joined_at
     from jsonb_to_recordset(:shares::jsonb) i(ids uuid[], members int, active int)
     union all
     select i.sponsor, '{}'::uuid[], 0, 0, i.sponsor, i.members, null::timestamptz
     from jsonb_to_recordset(:joined::jsonb) i(sponsor uuid, members int))`),
      { joinedAt, shares, joined },
    ),
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
  await db.rows(insert(scope, { joinedAt, shares: JSON.stringify(ofUplines), joined: JSON.stringify(ofSponsors) }));
}
