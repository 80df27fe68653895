/** The receipt of an attribution: who was credited with a sale, a lead or a new member, and why nobody else. */
import { definePage } from '../../../pages/define-page.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { getReceipt } from '../../attribution/receipts-operations.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { drawAttribution } from './attribution-view.ts';

export const attributionPage = definePage({
  path: '/attributions/:receiptId',
  title: 'Who is credited, and why',
  below: '/leads',
  needs: [getReceipt],
  uses: [listMembers],
  async get(page) {
    const receipt = await page.invoke(getReceipt, { params: { receipt_id: page.params['receiptId'] ?? '' } });
    const ids = [receipt.user_id, receipt.placed_user_id, ...receipt.candidates.map(({ user_id }) => user_id)];
    const names = await memberNames(page, ids, (some) =>
      page.invokeIfAllowed(listMembers, { query: { ids: some, limit: '100' } }),
    );
    return drawAttribution(page, { receipt, names });
  },
});
