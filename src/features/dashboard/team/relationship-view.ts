/** Two members, and the way from the one to the other: up to where they meet, and down again. */
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { chip, label, stateChip } from '../../../pages/parts/chips.ts';
import { drawnName } from '../../../pages/parts/member-name.ts';
import { foundTable } from './team-view.ts';
import type { TreeNode } from './tree-node.ts';

export interface Picked {
  id: string;
  name: string | null;
  email: string;
  membershipTier: string;
  isActive: boolean;
}

/** Which of the two, as the address has it. */
export type Slot = 'of' | 'to';

interface Relation {
  relationship: 'self' | 'upline' | 'downline' | 'crossline' | 'none';
  distance: number;
  path: readonly TreeNode[];
}

interface Relationship {
  of: Picked | undefined;
  to: Picked | undefined;
  /** Who is searched for. */
  slot: Slot | undefined;
  found: readonly Picked[] | undefined;
  relation: Relation | undefined;
}

type Page = Pick<PageContext, 'at' | 'query' | 'format'>;

const PATH = '/team/relationship';
/** Of a longer way its ends and its turn are drawn. */
const MOST_STEPS = 40;
const AT_ENDS = 12;

export function drawRelationship(page: Page, { of, to, slot, found, relation }: Relationship): PageView {
  const { at, query } = page;
  const filled = (which: Slot, id: string): string => at(PATH, { of: query['of'], to: query['to'], [which]: id });
  const list =
    found && slot && card({ flush: true, title: 'Members found', body: foundTable(found, (id) => filled(slot, id), at(PATH)) });
  return {
    lead: 'Pick two members: the way from the one to the other is drawn.',
    crumbs: [{ label: 'Team tree', href: at('/team') }],
    crumb: 'Relationship',
    body: html`<div class="way-ends">${drawEnd(page, 'of', of, slot)}${drawEnd(page, 'to', to, slot)}</div><div class="stack">${list}${of && to && relation && drawWay(page, { of, to, relation })}</div>`,
  };
}

function drawEnd({ at, query }: Page, which: Slot, picked: Picked | undefined, slot: Slot | undefined): Html {
  const title = which === 'of' ? 'From' : 'To';
  const other = which === 'of' ? 'to' : 'of';
  if (picked && slot !== which) {
    const again = at(PATH, { of: query['of'], to: query['to'], pick: which });
    return card({
      title,
      actions: html`<a href="${again}">Another<span class="unseen"> member in the place of ${drawnName(picked)}</span></a>`,
      body: html`<p><a href="${at(`/members/${picked.id}`)}"><strong>${drawnName(picked)}</strong></a> ${label(picked.membershipTier)} ${stateChip(picked.isActive ? 'active' : 'inactive')}</p><p class="muted"><bdi>${picked.email}</bdi></p>`,
    });
  }
  const id = `pick-${which}`;
  const value = slot === which ? (query['find'] ?? '') : '';
  const kept = query[other] ?? '';
  return card({
    title,
    body: html`<form class="filters" method="get" action="${at(PATH)}" role="search" aria-label="${title}"><div class="field field-wide"><label for="${id}">Member</label><input id="${id}" name="find" type="search" value="${value}" placeholder="Email, name or id" autocomplete="off" spellcheck="false"></div><input type="hidden" name="pick" value="${which}">${kept !== '' && html`<input type="hidden" name="${other}" value="${kept}">`}<div class="filters-end"><button class="button" type="submit">Search</button></div></form>`,
  });
}

function drawWay(page: Page, { of, to, relation }: { of: Picked; to: Picked; relation: Relation }): Html {
  const { path, relationship } = relation;
  if (relationship === 'none') {
    return card({
      title: 'No way leads from the one to the other',
      body: html`<p>They stand in different trees: no member is above both.</p>`,
    });
  }
  const turn = turnOf(relation);
  return card({
    title: distanceOf(relation, turn),
    lead: sentenceOf({ of, to, relation, turn }),
    body: html`<ol class="way">${shownOf(path, turn).map((index) => (typeof index === 'number' ? drawStep(page, path, { index, turn }) : html`<li class="way-gap muted">${page.format.count(index.left)} more between</li>`))}</ol>`,
  });
}

/** The index of the member that is above all others of the way, which has the largest team of them. */
function turnOf({ relationship, path }: Relation): number {
  if (relationship === 'upline') return path.length - 1;
  if (relationship !== 'crossline') return 0;
  return path.reduce((best, node, index) => (node.totalDownline > (path[best]?.totalDownline ?? -1) ? index : best), 0);
}

const levels = (count: number): string => (count === 1 ? '1 level' : `${count} levels`);

function distanceOf({ relationship, distance }: Relation, turn: number): string {
  if (relationship === 'self') return 'One member';
  if (relationship === 'upline') return `${levels(distance)} up`;
  return relationship === 'downline' ? `${levels(distance)} down` : `${levels(turn)} up, ${levels(distance - turn)} down`;
}

function sentenceOf({ of, to, relation, turn }: { of: Picked; to: Picked; relation: Relation; turn: number }): Html {
  const { relationship, path } = relation;
  if (relationship === 'self') return html`Both are the same member.`;
  if (relationship === 'upline') return html`${drawnName(to)} is above ${drawnName(of)}.`;
  if (relationship === 'downline') return html`${drawnName(to)} is below ${drawnName(of)}.`;
  const meet = path[turn];
  return html`Neither is above the other${meet && html`: both are below ${drawnName(meet)}`}.`;
}

/** The steps that are drawn, and how many are left out between. */
function shownOf(path: readonly TreeNode[], turn: number): (number | { left: number })[] {
  const all = path.map((_node, index) => index);
  const shown =
    path.length <= MOST_STEPS
      ? all
      : all.filter((index) => index < AT_ENDS || index >= path.length - AT_ENDS || Math.abs(index - turn) <= 1);
  return shown.flatMap((index, at): (number | { left: number })[] => {
    const left = index - (shown[at - 1] ?? -1) - 1;
    return left > 0 ? [{ left }, index] : [index];
  });
}

function drawStep({ at, format }: Page, path: readonly TreeNode[], { index, turn }: { index: number; turn: number }): Html {
  const node = path[index];
  if (!node) return html``;
  const isEnd = index === 0 || index === path.length - 1;
  const role = index === turn && !isEnd ? html` ${chip('both are below', 'moving')}` : undefined;
  const way = index === turn ? 'way-turn' : index < turn ? 'way-up' : 'way-down';
  const between = index === path.length - 1 ? undefined : index < turn ? 'was recruited by' : 'recruited';
  return html`<li class="${isEnd ? `${way} way-end` : way}"><p><a href="${at(`/members/${node.userId}`)}">${drawnName(node)}</a> ${label(node.membershipTier)}${!node.isActive && html` ${stateChip('inactive')}`}${role}</p><p class="muted"><a href="${at(`/team/${node.userId}`)}">${format.count(node.totalDownline)} below</a>, ${format.count(node.directReferrals)} direct</p>${between !== undefined && html`<p class="way-word muted">${between}</p>`}</li>`;
}
