/** The ledger of one member: what their balances are made of. */
import { definePage } from '../../../pages/define-page.ts';
import { listMemberLedger } from '../../ledger/ledger-operations.ts';
import { getUser } from '../../users/users-operations.ts';
import { drawMemberLedger } from './member-ledger-view.ts';
import { idOf } from './member-page.ts';

export const memberLedgerPage = definePage({
  path: '/members/:userId/ledger',
  title: 'Ledger of a member',
  below: '/members',
  needs: [getUser, listMemberLedger],
  async get(page) {
    const { currency = page.tenant.currency, cursor } = page.query;
    const [user, entries] = await Promise.all([
      page.invoke(getUser, { params: { user_id: idOf(page) } }),
      page.invoke(listMemberLedger, { params: { userId: idOf(page) }, query: { currency, cursor, limit: '50' } }),
    ]);
    return drawMemberLedger(page, { user, currency, ...entries });
  },
});
