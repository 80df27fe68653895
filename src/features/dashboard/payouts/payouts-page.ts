/** Payouts one by one, of all runs. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import { definePage } from '../../../pages/define-page.ts';
import { dayFrom, dayTo } from '../../../pages/instants.ts';
import { chosenMember } from '../../../pages/parts/chosen-member.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { listPayouts } from '../../payouts/payouts/payouts-operations.ts';
import { drawPayouts, FILTERS } from './payouts-view.ts';

const NONE: AnswerOf<typeof listPayouts> = { data: [], nextCursor: null, hasMore: false };

export const payoutsPage = definePage({
  path: '/payouts/all',
  title: 'Payouts one by one',
  below: '/payouts',
  needs: [listPayouts],
  uses: [listMembers],
  filters: [...FILTERS, 'sort'],
  async get(page) {
    const { status, userId, runId, from, to, reconciled, cursor } = page.query;
    const { timeZone } = page.tenant;
    const member = await chosenMember(userId, (query) => page.invokeIfAllowed(listMembers, { query }));
    const query = {
      status,
      runId,
      userId: member.id,
      currency: page.query['currency']?.trim().toUpperCase(),
      createdFrom: dayFrom(timeZone, from),
      createdTo: dayTo(timeZone, to),
      reconciled,
      sort: page.query['sort'] || '-createdAt',
      cursor,
      limit: '50',
    };
    const payouts = member.isUnknown ? NONE : await page.invoke(listPayouts, { query });
    const ids = [member.id, ...payouts.data.map((payout) => payout.userId)];
    const names = await memberNames(page, ids, (some) =>
      page.invokeIfAllowed(listMembers, { query: { ids: some, limit: '100' } }),
    );
    return drawPayouts(page, { payouts, names, isUnknown: member.isUnknown });
  },
});
