/** A member as the tree shows it. */
import type { MembershipTier } from '../../http/schemas.ts';
import type { SumInAnswer } from '../../money.ts';
import type { Person } from './open/mask-person.ts';

export interface TreeMember extends Person {
  sponsorId: string | null;
  membershipTier: MembershipTier;
  isActive: boolean;
  joinedAt: Date;
  /** Levels below, above or along the path from where the answer starts. */
  depth: number;
  directReferrals: number;
  totalDownline: number;
}

/** A member on one level of the tree. */
export interface LevelMember extends TreeMember {
  /** Who is active of the downline. */
  activeDownline: number;
  /** Null for who may not see it; absent where it was not asked for. */
  commissionsThisMonth?: MonthsCommissions | null;
}

export type MonthsCommissions = { month: string; currency: string } & SumInAnswer<'totalAmount'>;

export interface TreeRow {
  id: string;
  parent_id: string | null;
  email: string;
  name: string | null;
  given_name: string | null;
  surname: string | null;
  membership_tier: MembershipTier;
  is_active: boolean;
  created_at: Date;
  depth: number;
  direct: number;
  total: number;
}

export function toTreeMember(row: TreeRow): TreeMember {
  return {
    id: row.id,
    sponsorId: row.parent_id,
    email: row.email,
    name: row.name,
    givenName: row.given_name,
    surname: row.surname,
    membershipTier: row.membership_tier,
    isActive: row.is_active,
    joinedAt: row.created_at,
    depth: row.depth,
    directReferrals: row.direct,
    totalDownline: row.total,
  };
}
