/**
 * Everything that the frame says, in one language: each file of words has all of it, or does not compile. Reasons, states
 * and kinds are those of the service, so a new one is missed here before it is missed by a member.
 */
import type { MembershipTier } from '../../../http/schemas.ts';
import type { HoldCause, LineAction, LineKind, LineStatus } from '../../commissions/open/commission-line.ts';
import type { NotPaid } from '../../commissions/open/evaluate-plan.ts';
import type { BlockReason, PayoutStatus } from '../../payouts/open/payout-states.ts';
import type { NextPayout, Scope } from './answers.ts';

/** What is asked for, and what the member can do. */
interface Ask {
  what: string;
  todo: string;
}

export interface Words {
  /** Of the words, for `lang`. */
  language: string;
  dir: 'ltr' | 'rtl';
  title: string;
  pages: string;
  page: Record<Scope, string>;
  testData: string;
  loading: string;
  retry: string;
  more: string;
  copy: string;
  copied: string;
  /** Where the browser lets no page copy. */
  selected: string;
  failed: string;
  /** Of what the member wanted done. */
  notDone: string;
  failedWhy: Record<'network' | 'busy' | 'forbidden' | 'gone' | 'other', string>;
  requestId: string;
  notFramed: string;
  noHost: string;
  refused: string;
  ended: string;
  endedWhy: string;
  lineStatus: Record<LineStatus, string>;
  /** Of what takes back. */
  minusStatus: Record<LineStatus, string>;
  balance: Record<'pending' | 'cleared' | 'processing' | 'paid' | 'owed', string>;
  balanceMeans: Record<'pending' | 'cleared' | 'processing' | 'paid' | 'owed', string>;
  summary: {
    balances: string;
    balancesIn: (currency: string) => string;
    empty: string;
    emptyWhy: string;
    share: string;
    payout: string;
    payoutIn: (currency: string) => string;
    state: Record<NextPayout['state'], string>;
    nothingDue: string;
    ready: (amount: string) => string;
    blocked: (amount: string) => string;
    missing: string;
    missingFirst: string;
    ask: Record<BlockReason, Ask>;
    /** In place of what `ask` has of a minimum, where the amounts are known. */
    needMore: (amount: string, minimum: string) => string;
    ofMinimum: (amount: string, minimum: string) => string;
    payoutStatus: Record<PayoutStatus, (amount: string, day: string) => string>;
    lastPaid: (amount: string, day: string) => string;
    asOf: (time: string) => string;
  };
  links: {
    code: string;
    codeMeans: string;
    yours: string;
    empty: string;
    emptyWhy: string;
    emptyCannot: string;
    clicks: (count: number, text: string) => string;
    lastClick: (day: string) => string;
    leadsTo: string;
    off: string;
    expired: (day: string) => string;
    expires: (day: string) => string;
    share: string;
    qr: string;
    qrOf: (name: string) => string;
    download: string;
    turnOff: string;
    turnOn: string;
    turnedOff: string;
    turnedOn: string;
    add: string;
    destination: string;
    destinationHint: (hosts: string) => string;
    /** Of a host: whatever is below it. */
    below: (host: string) => string;
    slug: string;
    slugHint: string;
    name: string;
    nameHint: string;
    create: string;
    created: string;
    fault: Record<'destinationUrl' | 'slug' | 'slugRefused' | 'name' | 'taken' | 'limit' | 'empty', string>;
  };
  earnings: {
    total: string;
    lastYear: string;
    chart: (from: string, to: string) => string;
    month: string;
    allMonths: string;
    currency: string;
    count: (count: number, text: string) => string;
    list: string;
    empty: string;
    emptyWhy: string;
    emptyMonth: string;
    kind: Record<LineKind | 'top_up', string>;
    renewal: string;
    atLevel: (level: number) => string;
    sold: (day: string) => string;
    payableFrom: (day: string) => string;
    held: Record<HoldCause, string>;
    heldAny: string;
    why: string;
  };
  why: {
    title: string;
    base: (amount: string) => string;
    share: (level: number, rate: string, base: string) => string;
    flat: (level: number, amount: string) => string;
    multiplier: (factor: string) => string;
    rounded: (amount: string) => string;
    movedUp: (from: number, to: number) => string;
    ceiling: (amount: string) => string;
    caps: (amount: string) => string;
    converted: (amount: string, rate: string) => string;
    sum: (amount: string) => string;
    noSale: Record<LineKind | 'top_up', string>;
    /** The amount has no sign. */
    linked: (kind: LineKind, amount: string, day: string) => string;
    net: (amount: string) => string;
    status: Record<LineStatus, (clearsOn: string) => string>;
    /** In place of its status, where the cause is known. */
    held: (cause: string) => string;
    minusStatus: Record<LineStatus, (clearsOn: string) => string>;
    /** Where a sale pays more than the line that is explained. */
    further: string;
    action: Record<LineAction, (day: string) => string>;
    recomputed: string;
    differs: string;
    others: string;
    paid: (level: number) => string;
    unpaid: (level: number, reason: string) => string;
    ownUnpaid: (level: number, reason: string) => string;
    notPaid: Record<NotPaid, string>;
    notPaidAny: string;
  };
  team: {
    size: string;
    direct: string;
    total: string;
    active: string;
    newThisMonth: string;
    earned: string;
    members: string;
    hidden: string;
    hiddenWhy: string;
    maskedWhy: string;
    noName: string;
    empty: string;
    emptyWhy: string;
    share: string;
    joined: (day: string) => string;
    inactive: string;
    ownTeam: (direct: string, total: string) => string;
    noTeam: string;
    tier: Record<MembershipTier, string>;
  };
}
