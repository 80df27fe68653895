/** One person: role, second factors, sessions. */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { resetFactors } from '../../staff/factors/factors-operations.ts';
import {
  endStaffSession,
  endStaffSessions,
  getStaffMember,
  listStaffSessions,
  removeStaffMember,
  resetStaffPassword,
  updateStaffMember,
} from '../../staff/staff-operations.ts';
import { homeOf } from '../addresses.ts';
import { drawInviteLink } from './link-view.ts';
import { drawPerson } from './person-view.ts';

const paramsOf = (page: PageContext) => ({ staffId: page.params['staffId'] ?? '' });

export const personPage = definePage({
  path: '/people/:staffId',
  title: 'Person',
  below: '/people',
  needs: [getStaffMember, listStaffSessions],
  async get(page) {
    const params = paramsOf(page);
    if (page.environment !== 'LIVE')
      return { redirect: `${homeOf(page.tenant.slug, 'LIVE')}/people/${encodeURIComponent(params.staffId)}` };
    const [person, sessions] = await Promise.all([
      page.invoke(getStaffMember, { params }),
      page.invoke(listStaffSessions, { params, query: { limit: '50' } }),
    ]);
    return drawPerson(page, person, sessions.data);
  },
  actions: {
    change: {
      needs: [updateStaffMember],
      async run(page, form) {
        await page.invoke(updateStaffMember, {
          params: paramsOf(page),
          body: { name: form.text('name'), role: form.text('role') },
        });
        return { to: page.here(), said: 'Changed. It holds within a second.' };
      },
    },
    switch: {
      needs: [updateStaffMember],
      async run(page, form) {
        const disabled = form.text('disabled') === 'yes';
        await page.invoke(updateStaffMember, { params: paramsOf(page), body: { disabled } });
        return { to: page.here(), said: disabled ? 'Disabled, and all sessions are ended.' : 'The person may sign in again.' };
      },
    },
    remove: {
      needs: [removeStaffMember],
      async run(page) {
        await page.invoke(removeStaffMember, { params: paramsOf(page) });
        return { to: page.at('/people'), said: 'The person is removed.' };
      },
    },
    endAll: {
      needs: [endStaffSessions],
      async run(page) {
        const { ended } = await page.invoke(endStaffSessions, { params: paramsOf(page) });
        return { to: page.here(), said: `${ended} sessions are ended.` };
      },
    },
    end: {
      needs: [endStaffSession],
      async run(page, form) {
        await page.invoke(endStaffSession, { params: { ...paramsOf(page), sessionId: form.raw('sessionId') } });
        return { to: page.here(), said: 'The session is ended.' };
      },
    },
    passwordLink: {
      needs: [resetStaffPassword],
      async run(page) {
        const { link, expiresAt, mailed } = await page.invoke(resetStaffPassword, { params: paramsOf(page) });
        return { shownOnce: drawInviteLink(page, { title: 'A new password', link, email: null, expiresAt, mailed }) };
      },
    },
    resetFactors: {
      needs: [resetFactors],
      async run(page) {
        await page.invoke(resetFactors, { params: paramsOf(page) });
        return { to: page.here(), said: 'All second factors of the person are removed.' };
      },
    },
  },
});
