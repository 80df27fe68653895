/** What a member has in the books: the balances, and each posting that they are made of. */
import { definePage } from '../../../pages/define-page.ts';
import { getMemberBalances, listMemberLedger } from '../../ledger/ledger-operations.ts';
import { drawPostings } from './postings-view.ts';

export const postingsPage = definePage({
  path: '/ledger/members/:userId',
  title: 'Postings of a member',
  below: '/ledger',
  needs: [getMemberBalances, listMemberLedger],
  async get(page) {
    const params = { userId: page.params['userId'] ?? '' };
    const currency = page.query['currency'] ?? page.tenant.currency;
    const [{ balances }, entries] = await Promise.all([
      page.invoke(getMemberBalances, { params }),
      page.invoke(listMemberLedger, { params, query: { currency, cursor: page.query['cursor'], limit: '50' } }),
    ]);
    return drawPostings(page, { userId: params.userId, currency, balances, entries });
  },
});
