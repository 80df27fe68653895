/** A new referral link for a member. */
import { invalidField } from '../../../errors.ts';
import { definePage } from '../../../pages/define-page.ts';
import { instantOf } from '../../../pages/instants.ts';
import { chosenMember } from '../../../pages/parts/chosen-member.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { createReferralLink } from '../../referrals/links-operations.ts';
import { drawNewLink } from './new-link-view.ts';

export const newLinkPage = definePage({
  path: '/links/new',
  title: 'New link',
  below: '/links',
  needs: [createReferralLink],
  get: async (page) => drawNewLink(page),
  actions: {
    create: {
      needs: [createReferralLink],
      uses: [listMembers],
      async run(page, form) {
        const owner = await chosenMember(form.text('user_id'), (query) => page.invokeIfAllowed(listMembers, { query }));
        if (owner.id === undefined) throw invalidField('user_id', 'must be the id, email or name of a single member');
        const body = {
          user_id: owner.id,
          destination_url: form.text('destination_url') ?? '',
          slug: form.text('slug'),
          name: form.text('name'),
          expires_at: instantOf(page.tenant.timeZone, 'expires_at', form.text('expires_at')),
        };
        const { id } = await page.invoke(createReferralLink, { body });
        return { to: page.at(`/links/${id}`), said: 'The link leads.' };
      },
    },
  },
});
