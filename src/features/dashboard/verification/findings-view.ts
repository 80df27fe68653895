/** What the member stated, field by field, beside what the vendor or the payout accounts say. */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { chip, stateChip } from '../../../pages/parts/chips.ts';
import { documentWords } from './document-words.ts';
import type { Findings, Review } from './review-facts.ts';

type Look = Pick<PageContext, 'here'>;
type Field = Findings['fields'][number];

const FIELDS: readonly [Field['field'], string][] = [
  ['givenName', 'Given name'],
  ['surname', 'Surname'],
  ['dateOfBirth', 'Born'],
  ['countryCode', 'Country'],
  ['idNumber', 'ID number'],
];

const SOURCES: Readonly<Record<Findings['source'], string>> = {
  kycvendor: 'Found by the vendor',
  accounts: 'On payout accounts',
  none: 'Found',
};

/** `findings` are undefined while they are asked for; without a script the link asks. */
export function drawFindings(page: Look, review: Review, findings: Findings | undefined): Html {
  const asks = page.here({ findings: 'yes' });
  const rows = FIELDS.map(([field, label]) => {
    const found = findings?.fields.find((one) => one.field === field);
    return html`<tr><th scope="row">${label}</th><td><bdi class="break">${found?.stated ?? statedOf(review, field) ?? '–'}</bdi></td><td><bdi class="break">${found?.found ?? '–'}</bdi>${found && markOf(found)}</td></tr>`;
  });
  const head = findings ? SOURCES[findings.source] : 'Found';
  const open = findings === undefined && html`<p class="muted"><a href="${asks}">Ask the vendor what it has found</a></p>`;
  const address = findings === undefined && html` data-href="${asks}"`;
  return html`<div id="findings"${address}><section class="scroll" tabindex="0" aria-label="Stated and found"><table class="table review-compare"><caption class="unseen">What was stated beside what was found</caption><thead><tr><th scope="col">What</th><th scope="col">Stated</th><th scope="col">${head}</th></tr></thead><tbody>${rows}</tbody></table></section>${open}${findings && drawVerdicts(findings)}</div>`;
}

function markOf({ matches }: Field): Html | undefined {
  if (matches === null) return undefined;
  return html` ${matches ? chip('same', 'good') : chip('differs', 'bad')}`;
}

function statedOf({ user }: Review, field: Field['field']): string | null {
  if (field === 'idNumber') return user.idNumberLastFour === null ? null : `…${user.idNumberLastFour}`;
  return user[field];
}

function drawVerdicts({ documents, words, rejectLabels }: Findings): Html {
  const list = documents.map(
    ({ documentType, verdict, words: why }) =>
      html`<li>${documentWords(documentType.toLowerCase())} ${stateChip(verdict)}${why !== null && html` <span class="muted">${why}</span>`}</li>`,
  );
  return html`${words !== null && html`<p class="review-found"><bdi>${words}</bdi></p>`}${list.length > 0 && html`<ul class="lines review-found">${list}</ul>`}${rejectLabels.length > 0 && html`<p class="muted">${rejectLabels.map((one) => one.replaceAll('_', ' ').toLowerCase()).join(', ')}</p>`}`;
}
