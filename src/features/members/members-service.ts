/** Member summaries. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import { AppError } from '../../errors.ts';
import type { RequestContext } from '../../http/operation.ts';
import { breakdownStatement } from './breakdown-queries.ts';
import type { BreakdownAnswer, getCommissionBreakdown } from './members-operations.ts';
import { summariseBreakdown } from './summarise-breakdown.ts';

type Query = z.output<(typeof getCommissionBreakdown)['query'] & {}>;

export interface MembersService {
  /** Commissions of one member and currency, by the tenant's months or days. USER_NOT_FOUND. */
  readBreakdown(context: RequestContext, memberId: string, query: Query): Promise<BreakdownAnswer>;
}

export function createMembersService({ frames }: { frames: Frames }): MembersService {
  return {
    async readBreakdown({ scope }, memberId, { period, currency }) {
      const firstDay = period === 'all' ? null : `${period}-01`;
      const rows = await frames.readOnce(
        scope,
        breakdownStatement(scope.tenantId, scope.environment, memberId, currency ?? null, firstDay),
      );
      if (rows.length === 0) throw new AppError('USER_NOT_FOUND', 'No such member');
      return summariseBreakdown(rows, period);
    },
  };
}
