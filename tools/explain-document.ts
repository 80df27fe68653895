/** The shape of an explain document. Amounts are integers in minor units. */

/** By currency. */
export type Amounts = Record<string, number>;

/** A test of one fact, or others joined. */
export interface Condition {
  fact?: string | undefined;
  in?: string[] | undefined;
  gte?: number | Amounts | undefined;
  lt?: number | Amounts | undefined;
  exists?: boolean | undefined;
  all?: Condition[] | undefined;
  any?: Condition[] | undefined;
  not?: Condition | undefined;
}

/** Rates that rise with what a member has sold. */
export interface Ladder {
  id: string;
  steps: { from: number | Amounts; rateBps: number }[];
}

export interface Rule {
  id: string;
  levels: 'all' | number[];
  final?: boolean;
  when: Condition;
  pay: Pay;
}

/** A rate, or a sum for the sale or for each piece. */
export interface Pay {
  rateBps?: number | undefined;
  flatMinor?: Amounts | undefined;
  per?: 'sale' | 'unit' | undefined;
  ladder?: string | undefined;
}

/** What was agreed with a member and may count for the sale. */
export interface Agreed {
  id: string;
  target: string;
  level: number;
  for_plan: boolean;
  pay: Pay;
  /** Numbers of the parts whose products it names; absent of one for all. */
  parts?: number[] | undefined;
}

/** Of a published plan what decides amounts; parts that were not published have their defaults. */
export interface Definition {
  mode: string;
  base: string;
  levels: { level: number; rateBps?: number | undefined; flatMinor?: Amounts | undefined; ladder?: string | undefined }[];
  ladders?: Ladder[];
  tierRules: Record<string, { multiplierMilli?: number; maxDepth?: number; rateBps?: number | undefined }>;
  compression: string;
  qualification?: { active?: boolean; kycApproved?: boolean; minPersonalSalesMinor?: Amounts; minActiveDirects?: number };
  caps?: { perEventPayoutBps?: number | null };
  fx?: { payCurrency?: string };
  scope?: { skus?: string[] | null; categories?: string[] | null };
  rules?: Rule[];
  /** How far what was agreed counts; null: not at all. */
  overrides?: { levels?: number[]; maxRateBps: number; maxFlatMinor?: Amounts } | null;
}

/** A member of the upline as of the sale; null is what the plan did not ask for. */
export interface Candidate {
  user_id: string;
  /** Distance from the sale, 1 = credited with it. */
  level: number;
  tier: string;
  is_active: boolean;
  /** Absent of an approved member. */
  standing?: string | undefined;
  pay_currency: string | null;
  kyc_approved: boolean | null;
  personal_sales_minor: number | null;
  active_directs: number | null;
  /** Absent where no rule asks for it. */
  group?: string | undefined;
  age_days?: number | undefined;
  sales?: { amount_minor: string; count: number } | undefined;
  /** Integers as text. */
  ladder_sums?: Record<string, string> | undefined;
  /** The latest first. */
  overrides?: Agreed[] | undefined;
}

export interface Inputs {
  type: string;
  base_minor: number;
  amount_minor: number;
  tax_minor: number;
  shipping_minor: number;
  line_items: { sku: string; category: string | null; amount_minor: number }[] | null;
  buyer_user_id: string | null;
  /** Level 1 first. */
  upline: Candidate[];
  /** What rules ask for; integers as text. Absent of a plan without rules. */
  facts?: { fact: string; value: string }[] | undefined;
  /** What tests of fields that are not kept came to. */
  verdicts?: { test: Condition; holds: boolean; parts?: number[] | undefined }[] | undefined;
  /** Where products are asked for: what was sold, with its part of the base. */
  parts?: { sku: string | null; category: string | null; base_minor: number; quantity: number }[] | undefined;
  /** Why the whole event pays nobody. */
  block: string | null;
  /** What was left of the members' caps. */
  member_rooms: { user_id: string; room_minor: number }[];
  customer_room_minor: number | null;
  rates: { id: string; target_currency: string; numerator: number; denominator: number }[];
}

/** A fraction, reduced or not. */
export interface Exact {
  numerator: string;
  denominator: string;
}

/** One level taken, step by step. */
export interface ExplainShare {
  paid_level: number;
  rate_bps: number;
  flat_minor: number | null;
  multiplier_milli: number;
  /** The amount in minor units before any rounding. */
  exact: Exact;
  rounded_minor: number;
  after_ceiling_minor: number;
  capped_minor: number;
  cap: string | null;
  source_amount_minor: number;
  amount_minor: number;
  currency: string;
  exchange_rate_id: string | null;
}

/** One for each member that was considered. */
export interface ExplainOutcome {
  user_id: string;
  level: number;
  outcome: 'paid' | 'not_paid';
  reason: string | null;
  shares: ExplainShare[];
}

export interface ExplainDocument {
  event_id: string;
  kind: string;
  /** Of the purchase. */
  currency: string;
  plan: { version_id: string; version: number; definition: Definition } | null;
  inputs: Inputs;
  outcomes: ExplainOutcome[];
  /** What the company keeps of levels that nobody qualified for. */
  breakage_minor: number;
}

/** Somebody on a paid level, with the amount in ten-millionths of a minor unit. */
export type Seat = {
  who: Candidate;
  level: number;
  rate: number;
  flat: number | null;
  multiplier: number;
  exact: bigint;
  /** Nothing but rates of 0 pay it. */
  isOfZero: boolean;
  /** Whether it is paid more than what is paid below, in a differential plan. */
  isHigher: boolean;
  /** The highest rate by part, this one among them. */
  bars: number[];
  chosen: object | undefined;
  rate_parts: object[] | undefined;
};
