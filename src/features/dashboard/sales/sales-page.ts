/** Sales, refunds, disputes and commissions by hand, the latest first. */
import { definePage } from '../../../pages/define-page.ts';
import { dayFrom, dayTo } from '../../../pages/instants.ts';
import { chosenMember } from '../../../pages/parts/chosen-member.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { listEvents } from '../../events/events-operations.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { drawSales, FILTERS } from './sales-view.ts';

export const salesPage = definePage({
  path: '/sales',
  title: 'Sales',
  nav: { group: 'Money', icon: 'sale', key: 's' },
  needs: [listEvents],
  filters: FILTERS,
  uses: [listMembers],
  async get(page) {
    const { order, kind, status, customer, user_id: member, currency, from, to, cursor } = page.query;
    const { timeZone } = page.tenant;
    const credited = await chosenMember(member, (query) => page.invokeIfAllowed(listMembers, { query }));
    const query = {
      external_event_id: order?.trim(),
      kind,
      status,
      customer_external_id: customer?.trim(),
      user_id: credited.id,
      currency: currency?.trim().toUpperCase(),
      occurred_from: dayFrom(timeZone, from),
      occurred_to: dayTo(timeZone, to),
      sort: '-recorded_at',
      cursor,
      limit: '50',
    };
    const events = credited.isUnknown ? { data: [], next_cursor: null } : await page.invoke(listEvents, { query });
    const names = await memberNames(page, [credited.id, ...events.data.map(({ attribution }) => attribution.user_id)], (ids) =>
      page.invokeIfAllowed(listMembers, { query: { ids, limit: '100' } }),
    );
    return drawSales(page, { events: events.data, nextCursor: events.next_cursor, credited, names });
  },
});
