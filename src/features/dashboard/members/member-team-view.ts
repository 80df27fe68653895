/** The team of one member in figures, each of which leads to who they are. */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html, joined } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { drawnName } from '../../../pages/parts/member-name.ts';
import { minorOfMajor, money } from '../../../pages/parts/money.ts';
import type { MemberFacts } from './member-facts.ts';

export function drawTeam({ at, format }: PageContext, { user, team, upline }: MemberFacts): Html | undefined {
  if (!team) return undefined;
  const tree = at(`/team/${user.id}`);
  const above =
    upline &&
    upline.length > 0 &&
    joined(
      upline.map((member) => html`<a href="${at(`/members/${member.userId}`)}">${drawnName(member)}</a>`),
      ' ← ',
    );
  const earned = minorOfMajor(team.commission, team.commissionExact, team.currency);
  const share = team.teamSize === 0 ? undefined : format.percent(team.activeMembers / team.teamSize);
  return card({
    title: 'Team',
    actions: html`<a href="${tree}">Open the tree</a>`,
    body: facts([
      {
        name: 'Recruited',
        value: html`<a href="${at('/members', { sponsorId: user.id })}">${format.count(team.directReferrals)}</a>`,
      },
      { name: 'Downline', value: html`<a href="${tree}">${format.count(team.teamSize)}</a>` },
      {
        name: 'Active of them',
        value: html`${format.count(team.activeMembers)}${share !== undefined && html` <span class="muted">${share}</span>`}`,
      },
      { name: `New in ${format.month(team.period)}`, value: format.count(team.newMembers) },
      { name: 'Earned from it', value: money(format, earned, team.currency) },
      above && { name: 'Upline', value: above },
      {
        name: 'Relationship',
        value: html`<a href="${at('/team/relationship', { of: user.id })}">to another member…</a>`,
      },
    ]),
  });
}
