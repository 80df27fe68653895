/** Why somebody is not paid, in words, and what cures it. */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { BlockReason, RefusalReason } from '../../payouts/open/payout-states.ts';

interface Cure {
  title: string;
  /** What has to happen. */
  cure: string;
  /** Where that is done. */
  path?: string;
  query?: Record<string, string>;
  /** What is shown there can be of the run's currency alone. */
  ofCurrency?: true;
  link?: string;
}

export const REASONS: Readonly<Record<BlockReason, Cure>> = {
  TEST_USER: { title: 'A member for trying out', cure: 'Such members are never paid in LIVE. Nothing is to be done.' },
  HELD: {
    title: 'On hold',
    cure: 'Somebody put a hold on the payouts of the member. Lift it when its reason is gone.',
    path: '/payouts/holds',
    link: 'The holds in force',
  },
  BELOW_MINIMUM: {
    title: 'Below the minimum',
    cure: 'Too little is due. It is kept, and paid once it comes to the minimum of the plan.',
    path: '/plans',
    link: 'Plans',
  },
  NO_MINIMUM: {
    title: 'No minimum for the currency',
    cure: 'The plan names no minimum payout in this currency, and there is none built in. Publish a plan that does.',
    path: '/plans',
    link: 'Plans',
  },
  NO_ACCOUNT: {
    title: 'No account',
    cure: 'The member has no active payout account in this currency. The member, or your system, adds one.',
    path: '/payouts/accounts',
    query: { status: 'action_required' },
    ofCurrency: true,
    link: 'Accounts that lack something',
  },
  KYC_REQUIRED: {
    title: 'Not verified',
    cure: 'The member is paid once the verification is approved. Whoever reviews verifications does that.',
    path: '/verification',
    link: 'Verification',
  },
  NEGATIVE_BALANCE: {
    title: 'Owes more than it earned',
    cure: 'Refunds took back more than there is. Later commissions make up for it, or a write-off by hand.',
    path: '/commissions',
    query: { kind: 'clawback' },
    ofCurrency: true,
    link: 'What was taken back',
  },
  ACCOUNT_COOLDOWN: {
    title: 'Account is too new',
    cure: 'A new account waits for its cool-down. A later run pays.',
    path: '/payouts/accounts',
    ofCurrency: true,
    link: 'Accounts',
  },
  NAME_MISMATCH: {
    title: 'Held under another name',
    cure: 'The account is held under another name than the verified one. Ask the member for another account, or accept the name.',
    path: '/payouts/accounts',
    query: { nameMatch: 'mismatch' },
    ofCurrency: true,
    link: 'Accounts with another name',
  },
  AMOUNT_NOT_PAYABLE: {
    title: 'Not a whole amount',
    cure: 'The vendor pays this currency in whole units only. A commission by hand of the difference makes the amount whole.',
    path: '/commissions',
    query: { status: 'cleared' },
    ofCurrency: true,
    link: 'Cleared commissions',
  },
  INACTIVE: { title: 'Inactive', cure: 'Only runs of before holds left inactive members out.' },
};

/** Where a reason is cured; nothing where the reader may not open it. */
export function cureLink(
  { at, here, opens }: Pick<PageContext, 'at' | 'here' | 'opens'>,
  reason: BlockReason,
  currency: string,
): Html | undefined {
  const { path, query, ofCurrency, link } = REASONS[reason];
  // Whoever pays reads no papers, and can remind the members.
  if (reason === 'KYC_REQUIRED' && !opens('/verification') && opens('/members'))
    return html`<a href="${here({ reason, cursor: undefined, trail: undefined, sort: undefined })}">The members to remind</a>`;
  if (path === undefined || !opens(path)) return undefined;
  return html`<a href="${at(path, { ...query, ...(ofCurrency && { currency }) })}">${link}</a>`;
}

export function refusalWords(reason: RefusalReason): string {
  return reason === 'CHANGED' ? 'Its commissions have changed' : REASONS[reason].title;
}

const FAILURES: Readonly<Record<string, string>> = {
  CHANGED: 'Its commissions changed after the draft',
  RETURNED: 'It did not arrive',
  account_closed: 'The account was closed',
  RESTORED: 'Cancelled while payouts were matched after a restore',
  PROVIDER_CONFIGURATION: "The vendor's settings are not complete",
  unauthorized: 'The vendor does not accept the secret key',
  funds_not_arrived: 'The money has not reached the vendor',
  needs_approval: 'The vendor has to approve the payment',
  base_url: "The vendor's address in the settings is not right",
  reversal_refused: 'The vendor would not take the transfer back',
};

/** What a failure code means; of the vendor's own codes the code itself. */
export function failureWords(code: string): string {
  if (Object.hasOwn(REASONS, code)) return REASONS[code as BlockReason].title;
  return FAILURES[code] ?? code.replaceAll('_', ' ');
}
