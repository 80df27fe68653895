/** Moving a member, with everybody below, under another sponsor: first the new sponsor, then what moves. */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { listUpline } from '../../genealogy/genealogy-operations.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { getTeamStats } from '../../members/team-operations.ts';
import { moveMember } from '../../users/sponsor-operations.ts';
import { getUser } from '../../users/users-operations.ts';
import { readMembers } from './find-members.ts';
import { drawMove, type Move, type NewSponsor } from './member-move-view.ts';
import { idOf } from './member-page.ts';

/** The form's word for no sponsor. */
export const ROOT = 'root';

/** Sponsors above that are named. */
const SHOWN_ABOVE = '5';

export const memberMovePage = definePage({
  path: '/members/:userId/move',
  title: 'Move a member',
  below: '/members',
  needs: [getUser, moveMember, getTeamStats, listUpline, listMembers],
  get: async (page) => drawMove(page, await readMove(page)),
  actions: {
    move: {
      needs: [moveMember],
      async run(page, form) {
        const to = form.raw('sponsorId');
        const body = { sponsorId: to === ROOT ? null : to, reason: form.text('reason') ?? null };
        const { downlineMoved } = await page.invoke(moveMember, { params: { userId: idOf(page) }, body });
        const below = downlineMoved === 0 ? '' : `, and ${page.format.count(downlineMoved)} below`;
        return { to: page.at(`/members/${idOf(page)}`), said: `Moved: the member${below}.` };
      },
    },
  },
});

async function readMove(page: PageContext): Promise<Move> {
  const { q, to } = page.query;
  const userId = idOf(page);
  const above = (id: string) => page.invoke(listUpline, { params: { userId: id }, query: { limit: SHOWN_ABOVE } });
  const user = await page.invoke(getUser, { params: { user_id: userId } });
  const [team, upline, found, sponsor] = await Promise.all([
    page.invoke(getTeamStats, { params: { userId } }),
    above(userId),
    q === undefined || q.trim() === '' || to !== undefined ? undefined : readMembers(page, q, { limit: '10' }),
    to === undefined ? undefined : sponsorOf(to, above, page),
  ]);
  return { user, teamSize: team.teamSize, upline: upline.data, found: found?.data, sponsor };
}

type Above = (id: string) => Promise<{ data: Move['upline'] }>;

async function sponsorOf(to: string, above: Above, page: PageContext): Promise<NewSponsor> {
  if (to === ROOT) return { id: ROOT, name: null, email: null, upline: [] };
  const { id, name, email } = await page.invoke(getUser, { params: { user_id: to } });
  return { id, name, email, upline: (await above(id)).data };
}
