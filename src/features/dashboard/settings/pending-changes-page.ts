/** Changes that wait for a second person: who asked, from what to what, and the answer. */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { getCommissionPlan } from '../../commissions/plans-operations.ts';
import {
  confirmPendingChange,
  listPendingChanges,
  rejectPendingChange,
} from '../../pending-changes/pending-changes-operations.ts';
import { drawPendingChanges } from './pending-changes-view.ts';
import { readPublications } from './waiting-publication.ts';

export const pendingChangesPage = definePage({
  path: '/pending-changes',
  title: 'Waiting changes',
  nav: { group: 'Tenant', icon: 'shield', waiting: 'pendingChanges' },
  // A change is shown to whoever could ask for it; the operation tells.
  needs: [listPendingChanges],
  uses: [confirmPendingChange, rejectPendingChange, getCommissionPlan],
  async get(page) {
    const status = page.query['status'] ?? 'open';
    const query = { cursor: page.query['cursor'], limit: '25', ...(status !== 'all' && { status }) };
    const changes = await page.invoke(listPendingChanges, { query });
    return drawPendingChanges(page, changes, await readPublications(page, changes.data));
  },
  actions: {
    confirm: {
      needs: [confirmPendingChange],
      async run(page, form) {
        await page.invoke(confirmPendingChange, { params: paramsOf(form.raw('pendingChangeId')) });
        return { to: listOf(page), said: 'Confirmed. The change is in effect.' };
      },
    },
    reject: {
      needs: [rejectPendingChange],
      async run(page, form) {
        const reason = form.text('reason');
        const body = reason === undefined ? {} : { reason };
        await page.invoke(rejectPendingChange, { params: paramsOf(form.raw('pendingChangeId')), body });
        return { to: listOf(page), said: 'Rejected. Nothing has changed.' };
      },
    },
  },
});

const paramsOf = (pendingChangeId: string) => ({ pendingChangeId });
const listOf = (page: PageContext): string => page.at('/pending-changes');
