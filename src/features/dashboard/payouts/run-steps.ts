/** What the steps of a run share: where it stands, its figures, and the way from one step to the next. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { actor } from '../../../pages/parts/actor.ts';
import { card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { id } from '../../../pages/parts/id.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import type { getPayoutRun } from '../../payouts/runs/runs-operations.ts';
import { counted, totalOf } from './amounts.ts';
import { drawFreeze, type Freeze } from './freeze-view.ts';

export type Run = AnswerOf<typeof getPayoutRun>;
export type RunLook = Pick<
  PageContext,
  'at' | 'here' | 'can' | 'opens' | 'form' | 'format' | 'query' | 'person' | 'environment' | 'tenant' | 'now'
>;

export type Step = 'look' | 'approve' | 'watch';

const STEPS: readonly { step: Step; label: string; path: string }[] = [
  { step: 'look', label: 'Look', path: '' },
  { step: 'approve', label: 'Approve', path: '/approve' },
  { step: 'watch', label: 'Pay and watch', path: '/watch' },
];

export function paramsOf({ params }: Pick<PageContext, 'params'>): { runId: string } {
  return { runId: params['runId'] ?? '' };
}

/** What the run pays by now: a payout that was cancelled by itself is not among it. */
export function queuedOf({ byStatus }: Run): { count: number; totalMinor: number | null; totalMinorExact?: string | undefined } {
  return byStatus.find(({ status }) => status === 'queued') ?? { count: 0, totalMinor: 0 };
}

/** Whether it was drafted of all that had cleared by then: its cutoff is the moment of the draft. */
export function isOfNow({ cutoffAt, createdAt }: Pick<Run, 'cutoffAt' | 'createdAt'>): boolean {
  return Date.parse(cutoffAt) >= Date.parse(createdAt);
}

/** The four steps, each an address of its own. */
export function steps(
  { at, opens }: Pick<PageContext, 'at' | 'opens'>,
  run: Pick<Run, 'id'> | undefined,
  current: Step | 'choose',
): Html {
  const one = (step: string, label: string, path: string | undefined) =>
    path !== undefined && opens(path)
      ? html`<li><a href="${at(path)}"${step === current && html` aria-current="step"`}>${label}</a></li>`
      : html`<li class="muted">${label}</li>`;
  const rest = STEPS.map(({ step, label, path }) => one(step, label, run && `/payouts/runs/${run.id}${path}`));
  return html`<nav aria-label="Steps of the run"><ol class="run-steps">${one('choose', 'Choose', '/payouts/runs/new')}${rest}</ol></nav>`;
}

/** What stands on top of each step. */
export function runHead(page: RunLook, { run, freeze }: { run: Run; freeze: Freeze }, step: Step) {
  const { at, format } = page;
  return {
    title: `Payout run of ${format.date(run.createdAt)}, ${run.currency}`,
    crumbs: [{ label: 'Payouts', href: at('/payouts') }],
    crumb: id(run.id),
    head: html`${steps(page, run, step)}${card({ body: figures(page, run) })}${drawFreeze(page, freeze)}`,
  };
}

/** Whether a schedule drafted it. */
export function isScheduled({ createdBy }: Pick<Run, 'createdBy'>): boolean {
  return createdBy.kind === 'system';
}

/** By the schedule of somebody, whose hands are the first pair. */
export function drafterOf(page: Pick<RunLook, 'at' | 'can'>, run: Pick<Run, 'createdBy' | 'firstHands'>): Html {
  return isScheduled(run)
    ? html`the schedule that <bdi>${actor(page, run.firstHands)}</bdi> set`
    : html`<bdi>${actor(page, run.createdBy)}</bdi>`;
}

function figures(page: RunLook, run: Run): Html {
  const { format, at } = page;
  const all = at('/payouts/all', { runId: run.id });
  return facts(
    [
      { name: 'State', value: stateChip(run.status) },
      { name: 'In all', value: totalOf(format, run, run.currency, all) },
      { name: 'Paid are', value: counted(format, run.payoutCount, 'member') },
      { name: 'Left out', value: counted(format, run.blockedCount, 'member') },
      {
        name: 'Drafted by',
        value: html`${drafterOf(page, run)}<p class="hint">${exactTime(format, run.createdAt)}</p>`,
      },
      run.approvedBy !== null && {
        name: 'Approved by',
        value: html`<bdi>${actor(page, run.approvedBy)}</bdi>${run.approvedAt !== null && html`<p class="hint">${exactTime(format, run.approvedAt)}</p>`}`,
      },
      run.executedBy !== null && {
        name: 'Executed by',
        value: html`<bdi>${actor(page, run.executedBy)}</bdi>${run.executedAt !== null && html`<p class="hint">${exactTime(format, run.executedAt)}</p>`}`,
      },
    ],
    { row: true },
  );
}
