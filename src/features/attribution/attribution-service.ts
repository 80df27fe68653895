/**
 * Attribution of purchases and leads: what is read, the rule, and the receipt that keeps both.
 * Source: docs/specification/attribution.md#order.
 */
import type { Db, Scope } from '../../db/scope.ts';
import type { ClickIds } from '../referrals/open/click-ids.ts';
import { type CandidatesQuery, type FoundCandidates, readCandidates, readCandidatesOfMany } from './candidates-queries.ts';
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
  /** The same of many purchases, in their order; one statement for all. */
  decideMany(db: Db, scope: Scope, purchases: readonly PurchaseQuery[]): Promise<DecidedAttribution[]>;
}

export type PurchaseQuery = Omit<AttributionQuery, 'subject'>;

export function createAttributionService({ clickIds }: { clickIds: ClickIds }): AttributionService {
  /** What is read of a query, and how it is decided on what was found. */
  function opened(scope: Scope, query: AttributionQuery) {
    const { buyerId, clickId, ...rest } = query;
    const click = clickId === null ? undefined : clickIds.open(scope, clickId);
    return {
      candidates: { ...rest, clickId: click && 'id' in click ? click.id : null },
      decide(found: FoundCandidates): DecidedAttribution {
        const candidates = [...found.candidates];
        if (click && 'fault' in click && clickId !== null) candidates.push(unusableClick(clickId, click.fault));
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

  return {
    async decide(db, scope, query) {
      const { candidates, decide } = opened(scope, query);
      return decide(await readCandidates(db, scope, candidates));
    },

    async decideMany(db, scope, purchases) {
      const asked = purchases.map((query) => opened(scope, { ...query, subject: 'purchase' }));
      const found = await readCandidatesOfMany(
        db,
        scope,
        asked.map(({ candidates }) => candidates),
      );
      return asked.map(({ decide }, n) => decide(found[n] as FoundCandidates));
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
