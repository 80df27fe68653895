/** The documents of a verification: a list to choose from, and two of them side by side. */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { chip, stateChip } from '../../../pages/parts/chips.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import { ago } from '../../../pages/parts/time.ts';
import { REQUIRED_DOCUMENTS } from '../../kyc/open/kyc-states.ts';
import { whatMemberReads } from '../../kyc/open/what-member-reads.ts';
import { reviewKycDocument } from '../../kyc/review/kyc-decisions-operations.ts';
import { documentWords, sizeWords } from './document-words.ts';
import { REASON, reads, reasonFields, verb } from './reason-fields.ts';
import { DOCUMENT_REASONS } from './reasons.ts';
import type { DocumentUrl, Review, ReviewDocument, ReviewFacts } from './review-facts.ts';

type Look = Pick<PageContext, 'at' | 'can' | 'form' | 'format' | 'here' | 'query'>;

const ORDER = REQUIRED_DOCUMENTS.map(({ documentType }) => documentType);

/** Those that count, in the order of their keys. */
export function currentOf({ documents }: Pick<Review, 'documents'>): ReviewDocument[] {
  return documents
    .filter(({ superseded }) => !superseded)
    .toSorted((a, b) => ORDER.indexOf(a.documentType) - ORDER.indexOf(b.documentType));
}

/** What must be shown and is not there. */
export function missingOf(review: Pick<Review, 'documents'>): string[] {
  const there = new Set(currentOf(review).map(({ documentType }) => documentType));
  return REQUIRED_DOCUMENTS.filter(({ required, documentType }) => required && !there.has(documentType)).map(
    ({ label }) => label,
  );
}

export function drawDocuments(page: Look, { review, shown }: Pick<ReviewFacts, 'review' | 'shown'>): Html {
  const current = currentOf(review);
  const former = review.documents.filter(({ superseded }) => superseded).toReversed();
  if (review.documents.length === 0) {
    const why =
      review.provider === 'manual' ? 'The member has sent nothing in yet.' : 'The vendor has the documents of this verification.';
    return card({ title: 'Documents', body: html`<p class="muted">${why}</p>` });
  }
  const missing = missingOf(review);
  const list = current.map((one, nr) => drawRow(page, one, { number: nr + 1, decides: review.status === 'pending' }));
  const before = former.map((one) => drawRow(page, one, { decides: false }));
  const tabs = current.map((one, nr) => showLink(page, one, nr + 1));
  const panes = [0, 1].map((at) => drawPane(at, [...shown].at(at), review));
  return card({
    title: 'Documents',
    body: html`<nav class="tabs review-tabs" aria-label="Documents">${tabs}</nav>${missing.length > 0 && html`<p class="review-missing">${chip('missing', 'bad')} ${missing.join('; ')}</p>`}<div class="review-panes">${panes}</div><ol class="review-papers">${list}</ol>${before.length > 0 && html`<details class="review-former"><summary>Sent in before (${before.length})</summary><ol class="review-papers">${before}</ol></details>`}`,
  });
}

interface Row {
  /** The key that chooses it; a document that another has replaced has none. */
  number?: number;
  decides: boolean;
}

function drawRow(page: Look, one: ReviewDocument, { number, decides }: Row): Html {
  const { id, documentType, fileName, fileSize, mimeType, status, rejectionReason, malwareScan, createdAt } = one;
  const label = documentWords(documentType);
  const can = decides && page.can(reviewKycDocument);
  const refusal = `refuse-${id}`;
  const deeds =
    can &&
    html`${page.form('accept', { key: id, hidden: { documentId: id }, inline: true, submit: 'Accept', tone: 'plain', beside: verb('Accept') })}${opensDialog(refusal, 'Refuse…')}`;
  return html`<li data-document="${id}" data-number="${number ?? ''}" data-mime="${mimeType}" data-label="${label}" data-open="${status === 'uploaded' ? 'yes' : 'no'}"><div class="review-paper">${number === undefined ? showLink(page, one) : html`<strong>${number} ${label}</strong>`} ${stateChip(status)} <span class="review-waits" data-waits="${id}"></span></div><div class="review-file muted"><bdi class="break">${fileName}</bdi>, ${sizeWords(fileSize)}, ${ago(page.format, createdAt)}${malwareScan === 'not_scanned' && ', not scanned for malware'} · <a href="${page.here({ save: id, show: undefined })}">Save</a></div>${rejectionReason !== null && html`<p class="review-reason">${rejectionReason}</p>`}<div class="review-deeds">${deeds}</div>${can && refuseDialog(page, one, { id: refusal, label })}</li>`;
}

/** Without script the page is drawn again with this one, beside the one that was shown last. */
function showLink(page: Look, { id, documentType }: ReviewDocument, number?: number): Html {
  const others = (page.query['show'] ?? '').split('.').filter((other) => other !== '' && other !== id);
  const href = page.here({ show: [...others.slice(-1), id].join('.') });
  return html`<a href="${href}" data-show="${id}">${number !== undefined && html`<kbd>${number}</kbd> `}${documentWords(documentType)}</a>`;
}

function refuseDialog(page: Look, { id: documentId }: ReviewDocument, { id, label }: { id: string; label: string }): Html {
  return dialog({
    id,
    title: `Refuse: ${label}`,
    body: page.form('refuse', {
      key: documentId,
      hidden: { documentId },
      note: reads(whatMemberReads('reject', REASON), ' beside this document'),
      fields: reasonFields(DOCUMENT_REASONS),
      submit: 'Refuse the document',
      tone: 'danger',
      beside: verb('Refuse'),
    }),
  });
}

/** Empty until a document is shown in it: by a script, or by its address. */
function drawPane(at: number, shown: [string, DocumentUrl] | undefined, { documents }: Review): Html {
  const one = documents.find(({ id }) => id === shown?.[0]);
  const label = one ? documentWords(one.documentType) : '';
  const [, file] = shown ?? [];
  const drawn =
    file &&
    (file.mimeType === 'application/pdf'
      ? html`<p class="review-words">A PDF is drawn with JavaScript only. Save it and look at it elsewhere.</p>`
      : html`<img src="${file.url}" alt="${label}">`);
  const button = (act: string, word: string, sign: string): Html =>
    html`<button type="button" class="only-script review-tool" data-view="${act}" aria-label="${word}" title="${word}">${sign}</button>`;
  const pages = html`<span class="review-pages" data-pages="" hidden>${button('previous', 'Page before', '‹')}<span data-page-of=""></span>${button('next', 'Next page', '›')}</span>`;
  return html`<figure class="review-pane" data-pane="${at}"${!drawn && html` hidden`}><figcaption><span data-caption="">${label}</span><span class="review-tools">${pages}${button('out', 'Smaller', '−')}${button('in', 'Larger', '+')}${button('turn', 'Turn to the right', '↻')}</span></figcaption><section class="review-box" data-box="" tabindex="0" aria-label="${`Document ${at + 1}`}">${drawn}</section></figure>`;
}
