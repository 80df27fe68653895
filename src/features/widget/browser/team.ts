/** How large the member's team is, and who is in it as far as the shop shows that. */
import type { Team, TeamMember } from './answers.ts';
import { button, type Child, card, chip, empty, h, pair, written } from './kit.ts';
import { type Look, moreButton, show } from './look.ts';

const READ = '/team';

export function draw(panel: HTMLElement, look: Look): void {
  void show(
    panel,
    look,
    () => look.connection.get<Team>(READ),
    (team) => drawTeam(look, team),
  );
}

function drawTeam(look: Look, team: Team): Child {
  const { words, format } = look;
  const toLinks = look.has('links') && button(words.team.share, () => look.open('links'), { class: 'button primary' });
  if (team.total === 0 && team.direct === 0) return empty(words.team.empty, words.team.emptyWhy, toLinks);
  const figures = (['total', 'direct', 'active', 'newThisMonth'] as const).map((part) =>
    h('div', { class: 'figure' }, h('dt', null, words.team[part]), h('dd', { class: 'amount' }, format.number(team[part]))),
  );
  const earned = h('p', { class: 'line' }, h('span', null, words.team.earned), h('strong', null, format.money(team.earned)));
  return [card(words.team.size, h('dl', { class: 'figures tight' }, figures), earned), drawMembers(look, team)];
}

function drawMembers(look: Look, { members, nextCursor }: Team): Child {
  const { words, connection } = look;
  if (members === null) return empty(words.team.hidden, words.team.hiddenWhy);
  const list = h(
    'ul',
    { class: 'rows' },
    members.map((member) => drawMember(look, member)),
  );
  const load = async (cursor: string): Promise<{ items: HTMLElement[]; next: string | null }> => {
    const further = await connection.get<Team>(`${READ}?cursor=${encodeURIComponent(cursor)}`);
    return { items: (further.members ?? []).map((member) => drawMember(look, member)), next: further.nextCursor };
  };
  return card(
    words.team.members,
    h('p', { class: 'small' }, words.team.maskedWhy),
    list,
    moreButton(look, list, load, nextCursor),
  );
}

function drawMember({ words, format }: Look, member: TeamMember): HTMLElement {
  const { name, joinedAt, isActive, tier, directReferrals, totalDownline } = member;
  const tiers: Readonly<Record<string, string>> = words.team.tier;
  const below =
    totalDownline === 0 ? words.team.noTeam : words.team.ownTeam(format.number(directReferrals), format.number(totalDownline));
  return h(
    'li',
    { class: 'row member' },
    pair(
      h('p', null, h('strong', null, name === null ? words.team.noName : written(name))),
      h(
        'p',
        { class: 'marks' },
        !isActive && chip(words.team.inactive, 'neutral'),
        h('span', { class: 'label' }, Object.hasOwn(tiers, tier) ? tiers[tier] : tier),
      ),
    ),
    h('p', { class: 'small' }, `${words.team.joined(format.day(joinedAt))} · ${below}`),
  );
}
