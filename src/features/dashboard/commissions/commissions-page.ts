/** Commissions: what is owed, and in which state? */
import { AppError } from '../../../errors.ts';
import type { AnswerOf } from '../../../pages/answer-of.ts';
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { type ChosenMember, chosenMember } from '../../../pages/parts/chosen-member.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { listCommissions } from '../../commissions/commissions-operations.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { getCommissionBreakdown } from '../../members/members-operations.ts';
import { getOverview } from '../../overview/overview-operations.ts';
import type { CommissionFilters } from './commissions-facts.ts';
import { drawCommissions, FILTERS } from './commissions-view.ts';

const NO_LINES: AnswerOf<typeof listCommissions> = { data: [], nextCursor: null, hasMore: false };

export const commissionsPage = definePage({
  path: '/commissions',
  title: 'Commissions',
  nav: { group: 'Money', icon: 'percent', key: 'c', waiting: 'heldCommissions' },
  needs: [listCommissions],
  filters: [...FILTERS, 'sort'],
  uses: [listMembers, getCommissionBreakdown, getOverview],
  async get(page) {
    const { userId, eventId, status, kind, level, period } = page.query;
    const sort = page.query['sort'] || '-createdAt';
    const member = await chosenMember(userId, (query) => page.invokeIfAllowed(listMembers, { query }));
    const currency = page.query['currency']?.trim().toUpperCase();
    const filters: CommissionFilters = { userId: member.id, eventId, status, kind, level, currency, period, sort };
    const query = { ...filters, cursor: page.query['cursor'], limit: '50' };
    const [lines, sums] = await Promise.all([
      member.isUnknown ? NO_LINES : page.invoke(listCommissions, { query }),
      sumsOf(page, member, filters),
    ]);
    const names = await memberNames(page, [member.id, ...lines.data.map((line) => line.userId)], (ids) =>
      page.invokeIfAllowed(listMembers, { query: { ids, limit: '100' } }),
    );
    return drawCommissions(page, { lines: lines.data, nextCursor: lines.nextCursor, member, filters, names, ...sums });
  },
});

/** Of a member the breakdown, of everybody the totals: of the month that is asked for, or of all there is of them. */
async function sumsOf(page: PageContext, { id: userId, isUnknown }: ChosenMember, { period, currency }: CommissionFilters) {
  if (isUnknown) return {};
  if (userId !== undefined) {
    const query = { period: period ?? 'all', currency };
    const breakdown = await page
      .invokeIfAllowed(getCommissionBreakdown, { params: { userId }, query })
      .catch((thrown: unknown) => {
        if (thrown instanceof AppError && thrown.code === 'USER_NOT_FOUND') return undefined;
        throw thrown;
      });
    return { breakdown };
  }
  return { overview: await page.invokeIfAllowed(getOverview, { query: { from: period, to: period, currency } }) };
}
