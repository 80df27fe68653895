/** What a reconciliation after a restore made of payouts, in words, with the way to them. */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html, joined } from '../../../pages/html.ts';
import { RECONCILED_AS, type ReconciledAs } from '../../payouts/open/reconciled-as.ts';

export const JUDGED: Readonly<Record<ReconciledAs, string>> = {
  recorded: 'Paid meanwhile, and entered',
  not_sent: 'Not sent, and cancelled',
  unanswered: 'Without an answer yet',
};

const MEANINGS: Readonly<Record<ReconciledAs, string>> = {
  recorded:
    'The vendor or the bank has these payments, and the records here did not. They are entered, so that nobody is paid again.',
  not_sent:
    'These stood here, and were not sent. They are cancelled, and their commissions are free for the next run where no other payment has taken them.',
  unanswered: 'These were begun, and no transfer is known. They are asked for again as soon as payouts go on.',
};

type Look = Pick<PageContext, 'at' | 'can' | 'opens'>;

/** The lists of each kind, and the log. */
export function judgedLinks(page: Look): Html {
  const { at, opens } = page;
  if (!opens('/payouts/all')) return html``;
  const lists = RECONCILED_AS.map(
    (reconciled) => html`<a class="button" href="${at('/payouts/all', { reconciled })}">${JUDGED[reconciled]}</a>`,
  );
  return html`<p>Which payouts were judged, and how:</p><p>${joined(lists, ' ')}</p>${auditLink(page)}`;
}

/** Above the list of one kind. */
export function drawJudged(page: Look, judged: ReconciledAs): Html {
  return html`<div class="notice notice-waiting run-notice"><div><p><strong>${JUDGED[judged]}.</strong> ${MEANINGS[judged]}</p>${auditLink(page)}</div></div>`;
}

function auditLink({ at, can }: Look): Html {
  if (!can('admin:audit')) return html``;
  return html`<p><a class="button" href="${at('/audit', { action: 'payout.reconciled' })}">Each match in the audit log</a></p>`;
}
