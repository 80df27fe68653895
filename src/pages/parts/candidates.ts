/** Whom a sale, a lead or a new member could have been credited to, and why each lost. */
import type { PageContext } from '../define-page.ts';
import { type Html, html } from '../html.ts';
import { chip, label } from './chips.ts';
import { shortId } from './id.ts';
import type { MemberNames } from './member-names.ts';
import { exactTime } from './time.ts';

/** As receipts and explanations have them. */
export interface Candidate {
  source: string;
  reference: string;
  user_id: string | null;
  at: string | Date | null;
  outcome: 'won' | 'lost';
  message: string | null;
}

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

/** What credited somebody, as a person says it. */
export function ruleInWords(rule: string | null): string {
  return rule === null ? '–' : (RULES[rule] ?? rule.replaceAll('_', ' '));
}

type Look = Pick<PageContext, 'at' | 'can' | 'format'>;

export function drawCandidates(
  page: Look,
  { candidates, names }: { candidates: readonly Candidate[]; names: MemberNames },
): Html {
  if (candidates.length === 0) return html`<p class="muted">Nobody was named, and nothing was known of the customer.</p>`;
  return html`<ol class="candidates">${candidates.map((one) => drawCandidate(page, one, names))}</ol>`;
}

function drawCandidate(page: Look, { source, reference, user_id, at, outcome, message }: Candidate, names: MemberNames): Html {
  const verdict = outcome === 'won' ? chip('won', 'good') : chip('lost', 'neutral');
  const named = reference === user_id ? undefined : namedBy(page, source, reference);
  const when = at === null ? undefined : exactTime(page.format, at);
  const below = (named ?? when) && html`<div class="muted">${named}${named && when && ', '}${when}</div>`;
  return html`<li><div class="candidates-what">${verdict}${label(ruleInWords(source))}<bdi>${names.link(user_id)}</bdi></div>${below}${message !== null && html`<p class="rung-why">${message}</p>`}</li>`;
}

/** A link or a lead leads to it; a code and a click have no page of their own. */
function namedBy({ at, can }: Look, source: string, reference: string): Html {
  const text = html`<code class="break" title="${reference}">${shortId(reference)}</code>`;
  if (source === 'link' && can('referrals:read')) return html`<a href="${at(`/links/${reference}`)}">${text}</a>`;
  if (source === 'lead' && can('leads:read')) return html`<a href="${at(`/leads/${reference}`)}">${text}</a>`;
  return text;
}
