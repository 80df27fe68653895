/** Holds in force: who is not paid, and why? */
import { invalidField } from '../../../errors.ts';
import { definePage } from '../../../pages/define-page.ts';
import { instantOf } from '../../../pages/instants.ts';
import { chosenMember } from '../../../pages/parts/chosen-member.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { liftPayoutHold, listPayoutHolds, setPayoutHold } from '../../payouts/holds/payout-hold-operations.ts';
import { drawHolds } from './holds-view.ts';

export const holdsPage = definePage({
  path: '/payouts/holds',
  title: 'Holds',
  below: '/payouts',
  needs: [listPayoutHolds],
  uses: [listMembers],
  async get(page) {
    const holds = await page.invoke(listPayoutHolds, { query: { cursor: page.query['cursor'], limit: '50' } });
    const names = await memberNames(
      page,
      holds.data.map(({ userId }) => userId),
      (ids) => page.invokeIfAllowed(listMembers, { query: { ids, limit: '100' } }),
    );
    return drawHolds(page, holds, names);
  },
  actions: {
    hold: {
      needs: [setPayoutHold],
      uses: [listMembers],
      async run(page, form) {
        const member = await chosenMember(form.text('member'), (query) => page.invokeIfAllowed(listMembers, { query }));
        if (member.id === undefined) throw invalidField('member', 'no single member has this id, email, name or external id');
        const until = instantOf(page.tenant.timeZone, 'until', form.text('until')) ?? null;
        await page.invoke(setPayoutHold, {
          params: { userId: member.id },
          body: { reason: form.raw('reason').trim(), until },
        });
        return { to: page.at('/payouts/holds'), said: 'Payouts to the member are held.' };
      },
    },
    lift: {
      needs: [liftPayoutHold],
      async run(page, form) {
        await page.invoke(liftPayoutHold, { params: { userId: form.raw('userId') } });
        return { to: page.here(), said: 'The hold is lifted. The next run pays what is due.' };
      },
    },
  },
});
