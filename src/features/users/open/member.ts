/** A member, as other features see it. */
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
  createdAt: Date;
  updatedAt: Date;
  /** When its personal data was erased. */
  erasedAt: Date | null;
}
