/** Searching members. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { foldName, normaliseEmail } from '../../http/schemas.ts';
import type { listMembers } from './member-list-operations.ts';
import { type ListedMember, listMembers as listMemberRows, type MemberFilters } from './member-list-queries.ts';
import { listSortedMembers, type SortedPlace } from './sorted-members-queries.ts';

type List = z.output<(typeof listMembers)['query'] & {}>;

export interface MemberListService {
  list(context: RequestContext, query: List): Promise<Page<ListedMember>>;
}

export function createMemberListService({ frames, cursors }: { frames: Frames; cursors: Cursors }): MemberListService {
  return {
    async list({ scope }, { limit, cursor, sort, email, name, ...query }) {
      const filters: MemberFilters = {
        emailNorm: email === undefined ? undefined : normaliseEmail(email),
        nameNorm: name === undefined ? undefined : foldName(name),
        tier: query.tier,
        isActive: query.isActive,
        sponsorId: query.sponsorId,
        joinedFrom: query.joinedFrom,
        joinedTo: query.joinedTo,
        externalId: query.externalId,
        ids: query.ids,
      };
      const list = { scope, operationId: 'listMembers', filters: { ...filters, sort } };
      const position = cursors.open(cursor, list);
      if (sort !== undefined) {
        const after = position === undefined ? undefined : placeOf(position);
        const sorted = await frames.read(scope, (db) => listSortedMembers(db, scope, { ...filters, sort }, after, limit + 1));
        return cursors.page(sorted, limit, list, ({ place }) => positionOf(place));
      }
      const afterId = position;
      const rows = await frames.read(scope, (db) => listMemberRows(db, scope, filters, afterId, limit + 1));
      return cursors.page(rows, limit, list, (member) => member.id);
    },
  };
}

/** As a cursor holds it. The key is last, for it may be any text. */
function positionOf({ part, id, key }: SortedPlace): string {
  return `${part} ${id} ${key}`;
}

function placeOf(position: string): SortedPlace {
  const [part = '', id = ''] = position.split(' ', 2);
  return { part: Number(part), id, key: position.slice(part.length + id.length + 2) };
}
