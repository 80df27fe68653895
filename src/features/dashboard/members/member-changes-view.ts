/** What a member was when, and who changed what. */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Drawn, type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { label, stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { drawnName, isolated } from '../../../pages/parts/member-name.ts';
import { table } from '../../../pages/parts/table.ts';
import { ago, dateOf, exactTime } from '../../../pages/parts/time.ts';
import type { MemberFacts } from './member-facts.ts';

interface Change {
  what: string;
  value: Drawn;
  validFrom: string | null;
  recordedAt: string;
  reason: string | null;
}

/** Tier, activity, sponsor, group and standing in one list, the last that was recorded first. */
export function drawHistory({ at, format }: PageContext, { history, upline, user }: MemberFacts): Html | undefined {
  if (!history) return undefined;
  const [sponsor] = upline ?? [];
  const sponsorOf = (sponsorId: string | null): Drawn => {
    if (sponsorId === null) return html`<span class="muted">nobody</span>`;
    const name = sponsorId === user.parent_id && sponsor ? drawnName(sponsor) : 'another member';
    return html`<a href="${at(`/members/${sponsorId}`)}">${name}</a>`;
  };
  const changes: Change[] = [
    ...history.tier.map((one) => ({ ...one, what: 'Tier', value: label(one.membershipTier) })),
    ...history.activity.map((one) => ({ ...one, what: 'State', value: stateChip(one.isActive ? 'active' : 'inactive') })),
    ...history.sponsor.map((one) => ({ ...one, what: 'Recruited by', value: sponsorOf(one.sponsorId) })),
    // A member of one group all its time has no say in the list.
    ...onceChanged(history.group).map((one) => ({ ...one, what: 'Group', value: html`<code>${one.group}</code>` })),
    ...onceChanged(history.standing).map((one) => ({ ...one, what: 'Standing', value: stateChip(one.standing) })),
  ].toSorted((a, b) => b.recordedAt.localeCompare(a.recordedAt));
  return card({
    title: 'History',
    lead: 'Each counts from its time until the next of its kind does.',
    flush: true,
    body: table({
      caption: 'History of tier, state, sponsor, group and standing',
      id: 'member-history',
      rows: changes,
      columns: [
        { title: 'What', cell: ({ what }) => what },
        {
          title: 'Is',
          cell: ({ value, reason }) => html`${value}${reason !== null && html`<br><span class="muted">${reason}</span>`}`,
        },
        { title: 'Counts from', cell: ({ validFrom }) => (validFrom === null ? 'the beginning' : exactTime(format, validFrom)) },
        { title: 'Recorded', secondary: true, cell: ({ recordedAt }) => dateOf(format, recordedAt) },
      ],
      empty: empty({ what: 'Changes of tier, state and sponsor appear here', why: 'There was none.' }),
    }),
  });
}

const onceChanged = <Entry>(entries: readonly Entry[]): readonly Entry[] => (entries.length > 1 ? entries : []);

export function drawAudit({ at, format }: PageContext, { audit, user }: MemberFacts): Html | undefined {
  if (!audit) return undefined;
  const list = audit.map(
    ({ action, actor, createdAt, details }) =>
      html`<li><strong title="${action}">${actionWords(action)}</strong>${fieldsOf(details)}<br><span class="muted">${isolated(actor.name ?? actor.kind.replaceAll('_', ' '))}, ${ago(format, createdAt)}</span></li>`,
  );
  return card({
    title: 'Who changed what',
    actions: html`<a href="${at('/audit', { targetKind: 'member', targetId: user.id })}">All entries</a>`,
    body:
      list.length === 0
        ? html`<p class="muted">Nothing was changed since the member joined.</p>`
        : html`<ul class="lines">${list}</ul>`,
  });
}

/** `payout_hold.set` is "Payout hold: set". */
function actionWords(action: string): string {
  const words = action.replaceAll('_', ' ').replaceAll('.', ': ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The names of the fields that changed. */
function fieldsOf(details: Record<string, unknown>): Drawn {
  const { fields } = details;
  if (!Array.isArray(fields)) return undefined;
  return html` <span class="muted">${fields.filter((field) => typeof field === 'string').join(', ')}</span>`;
}
