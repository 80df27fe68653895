/** Verification: who waits to be verified, the longest waiting first? */
import { definePage } from '../../../pages/define-page.ts';
import { listKycReviews } from '../../kyc/review/kyc-queue-operations.ts';
import { FILTERS, kept, queueQuery } from './queue-query.ts';
import { drawVerification } from './verification-view.ts';

export const verificationPage = definePage({
  path: '/verification',
  title: 'Verification',
  nav: { group: 'People', icon: 'shield', key: 'v', waiting: 'kycReviews' },
  needs: [listKycReviews],
  filters: FILTERS,
  async get(page) {
    const wanted = queueQuery(page);
    if (page.query['start'] === 'yes') {
      const { data } = await page.invoke(listKycReviews, { query: { ...wanted, status: 'pending', free: 'true', limit: '1' } });
      const [first] = data;
      if (first) return { redirect: page.at(`/verification/${first.id}`, kept(page)) };
    }
    const query = { ...wanted, cursor: page.query['cursor'], limit: '50' };
    return drawVerification(page, await page.invoke(listKycReviews, { query }));
  },
});
