/** How somebody comes to be a member. Source: docs/specification/attribution.md#sign-up. */
import type { Actor } from '../../../actor.ts';

export interface SignUp {
  /** A tenant asks for it, the person signs in for the first time, or a lead is converted. */
  by: 'asked' | 'signed_in' | 'converted';
  /** Of one that is not, no lead is looked for by the email, and nobody is joined to the member by it. A tenant answers for the addresses that it sends. */
  emailVerified: boolean;
  /** Who makes the member; undefined of a person that comes by itself. */
  actor?: Actor;
}

export const askedBy = (actor: Actor): SignUp => ({ by: 'asked', emailVerified: true, actor });
