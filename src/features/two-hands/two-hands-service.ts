/** Whether two acts are by two pairs of hands. Source: docs/specification/two-hands.md. */
import { actorRef } from '../../actor.ts';
import type { Db, Scope, WriteDb } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { Caller } from '../../http/operation.ts';
import { twoHandsErrors } from './open/two-hands-errors.ts';
import type { TwoHandsRule } from './open/two-hands-rule.ts';
import { readRule } from './two-hands-queries.ts';

/** Whose act it was, as `actorRef`s. */
export interface Hands {
  /** Of the key that was used; of a person the person. */
  root: string;
  actor: string;
}

export interface TwoHands {
  /** The rule of the environment: `none` without dual control. */
  readRule(db: Db, scope: Scope): Promise<TwoHandsRule>;
  /** SECOND_PERSON_REQUIRED unless `second` is another pair of hands than the first, as the rule tells them apart. */
  requireSecondPair(db: WriteDb, second: Caller, first: Hands, rule: Exclude<TwoHandsRule, 'none'>): Promise<void>;
}

export function createTwoHands(): TwoHands {
  return {
    readRule,

    async requireSecondPair(_db, second, first, rule) {
      const { actor } = second.provenance;
      if (second.member !== undefined || (actor.kind !== 'api_key' && actor.kind !== 'staff'))
        throw refusal('a key, or a person');
      if (rule === 'persons' && (actor.kind !== 'staff' || second.hasFreshFactor !== true)) {
        throw refusal('another person, who has just given a second factor; a key is none');
      }
      const firsts = [first.root, first.actor];
      if ([second.root, actorRef(actor)].some((one) => firsts.includes(one))) {
        throw refusal(rule === 'persons' ? 'another person' : 'a key of another root');
      }
    },
  };
}

function refusal(who: string): AppError {
  return new AppError(twoHandsErrors.SECOND_PERSON_REQUIRED, `Dual control: this takes ${who}`);
}
