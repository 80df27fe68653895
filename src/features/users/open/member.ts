/** A member, as other features see it. */
import type { NamedActor } from '../../../actor.ts';
import type { MembershipTier } from '../../../http/schemas.ts';

/** Pending: applied and not decided. Rejected and banned members are paid for no sale. */
export const MEMBER_STANDINGS = ['pending', 'approved', 'rejected', 'banned'] as const;
export type MemberStanding = (typeof MEMBER_STANDINGS)[number];

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
  /** The key of its group. */
  group: string;
  standing: MemberStanding;
  /** When it came to the tenant; not always when it was recorded. */
  joinedAt: Date;
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
