/** Who is in which group, and since when, in SQL. */
import type { NamedActor } from '../../actor.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { SCOPE_CLOCK_BEHIND } from '../../db/scope-clock.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { namedActor } from '../audit/open/named-actor.ts';

const member = tenantTable('member');

const lockMany = statement<{ id: string; group: string }, { ids: readonly string[] }>('users_lock_many', ({ ids }) =>
  member('m')
    .where('m.id', raw('any (:ids::uuid[])', { ids }))
    .orderBy('m.id')
    .forNoKeyUpdate()
    .select('m.id', { group: 'm.group_key' }),
);

/** Those of the members that there are, locked against other changes. */
export function lockMembers(db: Db, scope: Scope, ids: readonly string[]): Promise<{ id: string; group: string }[]> {
  return db.rows(lockMany(scope, { ids }));
}

export interface GroupMove {
  memberIds: readonly string[];
  group: string;
  /** ISO instant; null: now, or the latest move where that is later. */
  effectiveAt: string | null;
  reason: string | null;
  /** An `actorRef`. */
  createdBy: string;
}

/** The first move of a member writes its former group from -infinity beside the new one, as all dated history is begun. */
const recordMove = statement<unknown, GroupMove>('history_record_group', ({ memberIds, group, effectiveAt, reason, createdBy }) =>
  raw(
    `insert into member_group_history (tenant_id, environment, member_id, group_key, valid_from, reason, created_by)
     select :tenantId, :environment, m.id, m.group_key, '-infinity'::timestamptz, null, null from member m
     where ${ofTenant('m')} and m.id = any (:memberIds::uuid[])
       and not exists (select from member_group_history h where ${ofTenant('h')} and h.member_id = m.id)
     union all
     select :tenantId, :environment, m.id, :group::text, coalesce(:effectiveAt::timestamptz, greatest(${SCOPE_CLOCK_BEHIND}, (
       select max(h.valid_from) from member_group_history h where ${ofTenant('h')} and h.member_id = m.id))), :reason, :createdBy
     from member m where ${ofTenant('m')} and m.id = any (:memberIds::uuid[])`,
    { memberIds, group, effectiveAt, reason, createdBy },
  ),
);

/** A move that is dated before a later one leaves the present group. */
const applyMoves = statement<unknown, { memberIds: readonly string[] }>('history_apply_groups', ({ memberIds }) =>
  raw(
    `update member m set has_history = true, updated_at = scope_now(:tenantId, :environment),
       group_key = (select h.group_key from member_group_history h
         where ${ofTenant('h')} and h.member_id = m.id order by h.valid_from desc, h.id desc limit 1)
     where ${ofTenant('m')} and m.id = any (:memberIds::uuid[])`,
    { memberIds },
  ),
);

/** Of members that are locked, behind the lock of the history, into a group that is held. */
export async function moveToGroup(db: Db, scope: Scope, move: GroupMove): Promise<void> {
  await db.rows(recordMove(scope, move));
  await db.rows(applyMoves(scope, { memberIds: move.memberIds }));
}

export interface GroupMember {
  userId: string;
  externalId: string | null;
  since: Date | null;
}

/** Entries of the member that count for some time: the last of each instant. */
const counting = `select from member_group_history o
             where ${ofTenant('o')} and o.member_id = m.id and not exists (
               select from member_group_history x where ${ofTenant('x')} and x.member_id = m.id
                 and x.valid_from = o.valid_from and x.id > o.id)`;

/** Since when: the first entry of the group behind the last of another one. */
const list = statement<GroupMember, { group: string; afterId: string | null; count: number }>(
  'users_of_group',
  ({ group, afterId, count }) =>
    raw(
      `select m.id as "userId", m.external_id as "externalId",
            (select nullif(min(h.valid_from), '-infinity') from member_group_history h
             where ${ofTenant('h')} and h.member_id = m.id and h.group_key = :group
               and not exists (${counting} and o.group_key <> :group and (o.valid_from, o.id) > (h.valid_from, h.id))) as since
     from (select m.id, m.external_id from member m
           where ${ofTenant('m')} and m.group_key = :group and (:afterId::uuid is null or m.id > :afterId)
           order by m.id limit :count) m
     order by m.id`,
      { group, afterId, count },
    ),
);

export function listMembersOfGroup(
  db: Db,
  scope: Scope,
  group: string,
  afterId: string | undefined,
  count: number,
): Promise<GroupMember[]> {
  return db.rows(list(scope, { group, afterId: afterId ?? null, count }));
}

export interface GroupEntry {
  group: string;
  validFrom: Date | null;
  recordedAt: Date;
  reason: string | null;
  createdBy: NamedActor | null;
}

/** A member's groups, oldest first: one entry at least. No row when there is no such member. */
export const groupEntriesStatement = statement<GroupEntry, { memberId: string }>('history_groups', ({ memberId }) =>
  raw(
    `select coalesce(h.group_key, m.group_key) as "group", nullif(h.valid_from, '-infinity') as "validFrom",
          case when isfinite(h.valid_from) then h.recorded_at else m.created_at end as "recordedAt", h.reason,
          ${namedActor('h.created_by')} as "createdBy"
   from member m
   left join member_group_history h on ${ofTenant('h')} and h.member_id = m.id
   where ${ofTenant('m')} and m.id = :memberId
   order by h.valid_from, h.id`,
    { memberId },
  ),
);
