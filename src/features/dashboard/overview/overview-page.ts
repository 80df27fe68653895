/** Overview: what needs me today? */
import { definePage } from '../../../pages/define-page.ts';
import { listEvents } from '../../events/events-operations.ts';
import { listKycReviews } from '../../kyc/review/kyc-queue-operations.ts';
import { listPayouts } from '../../payouts/payouts/payouts-operations.ts';
import { listPendingChanges } from '../../pending-changes/pending-changes-operations.ts';
import { drawOverview } from './overview-view.ts';

export const overviewPage = definePage({
  path: '',
  title: 'Overview',
  nav: { group: null, icon: 'overview', key: 'o' },
  needs: [],
  uses: [listPendingChanges, listKycReviews, listPayouts, listEvents],
  async get(page) {
    const [changes, reviews, failed, sales] = await Promise.all([
      page.invokeIfAllowed(listPendingChanges, { query: { status: 'open', limit: '100' } }),
      page.invokeIfAllowed(listKycReviews, { query: { status: 'pending', limit: '1' } }),
      page.invokeIfAllowed(listPayouts, { query: { status: 'failed', limit: '100' } }),
      page.invokeIfAllowed(listEvents, { query: { kind: 'purchase', limit: '5' } }),
    ]);
    return drawOverview(page, {
      changes: changes?.data.length ?? 0,
      reviews: reviews?.countsByStatus.pending ?? 0,
      failedPayouts: failed?.data.length ?? 0,
      sales: sales?.data,
    });
  },
});
