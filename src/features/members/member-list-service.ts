/** Searching members. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { foldName, normaliseEmail } from '../../http/schemas.ts';
import type { listMembers } from './member-list-operations.ts';
import { type ListedMember, listMembers as listMemberRows, type MemberFilters } from './member-list-queries.ts';

type List = z.output<(typeof listMembers)['query'] & {}>;

export interface MemberListService {
  list(context: RequestContext, query: List): Promise<Page<ListedMember>>;
}

export function createMemberListService({ frames, cursors }: { frames: Frames; cursors: Cursors }): MemberListService {
  return {
    async list({ scope }, { limit, cursor, email, name, tier, isActive, sponsorId, joinedFrom, joinedTo }) {
      const filters: MemberFilters = {
        emailNorm: email === undefined ? undefined : normaliseEmail(email),
        nameNorm: name === undefined ? undefined : foldName(name),
        tier,
        isActive,
        sponsorId,
        joinedFrom,
        joinedTo,
      };
      const list = { scope, operationId: 'listMembers', filters: { ...filters } };
      const afterId = cursors.open(cursor, list);
      const rows = await frames.read(scope, (db) => listMemberRows(db, scope, filters, afterId, limit + 1));
      return cursors.page(rows, limit, list, (member) => member.id);
    },
  };
}
