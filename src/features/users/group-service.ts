/** Moving members between groups, and who is in which: docs/specification/groups.md#moving. */
import type { z } from 'zod';
import { actorRef } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { CallContext, RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { GroupsOffers } from '../groups/groups-feature.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import type { addGroupMembers } from './group-operations.ts';
import {
  type GroupEntry,
  type GroupMember,
  groupEntriesStatement,
  listMembersOfGroup,
  lockMembers,
  moveToGroup,
} from './group-queries.ts';
import { readNow } from './history-queries.ts';
import { lockHistoryForChange } from './users-queries.ts';

export interface MovedMembers {
  group: string;
  /** How many; the others were there already. */
  moved: number;
}

export interface GroupMovesService {
  /** NOT_FOUND, 400 for an archived group, an unknown member or a time ahead. */
  add(context: CallContext, group: string, input: z.output<(typeof addGroupMembers)['body'] & {}>): Promise<MovedMembers>;
  /** NOT_FOUND. */
  list(context: RequestContext, group: string, page: { limit: number; cursor?: string | undefined }): Promise<Page<GroupMember>>;
  /** USER_NOT_FOUND. */
  listGroups(context: RequestContext, memberId: string): Promise<GroupEntry[]>;
}

interface Deps {
  frames: Frames;
  cursors: Cursors;
  groups: GroupsOffers;
}

export function createGroupMovesService({ frames, cursors, groups }: Deps): GroupMovesService {
  return {
    async add({ scope, guard, shape }, group, { userIds, effectiveAt, reason }) {
      const ids = [...new Set(userIds)];
      return frames.write(
        scope,
        async (db) => {
          await groups.requireThere(db, scope, group);
          await groups.requireOpen(db, scope, group, 'key');
          await db.rows(lockHistoryForChange(scope));
          const [members, now] = await Promise.all([lockMembers(db, scope, ids), readNow(db, scope)]);
          const known = new Map(members.map((member) => [member.id, member]));
          const stranger = userIds.findIndex((id) => !known.has(id));
          if (stranger !== -1) throw invalidField(`userIds.${stranger}`, 'is not a member of this tenant and environment');
          if (effectiveAt != null && Date.parse(effectiveAt) > now.getTime()) {
            throw invalidField('effectiveAt', 'must not be in the future');
          }
          const moving = ids.filter((id) => effectiveAt != null || known.get(id)?.group !== group);
          if (moving.length === 0) return { group, moved: 0 };
          const createdBy = actorRef(scope.provenance.actor);
          for (const id of moving) tell(db, scope.provenance, 'group.changed', id);
          await Promise.all([
            moveToGroup(db, scope, {
              memberIds: moving,
              group,
              effectiveAt: effectiveAt ?? null,
              reason: reason ?? null,
              createdBy,
            }),
            ...moving.map((objectId) =>
              recordAudit(db, scope, {
                action: 'member.updated',
                by: scope.provenance,
                objectKind: 'member',
                objectId,
                details: { fields: ['group'] },
              }),
            ),
          ]);
          return { group, moved: moving.length };
        },
        { guard, shape },
      );
    },

    async list({ scope }, group, { limit, cursor }) {
      const identity = { scope, operationId: 'listGroupMembers', filters: { group } };
      const afterId = cursors.open(cursor, identity);
      const rows = await frames.read(scope, async (db) => {
        await groups.requireThere(db, scope, group);
        return listMembersOfGroup(db, scope, group, afterId, limit + 1);
      });
      return cursors.page(rows, limit, identity, ({ userId }) => userId);
    },

    async listGroups({ scope }, memberId) {
      const entries = await frames.readOnce(scope, groupEntriesStatement(scope, { memberId }));
      if (entries.length === 0) throw new AppError('USER_NOT_FOUND', 'No such member');
      return entries;
    },
  };
}
