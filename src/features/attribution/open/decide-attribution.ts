/**
 * Who is credited with a purchase, a lead or a new member: a pure function over everything that was looked at, so
 * that a receipt, which keeps just that, can be decided again.
 * Source: docs/specification/attribution.md#order, docs/decisions/0023-attribution.md.
 */

export const ATTRIBUTION_MODELS = ['last_click', 'first_click'] as const;
export type AttributionModel = (typeof ATTRIBUTION_MODELS)[number];

const PURCHASE_SOURCES = ['explicit_user', 'referral_code', 'link', 'first_referrer', 'lead', 'click'] as const;

/** In the order in which they win. `standing` is the referrer that a lead has already. */
export const CANDIDATE_SOURCES = ['standing', ...PURCHASE_SOURCES] as const;
export type CandidateSource = (typeof CANDIDATE_SOURCES)[number];

/** The same of a sign-up: what was brought along wins over the lead, which was found by the email. */
const SIGN_UP_SOURCES: readonly CandidateSource[] = ['explicit_user', 'referral_code', 'click', 'lead'];

/** How what was named was found. Only `usable` can win. */
export const CANDIDATE_STATES = [
  'usable',
  'unknown',
  'invalid',
  'other_environment',
  'retired',
  'disabled',
  'expired',
  'disqualified',
  'unattributed',
  'not_recruiting',
  'set_aside',
] as const;
export type CandidateState = (typeof CANDIDATE_STATES)[number];

export interface Candidate {
  source: CandidateSource;
  /** What was named: the id of a member, link, lead, click or customer, or a code. */
  reference: string;
  state: CandidateState;
  /** Whom it leads to; null where it leads to nobody. */
  memberId: string | null;
  /** As of the sale or the capture; null without a member. */
  memberActive: boolean | null;
  /** When the click was, or the lead got its referrer, or the first purchase was credited. */
  at: Date | null;
  /** Whether the caller named it; what was found by the customer or its email was not. */
  named: boolean;
}

/** What is credited. */
export type AttributionSubject = 'purchase' | 'lead' | 'sign_up';

export interface AttributionInput {
  subject: AttributionSubject;
  /** Time of the sale, of the capture or of the sign-up. */
  asOf: Date;
  model: AttributionModel;
  windowDays: number;
  /** The buying member: the plan alone says whom its purchase is credited to. */
  buyerId: string | null;
  /**
   * The member that has the lead's email itself. Of a purchase it is null: such lines are held, not lost
   * (docs/specification/attribution.md#self-purchase).
   */
  selfId: string | null;
  candidates: readonly Candidate[];
}

export type LostBecause =
  | 'UNKNOWN'
  | 'INVALID'
  | 'OTHER_ENVIRONMENT'
  | 'RETIRED'
  | 'DISABLED'
  | 'EXPIRED'
  | 'DISQUALIFIED'
  | 'UNATTRIBUTED'
  | 'NOT_RECRUITING'
  | 'SET_ASIDE'
  | 'SELF'
  | 'PERSONAL_PURCHASE'
  | 'INACTIVE'
  | 'OUTSIDE_WINDOW'
  | 'AFTER'
  | 'OUTRANKED'
  | 'LATER_CLICK'
  | 'EARLIER_CLICK';

export const ATTRIBUTION_RULES = [...CANDIDATE_SOURCES, 'personal_purchase', 'none'] as const;
export type AttributionRule = (typeof ATTRIBUTION_RULES)[number];

/** Of purchases: no purchase has a referrer already. */
export const PURCHASE_RULES = [...PURCHASE_SOURCES, 'personal_purchase', 'none'] as const;
export type PurchaseRule = (typeof PURCHASE_RULES)[number];

export interface Attribution {
  rule: AttributionRule;
  winner: Candidate | undefined;
  /** One for each candidate, in the order in which they are considered; null of the one that won. */
  outcomes: readonly { candidate: Candidate; lost: LostBecause | null }[];
}

const DAY_MS = 86_400_000;

/** These win although their member is inactive, and are an unqualified level 1 then. */
const WINS_INACTIVE: ReadonlySet<CandidateSource> = new Set(['standing', 'explicit_user', 'referral_code', 'link']);

const WHY_UNUSABLE: Record<Exclude<CandidateState, 'usable'>, LostBecause> = {
  unknown: 'UNKNOWN',
  invalid: 'INVALID',
  other_environment: 'OTHER_ENVIRONMENT',
  retired: 'RETIRED',
  disabled: 'DISABLED',
  expired: 'EXPIRED',
  disqualified: 'DISQUALIFIED',
  unattributed: 'UNATTRIBUTED',
  not_recruiting: 'NOT_RECRUITING',
  set_aside: 'SET_ASIDE',
};

export function decideAttribution(input: AttributionInput): Attribution {
  const ranked = rank(input);
  const unfit = new Map(ranked.map((candidate) => [candidate, whyUnfit(candidate, input)]));
  const winner = ranked.find((candidate) => unfit.get(candidate) === undefined);
  const whyBeaten = (candidate: Candidate): LostBecause => {
    if (candidate.source !== 'click' || winner?.source !== 'click') return 'OUTRANKED';
    return input.model === 'last_click' ? 'LATER_CLICK' : 'EARLIER_CLICK';
  };
  return {
    rule: input.buyerId === null ? (winner?.source ?? 'none') : 'personal_purchase',
    winner,
    outcomes: ranked.map((candidate) => ({
      candidate,
      lost: candidate === winner ? null : (unfit.get(candidate) ?? whyBeaten(candidate)),
    })),
  };
}

/**
 * By source; the lead that was named before those with the email; clicks by the model. What is still equal goes by
 * reference, so that the order never hangs on how rows were read: of clicks in the direction of the model too, for
 * ids ascend with time.
 */
function rank({ subject, candidates, model }: AttributionInput): Candidate[] {
  const sources = subject === 'sign_up' ? SIGN_UP_SOURCES : CANDIDATE_SOURCES;
  const preferred = model === 'last_click' ? -1 : 1;
  return candidates.toSorted((a, b) => {
    const isClick = a.source === 'click';
    return (
      sources.indexOf(a.source) - sources.indexOf(b.source) ||
      (a.source === 'lead' ? Number(b.named) - Number(a.named) : 0) ||
      (isClick ? preferred * ((a.at?.getTime() ?? 0) - (b.at?.getTime() ?? 0)) : 0) ||
      (isClick ? preferred : 1) * (a.reference < b.reference ? -1 : Number(a.reference > b.reference))
    );
  });
}

/** Why a candidate could not win even alone. */
function whyUnfit(
  candidate: Candidate,
  { subject, asOf, windowDays, buyerId, selfId }: AttributionInput,
): LostBecause | undefined {
  const { source, state, memberId, memberActive, at } = candidate;
  if (state !== 'usable') return WHY_UNUSABLE[state];
  if (memberId === null) return 'UNATTRIBUTED';
  if (memberId === buyerId || memberId === selfId) return 'SELF';
  if (buyerId !== null) return 'PERSONAL_PURCHASE';
  // An inactive sponsor may receive recruits (docs/specification/attribution.md#sign-up).
  if (memberActive !== true && subject !== 'sign_up' && !WINS_INACTIVE.has(source)) return 'INACTIVE';
  if ((source === 'click' || source === 'lead') && at !== null && at > asOf) return 'AFTER';
  if (source !== 'click') return undefined;
  if (at === null) return 'INVALID';
  return at.getTime() < asOf.getTime() - windowDays * DAY_MS ? 'OUTSIDE_WINDOW' : undefined;
}
