/** Leads: who referred whom, and what became of them? */
import { definePage } from '../../../pages/define-page.ts';
import { dayFrom, dayTo } from '../../../pages/instants.ts';
import { chosenMember } from '../../../pages/parts/chosen-member.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { listLeads } from '../../leads/leads-operations.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { drawLeads, FILTERS } from './leads-view.ts';

export const leadsPage = definePage({
  path: '/leads',
  title: 'Leads',
  nav: { group: 'People', icon: 'lead', key: 'd' },
  needs: [listLeads],
  filters: FILTERS,
  uses: [listMembers],
  async get(page) {
    const { email, conversion_status, referrer_user_id, source, from, to, cursor } = page.query;
    const { timeZone } = page.tenant;
    const referrer = await chosenMember(referrer_user_id, (query) => page.invokeIfAllowed(listMembers, { query }));
    const query = {
      email: email?.trim(),
      conversion_status,
      referrer_user_id: referrer.id,
      source: source?.trim(),
      created_from: dayFrom(timeZone, from),
      created_to: dayTo(timeZone, to),
      sort: '-created_at',
      cursor,
      limit: '50',
    };
    const leads = referrer.isUnknown ? { data: [], next_cursor: null } : await page.invoke(listLeads, { query });
    const ids = [referrer.id, ...leads.data.flatMap((lead) => [lead.referrer_user_id, lead.converted_user_id])];
    const names = await memberNames(page, ids, (some) =>
      page.invokeIfAllowed(listMembers, { query: { ids: some, limit: '100' } }),
    );
    return drawLeads(page, { leads: leads.data, nextCursor: leads.next_cursor, referrer, names });
  },
});
