/** The payout accounts of all members: which of them keep somebody from being paid? */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import { definePage } from '../../../pages/define-page.ts';
import { chosenMember } from '../../../pages/parts/chosen-member.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { listAllPayoutAccounts } from '../../payouts/accounts/all-accounts-operations.ts';
import { acceptAccountName } from '../../payouts/accounts/payout-accounts-operations.ts';
import { drawAccounts, FILTERS } from './accounts-view.ts';

const NONE: AnswerOf<typeof listAllPayoutAccounts> = { data: [], nextCursor: null, hasMore: false };

export const accountsPage = definePage({
  path: '/payouts/accounts',
  title: 'Payout accounts',
  below: '/payouts',
  needs: [listAllPayoutAccounts],
  uses: [listMembers],
  filters: FILTERS,
  async get(page) {
    const { userId, status, nameMatch, shared, primary, onHold, cursor } = page.query;
    const member = await chosenMember(userId, (query) => page.invokeIfAllowed(listMembers, { query }));
    const currency = page.query['currency']?.trim().toUpperCase();
    const query = { userId: member.id, status, currency, nameMatch, shared, primary, onHold, cursor, limit: '50' };
    const accounts = member.isUnknown ? NONE : await page.invoke(listAllPayoutAccounts, { query });
    const names = await memberNames(
      page,
      accounts.data.map(({ userId }) => userId),
      (ids) => page.invokeIfAllowed(listMembers, { query: { ids, limit: '100' } }),
    );
    return drawAccounts(page, { accounts, names, isUnknown: member.isUnknown });
  },
  actions: {
    acceptName: {
      needs: [acceptAccountName],
      async run(page, form) {
        const params = { userId: form.raw('userId'), accountId: form.raw('accountId') };
        await page.invoke(acceptAccountName, { params });
        return { to: page.here(), said: 'The name is accepted, for this account. Later runs pay to it.' };
      },
    },
  },
});
