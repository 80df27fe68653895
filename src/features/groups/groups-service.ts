/** Groups of members: what plans name them by, and that they are there as long as anything needs them. */
import type { z } from 'zod';
import { actorRef } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { ActingContext, RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { groupsErrors } from './groups-errors.ts';
import type { createGroup, listGroups, updateGroup } from './groups-operations.ts';
import {
  type Group,
  type GroupChange,
  groupStatement,
  holdGroups,
  insertGroup,
  listGroupRows,
  listOpenKeys,
  lockGroup,
  readGroupUse,
  updateGroupRow,
} from './groups-queries.ts';
import { DEFAULT_GROUP } from './open/group-key.ts';

export interface GroupsService {
  /** GROUP_EXISTS. */
  create(context: ActingContext, input: z.output<(typeof createGroup)['body'] & {}>): Promise<Group>;
  list(context: RequestContext, query: z.output<(typeof listGroups)['query'] & {}>): Promise<Page<Group>>;
  /** NOT_FOUND. */
  read(context: RequestContext, key: string): Promise<Group>;
  /** NOT_FOUND; STATE_CONFLICT for `default`. */
  update(context: ActingContext, key: string, input: z.output<(typeof updateGroup)['body'] & {}>): Promise<Group>;
  /** NOT_FOUND; STATE_CONFLICT for `default`, and while members or plans have it. */
  archive(context: ActingContext, key: string): Promise<Group>;
  /**
   * Of these keys those that members cannot come into: there is no such group, or it is archived. The others stay as
   * they are until the caller's transaction ends.
   */
  findClosed(db: Db, scope: Scope, keys: readonly string[]): Promise<Set<string>>;
  /** Keys of the groups that members can be in, `default` first. */
  listOpen(db: Db, scope: Scope): Promise<string[]>;
  /** NOT_FOUND where there is no such group. */
  requireThere(db: Db, scope: Scope, key: string): Promise<void>;
  /** `findClosed` for one: 400 that names the field. */
  requireOpen(db: Db, scope: Scope, key: string, field: string): Promise<void>;
}

export function createGroupsService({ frames, cursors }: { frames: Frames; cursors: Cursors }): GroupsService {
  const findClosed: GroupsService['findClosed'] = async (db, scope, keys) => {
    const asked = new Set(keys);
    asked.delete(DEFAULT_GROUP);
    if (asked.size === 0) return asked;
    for (const { key, status } of await holdGroups(db, scope, [...asked])) if (status === 'active') asked.delete(key);
    return asked;
  };

  /** Refuses what is in the way of the change, writes it, and keeps an entry of it. What is the same already is not written. */
  async function change(
    { scope, guard, shape }: ActingContext,
    key: string,
    action: 'updated' | 'archived',
    wanted: GroupChange,
  ): Promise<Group> {
    if (key === DEFAULT_GROUP) throw new AppError('STATE_CONFLICT', 'The group default is always there, as it is');
    return frames.write(
      scope,
      async (db) => {
        const known = await lockGroup(db, scope, key);
        if (!known) throw unknownGroup();
        if ((wanted.name ?? known.name) === known.name && (wanted.status ?? known.status) === known.status) return known;
        if (action === 'archived') await refuseWhileUsed(db, scope, key);
        const group = await updateGroupRow(db, scope, key, wanted);
        if (!group) throw new Error('a locked group vanished');
        await recordAudit(db, scope, {
          action: `member_group.${action}`,
          by: scope.provenance,
          objectKind: 'member_group',
          objectId: key,
          ...(action === 'updated' && { details: { fields: Object.keys(wanted) } }),
        });
        return group;
      },
      { guard, shape },
    );
  }

  return {
    create: ({ scope, guard, shape }, { key, name }) => {
      if (key === DEFAULT_GROUP) throw new AppError(groupsErrors.GROUP_EXISTS, 'The group default is always there');
      return frames.write(
        scope,
        async (db) => {
          const group = await insertGroup(db, scope, { key, name, createdBy: actorRef(scope.provenance.actor) });
          await recordAudit(db, scope, {
            action: 'member_group.created',
            by: scope.provenance,
            objectKind: 'member_group',
            objectId: key,
          });
          return group;
        },
        { guard, shape },
      );
    },

    async list({ scope }, { limit, cursor, status }) {
      const identity = { scope, operationId: 'listGroups', filters: { status } };
      const afterKey = cursors.open(cursor, identity);
      const rows = await frames.read(scope, (db) => listGroupRows(db, scope, { status, afterKey, count: limit + 1 }));
      return cursors.page(rows, limit, identity, ({ key }) => key);
    },

    async read({ scope }, key) {
      const [group] = await frames.readOnce(scope, groupStatement(scope, { key }));
      if (!group) throw unknownGroup();
      return group;
    },

    update: (context, key, { name, status }) =>
      change(context, key, 'updated', { ...(name !== undefined && { name }), ...(status !== undefined && { status }) }),

    archive: (context, key) => change(context, key, 'archived', { status: 'archived' }),

    findClosed,

    listOpen: async (db, scope) => [DEFAULT_GROUP, ...(await listOpenKeys(db, scope))],

    async requireThere(db, scope, key) {
      if (!(await db.row(groupStatement(scope, { key })))) throw unknownGroup();
    },

    async requireOpen(db, scope, key, field) {
      if ((await findClosed(db, scope, [key])).size > 0) throw invalidField(field, 'is not an active group');
    },
  };
}

async function refuseWhileUsed(db: Db, scope: Scope, key: string): Promise<void> {
  const { members, planIds } = await readGroupUse(db, scope, key);
  if (members === 0 && planIds.length === 0) return;
  const message =
    members > 0 ? 'Members are in the group; move them first' : 'A plan names the group; publish it without it first';
  throw new AppError('STATE_CONFLICT', message, { details: { members, planIds } });
}

const unknownGroup = () => new AppError('NOT_FOUND', 'No such group');
