/**
 * What is due, whom nothing keeps from being paid it, and what keeps the others, as SQL. A draft takes the first reason
 * that holds, the answer on a member's readiness all of them: both are made of what stands here.
 * Source: docs/specification/payouts.md#block-reasons, docs/specification/payouts.md#readiness.
 */
import { ofTenant } from '../../../db/tenant-condition.ts';
import { MAX_AMOUNT_MINOR } from '../../../money.ts';
import { payableStep as vendorStep } from '../../../vendors/payments/vendor-amount.ts';
import { JOIN_VERIFIED, NAME_STOPS } from '../open/holder-names.ts';
import { canBePaidTo } from '../open/payable-account.ts';
import { countsAt } from '../open/payout-hold.ts';
import { BLOCK_REASONS, type BlockReason, type PaymentProvider } from '../open/payout-states.ts';

/** SQL expressions; in a draft they are parameters. */
interface Terms {
  currency: string;
  /** Null: nothing is paid in the currency. */
  minimum: string;
  payableStep: string;
}

/** The condition that `l`, a row of commission_line, is due at `:cutoff` in a currency: no payout has it. */
export const isDue = (currency: string): string =>
  `${ofTenant('l')} and l.currency = ${currency} and l.status = 'cleared'
       and (l.clears_at <= :cutoff or l.amount_minor < 0)
       and not exists (select from payout_line p where ${ofTenant('p')} and p.line_id = l.id and p.live)`;

/** Behind `due`, with `member_id` and `amount_minor`: what the conditions look at. The account is the one that would be paid to. */
export const joinJudged = ({ currency }: Terms): string =>
  `join member m on ${ofTenant('m')} and m.id = due.member_id
     left join payout_hold h on ${countsAt('due.member_id', ':now')}
     left join lateral (
       select a.id, a.activated_at, a.destination_since, ${NAME_STOPS} as name_stops,
              exists (select from kyc_record c where ${ofTenant('c')} and c.member_id = a.member_id
                        and c.identity_changed_at is not null) as identity_changed
       from payout_account a ${JOIN_VERIFIED}
       where ${ofTenant('a')} and a.member_id = due.member_id and a.currency = ${currency} and ${canBePaidTo('a')}
         and a.provider_type = :provider
       order by a.is_primary desc, a.id desc limit 1) account on true`;

/** `INACTIVE` is of former runs alone. */
export const PRESENT_REASONS = BLOCK_REASONS.filter((reason) => reason !== 'INACTIVE');
export type PresentReason = Exclude<BlockReason, 'INACTIVE'>;

/**
 * When each holds; none of an account where there is none, none of an amount where that is null. What comes to nothing is
 * below any minimum.
 */
const conditions = ({ minimum, payableStep }: Terms): Record<PresentReason, string> => ({
  TEST_USER: ":environment = 'LIVE' and m.is_test_user",
  HELD: 'h.member_id is not null',
  BELOW_MINIMUM: `due.amount_minor >= 0 and (due.amount_minor < ${minimum} or due.amount_minor = 0)`,
  NO_MINIMUM: `${minimum}::bigint is null`,
  NO_ACCOUNT: 'account.id is null',
  KYC_REQUIRED: '(:requireKyc and (m.kyc_approved_at is null or m.kyc_approved_at > :now)) or account.identity_changed',
  NEGATIVE_BALANCE: 'due.amount_minor < 0',
  ACCOUNT_COOLDOWN: 'greatest(account.activated_at, account.destination_since) + make_interval(hours => :cooldownHours) > :now',
  NAME_MISMATCH: 'account.name_stops',
  AMOUNT_NOT_PAYABLE: `due.amount_minor % ${payableStep} <> 0 or due.amount_minor > ${MAX_AMOUNT_MINOR}`,
});

const each = (terms: Terms, say: (reason: PresentReason, condition: string) => string): string[] => {
  const all = conditions(terms);
  return PRESENT_REASONS.map((reason) => say(reason, all[reason]));
};

/** The first that holds, by their precedence; null: the member can be paid. */
export const firstReason = (terms: Terms): string =>
  `case ${each(terms, (reason, condition) => `when ${condition} then '${reason}'`).join('\n                 ')} end`;

/** All that hold, by their precedence. */
export const everyReason = (terms: Terms): string =>
  `array_remove(array[${each(terms, (reason, condition) => `case when ${condition} then '${reason}' end`).join(', ')}], null)`;

/**
 * Reasons that say nothing beside another: another amount has to come first, and it will be judged anew. None of them can
 * be the first that holds.
 */
const SILENT_BESIDE: Partial<Record<PresentReason, readonly PresentReason[]>> = {
  NO_MINIMUM: ['BELOW_MINIMUM'],
  AMOUNT_NOT_PAYABLE: ['BELOW_MINIMUM', 'NEGATIVE_BALANCE'],
};

/** Of all reasons that hold those that are told. The first stays the first. */
export function toldReasons(holding: readonly PresentReason[]): PresentReason[] {
  return holding.filter((reason) => !SILENT_BESIDE[reason]?.some((other) => holding.includes(other)));
}

/** What an amount must be a multiple of; who pays by hand pays any. */
export function stepOf(provider: PaymentProvider, currency: string): bigint {
  return provider === 'payvendor' ? vendorStep(currency) : 1n;
}
