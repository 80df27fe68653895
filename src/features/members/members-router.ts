import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { getCommissionBreakdown } from './members-operations.ts';
import type { MembersService } from './members-service.ts';

export function mountMembers(router: Router, mount: Mount, members: MembersService): void {
  mount(router, getCommissionBreakdown, ({ params, query, ...context }) => members.readBreakdown(context, params.userId, query));
}
