/** People: who can do what? People are of the tenant, so the page is of LIVE. */
import { definePage } from '../../../pages/define-page.ts';
import {
  confirmStaffTie,
  inviteStaff,
  listStaff,
  listStaffInvites,
  listStaffTies,
  revokeStaffInvite,
} from '../../staff/staff-operations.ts';
import { homeOf } from '../addresses.ts';
import { drawInviteLink } from './link-view.ts';
import { drawPeople } from './people-view.ts';

export const peoplePage = definePage({
  path: '/people',
  title: 'People',
  nav: { group: 'Tenant', icon: 'people', key: 'e' },
  needs: [listStaff, listStaffInvites, listStaffTies],
  async get(page) {
    if (page.environment !== 'LIVE') return { redirect: `${homeOf(page.tenant.slug, 'LIVE')}/people` };
    const [people, invites, ties] = await Promise.all([
      page.invoke(listStaff, { query: { cursor: page.query['cursor'], limit: '100' } }),
      page.invoke(listStaffInvites, { query: { limit: '50' } }),
      page.invoke(listStaffTies, { query: { limit: '50' } }),
    ]);
    return drawPeople(page, { people, invites: invites.data.filter(({ status }) => status === 'open'), ties: ties.data });
  },
  actions: {
    invite: {
      needs: [inviteStaff],
      async run(page, form) {
        const body = { email: form.text('email'), role: form.text('role') };
        const { link, email, expiresAt, mailed } = await page.invoke(inviteStaff, { body });
        return { shownOnce: drawInviteLink(page, { title: 'The invitation', link, email, expiresAt, mailed }) };
      },
    },
    revoke: {
      needs: [revokeStaffInvite],
      async run(page, form) {
        await page.invoke(revokeStaffInvite, { params: { inviteId: form.raw('inviteId') } });
        return { to: page.here(), said: 'The invitation is taken back. Its link works no more.' };
      },
    },
    confirmTie: {
      needs: [confirmStaffTie],
      async run(page, form) {
        await page.invoke(confirmStaffTie, { params: { tieId: form.raw('tieId') } });
        return { to: page.here(), said: 'Confirmed: the person has hands of its own.' };
      },
    },
  },
});
