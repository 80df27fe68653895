/** Attribution of purchases and leads: what is read, the rule, and the receipt that keeps both. Source: api-decisions §4. */
import type { Db, Scope } from '../../db/frame.ts';
import type { ClickIds } from '../referrals/click-ids.ts';
import { type CandidatesQuery, type FoundCandidates, readCandidates } from './candidates-queries.ts';
import { type Attribution, type AttributionInput, type Candidate, decideAttribution } from './decide-attribution.ts';

/** As it was sent: a click id is text that a browser brought back. */
export interface AttributionQuery extends Omit<CandidatesQuery, 'clickId'> {
  clickId: string | null;
  buyerId: string | null;
}

export interface DecidedAttribution extends Pick<FoundCandidates, 'emailMemberId' | 'leadExpiryDays'> {
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
      const { emailMemberId, leadExpiryDays } = found;
      return { input, attribution: decideAttribution(input), emailMemberId, leadExpiryDays };
    },
  };
}

/** Stands in a receipt for what is neither a click id nor a code by its form. */
const OTHER_TEXT = '(other text)';

function unusableClick(clickId: string, state: 'invalid' | 'other_environment'): Candidate {
  return { source: 'click', reference: clickId, state, memberId: null, memberActive: null, at: null, named: true };
}

/**
 * What nothing of ours has as its name may be anything, another party's click id or an address among them, and a
 * receipt is kept for good: only what has the form of our names is kept in it.
 */
function withoutStrangeText(candidate: Candidate): Candidate {
  const { source, state, reference } = candidate;
  const isStrange =
    (source === 'click' && state === 'invalid' && !/^ck_[\w-]{43}$/.test(reference)) ||
    (source === 'referral_code' && state === 'unknown' && !/^[A-Z0-9-]{3,32}$/.test(reference));
  return isStrange ? { ...candidate, reference: OTHER_TEXT } : candidate;
}
