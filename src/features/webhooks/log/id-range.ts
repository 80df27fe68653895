/** Where events of a time are found by their ids, which begin with the real time at which they were written. */
import { firstIdAt } from '../../../db/ids.ts';
import type { Scope } from '../../../db/scope.ts';

export interface IdRange {
  lowId: string;
  highId: string;
}

const FIRST = '00000000-0000-0000-0000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** An event is written behind the beginning of its transaction, whose time it has, and no transaction is open for so long. */
const LONGEST_MS = 600_000;

/** All ids in a SANDBOX, whose clock is another. The times themselves are still to be compared. */
export function idsBetween({ environment }: Scope, from: string | undefined, to: string | undefined): IdRange {
  if (environment === 'SANDBOX') return { lowId: FIRST, highId: LAST };
  return {
    lowId: from === undefined ? FIRST : firstIdAt(Math.max(0, Date.parse(from))),
    highId: to === undefined ? LAST : firstIdAt(Math.max(0, Date.parse(to) + LONGEST_MS)),
  };
}
