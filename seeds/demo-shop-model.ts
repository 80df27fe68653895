/** What the demo shop is made of. Members are named by their position in the list; ids come from the service later. */
import type { Person } from './demo-shop-names.ts';

export const TIERS = ['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR'] as const;
export type Tier = (typeof TIERS)[number];

export const CURRENCIES = ['USD', 'EUR'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** The shop's history runs over this many days, to yesterday. */
export const DAYS = 182;
export const DAY_MS = 86_400_000;

export interface ShopMember extends Person {
  /** 1 is the top; there are at most seven. */
  level: number;
  /** Position of the sponsor; undefined at the top. */
  sponsor: number | undefined;
  /** How the shop names the sponsor when it creates the member. */
  joinsBy: 'parent_id' | 'referral_code';
  /** The tier to be created with. */
  tier: Tier;
  /** Captured as a lead first. Such members have no recruits, so they can come last. */
  fromLead: boolean;
}

export interface ShopLead extends Person {
  source: string;
  /** Whose referral code the lead came with. */
  referrer: number | undefined;
}

/** A dated change of one member: of tier or of activity. */
export interface ShopChange {
  member: number;
  effectiveAt: string;
  set: { membership_tier: Tier } | { is_active: boolean };
  reason: string;
}

/** How the shop says whom a sale is owed to. */
export type Credit = { by: 'referral_code' | 'user_id' | 'buyer'; member: number } | { by: 'unknown_code' | 'nobody' };

export interface ShopPurchase {
  externalEventId: string;
  type: 'one_time' | 'subscription_initial' | 'subscription_renewal';
  /** undefined: now. */
  occurredAt: string | undefined;
  currency: Currency;
  /** Everything paid: goods less discount, with tax and shipping. */
  amountMinor: number;
  taxMinor: number;
  shippingMinor: number;
  discountMinor: number;
  customer: Person & { externalId: string };
  credit: Credit;
  lineItems: { sku: string; name: string; category: string; quantity: number; amount_minor: number }[];
}

export interface Shop {
  members: ShopMember[];
  leads: ShopLead[];
  changes: ShopChange[];
  /** Oldest first. */
  purchases: ShopPurchase[];
  /** Position of the member whose picture ends the demo. */
  focus: number;
  /** The last purchase, made in the downline of that member. */
  lastPurchase: ShopPurchase;
}

export interface MemberState {
  tier: Tier;
  isActive: boolean;
}
