/** Whom a sale, a lead or a new member could have been credited to, and why each lost. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { chip, label } from '../../../pages/parts/chips.ts';
import { shortId } from '../../../pages/parts/id.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import type { getReceipt } from '../../attribution/receipts-operations.ts';

export type Candidate = AnswerOf<typeof getReceipt>['candidates'][number];

const RULES: Readonly<Record<string, string>> = {
  standing: 'its referrer already',
  explicit_user: 'named in the request',
  referral_code: 'referral code',
  link: 'link',
  first_referrer: 'first referrer of the customer',
  lead: 'lead',
  click: 'click',
  personal_purchase: 'own purchase',
  none: 'nobody',
};

export function ruleInWords(rule: string | null): string {
  return rule === null ? '–' : (RULES[rule] ?? rule.replaceAll('_', ' '));
}

export function drawCandidates(
  page: Pick<PageContext, 'at' | 'can' | 'format'>,
  { candidates, names }: { candidates: readonly Candidate[]; names: MemberNames },
): Html {
  if (candidates.length === 0) return html`<p class="muted">Nobody was named, and nothing was known of the customer.</p>`;
  return html`<ol class="candidates">${candidates.map((one) => drawCandidate(page, one, names))}</ol>`;
}

function drawCandidate(
  page: Pick<PageContext, 'at' | 'can' | 'format'>,
  { source, reference, user_id, at, outcome, message }: Candidate,
  names: MemberNames,
): Html {
  const won = outcome === 'won';
  const verdict = won ? chip('won', 'good') : chip('lost', 'neutral');
  const named = reference === user_id ? undefined : namedBy(page, source, reference);
  const when = at === null ? undefined : html`<span class="muted">${exactTime(page.format, at)}</span>`;
  return html`<li><div class="candidates-what">${verdict}${label(ruleInWords(source))}${names.link(user_id)}</div><div class="muted">${named}${named && when && ', '}${when}</div>${message !== null && html`<p class="rung-why">${message}</p>`}</li>`;
}

/** A link or a lead leads to it; a code and a click have no page of their own. */
function namedBy({ at, can }: Pick<PageContext, 'at' | 'can'>, source: string, reference: string): Html {
  const text = html`<code title="${reference}">${shortId(reference)}</code>`;
  if (source === 'link' && can('referrals:read')) return html`<a href="${at(`/links/${reference}`)}">${text}</a>`;
  if (source === 'lead' && can('leads:read')) return html`<a href="${at(`/leads/${reference}`)}">${text}</a>`;
  return text;
}
