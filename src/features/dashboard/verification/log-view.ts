/** Who did what with a verification, with what they wrote. */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Drawn, type Html, html } from '../../../pages/html.ts';
import { actor } from '../../../pages/parts/actor.ts';
import { card } from '../../../pages/parts/card.ts';
import { isolated } from '../../../pages/parts/member-name.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import { documentWords } from './document-words.ts';
import type { ReviewFacts } from './review-facts.ts';

type Look = Pick<PageContext, 'at' | 'can' | 'format' | 'opens'>;

const WORDS: Readonly<Record<string, string>> = {
  'kyc_record.created': 'Started',
  'kyc_record.submitted': 'Sent in',
  'kyc_record.approved': 'Approved',
  'kyc_record.rejected': 'Rejected',
  'kyc_record.resubmit_requested': 'Asked again',
  'kyc_record.assigned': 'Assigned',
  'kyc_document.upload_opened': 'Upload opened',
  'kyc_document.recorded': 'Document came',
  'kyc_document.reviewed': 'Document decided',
  'kyc_document.viewed': 'Document looked at',
};

/** The latest; all of them are in the log. */
const MOST = 12;

/** The words that were written come with the verification, the names of who did it with the log. */
export function drawLog(page: Look, { review, log }: Pick<ReviewFacts, 'review' | 'log'>): Html {
  const actors = new Map(log?.map((entry) => [entry.id, entry.actor]));
  const list = review.auditLogs.slice(0, MOST).map(({ id, action, actorId, details, createdAt }) => {
    const by = actors.get(id);
    const who: Drawn = by ? actor(page, by) : (actorId ?? 'the service');
    return html`<li><strong title="${action}">${WORDS[action] ?? actionWords(action)}</strong>${detailsOf(details)}<br><span class="muted"><bdi>${who}</bdi>, ${exactTime(page.format, createdAt)}</span></li>`;
  });
  const all =
    page.opens('/audit') &&
    html`<a href="${page.at('/audit', { targetKind: 'kyc_record', targetId: review.id })}">All entries</a>`;
  return card({
    title: 'Who did what',
    actions: all,
    body: list.length === 0 ? html`<p class="muted">Nothing was done yet.</p>` : html`<ul class="lines review-log">${list}</ul>`,
  });
}

function actionWords(action: string): string {
  const words = action.replace(/^kyc_/, '').replaceAll('_', ' ').replaceAll('.', ': ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function detailsOf(details: Readonly<Record<string, unknown>>): Html {
  const { documentType, to, reason, note } = details;
  const about = typeof documentType === 'string' && html`: ${documentWords(documentType)}`;
  const became = typeof to === 'string' && html`, ${to.replaceAll('_', ' ')}`;
  const written = [reason, note].filter((text) => typeof text === 'string');
  return html`${about}${became}${written.map((text) => html`<br>${isolated(text)}`)}`;
}
