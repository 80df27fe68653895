/** The ledger of one member: the balances, and each posting that they are made of. */
import { definePage } from '../../../pages/define-page.ts';
import { getMemberBalances, listMemberLedger } from '../../ledger/ledger-operations.ts';
import { getUser } from '../../users/users-operations.ts';
import { drawMemberLedger } from './member-ledger-view.ts';
import { idOf } from './member-page.ts';

export const memberLedgerPage = definePage({
  path: '/members/:userId/ledger',
  title: 'Ledger of a member',
  below: '/members',
  needs: [getUser, getMemberBalances, listMemberLedger],
  async get(page) {
    const { currency = page.tenant.currency, cursor } = page.query;
    const params = { userId: idOf(page) };
    const [user, { balances }, entries] = await Promise.all([
      page.invoke(getUser, { params: { user_id: idOf(page) } }),
      page.invoke(getMemberBalances, { params }),
      page.invoke(listMemberLedger, { params, query: { currency, cursor, limit: '50' } }),
    ]);
    return drawMemberLedger(page, { user, currency, balances, ...entries });
  },
});
