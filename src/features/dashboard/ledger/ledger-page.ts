/** Ledger: do the books balance? */
import { definePage } from '../../../pages/define-page.ts';
import { chosenMember } from '../../../pages/parts/chosen-member.ts';
import { getTrialBalance, verifyLedgerOperation } from '../../ledger/ledger-operations.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { drawLedger } from './ledger-view.ts';

export const ledgerPage = definePage({
  path: '/ledger',
  title: 'Ledger',
  nav: { group: 'Money', icon: 'ledger', key: 'l' },
  needs: [getTrialBalance, verifyLedgerOperation],
  uses: [listMembers],
  async get(page) {
    const { member: typed, verify } = page.query;
    const member = await chosenMember(typed, (query) => page.invokeIfAllowed(listMembers, { query }));
    if (member.id !== undefined) return { redirect: page.at(`/members/${member.id}/ledger`) };
    const [balance, verified] = await Promise.all([
      page.invoke(getTrialBalance),
      verify === 'yes' || verify === 'new'
        ? page.invoke(verifyLedgerOperation, { query: { mode: verify === 'new' ? 'routine' : 'whole' } })
        : undefined,
    ]);
    return drawLedger(page, { balance, verified, isUnknown: member.isUnknown });
  },
});
