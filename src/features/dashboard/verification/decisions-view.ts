/** The decisions on a verification as a whole, each with what the member will read. */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import type { Field } from '../../../pages/parts/form.ts';
import { nameOf } from '../../../pages/parts/member-name.ts';
import { canMove, DOCUMENT_TYPES } from '../../kyc/open/kyc-states.ts';
import { whatMemberReads } from '../../kyc/open/what-member-reads.ts';
import { approveKyc, rejectKyc, requestKycResubmit } from '../../kyc/review/kyc-decisions-operations.ts';
import { documentWords } from './document-words.ts';
import { currentOf, missingOf } from './documents-view.ts';
import { REASON, reads, reasonFields, verb } from './reason-fields.ts';
import { DOCUMENT_REASONS, REJECT_REASONS } from './reasons.ts';
import type { Review } from './review-facts.ts';

type Look = Pick<PageContext, 'can' | 'form'>;

export function drawDecisions(page: Look, review: Review): Html {
  const { status } = review;
  const deeds = [
    page.can(approveKyc) &&
      canMove(status, 'approved') && { ...approval(page, review), id: 'approve', label: 'Approve…', key: 'Shift A', main: true },
    page.can(rejectKyc) &&
      canMove(status, 'rejected') && { ...rejection(page, review), id: 'reject', label: 'Reject…', key: 'Shift R', main: false },
    page.can(requestKycResubmit) &&
      canMove(status, 'resubmit_required') && {
        ...again(page, review),
        id: 'ask-again',
        label: 'Ask again…',
        key: 'Shift M',
        main: false,
      },
  ].filter((deed) => deed !== false);
  if (deeds.length === 0) {
    const why =
      status === 'not_started' || status === 'resubmit_required'
        ? 'The member is to send something in first.'
        : 'Your role does not decide on it.';
    return card({ title: 'Decision', body: html`<p class="muted">${why}</p>` });
  }
  const buttons = deeds.map(
    ({ id, label, key, main }) =>
      html`<span class="review-deed">${opensDialog(id, label, { main })} <kbd class="only-script">${key}</kbd></span>`,
  );
  const waits = html`<span class="review-waits" data-waits="record"></span>`;
  return card({
    title: 'Decision',
    body: html`<div class="review-decide">${buttons}${waits}</div>${deeds.map(({ id, title, body }) => dialog({ id, title, body }))}`,
  });
}

interface Deed {
  title: string;
  body: Html;
}

function approval(page: Look, review: Review): Deed {
  const { identityVersion, status, provider, documents, user } = review;
  const isVendors = provider === 'kycvendor';
  const missing = isVendors ? [] : missingOf(review);
  const current = currentOf(review).map(({ documentType }) => documentWords(documentType));
  const refused = documents.some((one) => !one.superseded && one.status === 'rejected');
  const note: Field = {
    name: 'note',
    label: isVendors ? 'Why you decide in the place of the vendor' : 'Note, for colleagues',
    type: 'textarea',
    required: isVendors,
    maxLength: 500,
  };
  return {
    title: `Approve ${nameOf(user)}?`,
    body: page.form('approve', {
      hidden: {
        documentIds: documents.map(({ id }) => id).join(' '),
        identityVersion: String(identityVersion),
        expectedStatus: status,
      },
      note: html`${(missing.length > 0 || refused) && html`<p>A required document is missing or refused, so this will be refused: ask for it again.</p>`}<p>Documents that nobody has decided on are accepted with it.</p>${current.length > 0 && html`<p data-unseen="">It names every document that this page lists, looked at or not: ${current.join('; ')}.</p>`}${reads(whatMemberReads('approve'))}`,
      fields: [note],
      submit: 'Approve',
      beside: verb('Approve'),
    }),
  };
}

function rejection(page: Look, { status, user }: Review): Deed {
  return {
    title: `Reject ${nameOf(user)}?`,
    body: page.form('reject', {
      hidden: { expectedStatus: status },
      note: reads(whatMemberReads('reject', REASON)),
      fields: reasonFields(REJECT_REASONS),
      submit: 'Reject',
      tone: 'danger',
      beside: verb('Reject'),
    }),
  };
}

function again(page: Look, { status, provider, user }: Review): Deed {
  const papers: Field = {
    name: 'documents',
    label: 'Documents that must come again',
    type: 'checkboxes',
    choices: DOCUMENT_TYPES.map((value) => ({ value, label: documentWords(value) })),
    hint: 'None: whatever is refused or missing.',
  };
  return {
    title: `Ask ${nameOf(user)} again?`,
    body: page.form('askAgain', {
      hidden: { expectedStatus: status },
      note: reads(whatMemberReads('resubmit', REASON)),
      fields: [provider === 'manual' && papers, ...reasonFields(DOCUMENT_REASONS)],
      submit: 'Ask again',
      beside: verb('Ask again'),
    }),
  };
}
