/**
 * The rows of the tree: members, and within a level what filters it and what shows more of it. Without script a row is
 * opened by a link; src/pages/browser/tree-grid.ts makes a treegrid of them and asks for one level after another.
 */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html, joined } from '../../../pages/html.ts';
import { icon } from '../../../pages/icons.ts';
import { label, stateChip } from '../../../pages/parts/chips.ts';
import { drawnName, nameOf } from '../../../pages/parts/member-name.ts';
import { dateOf } from '../../../pages/parts/time.ts';
import { LEVEL_SIZE, type Level, NONE_OPEN, ROOTS, type Team } from './read-team.ts';
import { drawEarned, drawShareMark, markOf } from './tree-marks.ts';
import type { TreeNode } from './tree-node.ts';

/** The part that a script asks for: the rows of one level. */
export const ROWS = 'rows';

type Page = Pick<PageContext, 'at' | 'here' | 'query' | 'format' | 'can'>;

/** Columns of the table, without that of a mark. */
const COLUMNS = 6;
/** Further in, rows stand no further to the right. */
const DEEPEST_INDENT = 12;

interface Place {
  /** From 1. */
  level: number;
  /** Undefined for who has no recruits. */
  isOpen?: boolean | undefined;
  /** Where a click leads without script. */
  turnTo?: string | undefined;
  isFound?: boolean;
  /** Out of the order of its level, for it is on the way to who was looked for. */
  isAhead?: boolean;
  /** All below the member's sponsor. */
  ofTotal?: number | undefined;
}

/** All rows of a page. */
export function drawTree(page: Page, team: Team): Html {
  const { top, levels, way, found } = team;
  const open = [...levels.keys()].filter((id) => id !== ROOTS && id !== top?.userId);
  const turn = (id: string): string => {
    const next = open.includes(id) ? open.filter((one) => one !== id) : [...open, id];
    const list = next.length === 0 ? NONE_OPEN : next.join('.');
    return `${page.here({ open: list, at: undefined, find: undefined })}#m-${id}`;
  };
  const walk = (parent: TreeNode | undefined, level: number): Html[] => {
    const own = levels.get(parent?.userId ?? ROOTS);
    if (!own) return [];
    const onWay = way.get(parent?.userId ?? ROOTS);
    const isAhead = onWay !== undefined && !own.rows.some(({ userId }) => userId === onWay.userId);
    const members = [...(isAhead ? [onWay] : []), ...own.rows].map((node, index) => {
      const { userId } = node;
      const isOpen = node.directReferrals > 0 ? levels.has(userId) : undefined;
      const place = { level, isOpen, turnTo: turn(userId), isFound: userId === found, ofTotal: parent?.totalDownline };
      return html`${drawMember(page, node, { ...place, isAhead: isAhead && index === 0 })}${walk(node, level + 1)}`;
    });
    const isFirst = parent?.userId === top?.userId;
    return levelRows(page, parent, { level, own, members, isFirst });
  };
  if (!top) return html`${walk(undefined, 1)}`;
  const isOpen = top.directReferrals > 0 ? true : undefined;
  return html`${drawMember(page, top, { level: 1, isOpen, isFound: found === top.userId })}${walk(top, 2)}`;
}

/** The rows of one level alone, as if it were the first: what a script asks for. */
export function drawLevel(page: Page, parent: TreeNode | undefined, own: Level): Html {
  const members = own.rows.map((node) => {
    const isOpen = node.directReferrals > 0 ? false : undefined;
    return drawMember(page, node, { level: 1, isOpen, ofTotal: parent?.totalDownline });
  });
  return html`${levelRows(page, parent, { level: 1, own, members, isFirst: true })}`;
}

interface LevelRows {
  level: number;
  own: Level;
  members: readonly Html[];
  /** Whether the filter and the cursor of the address are of this level. */
  isFirst: boolean;
}

function levelRows(page: Page, parent: TreeNode | undefined, { level, own, members, isFirst }: LevelRows): Html[] {
  const { q, cursor } = isFirst ? page.query : {};
  const text = q?.trim() ?? '';
  const isWide = parent ? parent.directReferrals > LEVEL_SIZE : own.nextCursor !== null || cursor !== undefined;
  const isFiltered = text !== '';
  return [
    ...(isWide || isFiltered ? [drawFilter(page, parent, { level, text })] : []),
    ...(cursor === undefined ? [] : [drawBack(page, parent, level)]),
    ...members,
    ...(members.length === 0 ? [drawNobody(page, parent, { level, text })] : []),
    ...(own.nextCursor === null ? [] : [drawMore(page, parent, { level, text, cursor: own.nextCursor })]),
  ];
}

function drawMember(page: Page, node: TreeNode, place: Place): Html {
  const { at, format, query } = page;
  const mark = markOf(page);
  const { userId, membershipTier: tier, isActive, directReferrals: direct, totalDownline: total } = node;
  const { level, isOpen, turnTo, isFound = false, isAhead = false, ofTotal } = place;
  const state = isOpen !== undefined && html` data-open="${isOpen ? 'yes' : 'no'}"`;
  const found = isFound && html` data-found=""`;
  const classes = [indent(level), mark === 'tier' && `tree-${tier.toLowerCase()}`].filter(Boolean).join(' ');
  const turn =
    isOpen !== undefined && turnTo !== undefined
      ? html`<a class="tree-turn" href="${turnTo}">${icon('right')}<span class="unseen">${isOpen ? 'Close' : 'Open'} the team of ${drawnName(node)}</span></a>`
      : html`<span class="tree-turn">${isOpen !== undefined && icon('right')}</span>`;
  const { bar, note } = drawShareMark(page, node, ofTotal);
  const earned = mark === 'commissions' ? drawEarned(page, node) : undefined;
  const figures = [
    direct > 0 && html`<span class="muted">${format.count(direct)} direct</span>`,
    note,
    earned && html`<span>${earned} <span class="muted">this month</span></span>`,
  ].filter(Boolean);
  const notes = [label(tier), !isActive && stateChip('inactive'), joined(figures, ' · ')].filter(Boolean);
  const teamHref = at(`/team/${userId}`, { sort: query['sort'], mark: query['mark'] });
  const downline =
    total === 0
      ? html`<span class="muted">0</span>`
      : html`<a href="${teamHref}" data-team="">${format.count(total)}<span class="unseen"> below ${drawnName(node)}</span></a>`;
  const recruits =
    direct === 0
      ? html`<span class="muted">0</span>`
      : html`<a href="${at('/members', { sponsorId: userId })}">${format.count(direct)}<span class="unseen"> direct recruits of ${drawnName(node)}</span></a>`;
  return html`<tr id="m-${userId}" class="${classes}" data-row="member" data-level="${level}" data-direct="${direct}"${state}${found}><th scope="row"><div class="tree-cell">${turn}<div class="tree-who"><a href="${at(`/members/${userId}`)}">${drawnName(node)}</a>${isAhead && html` <span class="muted tree-note">further down in this order</span>`}<span class="folded">${joined(notes, ' ')}</span></div></div></th><td class="secondary">${label(tier)}</td><td class="secondary">${stateChip(isActive ? 'active' : 'inactive')}</td><td class="number secondary">${recruits}</td><td class="number">${bar}${downline}</td>${mark === 'commissions' && html`<td class="number secondary">${earned}</td>`}<td class="number secondary">${dateOf(format, node.joinedAt)}</td></tr>`;
}

function drawFilter(page: Page, parent: TreeNode | undefined, { level, text }: { level: number; text: string }): Html {
  const { at, format, query } = page;
  const whom = parent ? `${format.count(parent.directReferrals)} recruits of ${nameOf(parent)}` : 'roots';
  const kept = ['sort', 'mark'].map((name) => {
    const value = query[name] ?? '';
    return value !== '' && html`<input type="hidden" name="${name}" value="${value}">`;
  });
  const form = html`<form class="tree-filter" method="get" action="${addressOf(page, parent)}"><input name="q" type="search" value="${text}" maxlength="255" placeholder="${parent ? `Filter ${format.count(parent.directReferrals)} recruits` : 'Filter the roots'}" aria-label="Filter the ${whom}" autocomplete="off" spellcheck="false">${kept}<noscript><button class="button" type="submit">Filter</button></noscript>${text !== '' && html`<a href="${at(parent ? `/team/${parent.userId}` : '/team', keptOf(page))}" data-clear="">Clear</a>`}</form>`;
  return ofLevel(page, 'filter', level, form);
}

function drawBack(page: Page, parent: TreeNode | undefined, level: number): Html {
  return ofLevel(page, 'back', level, html`<a href="${addressOf(page, parent, { q: page.query['q'] })}">From the beginning</a>`);
}

function drawNobody(page: Page, parent: TreeNode | undefined, { level, text }: { level: number; text: string }): Html {
  if (text !== '')
    return ofLevel(
      page,
      'nobody',
      level,
      html`<span class="muted">Nobody here has <bdi>${text}</bdi> in the name or the email.</span>`,
    );
  const words =
    parent?.directReferrals === 0
      ? 'Whom the member recruits appears here. Nobody was recruited yet.'
      : 'Nobody stands here any more.';
  return ofLevel(page, 'nobody', level, html`<span class="muted">${words}</span>`);
}

interface More {
  level: number;
  text: string;
  cursor: string;
}

function drawMore(page: Page, parent: TreeNode | undefined, { level, text, cursor }: More): Html {
  const { format } = page;
  const of = parent && text === '' && html` <span class="muted">of ${format.count(parent.directReferrals)}</span>`;
  const href = addressOf(page, parent, { q: text, cursor });
  const whose = html`<span class="unseen"> of ${parent ? html`the recruits of ${drawnName(parent)}` : 'the roots'}</span>`;
  return ofLevel(page, 'more', level, html`<a href="${href}">Show ${LEVEL_SIZE} more${whose}</a>${of}`);
}

function ofLevel(page: Page, kind: 'filter' | 'back' | 'nobody' | 'more', level: number, content: Html): Html {
  return html`<tr class="${indent(level)}" data-row="${kind}" data-level="${level}"><td colspan="${COLUMNS + (markOf(page) === 'commissions' ? 1 : 0)}"><div class="tree-cell"><span class="tree-turn"></span>${content}</div></td></tr>`;
}

function indent(level: number): string {
  return `tree-level-${Math.min(level, DEEPEST_INDENT)}`;
}

function keptOf({ query }: Page): Record<string, string | undefined> {
  return { sort: query['sort'], mark: query['mark'] };
}

function addressOf(page: Page, parent: TreeNode | undefined, more: Readonly<Record<string, string | undefined>> = {}): string {
  return page.at(parent ? `/team/${parent.userId}` : '/team', { ...keptOf(page), ...more });
}
