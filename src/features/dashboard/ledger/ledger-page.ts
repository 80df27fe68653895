/** Ledger: do the books balance? */
import { definePage } from '../../../pages/define-page.ts';
import { getTrialBalance, verifyLedgerOperation } from '../../ledger/ledger-operations.ts';
import { drawLedger } from './ledger-view.ts';

export const ledgerPage = definePage({
  path: '/ledger',
  title: 'Ledger',
  nav: { group: 'Money', icon: 'ledger', key: 'l' },
  needs: [getTrialBalance, verifyLedgerOperation],
  async get(page) {
    const asked = page.query['verify'] === 'yes';
    const [balance, verified] = await Promise.all([
      page.invoke(getTrialBalance),
      asked ? page.invoke(verifyLedgerOperation) : undefined,
    ]);
    return drawLedger(page, balance, verified);
  },
});
