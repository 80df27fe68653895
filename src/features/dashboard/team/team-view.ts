/** The page of the tree: how to find somebody, how it is ordered, and its rows. Source: docs/specification/pages.md#tree. */
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { label, stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { drawnName, isolated, nameOf } from '../../../pages/parts/member-name.ts';
import { table } from '../../../pages/parts/table.ts';
import { ROOTS, type Team } from './read-team.ts';
import { markOf, marksFor } from './tree-marks.ts';
import { drawTree } from './tree-rows.ts';

type Page = Pick<PageContext, 'at' | 'here' | 'query' | 'format' | 'can'>;

const SORTS: readonly [string, string][] = [
  ['', 'Oldest first'],
  ['-totalDownline', 'Largest team first'],
  ['name', 'Name'],
];

export function drawTeam(page: Page, team: Team | undefined): PageView {
  const { at, format } = page;
  const top = team?.top;
  const view: Pick<PageView, 'title' | 'lead' | 'crumbs' | 'crumb' | 'actions'> = top
    ? {
        title: `Team of ${nameOf(top)}`,
        lead: `${format.count(top.directReferrals)} direct, ${format.count(top.totalDownline)} below in all. Open a row to see the next level; counts are exact.`,
        crumbs: crumbsOf(page, team.upline),
        crumb: drawnName(top),
        actions: html`<a class="button" href="${at(`/members/${top.userId}`)}">Open the member</a><a class="button" href="${at('/team/relationship', { of: top.userId })}">Relationship…</a>`,
      }
    : {
        lead: 'Who is under whom, and how big? Open a row to see the next level. Counts are exact for the whole downline.',
        actions: html`<a class="button" href="${at('/team/relationship')}">Relationship of two members</a>`,
      };
  const isEmpty = !team || (!top && team.levels.get(ROOTS)?.rows.length === 0 && (page.query['q'] ?? '') === '');
  if (isEmpty) return { ...view, body: card({ body: noMembers(page) }) };
  return {
    ...view,
    body: html`<div class="tree-tools">${drawFind(page)}${drawOptions(page)}</div>${card({ flush: true, body: drawTable(page, team) })}`,
    scripts: ['tree-grid'],
  };
}

/** From the uppermost down; of a longer upline the part next to the team. */
function crumbsOf({ at }: Page, upline: Team['upline']): { label: string; href: string }[] {
  const isCut = upline.at(-1)?.sponsorId != null;
  const above = upline.toReversed().map((node, index) => ({
    label: `${isCut && index === 0 ? '… ' : ''}${nameOf(node)}`,
    href: at(`/team/${node.userId}`),
  }));
  return [{ label: 'Team tree', href: at('/team') }, ...above];
}

function drawTable(page: Page, team: Team): Html {
  const caption = team.top ? `Team of ${nameOf(team.top)}` : 'Team tree';
  return html`<section class="scroll" aria-label="${caption}" tabindex="0"><table class="table tree" data-tree="${team.top?.userId ?? ''}"><caption class="unseen">${caption}</caption><thead><tr><th scope="col">Member</th><th scope="col" class="secondary">Tier</th><th scope="col" class="secondary">State</th><th scope="col" class="number secondary">Direct</th><th scope="col" class="number">Downline</th>${markOf(page) === 'commissions' && html`<th scope="col" class="number secondary">Earned this month</th>`}<th scope="col" class="number secondary">Joined</th></tr></thead><tbody>${drawTree(page, team)}</tbody></table></section><p class="tree-say" role="status" data-tree-say=""></p>`;
}

/** Searches all members: the one that is found is shown where it stands. */
function drawFind({ at, query }: Page): Html {
  const kept = ['sort', 'mark'].map((name) => {
    const value = query[name] ?? '';
    return value !== '' && html`<input type="hidden" name="${name}" value="${value}">`;
  });
  return html`<form class="filters" method="get" action="${at('/team')}" role="search" aria-label="Find in the tree"><div class="field field-wide"><label for="tree-find">Find in the tree</label><input id="tree-find" name="find" type="search" value="${query['find'] ?? ''}" placeholder="Email, name or id" autocomplete="off" spellcheck="false"></div>${kept}<div class="filters-end"><button class="button" type="submit">Find</button></div></form>`;
}

/** What stays of the address is hidden in the form; who was looked for does not. */
function drawOptions({ here, query, can }: Page): Html {
  const { sort = '', open = '', q = '' } = query;
  const choices = (list: readonly [string, string][], chosen: string): Html[] =>
    list.map(([value, word]) => html`<option value="${value}"${value === chosen && html` selected`}>${word}</option>`);
  const kept = Object.entries({ open, q }).map(
    ([name, value]) => value !== '' && html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const address = here({
    sort: undefined,
    mark: undefined,
    open: undefined,
    q: undefined,
    at: undefined,
    cursor: undefined,
    find: undefined,
  });
  return html`<form class="filters" method="get" action="${address.split('?')[0]}" data-tree-options=""><div class="field"><label for="tree-sort">Order of a level</label><select id="tree-sort" name="sort">${choices(SORTS, sort)}</select></div><div class="field"><label for="tree-mark">Mark</label><select id="tree-mark" name="mark">${choices(marksFor({ can }), markOf({ query, can }))}</select></div>${kept}<noscript><button class="button" type="submit">Show</button></noscript></form>`;
}

interface Found {
  id: string;
  name: string | null;
  email: string;
  membershipTier: string;
  isActive: boolean;
}

/** Several fit, or nobody does: each leads to its place in the tree. */
export function drawFound(page: Page, found: readonly Found[]): PageView {
  const { at, query } = page;
  return {
    title: 'Find in the tree',
    crumbs: [{ label: 'Team tree', href: at('/team') }],
    crumb: 'Find',
    body: html`<div class="tree-tools">${drawFind(page)}</div>${card({
      flush: true,
      body: foundTable(found, (id) => at('/team', { at: id, sort: query['sort'], mark: query['mark'] }), at('/team')),
    })}`,
  };
}

export function foundTable(found: readonly Found[], link: (id: string) => string, back: string): Html {
  return table({
    caption: 'Members found',
    rows: found,
    link: ({ id }) => link(id),
    columns: [
      { title: 'Member', cell: (member) => drawnName(member) },
      { title: 'Email', secondary: true, cell: ({ email }) => isolated(email) },
      { title: 'Tier', cell: ({ membershipTier }) => label(membershipTier) },
      { title: 'State', cell: ({ isActive }) => stateChip(isActive ? 'active' : 'inactive') },
    ],
    empty: empty({
      what: 'Nobody is found',
      why: 'No member has an email or a name that begins so, or such an id.',
      action: { href: back, label: 'Back to the tree' },
    }),
  });
}

function noMembers({ at, can }: Page): Html {
  return empty({
    what: 'The tree appears here as members join',
    why: 'There are none yet in this environment.',
    curl: 'curl -X POST -H \'x-tenant-api-key: $KEY\' -H \'content-type: application/json\' $URL/api/v1/users -d \'{"email": "ada@shop.example", "name": "Ada Example"}\'',
    action: can('members:write') && { href: at('/imports'), label: 'Import a file of members' },
  });
}
