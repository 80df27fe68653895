/** Members: who is this? */
import { definePage } from '../../../pages/define-page.ts';
import { dayFrom, dayTo } from '../../../pages/instants.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { namesOf, readMembers } from './find-members.ts';
import { drawMemberRows, drawMembers, FILTERS, LIST } from './members-view.ts';

export const membersPage = definePage({
  path: '/members',
  title: 'Members',
  nav: { group: 'People', icon: 'members', key: 'm' },
  needs: [listMembers],
  filters: FILTERS,
  async get(page) {
    const { q, tier, isActive, sponsorId, sort, cursor, by } = page.query;
    const { timeZone } = page.tenant;
    const joined = {
      joinedFrom: dayFrom(timeZone, page.query['joinedFrom']),
      joinedTo: dayTo(timeZone, page.query['joinedTo']),
    };
    const found = await readMembers(page, q, { tier, isActive, sponsorId, sort, ...joined, cursor, limit: '50' }, by);
    const names = await namesOf(page, [...found.data.map((member) => member.sponsorId), sponsorId ?? null]);
    const list = { ...found, names };
    return page.part === LIST ? { part: drawMemberRows(page, list) } : drawMembers(page, list);
  },
});
