/** Holds in force as a list, with the form of a new one. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { actor } from '../../../pages/parts/actor.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { empty } from '../../../pages/parts/empty.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { ago, exactTime } from '../../../pages/parts/time.ts';
import { liftPayoutHold, type listPayoutHolds, setPayoutHold } from '../../payouts/holds/payout-hold-operations.ts';
import { tabs } from './tabs.ts';

type Holds = AnswerOf<typeof listPayoutHolds>;
type Hold = Holds['data'][number];
type Page = Pick<PageContext, 'at' | 'here' | 'can' | 'opens' | 'form' | 'format' | 'query' | 'tenant'>;

const FIRST = `curl -X PUT -H 'x-tenant-api-key: $KEY' -H 'content-type: application/json' $URL/api/v1/members/{userId}/payout-hold -d '{"reason": "Bank account is being checked"}'`;

export function drawHolds(page: Page, { data, nextCursor }: Holds, names: MemberNames): PageView {
  const { format } = page;
  const list = table<Hold>({
    caption: 'Holds in force',
    rows: data,
    columns: [
      { title: 'Member', cell: ({ userId }) => html`<bdi class="break">${names.link(userId)}</bdi>` },
      { title: 'Why', cell: ({ reason }) => html`<bdi class="break">${reason}</bdi>` },
      { title: 'Until', secondary: true, cell: ({ until }) => (until === null ? 'it is lifted' : exactTime(format, until)) },
      { title: 'By', secondary: true, cell: ({ createdBy }) => createdBy && html`<bdi>${actor(page, createdBy)}</bdi>` },
      { title: 'Since', secondary: true, cell: ({ createdAt }) => ago(format, createdAt) },
      ...(page.can(liftPayoutHold)
        ? [
            {
              title: 'Lift',
              cell: ({ userId }: Hold) =>
                page.form('lift', {
                  key: userId,
                  hidden: { userId },
                  inline: true,
                  tone: 'plain' as const,
                  submit: 'Lift the hold',
                }),
            },
          ]
        : []),
    ],
    empty: empty({
      what: 'Members whose payouts are held appear here',
      why: 'No hold is in force. Runs pay everybody who can be paid.',
      curl: FIRST,
    }),
  });
  const form = page.form('hold', {
    note: 'Runs leave the member out, and what is still queued is cancelled. Commissions stay cleared.',
    fields: [
      { name: 'member', label: 'Member', required: true, placeholder: 'Email, name or id' },
      { name: 'reason', label: 'Why', required: true, maxLength: 500, hint: 'For your colleagues.' },
      {
        name: 'until',
        label: 'Until',
        type: 'date',
        hint: `Ends as that day begins in ${page.tenant.timeZone}. Empty: until somebody lifts it.`,
      },
    ],
    submit: 'Hold payouts',
    tone: 'danger',
  });
  const all = card({ flush: true, body: html`${list}${pagerOf(page, nextCursor)}` });
  const body = page.can(setPayoutHold) ? beside(all, card({ title: 'Hold a member', body: form })) : all;
  return { lead: 'Whom runs leave out, newest first.', body: html`${tabs(page, '/payouts/holds')}${body}` };
}
