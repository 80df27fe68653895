/** What the list of commissions is drawn from. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext } from '../../../pages/define-page.ts';
import type { ChosenMember } from '../../../pages/parts/chosen-member.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import type { listCommissions } from '../../commissions/commissions-operations.ts';
import type { getCommissionBreakdown } from '../../members/members-operations.ts';
import type { getOverview } from '../../overview/overview-operations.ts';

export interface CommissionFilters {
  userId: string | undefined;
  eventId: string | undefined;
  status: string | undefined;
  kind: string | undefined;
  level: string | undefined;
  currency: string | undefined;
  /** YYYY-MM of the sale. */
  period: string | undefined;
  sort: string;
}

export interface CommissionsFacts {
  lines: AnswerOf<typeof listCommissions>['data'];
  nextCursor: string | null;
  member: ChosenMember;
  filters: CommissionFilters;
  names: MemberNames;
  /** Of the member that is asked for, where the role may see it. */
  breakdown?: AnswerOf<typeof getCommissionBreakdown> | undefined;
  /** Of everybody. */
  overview?: AnswerOf<typeof getOverview> | undefined;
}

export type Look = Pick<PageContext, 'at' | 'can' | 'format' | 'here' | 'now' | 'query' | 'tenant'>;
