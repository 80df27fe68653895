/** What the reads of the frame answer. Source: docs/specification/widget.md#reads. */
import type { HoldCause, LineKind, LineSource, LineStatus } from '../../commissions/open/commission-line.ts';
import type { NotPaid } from '../../commissions/open/evaluate-plan.ts';
import type { BlockReason, PayoutStatus } from '../../payouts/open/payout-states.ts';

export type Scope = 'summary' | 'links' | 'earnings' | 'team';

/** Exact decimal text with the digits of the currency, negative with a hyphen. */
export interface Money {
  amount: string;
  currency: string;
}

export interface Colours {
  accent: string;
  onAccent: string;
}

export interface EffectiveTheme {
  mode: 'light' | 'dark' | 'system';
  corner: number;
  fontFamily: string | null;
  light: Colours;
  dark: Colours;
}

export interface Session {
  sessionId: string;
  expiresAt: string;
  environment: 'LIVE' | 'SANDBOX';
  scopes: Scope[];
  allowedOrigins: string[];
  theme: EffectiveTheme;
  currency: string;
  timeZone: string;
}

export interface Balance {
  currency: string;
  pending: Money;
  cleared: Money;
  processing: Money;
  paid: Money;
  owed: Money;
}

export interface NextPayout {
  currency: string;
  due: Money;
  minimum: Money | null;
  state: 'nothing_due' | 'blocked' | 'ready' | 'in_payout';
  missing: BlockReason[];
  payout: { amount: Money; status: PayoutStatus; createdAt: string } | null;
}

export interface Summary {
  asOf: string;
  timeZone: string;
  balances: Balance[];
  payouts: NextPayout[];
  lastPaid: { amount: Money; paidAt: string } | null;
}

export interface WidgetLink {
  id: string;
  slug: string;
  url: string;
  name: string | null;
  destinationUrl: string;
  status: 'active' | 'disabled';
  expiresAt: string | null;
  clicks: number;
  lastClickedAt: string | null;
  createdAt: string;
}

export interface Links {
  code: string | null;
  canCreate: boolean;
  destinationHosts: string[];
  links: WidgetLink[];
  nextCursor: string | null;
}

export interface EarningLine {
  id: string;
  amount: Money;
  status: LineStatus;
  kind: LineKind;
  source: LineSource;
  level: number;
  /** The plan's level that was paid. */
  paidLevel: number;
  occurredAt: string;
  createdAt: string;
  clearsAt: string;
  holdCause: HoldCause | null;
}

export interface Month {
  month: string;
  amount: Money;
  count: number;
}

export interface Earnings {
  currency: string;
  /** All in which the member has something. */
  currencies?: string[];
  timeZone: string;
  total: Money;
  byStatus: Record<'pending' | 'cleared' | 'processing' | 'paid', Money>;
  months: Month[];
  lines: EarningLine[];
  nextCursor: string | null;
}

export interface EarningShare {
  paidLevel: number;
  rateBps: number;
  flat: Money | null;
  multiplierMilli: number;
  /** What each source of its rates pays, where the share goes by parts of the sale. */
  parts?: { base: Money; rateBps: number; flat: Money | null; units: number | null; multiplierMilli: number }[];
  rounded: Money;
  ceilingLeaves: Money | null;
  capsLeave: Money | null;
  /** From minor units to minor units. */
  conversion: { numerator: number; denominator: number } | null;
  amount: Money;
}

export interface Explanation {
  line: EarningLine;
  base: Money | null;
  shares: EarningShare[];
  verdicts: { level: number; own: boolean; qualified: boolean; reason: NotPaid | null }[];
  recomputed: boolean | null;
  net: Money;
  linked: { id: string; kind: LineKind; amount: Money; status: LineStatus; createdAt: string }[];
  actions: { action: 'hold' | 'release' | 'void'; fromStatus: LineStatus; toStatus: LineStatus; recordedAt: string }[];
}

export interface TeamMember {
  name: string | null;
  joinedAt: string;
  isActive: boolean;
  tier: string;
  directReferrals: number;
  totalDownline: number;
}

export interface Team {
  visibility: 'full' | 'masked' | 'counts';
  direct: number;
  total: number;
  active: number;
  newThisMonth: number;
  earned: Money;
  members: TeamMember[] | null;
  nextCursor: string | null;
}
