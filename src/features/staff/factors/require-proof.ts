/** What a change of the own second factors takes. Source: docs/specification/people-factors.md#changes. */
import type { Db, Scope } from '../../../db/scope.ts';
import type { Caller } from '../../../http/operation.ts';
import { requireFreshFactor } from '../../../http/step-up.ts';
import { requireRecentSignIn } from '../recent-sign-in.ts';
import { findBegun } from '../sessions-queries.ts';
import { type FactorCounts, hasFactor } from './factors-queries.ts';

interface Proving {
  scope: Scope;
  staffId: string;
  sessionId: string;
  counts: FactorCounts;
  /** Whether a sign-in by a recovery code just now will do: whoever lost the factor sets up another by it. */
  byCode: boolean;
}

/**
 * Of who has a factor: a fresh one, else STEP_UP_REQUIRED. Of who has none: a sign-in of just now, else UNAUTHORIZED; a
 * stolen cookie alone gets no factor, and with it no step-up.
 */
export async function requireProof(db: Db, caller: Caller, { scope, counts, byCode, ...of }: Proving): Promise<void> {
  if (!hasFactor(counts)) return requireRecentSignIn(db, scope, of, 'Your first second factor');
  if (caller.hasFreshFactor !== true && byCode) {
    const begun = await findBegun(db, scope, of);
    if (begun?.isRecent && begun.byRecoveryCode) return;
  }
  requireFreshFactor(caller, 'A change of your second factors');
}
