/** The runs as a list, with what waits on top, and when the next ones are drafted. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html, joined } from '../../../pages/html.ts';
import { actor } from '../../../pages/parts/actor.ts';
import { card } from '../../../pages/parts/card.ts';
import { chip, stateChip } from '../../../pages/parts/chips.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { filters } from '../../../pages/parts/filters.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { ago, exactTime } from '../../../pages/parts/time.ts';
import { isStaleDraft } from '../../payouts/open/draft-age.ts';
import { RUN_STATUSES } from '../../payouts/open/payout-states.ts';
import type { getPayoutFreeze } from '../../payouts/reconcile/freeze-operations.ts';
import { createPayoutRun, type listPayoutRuns } from '../../payouts/runs/runs-operations.ts';
import type { getPayoutSchedule } from '../../payouts/schedule/schedule-operations.ts';
import { totalOf } from './amounts.ts';
import { drawFreeze } from './freeze-view.ts';
import { drafterOf } from './run-steps.ts';
import { drawnOf, scheduleForm, scheduleWords } from './schedule-form.ts';
import { tabs } from './tabs.ts';

type Runs = AnswerOf<typeof listPayoutRuns>;
type Run = Runs['data'][number];
type Schedule = AnswerOf<typeof getPayoutSchedule>['data'][number];
type Page = Pick<PageContext, 'at' | 'here' | 'can' | 'opens' | 'form' | 'format' | 'query' | 'tenant' | 'now'>;

/** Names of the filters in the address. */
export const FILTERS = ['status', 'currency'];

const FIRST_RUN = `curl -X POST -H 'x-tenant-api-key: $KEY' -H 'content-type: application/json' $URL/api/v1/payout-runs -d '{"currency": "EUR", "dryRun": true}'`;

export interface RunsFacts {
  runs: Runs;
  drafts: Runs;
  freeze: AnswerOf<typeof getPayoutFreeze>;
  schedule: readonly Schedule[];
}

export function drawRuns(page: Page, { runs, drafts, freeze, schedule }: RunsFacts): PageView {
  const { at, query } = page;
  const bar = filters({
    address: at('/payouts'),
    fields: [
      {
        name: 'status',
        label: 'State',
        type: 'select',
        value: query['status'],
        choices: RUN_STATUSES.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
      },
      { name: 'currency', label: 'Currency', type: 'text', value: query['currency'], placeholder: 'EUR' },
    ],
  });
  const isFirstLook = !query['cursor'] && !FILTERS.some((name) => query[name]);
  const waiting = isFirstLook && drafts.data.length > 0 && drawDrafts(page, drafts);
  return {
    lead: 'What is paid next, and what blocks.',
    actions: page.can(createPayoutRun) && html`<a class="button button-main" href="${at('/payouts/runs/new')}">New run…</a>`,
    body: html`${tabs(page, '/payouts')}${drawFreeze(page, freeze)}<div class="stack">${waiting}${drawSchedule(page, schedule)}${bar}${drawList(page, runs)}</div>`,
  };
}

function drawDrafts(page: Page, { data, hasMore }: Runs): Html {
  return card({
    title: 'Waiting for approval',
    flush: true,
    lead: hasMore ? 'The newest ten.' : undefined,
    body: table<Run>({
      caption: 'Runs that wait for approval',
      rows: data,
      link: ({ id }) => page.at(`/payouts/runs/${id}`),
      columns: [
        {
          title: 'Drafted',
          cell: ({ createdAt }) =>
            html`${page.format.time(createdAt)}${isStaleDraft(new Date(createdAt), page.now) && html` ${chip('older than a day', 'waiting')}`}`,
        },
        { title: 'By', secondary: true, cell: (run) => drafterOf(page, run) },
        { title: 'Members', number: true, secondary: true, cell: ({ payoutCount }) => page.format.count(payoutCount) },
        { title: 'In all', number: true, cell: (run) => totalOf(page.format, run, run.currency) },
      ],
      empty: html``,
    }),
  });
}

function drawList(page: Page, { data, nextCursor }: Runs): Html {
  const { at, format, query } = page;
  const isFiltered = FILTERS.some((name) => query[name]);
  const list = table<Run>({
    caption: 'Payout runs',
    rows: data,
    link: ({ id, status }) => at(`/payouts/runs/${id}${status === 'draft' || status === 'cancelled' ? '' : '/watch'}`),
    columns: [
      { title: 'Drafted', cell: ({ createdAt }) => format.time(createdAt) },
      { title: 'State', cell: ({ status }) => stateChip(status) },
      { title: 'Members', number: true, secondary: true, cell: ({ payoutCount }) => format.count(payoutCount) },
      { title: 'Left out', number: true, secondary: true, cell: ({ blockedCount }) => format.count(blockedCount) },
      { title: 'By', secondary: true, cell: (run) => hands(page, run) },
      { title: 'In all', number: true, cell: (run) => totalOf(format, run, run.currency) },
    ],
    empty: empty({
      what: 'Payout runs appear here',
      why: isFiltered ? 'None matches these filters.' : 'None was drafted yet. A run pays what has cleared, in one currency.',
      ...(!isFiltered && { curl: FIRST_RUN }),
      action: isFiltered
        ? { href: at('/payouts'), label: 'All runs' }
        : page.can(createPayoutRun) && { href: at('/payouts/runs/new'), label: 'Look at what would be paid' },
    }),
  });
  return card({ flush: true, body: html`${list}${pagerOf(page, nextCursor)}` });
}

/** Who drafted, approved and executed it. */
function hands(page: Page, run: Run): Html {
  const { approvedBy, executedBy } = run;
  const one = (word: string, who: Run['approvedBy']) => who && html`${word} <bdi>${actor(page, who)}</bdi>`;
  return joined(
    [html`drafted by ${drafterOf(page, run)}`, one('approved by', approvedBy), one('executed by', executedBy)].filter(Boolean),
    ', ',
  );
}

const OUTCOMES: Readonly<Record<NonNullable<Schedule['last']>['outcome'], string>> = {
  DRAFTED: 'drafted',
  SKIPPED_OPEN_DRAFT: 'none was made, for an open draft waited',
  NOTHING_DUE: 'none was made, for nothing was due',
};

function drawSchedule(page: Page, schedule: readonly Schedule[]): Html {
  const { at, format } = page;
  const form = scheduleForm(page, schedule);
  const drawn = drawnOf(schedule);
  const items = schedule.map((one) => {
    const { currency, nextAt, last } = one;
    const before =
      last &&
      html` Last, ${ago(format, last.at)}: ${last.runId === null ? OUTCOMES[last.outcome] : html`<a href="${at(`/payouts/runs/${last.runId}`)}">${OUTCOMES[last.outcome]}</a>`}.`;
    const stop = page.form('unschedule', {
      key: currency,
      hidden: { currency, drawn },
      inline: true,
      tone: 'plain',
      submit: 'Stop',
    });
    return html`<li><p><strong>${currency}</strong> ${scheduleWords(one, page.tenant.timeZone)}. Next ${exactTime(format, nextAt)}.${before}</p>${stop}</li>`;
  });
  return card({
    title: 'Scheduled drafts',
    id: 'schedule',
    actions: form.text !== '' && opensDialog('schedule-dialog', schedule.length > 0 ? 'Change the schedule…' : 'Set a schedule…'),
    body: html`${items.length > 0 ? html`<ul class="schedule">${items}</ul>` : html`<p class="muted">There is no schedule: people and keys draft runs.</p>`}${form.text !== '' && dialog({ id: 'schedule-dialog', title: 'Draft runs by themselves', body: form })}`,
  });
}
