/** One member: who is this, and how are they doing? */
import { invalidField } from '../../../errors.ts';
import type { AnswerOf } from '../../../pages/answer-of.ts';
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import type { FormValues } from '../../../pages/form-values.ts';
import { acceptAccountName } from '../../payouts/accounts/payout-accounts-operations.ts';
import { liftPayoutHold, setPayoutHold } from '../../payouts/holds/payout-hold-operations.ts';
import { eraseMember } from '../../profile/erasure-operations.ts';
import { addGroupMembers } from '../../users/group-operations.ts';
import { getUser, updateUser } from '../../users/users-operations.ts';
import { FACTS_NEED, FACTS_USE, readMember } from './member-facts.ts';
import { drawMember } from './member-view.ts';

type User = AnswerOf<typeof getUser>;

export const memberPage = definePage({
  path: '/members/:userId',
  title: 'Member',
  below: '/members',
  needs: FACTS_NEED,
  uses: FACTS_USE,
  get: async (page) => drawMember(page, await readMember(page, idOf(page))),
  actions: {
    change: {
      needs: [updateUser],
      async run(page, form) {
        const params = { user_id: idOf(page) };
        const body = changesOf(await page.invoke(getUser, { params }), form);
        if (Object.keys(body).length === 0) return { to: page.here(), said: 'Nothing was changed.' };
        if (body['membership_tier'] !== undefined) body['reason'] = form.text('reason') ?? null;
        await page.invoke(updateUser, { params, body });
        return { to: page.here(), said: 'The member is changed.' };
      },
    },
    moveToGroup: {
      needs: [addGroupMembers],
      async run(page, form) {
        const body = { userIds: [idOf(page)], reason: form.text('reason') ?? null };
        const { moved } = await page.invoke(addGroupMembers, { params: { key: form.raw('group') }, body });
        return {
          to: page.here(),
          said: moved === 0 ? 'The member is in that group already.' : 'The member is in another group.',
        };
      },
    },
    deactivate: {
      needs: [updateUser],
      run: (page, form) => setActive(page, form, false),
    },
    activate: {
      needs: [updateUser],
      run: (page, form) => setActive(page, form, true),
    },
    hold: {
      needs: [setPayoutHold],
      async run(page, form) {
        const day = form.text('until');
        const until = day === undefined ? null : `${day}T00:00:00Z`;
        await page.invoke(setPayoutHold, { params: { userId: idOf(page) }, body: { reason: form.text('reason') ?? '', until } });
        return { to: page.here(), said: 'Payouts to the member are held.' };
      },
    },
    lift: {
      needs: [liftPayoutHold],
      async run(page) {
        await page.invoke(liftPayoutHold, { params: { userId: idOf(page) } });
        return { to: page.here(), said: 'The hold is lifted. The next run pays what is due.' };
      },
    },
    acceptName: {
      needs: [acceptAccountName],
      async run(page, form) {
        const params = { userId: idOf(page), accountId: form.raw('accountId') };
        await page.invoke(acceptAccountName, { params });
        return { to: page.here(), said: 'The name of the account is accepted.' };
      },
    },
    erase: {
      needs: [eraseMember],
      async run(page, form) {
        const { email } = await page.invoke(getUser, { params: { user_id: idOf(page) } });
        if (form.text('confirm') !== email) throw invalidField('confirm', 'must be the email address of the member');
        const body = { reason: form.text('reason') ?? null, acknowledgeOwed: form.checked('acknowledgeOwed') };
        await page.invoke(eraseMember, { params: { userId: idOf(page) }, body });
        return { to: page.here(), said: 'The personal data of the member is erased.' };
      },
    },
  },
});

export function idOf({ params }: Pick<PageContext, 'params'>): string {
  return params['userId'] ?? '';
}

async function setActive(page: PageContext, form: FormValues, isActive: boolean): Promise<{ to: string; said: string }> {
  const body = { is_active: isActive, reason: form.text('reason') ?? null };
  await page.invoke(updateUser, { params: { user_id: idOf(page) }, body });
  return { to: page.here(), said: isActive ? 'The member is active again.' : 'The member is inactive.' };
}

/** What the form says otherwise than it is: what was not touched is not sent, so nothing is said to have changed. */
function changesOf(user: User, form: FormValues): Record<string, unknown> {
  const typed: Record<string, unknown> = {
    name: form.text('name') ?? null,
    email: form.text('email') ?? '',
    external_id: form.text('external_id') ?? null,
    membership_tier: form.raw('membership_tier'),
    pay_currency: form.text('pay_currency')?.toUpperCase() ?? '',
    can_recruit: form.checked('can_recruit'),
    is_test_user: form.checked('is_test_user'),
  };
  const was: Readonly<Record<string, unknown>> = user;
  return Object.fromEntries(Object.entries(typed).filter(([field, value]) => value !== was[field]));
}
