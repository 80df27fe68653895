/** Where somebody was found to hear of new members: an attempt to make one that nobody hears of is not worth it there. */
import type { Scope } from '../../db/scope.ts';

/** Behind it the attempt is made again: the last who heard may have gone. */
const KEPT_MS = 10_000;
/** More is forgotten, the oldest first. */
const MOST = 10_000;

/** A hint: what it says is found out anew by the statement that makes a member. */
export interface HeardScopes {
  has(scope: Scope): boolean;
  note(scope: Scope): void;
}

export function createHeardScopes(): HeardScopes {
  const until = new Map<string, number>();
  return {
    has(scope) {
      const key = keyOf(scope);
      const end = until.get(key);
      if (end === undefined) return false;
      if (end > performance.now()) return true;
      until.delete(key);
      return false;
    },
    note(scope) {
      const key = keyOf(scope);
      until.delete(key);
      until.set(key, performance.now() + KEPT_MS);
      const [oldest] = until.keys();
      if (until.size > MOST && oldest !== undefined) until.delete(oldest);
    },
  };
}

function keyOf({ tenantId, environment }: Scope): string {
  return `${tenantId} ${environment}`;
}
