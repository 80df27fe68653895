/** The tree from its roots: who is under whom, and how big? */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { findMembers } from '../../../pages/parts/find-members.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { readFirstLevel, readTeam, readUpline, TEAM_NEEDS } from './read-team.ts';
import { drawFound, drawTeam } from './team-view.ts';
import { drawLevel, ROWS } from './tree-rows.ts';

export const teamPage = definePage({
  path: '/team',
  title: 'Team tree',
  nav: { group: 'People', icon: 'tree', key: 't' },
  needs: [...TEAM_NEEDS, listMembers],
  async get(page) {
    const { at, find = '' } = page.query;
    if (at !== undefined) return { redirect: await placeOf(page, at) };
    if (page.part === ROWS) return { part: drawLevel(page, undefined, await readFirstLevel(page, undefined)) };
    const text = find.trim();
    if (text !== '') {
      const { data } = await findMembers(text, (filter) => page.invoke(listMembers, { query: { ...filter, limit: '20' } }));
      const [found, another] = data;
      if (found && !another) return { redirect: await placeOf(page, found.id) };
      return drawFound(page, data);
    }
    return drawTeam(page, await readTeam(page, undefined));
  },
});

/**
 * The address of a member within the tree: below as many of its ancestors as a page opens. USER_NOT_FOUND,
 * VALIDATION_ERROR where it is no id.
 */
export async function placeOf(page: PageContext, memberId: string): Promise<string> {
  const { sort, mark } = page.query;
  const upline = await readUpline(page, memberId);
  const top = upline.at(-1)?.userId ?? memberId;
  return `${page.at(`/team/${top}`, { at: top === memberId ? undefined : memberId, sort, mark })}#m-${memberId}`;
}
