/** What the demo reads of the API's answers. */
import type { Currency, Tier } from './demo-shop-model.ts';

export interface MemberAnswer {
  id: string;
  email: string;
  name: string;
  membership_tier: Tier;
  parent_id: string | null;
  is_active: boolean;
  referral_code: string;
}

export interface LeadAnswer {
  referrer_user_id: string | null;
  conversion_status: string;
}

export interface CommissionAnswer {
  user_id: string;
  level: number;
  paid_level: number;
  rate_bps: number;
  multiplier_milli: number;
  base_minor: number;
  amount_minor: number;
  currency: Currency;
  status: string;
  clears_at: string;
}

export interface ReceiptAnswer {
  event_id: string;
  status: 'accepted' | 'unattributed' | 'held';
  attribution: { user_id: string | null; rule: string };
  commissions: CommissionAnswer[];
}

export interface EventAnswer extends ReceiptAnswer {
  external_event_id: string;
  occurred_at: string;
  amount_minor: number;
  tax_minor: number;
  shipping_minor: number;
  base_minor: number;
  currency: string;
  customer: { name: string | null };
}

export interface StatusAnswer {
  user_id: string;
  membership_tier: string;
  is_active: boolean;
  can_recruit: boolean;
  commission_balance: { pending: number; cleared: number; paid: number; total: number };
  currency: Currency;
}

export interface BreakdownAnswer {
  totalAmount: number;
  bySource: { sales: number; subscription: number };
  byLevel: { level: number; amount: number; count: number; percentage: number }[];
  trend: { period: string; amount: number; count: number }[];
  currency: Currency;
  timeZone: string;
}
