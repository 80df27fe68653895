/** Sales, refunds, disputes and commissions by hand. */
import { definePage } from '../../../pages/define-page.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { listEvents } from '../../events/events-operations.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { drawSales } from './sales-view.ts';

export const salesPage = definePage({
  path: '/sales',
  title: 'Sales',
  nav: { group: 'Money', icon: 'sale', key: 's' },
  needs: [listEvents],
  uses: [listMembers],
  async get(page) {
    const { order, kind, status, customer, member, cursor } = page.query;
    const query = {
      external_event_id: order,
      kind,
      status,
      customer_external_id: customer,
      user_id: member,
      cursor,
      limit: '50',
    };
    const events = await page.invoke(listEvents, { query });
    const names = await memberNames(
      page,
      events.data.map(({ attribution }) => attribution.user_id),
      (ids) => page.invokeIfAllowed(listMembers, { query: { ids, limit: '100' } }),
    );
    return drawSales(page, { events: events.data, nextCursor: events.next_cursor, names });
  },
});
