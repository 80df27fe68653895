/** One referral link: its clicks, where it leads, and whether it does. */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { instantOf } from '../../../pages/instants.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { deleteReferralLink, getReferralLink, updateReferralLink } from '../../referrals/links-operations.ts';
import { dayIn } from './link-fields.ts';
import { drawLink } from './link-view.ts';

export const linkPage = definePage({
  path: '/links/:linkId',
  title: 'Link',
  below: '/links',
  needs: [getReferralLink],
  uses: [listMembers],
  async get(page) {
    const link = await page.invoke(getReferralLink, { params: paramsOf(page) });
    const names = await memberNames(page, [link.user_id], (ids) =>
      page.invokeIfAllowed(listMembers, { query: { ids, limit: '100' } }),
    );
    return drawLink(page, { link, names });
  },
  actions: {
    change: {
      needs: [updateReferralLink],
      async run(page, form) {
        const { timeZone } = page.tenant;
        const { expires_at: ends } = await page.invoke(getReferralLink, { params: paramsOf(page) });
        const day = form.text('expires_at');
        const body = {
          destination_url: form.text('destination_url') ?? '',
          name: form.text('name') ?? null,
          // A day that was not touched keeps its hour.
          ...(day !== dayIn(timeZone, ends) && { expires_at: instantOf(timeZone, 'expires_at', day) ?? null }),
        };
        await page.invoke(updateReferralLink, { params: paramsOf(page), body });
        return { to: page.here(), said: 'The link is changed. What was printed leads to its new destination.' };
      },
    },
    disable: { needs: [updateReferralLink], run: (page) => becomes(page, 'disabled') },
    enable: { needs: [updateReferralLink], run: (page) => becomes(page, 'active') },
    delete: {
      needs: [deleteReferralLink],
      async run(page) {
        await page.invoke(deleteReferralLink, { params: paramsOf(page) });
        return { to: page.at('/links'), said: 'The link is deleted. Its address is never given to another.' };
      },
    },
  },
});

function paramsOf({ params }: Pick<PageContext, 'params'>): { link_id: string } {
  return { link_id: params['linkId'] ?? '' };
}

async function becomes(page: PageContext, status: 'active' | 'disabled'): Promise<{ to: string; said: string }> {
  await page.invoke(updateReferralLink, { params: paramsOf(page), body: { status } });
  return { to: page.here(), said: status === 'active' ? 'The link leads again.' : 'The link leads nowhere now.' };
}
