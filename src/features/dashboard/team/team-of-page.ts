/** The team of one member. */
import { definePage } from '../../../pages/define-page.ts';
import { readFirstLevel, readNode, readTeam, TEAM_NEEDS } from './read-team.ts';
import { placeOf } from './team-page.ts';
import { drawTeam } from './team-view.ts';
import { drawLevel, ROWS } from './tree-rows.ts';

export const teamOfPage = definePage({
  path: '/team/:userId',
  title: 'Team',
  below: '/team',
  needs: TEAM_NEEDS,
  async get(page) {
    const userId = page.params['userId'] ?? '';
    if (page.part === ROWS) {
      const [node, level] = await Promise.all([readNode(page, userId), readFirstLevel(page, userId)]);
      return { part: drawLevel(page, node, level) };
    }
    const team = await readTeam(page, userId);
    // Whoever was looked for has moved since, or the address was made by hand.
    return team ? drawTeam(page, team) : { redirect: await placeOf(page, page.query['at'] ?? '') };
  },
});
