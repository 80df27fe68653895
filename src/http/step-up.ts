/**
 * Second factors of people, as effects ask for them, whatever way led there. A key has none and is not asked.
 * Source: docs/specification/people.md#step-up.
 */
import { AppError } from '../errors.ts';
import type { Caller, Operation } from './operation.ts';

/** How long a second factor counts as just given. */
export const STEP_UP_MINUTES = 10;

type Asked = Pick<Caller, 'provenance' | 'hasFreshFactor' | 'person' | 'environment'>;

/** STEP_UP_REQUIRED of a person who has not given a second factor just now; `what` is the beginning of a sentence. */
export function requireFreshFactor({ provenance, hasFreshFactor, person }: Asked, what: string): void {
  if (provenance.actor.kind !== 'staff' || hasFreshFactor === true) return;
  throw new AppError('STEP_UP_REQUIRED', `${what} takes a second factor of the last ${STEP_UP_MINUTES} minutes`, {
    details: { hasFactor: person?.hasFactor === true, minutes: STEP_UP_MINUTES },
  });
}

type Asking = Pick<Operation, 'method' | 'summary' | 'stepUp' | 'withoutFactor' | 'writesNothing'>;

/** SECOND_FACTOR_REQUIRED of a person whose role writes in LIVE only with one; STEP_UP_REQUIRED where it must be of now. */
export function requireFactors({ method, summary, stepUp, withoutFactor, writesNothing }: Asking, caller: Asked): void {
  const { person, environment } = caller;
  const writes = method !== 'get' && writesNothing === undefined && withoutFactor !== true;
  if (person?.needsFactor && !person.hasFactor && writes && environment === 'LIVE') {
    throw new AppError('SECOND_FACTOR_REQUIRED', 'Your role may change LIVE data once you have a second factor: set one up first');
  }
  if (stepUp === 'always' || (stepUp === 'in LIVE' && environment === 'LIVE')) requireFreshFactor(caller, `“${summary}”`);
}
