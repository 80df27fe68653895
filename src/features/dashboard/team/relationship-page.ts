/** How two members stand to each other: pick both, and the way between them is drawn. */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { findMembers } from '../../../pages/parts/find-members.ts';
import { getRelationship } from '../../genealogy/genealogy-operations.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { drawRelationship, type Picked, type Slot } from './relationship-view.ts';
import { nodesOf } from './tree-node.ts';

export const relationshipPage = definePage({
  path: '/team/relationship',
  title: 'Relationship of two members',
  below: '/team',
  needs: [getRelationship, listMembers],
  async get(page) {
    const { of, to } = page.query;
    const slot = slotOf(page);
    const text = page.query['find']?.trim() ?? '';
    const [picked, found, relation] = await Promise.all([
      readPicked(page, [of, to]),
      text === '' || slot === undefined
        ? undefined
        : findMembers(text, (filter) => page.invoke(listMembers, { query: { ...filter, limit: '20' } })),
      of === undefined || to === undefined
        ? undefined
        : page.invoke(getRelationship, { params: { userId: of, targetUserId: to } }),
    ]);
    const isPicked = (id: string | undefined): Picked | undefined => (id === undefined ? undefined : picked.get(id));
    return drawRelationship(page, {
      of: isPicked(of),
      to: isPicked(to),
      slot,
      found: found?.data,
      relation: relation && { ...relation, path: nodesOf(relation.path) },
    });
  },
});

/** Who is searched for: the one that the form says, or the first that is missing. */
function slotOf({ query }: Pick<PageContext, 'query'>): Slot | undefined {
  const { of, to, pick } = query;
  if (pick === 'of' || pick === 'to') return pick;
  if (of === undefined) return 'of';
  return to === undefined ? 'to' : undefined;
}

async function readPicked(page: PageContext, ids: readonly (string | undefined)[]): Promise<ReadonlyMap<string, Picked>> {
  const wanted = [...new Set(ids.filter((id) => id !== undefined))];
  if (wanted.length === 0) return new Map();
  const { data } = await page.invoke(listMembers, { query: { ids: wanted.join(',') } });
  return new Map(data.map((member) => [member.id, member]));
}
