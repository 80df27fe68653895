/** One lead: who is credited with it and why, and what becomes of it. */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { listReceipts } from '../../attribution/receipts-operations.ts';
import { convertLead, getLead, updateLead } from '../../leads/leads-operations.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { createUser } from '../../users/users-operations.ts';
import { drawLead } from './lead-view.ts';

/** A capture that names somebody has a receipt; so many are shown. */
const MOST_RECEIPTS = '20';

export const leadPage = definePage({
  path: '/leads/:leadId',
  title: 'Lead',
  below: '/leads',
  needs: [getLead],
  uses: [listReceipts, listMembers],
  async get(page) {
    const params = paramsOf(page);
    const [lead, receipts] = await Promise.all([
      page.invoke(getLead, { params }),
      page.invokeIfAllowed(listReceipts, { query: { lead_id: params.lead_id, limit: MOST_RECEIPTS } }),
    ]);
    const all = receipts?.data ?? [];
    const ids = [
      lead.referrer_user_id,
      lead.converted_user_id,
      ...all.flatMap(({ user_id, candidates }) => [user_id, ...candidates.map((one) => one.user_id)]),
    ];
    const names = await memberNames(page, ids, (some) =>
      page.invokeIfAllowed(listMembers, { query: { ids: some, limit: '100' } }),
    );
    return drawLead(page, { lead, receipts: receipts?.data, names });
  },
  actions: {
    change: {
      needs: [updateLead],
      async run(page, form) {
        const body = {
          name: form.text('name') ?? null,
          phone: form.text('phone') ?? null,
          source: form.text('source') ?? null,
        };
        await page.invoke(updateLead, { params: paramsOf(page), body });
        return { to: page.here(), said: 'The lead is changed.' };
      },
    },
    qualify: { needs: [updateLead], run: (page) => becomes(page, 'qualified') },
    disqualify: { needs: [updateLead], run: (page) => becomes(page, 'disqualified') },
    expire: { needs: [updateLead], run: (page) => becomes(page, 'expired') },
    convert: {
      needs: [convertLead, createUser],
      async run(page, form) {
        const body = { membership_tier: form.text('membership_tier'), external_id: form.text('external_id') };
        const { user } = await page.invoke(convertLead, { params: paramsOf(page), body });
        const to = page.can('members:read') ? page.at(`/members/${user.id}`) : page.here();
        return { to, said: 'The lead is a member now.' };
      },
    },
  },
});

function paramsOf({ params }: Pick<PageContext, 'params'>): { lead_id: string } {
  return { lead_id: params['leadId'] ?? '' };
}

async function becomes(page: PageContext, state: string): Promise<{ to: string; said: string }> {
  await page.invoke(updateLead, { params: paramsOf(page), body: { conversion_status: state } });
  return { to: page.here(), said: `The lead is ${state}.` };
}
