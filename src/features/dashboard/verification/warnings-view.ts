/** What a reviewer must know before a decision: who else has it, who shares what, and whether the person has changed. */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Drawn, type Html, html, joined, nothing } from '../../../pages/html.ts';
import { actorName } from '../../../pages/parts/actor.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import { takeKyc } from '../../kyc/review/kyc-decisions-operations.ts';
import type { Review, ReviewFacts } from './review-facts.ts';

type Look = Pick<PageContext, 'at' | 'can' | 'form' | 'format' | 'person'>;
type Flag = Review['flags'][number];

/** Whether somebody else has the record now. */
export function isOthers({ person }: Pick<PageContext, 'person'>, { takenBy }: Pick<Review, 'takenBy'>): boolean {
  return takenBy !== null && takenBy.id !== person.id;
}

export function drawWarnings(page: Look, { review, names }: Pick<ReviewFacts, 'review' | 'names'>): Html {
  const { takenBy, takenUntil, provider, status, identityChanged, user } = review;
  const other = takenBy !== null && isOthers(page, review);
  const notes: Drawn[] = [
    other &&
      warning(
        html`<bdi>${actorName(takenBy)}</bdi> has taken this record${takenUntil !== null && html` until ${exactTime(page.format, takenUntil)}`}. You can decide all the same.`,
        page.can(takeKyc) &&
          page.form('take', { key: 'from', hidden: { from: 'yes' }, inline: true, submit: 'Take it over', tone: 'plain' }),
      ),
    identityChanged &&
      warning(
        'Who the member is was changed since the verification was submitted. Compare the documents with what is stated now.',
      ),
    provider === 'kycvendor' &&
      status === 'pending' &&
      warning('The vendor decides on this verification. A decision here takes its place, and needs a reason.'),
    provider === 'kycvendor' && decidedWords(review),
    !user.isActive && warning('The member is deactivated.'),
    ...review.flags.map((flag) => warning(flagWords(flag, names))),
  ];
  return html`${notes}`;
}

const DECISION = /^kyc_record\.(approved|rejected)$/;

/** Who has decided a verification at the vendor. */
function decidedWords({ status, auditLogs }: Review): Drawn {
  if (status !== 'approved' && status !== 'rejected') return nothing;
  const decision = auditLogs.find(({ action }) => DECISION.test(action));
  if (decision === undefined) return nothing;
  return decision.actorId === 'kycvendor'
    ? warning(html`The vendor has ${status} this verification. Asking again takes the place of its decision.`)
    : warning(html`It was ${status} here, in the place of the vendor.`);
}

function warning(words: Drawn, deed?: Drawn): Html {
  return html`<div class="notice notice-waiting review-warning"><p>${words}</p>${deed}</div>`;
}

function flagWords({ kind, userIds, more, found }: Flag, names: ReviewFacts['names']): Html {
  const who = joined(
    userIds.map((id) => html`<bdi>${names.link(id)}</bdi>`),
    ', ',
  );
  const others = html`${who}${more && ' and more'}`;
  if (kind === 'ID_NUMBER_SHARED') return html`The same ID number is stated by ${others}.`;
  if (kind === 'ACCOUNT_SHARED') return html`The same payout account is used by ${others}.`;
  return html`A payout account has another name${found !== null && html`: <bdi>${found}</bdi>`}.`;
}
