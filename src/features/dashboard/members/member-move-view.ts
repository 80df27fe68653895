/** The two steps of a move: whom to, and what moves along. */
import type { z } from 'zod';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html, joined } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { label, stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { drawnName, isolated, nameOf } from '../../../pages/parts/member-name.ts';
import { table } from '../../../pages/parts/table.ts';
import type { listUpline } from '../../genealogy/genealogy-operations.ts';
import type { ListedMember } from './find-members.ts';

type Above = z.output<(typeof listUpline)['response']>['data'];

export interface NewSponsor {
  /** `root`: none. */
  id: string;
  name: string | null;
  email: string | null;
  upline: Above;
}

export interface Move {
  user: { id: string; name: string | null; email: string; parent_id: string | null };
  teamSize: number;
  /** From the present sponsor up. */
  upline: Above;
  /** Undefined as long as nobody is searched for. */
  found: readonly ListedMember[] | undefined;
  sponsor: NewSponsor | undefined;
}

export function drawMove(page: PageContext, move: Move): PageView {
  const { at } = page;
  const name = nameOf(move.user);
  return {
    title: `Move ${name}`,
    lead: 'A move counts for sales from now on. Commissions for earlier sales keep the former upline.',
    crumbs: [
      { label: 'Members', href: at('/members') },
      { label: name, href: at(`/members/${move.user.id}`) },
    ],
    crumb: 'Move',
    body: move.sponsor ? drawConfirmation(page, move, move.sponsor) : drawChoice(page, move),
  };
}

function drawChoice(page: PageContext, { user, upline, teamSize, found }: Move): Html {
  const { at, format, query } = page;
  const here = at(`/members/${user.id}/move`);
  const now = card({
    title: 'Now',
    body: facts([
      { name: 'Recruited by', value: wayUp(page, upline) },
      { name: 'Moves along', value: teamSize === 0 ? 'nobody' : `${format.count(teamSize)} below` },
    ]),
  });
  const search = html`<form class="filters" method="get" action="${here}" role="search" aria-label="New sponsor"><div class="field field-wide"><label for="sponsor-q">New sponsor</label><input id="sponsor-q" name="q" type="search" value="${query['q'] ?? ''}" placeholder="Email, name or id" autocomplete="off" spellcheck="false"></div><div class="filters-end"><button class="button" type="submit">Search</button>${user.parent_id !== null && html`<a href="${at(`/members/${user.id}/move`, { to: 'root' })}">Make it a root</a>`}</div></form>`;
  const list =
    found &&
    card({
      flush: true,
      title: 'Under whom?',
      body: table({
        caption: 'Members found',
        rows: found.filter(({ id }) => id !== user.id),
        link: ({ id }) => at(`/members/${user.id}/move`, { to: id }),
        columns: [
          { title: 'Member', cell: (member) => drawnName(member) },
          { title: 'Email', secondary: true, cell: ({ email }) => isolated(email) },
          { title: 'Tier', cell: ({ membershipTier }) => label(membershipTier) },
          { title: 'State', cell: ({ isActive }) => stateChip(isActive ? 'active' : 'inactive') },
          { title: 'Recruits', secondary: true, cell: ({ canRecruit }) => (canRecruit ? 'may' : 'may not') },
        ],
        empty: empty({
          what: 'Nobody else is found',
          why: 'No other member has an email or a name that begins so, or such an id.',
        }),
      }),
    });
  return html`${now}<div class="stack">${search}${list}</div>`;
}

function drawConfirmation(page: PageContext, { user, upline, teamSize }: Move, sponsor: NewSponsor): Html {
  const { at, format } = page;
  const name = nameOf(user);
  const isRoot = sponsor.id === 'root';
  const below = teamSize === 0 ? 'alone' : `with ${format.count(teamSize)} below`;
  const to = isRoot ? 'to the top, as a root' : `under ${nameOf(sponsor)}`;
  const path = isRoot
    ? html`<span class="muted">nobody: a root of the tree</span>`
    : html`<a href="${at(`/members/${sponsor.id}`)}">${drawnName(sponsor)}</a>${sponsor.upline.length > 0 && html` ← ${wayUp(page, sponsor.upline)}`}`;
  return card({
    title: `${name} moves ${to}, ${below}`,
    body: html`${facts([
      { name: 'From', value: wayUp(page, upline) },
      { name: 'To', value: path },
      { name: 'Moves along', value: teamSize === 0 ? 'nobody' : `${format.count(teamSize)} members below` },
    ])}${page.form('move', {
      hidden: { sponsorId: sponsor.id },
      fields: [{ name: 'reason', label: 'Why', maxLength: 500 }],
      submit: teamSize === 0 ? `Move ${name}` : `Move ${format.count(teamSize + 1)} members`,
      beside: html`<a class="button" href="${at(`/members/${user.id}/move`)}">Another sponsor</a>`,
    })}`,
  });
}

function wayUp({ at }: PageContext, upline: Above): Html {
  if (upline.length === 0) return html`<span class="muted">nobody: a root of the tree</span>`;
  const last = upline.at(-1);
  const links = upline.map((member) => html`<a href="${at(`/members/${member.userId}`)}">${drawnName(member)}</a>`);
  return html`${joined(links, ' ← ')}${last?.sponsorId !== null && ' ← …'}`;
}
