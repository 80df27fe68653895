/** That payouts are frozen, in plain words. Source: docs/specification/payouts.md#freeze. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { getPayoutFreeze } from '../../payouts/reconcile/freeze-operations.ts';
import { counted } from './amounts.ts';
import { judgedLinks } from './reconciled.ts';

export type Freeze = AnswerOf<typeof getPayoutFreeze>;
type Look = Pick<PageContext, 'at' | 'can' | 'format' | 'opens'>;

const PARTS: Readonly<Record<Freeze['vendor'], string>> = {
  none: 'nothing to match',
  open: 'still to be matched',
  matched: 'matched',
};

/** Nothing while payouts go on. */
export function drawFreeze(page: Look, freeze: Freeze): Html | undefined {
  if (!freeze.frozen) return undefined;
  const { message, vendor, bank } = freeze;
  return html`<div class="notice notice-bad run-notice" role="alert"><div><p><strong>Payouts are frozen.</strong> ${message}</p><p>Nobody is paid, so that nobody is paid twice. Runs can be drafted, approved and cancelled. The operator of the service matches what was paid meanwhile with the records of the vendor and of the bank, by <code>cli payouts reconcile</code>; then payouts go on by themselves.</p><ul><li>Transfers of the vendor: ${PARTS[vendor]}</li><li>Payments of your own bank: ${PARTS[bank]}${bank === 'open' && '. Give the operator the file of your bank, or the word that it has paid nothing since.'}</li>${drawCounts(page, freeze)}</ul>${judgedLinks(page)}</div></div>`;
}

function drawCounts({ at, can, format, opens }: Look, { unanswered, accepted }: Freeze): Html {
  const words = counted(format, accepted, 'payment');
  const judged = can('admin:audit')
    ? html`<a href="${at('/audit', { action: 'payout.reconciliation_accepted' })}">${words}</a>`
    : html`${words}`;
  const holds = opens('/payouts/holds') && html`. Who was to be looked at is <a href="${at('/payouts/holds')}">on hold</a>`;
  return html`${unanswered > 0 && html`<li>${counted(format, unanswered, 'payout')} without an answer of the vendor</li>`}${accepted > 0 && html`<li>${judged} judged by a person${holds}</li>`}`;
}
