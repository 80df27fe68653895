/** Referral links: which are out there, and where do they lead? */
import { definePage } from '../../../pages/define-page.ts';
import { chosenMember } from '../../../pages/parts/chosen-member.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { listReferralLinks } from '../../referrals/links-operations.ts';
import { drawLinks, FILTERS } from './links-view.ts';

export const linksPage = definePage({
  path: '/links',
  title: 'Links',
  nav: { group: 'People', icon: 'link', key: 'r' },
  needs: [listReferralLinks],
  filters: FILTERS,
  uses: [listMembers],
  async get(page) {
    const { user_id, status, cursor } = page.query;
    const owner = await chosenMember(user_id, (query) => page.invokeIfAllowed(listMembers, { query }));
    const query = { user_id: owner.id, status, sort: '-created_at', cursor, limit: '50' };
    const links = owner.isUnknown ? { data: [], next_cursor: null } : await page.invoke(listReferralLinks, { query });
    const names = await memberNames(page, [owner.id, ...links.data.map((link) => link.user_id)], (ids) =>
      page.invokeIfAllowed(listMembers, { query: { ids, limit: '100' } }),
    );
    return drawLinks(page, { links: links.data, nextCursor: links.next_cursor, owner, names });
  },
});
