/** Bearer tokens of members and where they reach. Source: docs/specification/identity.md. */
import type { Caller, MemberSubject } from './operation.ts';

export interface MemberAccess {
  /** The member of a bearer token of the caller's tenant and environment. Throws INVALID_TOKEN. */
  authenticate(token: string, caller: Caller): Promise<MemberSubject>;
  /** Whether the target is below the member. */
  isBelow(caller: Caller, memberId: string, targetId: string): Promise<boolean>;
}
