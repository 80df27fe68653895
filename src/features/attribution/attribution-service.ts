/**
 * Attribution of purchases and leads: what is read, the rule, and the receipt that keeps both.
 * Source: docs/specification/attribution.md#order.
 */
import type { Db, Scope } from '../../db/scope.ts';
import type { ClickIds } from '../referrals/open/click-ids.ts';
import { type CandidatesQuery, type FoundCandidates, readCandidates } from './candidates-queries.ts';
import { type Attribution, type AttributionInput, type Candidate, decideAttribution } from './open/decide-attribution.ts';
import { clickReferenceOf, codeReferenceOf } from './open/reference-text.ts';

/** As it was sent: a click id is text that a browser brought back. */
export interface AttributionQuery extends Omit<CandidatesQuery, 'clickId'> {
  clickId: string | null;
  buyerId: string | null;
}

export interface DecidedAttribution extends Pick<FoundCandidates, 'emailMemberId' | 'isEmailOfTestUser' | 'leadExpiryDays'> {
  input: AttributionInput;
  attribution: Attribution;
}

export interface AttributionService {
  /** Reads whom it could be credited to and decides. One statement; it may travel with others of the same tick. */
  decide(db: Db, scope: Scope, query: AttributionQuery): Promise<DecidedAttribution>;
}

export function createAttributionService({ clickIds }: { clickIds: ClickIds }): AttributionService {
  return {
    async decide(db, scope, { buyerId, clickId, ...query }) {
      const opened = clickId === null ? undefined : clickIds.open(scope, clickId);
      const found = await readCandidates(db, scope, { ...query, clickId: opened && 'id' in opened ? opened.id : null });
      const candidates = [...found.candidates];
      if (opened && 'fault' in opened && clickId !== null) candidates.push(unusableClick(clickId, opened.fault));
      const input: AttributionInput = {
        subject: query.subject,
        asOf: found.asOf,
        model: found.model,
        windowDays: found.windowDays,
        buyerId,
        selfId: query.subject === 'lead' ? found.emailMemberId : null,
        candidates: candidates.map(withoutStrangeText),
      };
      const { emailMemberId, isEmailOfTestUser, leadExpiryDays } = found;
      return { input, attribution: decideAttribution(input), emailMemberId, isEmailOfTestUser, leadExpiryDays };
    },
  };
}

function unusableClick(clickId: string, state: 'invalid' | 'other_environment'): Candidate {
  return { source: 'click', reference: clickId, state, memberId: null, memberActive: null, at: null, named: true };
}

function withoutStrangeText(candidate: Candidate): Candidate {
  const { source, state, reference } = candidate;
  if (source === 'click' && state === 'invalid') return { ...candidate, reference: clickReferenceOf(reference) };
  if (source === 'referral_code' && state === 'unknown') return { ...candidate, reference: codeReferenceOf(reference) };
  return candidate;
}
