/** How far a run has come. */
import { type Html, html } from '../../../pages/html.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { facts } from '../../../pages/parts/facts.ts';
import type { PayoutStatus } from '../../payouts/open/payout-states.ts';
import { totalOf } from './amounts.ts';
import type { Run, RunLook } from './run-steps.ts';

export function countOf({ byStatus }: Run, status: PayoutStatus): number {
  return byStatus.find((one) => one.status === status)?.count ?? 0;
}

const UNDER_WAY: readonly PayoutStatus[] = ['queued', 'processing'];

/** Asked for alone by a script while payouts are under way. */
export function drawProgress({ at, format }: Pick<RunLook, 'at' | 'format'>, run: Run): Html {
  const isUnderWay = run.status === 'executing';
  const all = run.byStatus.reduce((sum, { count }) => sum + count, 0);
  const open = UNDER_WAY.reduce((sum, status) => sum + countOf(run, status), 0);
  const percent = all === 0 ? 100 : Math.floor(((all - open) * 100) / all);
  const rows = run.byStatus.map(({ status, count, ...sum }) => ({
    name: status,
    value: html`<a href="${at('/payouts/all', { runId: run.id, status })}">${format.count(count)}</a><p class="hint">${totalOf(format, sum, run.currency)}</p>`,
  }));
  const bar =
    isUnderWay &&
    html`<progress max="100" value="${percent}" aria-label="Payouts that have ended">${percent} %</progress><p class="hint">It is looked at every two seconds. <a href="${at(`/payouts/runs/${run.id}/watch`)}">Look again</a></p>`;
  return html`<section class="card" id="progress"${isUnderWay && html` data-under-way=""`}><div class="card-head"><div><h2>What became of the payouts</h2></div><div class="actions">${stateChip(run.status)}</div></div>${facts(rows, { row: true })}${bar}</section>`;
}
