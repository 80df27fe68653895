import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { listMembers } from './member-list-operations.ts';
import type { MemberListService } from './member-list-service.ts';

export function mountMemberList(router: Router, mount: Mount, memberList: MemberListService): void {
  mount(
    router,
    listMembers,
    ({ query, ...context }) => memberList.list(context, query),
    ({ rows, nextCursor }) => ({ status: 200, body: { data: rows, hasMore: nextCursor !== null, nextCursor } }),
  );
}
