/** One verification as a document: the queue on the left, documents in the middle, what was stated on the right. */
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { auditOf } from '../../../pages/parts/actor.ts';
import { card } from '../../../pages/parts/card.ts';
import { label, stateChip } from '../../../pages/parts/chips.ts';
import { eventsOf } from '../../../pages/parts/events-of.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { id } from '../../../pages/parts/id.ts';
import { drawnName, isolated, nameOf } from '../../../pages/parts/member-name.ts';
import { dateOf, exactTime } from '../../../pages/parts/time.ts';
import { assignKyc, releaseKyc, takeKyc } from '../../kyc/review/kyc-decisions-operations.ts';
import { drawDecisions } from './decisions-view.ts';
import { documentWords, waitedWords } from './document-words.ts';
import { drawDocuments } from './documents-view.ts';
import { drawFindings } from './findings-view.ts';
import { drawLog } from './log-view.ts';
import { kept } from './queue-query.ts';
import type { Review, ReviewFacts } from './review-facts.ts';
import { providerWords } from './verification-view.ts';
import { drawWarnings, isOthers } from './warnings-view.ts';

const KEYS: readonly [string, string][] = [
  ['1 2 3 4', 'Choose a document'],
  ['a', 'Accept the document'],
  ['x', 'Refuse the document; a figure chooses the reason'],
  ['Shift A', 'Approve'],
  ['Shift R', 'Reject'],
  ['Shift M', 'Ask again'],
  ['u', 'Undo, within ten seconds'],
  ['n', 'Next record'],
  ['+ -', 'Larger, smaller'],
  ['r', 'Turn to the right'],
  ['[ ]', 'Page before, next page'],
];

export function drawReview(page: PageContext, read: ReviewFacts): PageView {
  const { at } = page;
  const { review } = read;
  const { user, status, provider, takenBy } = review;
  const takes = status === 'pending' && page.can(takeKyc) && !isOthers(page, review);
  const next = nextOf(read);
  const member = at(`/members/${user.id}`);
  return {
    title: nameOf(user),
    lead: html`${isolated(user.email)} ${stateChip(status)} ${label(providerWords(provider))} <span>for ${waitedWords(review.waitingSeconds)}</span>`,
    crumbs: [{ label: 'Verification', href: at('/verification', kept(page)) }],
    crumb: id(review.id),
    actions: html`${eventsOf(page, review.id)}${auditOf(page, 'kyc_record', review.id)}${page.opens(`/members/${user.id}`) && html`<a class="button" href="${member}">Member and accounts</a>`}${next !== undefined && html`<a class="button button-main" data-record="${next}" href="${at(`/verification/${next}`, kept(page))}">Next</a>`}`,
    scripts: ['review'],
    body: html`<div data-review="${review.id}" data-name="${nameOf(user)}" data-takes="${takes ? 'yes' : 'no'}">${drawWarnings(page, read)}<div class="review-grid">${drawQueue(page, read)}<div class="stack review-middle">${drawDocuments(page, read)}${drawDecisions(page, review)}</div><div class="stack review-side">${drawStated(page, read)}${drawDesk(page, review, { isMine: takenBy?.id === page.person.id, takes })}${drawLog(page, read)}</div></div>${drawKeys()}</div>`,
  };
}

/** The one behind this one on the list, else the first of it. */
function nextOf({ queue, review }: ReviewFacts): string | undefined {
  const here = queue.findIndex((one) => one.id === review.id);
  return (queue[here + 1] ?? queue.find((one) => one.id !== review.id))?.id;
}

function drawQueue(page: PageContext, { queue, review }: ReviewFacts): Html {
  const rows = queue.map(({ id: record, user, waitingSeconds, assignedTo }) => {
    const isHere = record === review.id;
    const href = page.at(`/verification/${record}`, kept(page));
    return html`<li><a data-record="${record}" href="${href}"${isHere && html` aria-current="page"`}><span class="break">${drawnName(user)}</span></a><div class="muted">${waitedWords(waitingSeconds)}${assignedTo !== null && html`, <bdi class="break">${assignedTo}</bdi>`}</div></li>`;
  });
  return html`<nav class="card review-queue" data-queue="" aria-label="Queue"><h2>Next</h2>${rows.length === 0 ? html`<p class="muted">Nothing else waits that nobody has taken.</p>` : html`<ol>${rows}</ol>`}</nav>`;
}

function drawStated(page: PageContext, { review, findings }: ReviewFacts): Html {
  const { user, requestedDocuments, rejectionReason, verifiedAt, expiresAt } = review;
  const place = user.address;
  const lines = [place?.line, place?.postalCode, place?.city].filter((one) => typeof one === 'string' && one !== '');
  const more = facts([
    user.name !== null && { name: 'Shown as', value: isolated(user.name) },
    user.businessName !== null && { name: 'Business', value: isolated(user.businessName) },
    lines.length > 0 && { name: 'Address', value: isolated(lines.join(', ')) },
    { name: 'Tier', value: label(user.membershipTier) },
    rejectionReason !== null && { name: 'Because', value: isolated(rejectionReason) },
    requestedDocuments.length > 0 && { name: 'Must come again', value: requestedDocuments.map(documentWords).join('; ') },
    verifiedAt !== null && { name: 'Verified', value: dateOf(page.format, verifiedAt) },
    expiresAt !== null && { name: 'Good until', value: dateOf(page.format, expiresAt) },
  ]);
  const whole =
    page.can('identity:read') &&
    user.idNumberLastFour !== null &&
    html`<p><a href="${page.at(`/members/${user.id}`)}">The whole ID number</a> is in the member’s profile.</p>`;
  return card({
    title: 'Stated and found',
    body: html`${drawFindings(page, review, findings)}<div class="review-more">${more}${whole}</div>`,
  });
}

interface Desk {
  isMine: boolean;
  /** A script takes the record when it is opened, and shows then what stands there hidden. */
  takes: boolean;
}

/** Whose record it is: for a quarter of an hour, and for good. */
function drawDesk(page: PageContext, { takenUntil, assignedTo }: Review, { isMine, takes }: Desk): Html {
  const assign = page.form('assign', {
    fields: [{ name: 'assignee', label: 'Assigned to', value: assignedTo, maxLength: 200 }],
    submit: 'Assign',
    tone: 'plain',
  });
  const me = page.person.email;
  const toMe =
    assignedTo !== me &&
    page.form('assign', { key: 'me', hidden: { assignee: me }, inline: true, submit: 'Assign to me', tone: 'plain' });
  const release = page.can(releaseKyc) && page.form('release', { inline: true, submit: 'Release', tone: 'plain' });
  const mine = html`<p>You have this record${takenUntil === null ? ' for 15 minutes' : html` until ${exactTime(page.format, takenUntil)}`}.</p>${release}`;
  const free = page.form('take', { inline: true, submit: 'Take for 15 minutes', tone: 'plain' });
  const taken = isMine
    ? html`<div>${mine}</div>`
    : html`<div data-desk="free">${free}</div>${takes && html`<div data-desk="taken" hidden>${mine}</div>`}`;
  return card({
    title: 'Who reviews it',
    body: html`<div class="review-desk">${taken}${page.can(assignKyc) && html`${assign}${toMe}`}</div>`,
  });
}

/** The list of all keys, which `?` opens, has these too. */
function drawKeys(): Html {
  const list = KEYS.map(([keys, what]) => html`<div data-page-key="${keys}"><dt><kbd>${keys}</kbd></dt><dd>${what}</dd></div>`);
  return html`<details class="only-script review-keys"><summary>Keys</summary><dl class="keys">${list}</dl></details>`;
}
