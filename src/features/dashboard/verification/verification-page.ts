/** Verification: who waits to be verified, the longest waiting first? */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
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
      const first = await firstToReview(page, { ...wanted, status: 'pending', free: 'true' });
      if (first) return { redirect: page.at(`/verification/${first.id}`, kept(page)) };
    }
    const query = { ...wanted, cursor: page.query['cursor'], limit: '50' };
    return drawVerification(page, await page.invoke(listKycReviews, { query }));
  },
});

/** What the reader has taken, else what is assigned to the reader, else what waits longest; never what somebody else has taken. */
async function firstToReview(page: PageContext, free: Record<string, string | undefined>): Promise<{ id: string } | undefined> {
  const { id, email } = page.person;
  const [all, assigned] = await Promise.all([
    page.invoke(listKycReviews, { query: { ...free, limit: '100' } }),
    free['assignedTo'] === undefined
      ? page.invoke(listKycReviews, { query: { ...free, assignedTo: email, limit: '1' } })
      : undefined,
  ]);
  return all.data.find(({ takenBy }) => takenBy?.id === id) ?? assigned?.data[0] ?? all.data[0];
}
