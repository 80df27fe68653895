/** Groups of members in SQL. The group `default` has no row: it is added where groups are read. */
import type { NamedActor } from '../../actor.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant, theTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { namedActor } from '../audit/open/named-actor.ts';
import { DEFAULT_GROUP } from './open/group-key.ts';

export interface Group {
  key: string;
  name: string;
  status: 'active' | 'archived';
  /** Null of `default`. */
  createdBy: NamedActor | null;
  createdAt: Date;
  updatedAt: Date;
}

const memberGroup = tenantTable('member_group');

const columns = `g.key, g.name, g.status, ${namedActor('g.created_by')} as "createdBy", g.created_at as "createdAt",
  g.updated_at as "updatedAt"`;

const always = `select '${DEFAULT_GROUP}', 'Default', 'active', null, t.created_at, t.created_at from tenant t where ${theTenant('t')}`;

const insert = statement<Group, { key: string; name: string; createdBy: string }>('groups_insert', ({ key, name, createdBy }) =>
  raw(
    `insert into member_group as g (tenant_id, environment, key, name, created_by)
     values (:tenantId, :environment, :key, :name, :createdBy) returning ${columns}`,
    { key, name, createdBy },
  ),
);

/** Throws the constraint's error on a key that is taken. */
export async function insertGroup(db: Db, scope: Scope, group: { key: string; name: string; createdBy: string }): Promise<Group> {
  const row = await db.row(insert(scope, group));
  if (!row) throw new Error('the insert of a group returned no row');
  return row;
}

const list = statement<Group, { status: string | null; afterKey: string | null; count: number }>(
  'groups_list',
  ({ status, afterKey, count }) =>
    raw(
      `select * from (
     select ${columns} from member_group g
     where ${ofTenant('g')} and (:afterKey::text is null or g.key > :afterKey collate "C")
     union all ${always}) g
   where (:status::text is null or g.status = :status) and (:afterKey::text is null or g.key > :afterKey collate "C")
   order by g.key collate "C" limit :count`,
      { status, afterKey, count },
    ),
);

export interface GroupPage {
  status: Group['status'] | undefined;
  afterKey: string | undefined;
  count: number;
}

export function listGroupRows(db: Db, scope: Scope, { status, afterKey, count }: GroupPage): Promise<Group[]> {
  return db.rows(list(scope, { status: status ?? null, afterKey: afterKey ?? null, count }));
}

/** For `frames.readOnce`. */
export const groupStatement = statement<Group, { key: string }>('groups_find', ({ key }) =>
  raw(
    `select * from (select ${columns} from member_group g where ${ofTenant('g')} and g.key = :key union all ${always}) g
     where g.key = :key`,
    { key },
  ),
);

const lock = statement<Group, { key: string }>('groups_lock', ({ key }) =>
  raw(`select ${columns} from member_group g where ${ofTenant('g')} and g.key = :key for no key update`, { key }),
);

/** Whoever holds the group (`holdGroups`) is waited for, and waits. Undefined when there is no such row. */
export function lockGroup(db: Db, scope: Scope, key: string): Promise<Group | undefined> {
  return db.row(lock(scope, { key }));
}

const change = statement<Group, { key: string; name: string | null; status: string | null }>(
  'groups_update',
  ({ key, name, status }) =>
    raw(
      `update member_group g set name = coalesce(:name, g.name), status = coalesce(:status, g.status), updated_at = now()
       where ${ofTenant('g')} and g.key = :key returning ${columns}`,
      { key, name, status },
    ),
);

export interface GroupChange {
  name?: string | undefined;
  status?: Group['status'] | undefined;
}

/** Of a group that is locked. */
export function updateGroupRow(db: Db, scope: Scope, key: string, { name, status }: GroupChange): Promise<Group | undefined> {
  return db.row(change(scope, { key, name: name ?? null, status: status ?? null }));
}

/** What keeps a group from being archived. */
export interface GroupUse {
  members: number;
  planIds: string[];
}

/** Members are counted to a thousand. Of plans those count that are in force, or will be, by the scope's clock. */
const useOf = statement<GroupUse, { key: string }>('groups_use', ({ key }) =>
  raw(
    `select (select count(*)::int from (select from member m where ${ofTenant('m')} and m.group_key = :key limit 1000) m) as members,
            array(select distinct v.plan_id from (
              select v.*, lead(v.effective_from) over (partition by v.plan_id order by v.effective_from, v.id) as followed_at
              from commission_plan_version v where ${ofTenant('v')}) v
            where v.definition -> 'scope' -> 'groups' @> to_jsonb(:key::text)
              and v.followed_at is distinct from v.effective_from
              and coalesce(least(v.effective_to, v.followed_at) > scope_now(:tenantId, :environment), true)
            order by v.plan_id) as "planIds"`,
    { key },
  ),
);

/** Behind the group's lock, or somebody comes into it meanwhile. */
export async function readGroupUse(db: Db, scope: Scope, key: string): Promise<GroupUse> {
  const row = await db.row(useOf(scope, { key }));
  if (!row) throw new Error('the use of a group has no row');
  return row;
}

const openKeys = statement<{ key: string }>('groups_open', () =>
  memberGroup().select('key').where({ status: 'active' }).orderBy('key'),
);

export async function listOpenKeys(db: Db, scope: Scope): Promise<string[]> {
  return (await db.rows(openKeys(scope))).map(({ key }) => key);
}

const hold = statement<{ key: string; status: Group['status'] }, { keys: readonly string[] }>('groups_hold', ({ keys }) =>
  memberGroup().select('key', 'status').where('key', raw('any (:keys::text[])', { keys })).orderBy('key').forShare(),
);

/** The groups of these keys that there are; none of them is archived or brought back until the transaction ends. */
export function holdGroups(db: Db, scope: Scope, keys: readonly string[]): Promise<{ key: string; status: Group['status'] }[]> {
  return db.rows(hold(scope, { keys }));
}
