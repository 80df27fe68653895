/** Sandbox: what if time passes, and what if a vendor says no? */
import { invalidField } from '../../../errors.ts';
import { definePage } from '../../../pages/define-page.ts';
import { instantOf } from '../../../pages/instants.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { approveKyc } from '../../kyc/review/kyc-decisions-operations.ts';
import { listKycReviews } from '../../kyc/review/kyc-queue-operations.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { createPayoutAccount } from '../../payouts/accounts/payout-accounts-operations.ts';
import { listPayouts, settlePayout } from '../../payouts/payouts/payouts-operations.ts';
import { getSandboxClock, moveSandboxClock, resetSandbox } from '../../sandbox/sandbox-operations.ts';
import { sendVendorEvent } from '../../sandbox/vendor-events-operations.ts';
import { SECONDS_OF } from './clock-units.ts';
import { drawSandbox } from './sandbox-view.ts';

export const sandboxPage = definePage({
  path: '/sandbox',
  title: 'Sandbox',
  nav: { group: 'Developers', icon: 'sandbox', key: 'b' },
  environments: ['SANDBOX'],
  needs: [getSandboxClock],
  uses: [listKycReviews, listPayouts, listMembers],
  async get(page) {
    const [clock, reviews, onTheWay, paid] = await Promise.all([
      page.invoke(getSandboxClock),
      page.invokeIfAllowed(listKycReviews, { query: { provider: 'kycvendor', limit: '50' } }),
      page.invokeIfAllowed(listPayouts, { query: { status: 'processing', sort: '-createdAt', limit: '50' } }),
      page.invokeIfAllowed(listPayouts, { query: { status: 'paid', sort: '-createdAt', limit: '20' } }),
    ]);
    const payouts = [...(onTheWay?.data ?? []), ...(paid?.data ?? [])].filter(({ provider }) => provider === 'payvendor');
    const ids = [...(reviews?.data ?? []), ...payouts].map(({ userId }) => userId);
    const names = await memberNames(page, ids, (some) =>
      page.invokeIfAllowed(listMembers, { query: { ids: some, limit: '100' } }),
    );
    return drawSandbox(page, { clock, reviews: reviews?.data ?? [], payouts, names });
  },
  actions: {
    advance: {
      needs: [moveSandboxClock],
      async run(page, form) {
        const count = form.number('advanceSeconds');
        const unit = SECONDS_OF[form.raw('unit')];
        if (count === undefined || unit === undefined) throw invalidField('advanceSeconds', 'say how far');
        await page.invoke(moveSandboxClock, { body: { advanceSeconds: count * unit } });
        return { to: page.here(), said: 'The clock is moved, and what has become due is done.' };
      },
    },
    freeze: {
      needs: [moveSandboxClock],
      async run(page, form) {
        const frozenAt = instantOf(page.tenant.timeZone, 'frozenAt', form.text('frozenAt'));
        if (frozenAt === undefined) throw invalidField('frozenAt', 'say when');
        await page.invoke(moveSandboxClock, { body: { frozenAt } });
        return { to: page.here(), said: 'The clock stands there now, and what has become due is done.' };
      },
    },
    kyc: {
      needs: [sendVendorEvent, approveKyc],
      async run(page, form) {
        const reason = form.text('reason');
        const body = { kind: 'kyc', userId: form.text('userId'), outcome: form.text('outcome'), ...(reason && { reason }) };
        const answer = await page.invoke(sendVendorEvent, { body });
        return { to: page.here(), said: saidOf(answer) };
      },
    },
    payout: {
      needs: [sendVendorEvent, settlePayout],
      async run(page, form) {
        const body = { kind: 'payout', payoutId: form.text('payoutId'), outcome: form.text('outcome') };
        return { to: page.here(), said: saidOf(await page.invoke(sendVendorEvent, { body })) };
      },
    },
    account: {
      needs: [sendVendorEvent, createPayoutAccount],
      async run(page, form) {
        const body = { kind: 'payout_account', accountId: form.text('accountId'), outcome: form.text('outcome') };
        return { to: page.here(), said: saidOf(await page.invoke(sendVendorEvent, { body })) };
      },
    },
    reset: {
      needs: [resetSandbox],
      async run(page, form) {
        if (form.text('confirm') !== page.tenant.slug) throw invalidField('confirm', `type ${page.tenant.slug}`);
        const { eventsErased, membersErased } = await page.invoke(resetSandbox);
        const { count } = page.format;
        return {
          to: page.here(),
          said: `The SANDBOX is empty: ${count(membersErased)} members and ${count(eventsErased)} events are gone.`,
        };
      },
    },
  },
});

function saidOf({ effect, status }: { effect: string; status: string }): string {
  const state = status.replaceAll('_', ' ');
  if (effect === 'no_change') return `The event was received and changed nothing: it is ${state}.`;
  if (effect === 'held_by_staff') return `The event was received. A person has decided already, so it stays ${state}.`;
  return `The event was received. It is ${state} now.`;
}
