/** A member, as other features see it. */
import type { NamedActor } from '../../../actor.ts';
import type { MembershipTier } from '../../../http/schemas.ts';

export interface Member {
  id: string;
  tenantId: string;
  email: string;
  name: string | null;
  externalId: string | null;
  membershipTier: MembershipTier;
  parentId: string | null;
  isActive: boolean;
  canRecruit: boolean;
  isTestUser: boolean;
  payCurrency: string;
  referralCode: string;
  /** Null of one from before it was kept. */
  createdBy: NamedActor | null;
  createdAt: Date;
  updatedAt: Date;
  /** When its personal data was erased. */
  erasedAt: Date | null;
  erasureReason: string | null;
}
