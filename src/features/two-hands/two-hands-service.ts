/** Whether two acts are by two pairs of hands. Source: docs/specification/two-hands.md. */
import { type ActorKind, actorRef } from '../../actor.ts';
import type { Db, Scope, WriteDb } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { Caller } from '../../http/operation.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { TIE_DAYS, type TieReason } from './open/approval-tie.ts';
import { twoHandsErrors } from './open/two-hands-errors.ts';
import type { TwoHandsRule } from './open/two-hands-rule.ts';
import {
  type ApprovalTie,
  areSameHands,
  insertTie,
  lockTie,
  readRule,
  readRuleOfTies,
  storeConfirmed,
} from './two-hands-queries.ts';

/** Whose act it was, as `actorRef`s. */
export interface Hands {
  /** Of the key that was used; of a person the person. */
  root: string;
  actor: string;
}

type AskingRule = Exclude<TwoHandsRule, 'none'>;

export interface TwoHands {
  /** The rule of the environment: `none` without dual control. */
  readRule(db: Db, scope: Scope): Promise<TwoHandsRule>;
  /**
   * SECOND_PERSON_REQUIRED unless `second` is another pair of hands than the first, as the rule tells them apart. What
   * nobody in particular did first, as the system does, nobody can be the second for.
   */
  requireSecondPair(db: WriteDb, second: Caller, first: Hands, rule: AskingRule): Promise<void>;
  /**
   * From now on the person counts as whoever calls, for seven days. Undefined when it is the caller's own hands.
   * Persons are of the tenant and not of an environment, so ties are of LIVE frames alone.
   */
  recordTie(db: WriteDb, by: Caller, person: { subject: string; reason: TieReason }): Promise<ApprovalTie | undefined>;
  /**
   * A third person ends a tie. NOT_FOUND; STATE_CONFLICT when it has ended already; SECOND_PERSON_REQUIRED for the person
   * itself, for whom it counts as, and for whoever counts as either.
   */
  confirmTie(db: WriteDb, third: Caller, tieId: string): Promise<void>;
}

export function createTwoHands(): TwoHands {
  /** SECOND_PERSON_REQUIRED unless the caller is none of the others, and no hands of theirs. */
  async function requireOtherHands(db: Db, caller: Caller, others: readonly string[], rule: AskingRule): Promise<void> {
    const { actor } = caller.provenance;
    if (caller.member !== undefined || !hasHands(actor.kind)) throw refusal('a key of the tenant, or a person');
    if (rule === 'persons' && (actor.kind !== 'staff' || caller.hasFreshFactor !== true)) {
      throw refusal('another person, who has just given a second factor; a key is no person');
    }
    if (await areSameHands(db, caller, others, [caller.root, actorRef(actor)])) {
      throw refusal(
        rule === 'persons' ? 'another person' : 'a key of another root, which the operator makes by the command `key create`',
      );
    }
  }

  return {
    readRule,

    async requireSecondPair(db, second, first, rule) {
      const firsts = [first.root, first.actor];
      if (!firsts.every((ref) => hasHands(ref.split(':')[0]))) throw refusal('a first pair, and nobody in particular began this');
      await requireOtherHands(db, second, firsts, rule);
    },

    async recordTie(db, by, { subject, reason }) {
      if (by.environment !== 'LIVE') throw new Error('ties between persons are of LIVE');
      if (subject === by.root) return undefined;
      const tie = await insertTie(db, by, { subject, countsAs: by.root, reason, days: TIE_DAYS });
      await recordAudit(db, by, {
        action: 'approval_tie.recorded',
        by: by.provenance,
        objectKind: 'approval_tie',
        objectId: tie.id,
        details: { subject, countsAs: tie.countsAs, reason, until: tie.until },
      });
      return tie;
    },

    async confirmTie(db, third, tieId) {
      const tie = await lockTie(db, third, tieId);
      if (!tie) throw new AppError('NOT_FOUND', 'No such tie');
      if (!tie.counts) throw new AppError('STATE_CONFLICT', `The tie ${tie.confirmedBy === null ? 'has ended' : 'is confirmed'}`);
      await requireOtherHands(db, third, [tie.subject, tie.countsAs], await readRuleOfTies(db, third));
      await storeConfirmed(db, third, tieId, actorRef(third.provenance.actor));
      await recordAudit(db, third, {
        action: 'approval_tie.confirmed',
        by: third.provenance,
        objectKind: 'approval_tie',
        objectId: tieId,
        details: { subject: tie.subject, countsAs: tie.countsAs, reason: tie.reason },
      });
    },
  };
}

/** Who can be one of the two. */
function hasHands(kind: string | undefined): boolean {
  return (['api_key', 'staff'] satisfies ActorKind[] as string[]).includes(kind ?? '');
}

function refusal(who: string): AppError {
  return new AppError(twoHandsErrors.SECOND_PERSON_REQUIRED, `Dual control: this takes ${who}`);
}
