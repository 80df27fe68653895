/** The trial balance, and what verifying the ledger found. */
import type { z } from 'zod';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { chip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { eventsOf } from '../../../pages/parts/events-of.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { filters } from '../../../pages/parts/filters.ts';
import { FIRST_SALE } from '../../../pages/parts/first-sale.ts';
import { copyButton } from '../../../pages/parts/id.ts';
import { money } from '../../../pages/parts/money.ts';
import { sumWithParts } from '../../../pages/parts/sum-with-parts.ts';
import { table } from '../../../pages/parts/table.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import type { getTrialBalance, verifyLedgerOperation } from '../../ledger/ledger-operations.ts';

type Balance = z.output<(typeof getTrialBalance)['response']>;
type Verified = z.output<(typeof verifyLedgerOperation)['response']>;
type Page = Pick<PageContext, 'at' | 'can' | 'format' | 'opens' | 'query' | 'tenant'>;

interface LedgerFacts {
  balance: Balance;
  /** Where it was asked for. */
  verified: Verified | undefined;
  /** A member was asked for, and nobody is found. */
  isUnknown: boolean;
}

const ACCOUNTS: Readonly<Record<string, string>> = {
  'company:commission_expense': 'Commissions granted, less what was taken back',
  'company:payout_clearing': 'Paid out to members',
  'member:pending': 'Owed to members, not cleared yet',
  'member:cleared': 'Owed to members, can be paid',
  'member:processing': 'On the way to members',
  'member:paid': 'Paid to members',
};

/** Which list of commissions an account's balance is the sum of. */
const PARTS: Readonly<Record<string, string>> = {
  'member:pending': 'pending',
  'member:cleared': 'cleared',
  'member:processing': 'processing',
  'member:paid': 'paid',
};

export function drawLedger(page: Page, { balance, verified, isUnknown }: LedgerFacts): PageView {
  const { at, format } = page;
  const sums = balance.totals.map(({ currency, balanceMinor, balanceMinorExact }) => ({
    name: currency,
    value: html`${money(format, balanceMinor ?? balanceMinorExact ?? 0, currency)} ${balanceMinor === 0 ? chip('balances', 'good') : chip('does not balance', 'bad')}`,
  }));
  const accounts = table({
    caption: 'Trial balance',
    rows: balance.accounts,
    columns: [
      { title: 'Account', cell: ({ account }) => html`${ACCOUNTS[account] ?? account} <code class="muted">${account}</code>` },
      { title: 'Postings', number: true, secondary: true, cell: ({ postings }) => format.count(postings) },
      {
        title: 'Balance',
        number: true,
        cell({ account, balanceMinor, balanceMinorExact, currency }) {
          const shown = money(format, balanceMinor ?? balanceMinorExact ?? 0, currency);
          const status = PARTS[account];
          if (status === undefined || !page.can('commissions:read')) return shown;
          return sumWithParts(page, balanceMinor ?? balanceMinorExact ?? 0, { status, currency });
        },
      },
    ],
    empty: empty({
      what: 'Accounts appear here with their first posting',
      why: 'No commission was granted yet in this environment.',
      curl: FIRST_SALE,
      action: page.opens('/sales') && { href: at('/sales'), label: 'Sales' },
    }),
  });
  return {
    lead: html`As of ${exactTime(format, balance.asOf)}. All accounts of a currency sum to zero, or something is wrong.`,
    actions: html`${eventsOf(page, page.tenant.id, { type: 'ledger.fault_found' })}<a class="button" href="${at('/ledger', { verify: 'new' })}">Verify what is new</a><a class="button button-main" href="${at('/ledger', { verify: 'yes' })}">Verify the ledger</a>`,
    body: html`${findPostings(page, isUnknown)}${verified && drawVerified(page, verified)}${sums.length > 0 && card({ title: 'Sum of all accounts', body: facts(sums, { row: true }) })}${card({ title: 'Trial balance', flush: true, body: accounts })}`,
  };
}

/** The way from the books to the postings of one member. */
function findPostings({ at, opens, query }: Page, isUnknown: boolean): Html | undefined {
  if (!opens('/members/one/ledger')) return undefined;
  const unknown =
    isUnknown && html`<div class="notice notice-waiting"><p>No single member has this id, email, name or external id.</p></div>`;
  const search = filters({
    address: at('/ledger'),
    fields: [
      {
        name: 'member',
        label: 'Postings of a member',
        type: 'search',
        value: query['member'],
        placeholder: 'Email, name or id',
        wide: true,
      },
    ],
  });
  return html`${search}${unknown}`;
}

/** Which part of the ledger was verified, and what is known of the rest. */
function extentOf(format: Page['format'], { fromSeq, lastCheck }: Verified): Html {
  if (fromSeq === null) return html`The whole ledger was verified.`;
  const whole = lastCheck && html` The whole was found sound ${exactTime(format, lastCheck.wholeAt)}.`;
  return html`The ledger was verified from block ${format.count(fromSeq)} on, up to where the daily check has found it sound.${whole}`;
}

function drawVerified(page: Page, found: Verified) {
  const { format } = page;
  const hash = (head: Verified['head']) =>
    head &&
    html`<span class="id">block ${format.count(head.seq)} <code title="${head.hash}">${head.hash.slice(0, 12)}…</code>${copyButton(head.hash, 'Copy the hash')}</span>`;
  const faults = [...found.faults, ...found.auditLog.faults];
  return card({
    id: 'verified',
    title: found.ok ? 'Everything is whole' : 'Something is wrong',
    lead: html`${extentOf(format, found)} ${
      found.ok
        ? 'Every hash was computed anew from the rows, the chain of blocks was followed, and journals were compared with commissions.'
        : 'What does not fit is listed below. Tell whoever operates the service.'
    }`,
    actions: found.ok ? chip('ok', 'good') : chip('faults', 'bad'),
    body: html`${facts(
      [
        { name: 'Ledger blocks', value: format.count(found.blocks) },
        { name: 'Journals', value: format.count(found.journals) },
        { name: 'Postings', value: format.count(found.postings) },
        { name: 'Not sealed yet', value: format.count(found.unsealed) },
        { name: 'Head', value: hash(found.head) },
        { name: 'Audit entries', value: format.count(found.auditLog.entries) },
        { name: 'Head of the audit log', value: hash(found.auditLog.head) },
      ],
      { row: true },
    )}${faults.length > 0 && html`<ul class="faults">${faults.map(({ kind, message }) => html`<li><code>${kind}</code> ${message}</li>`)}</ul>`}<p class="muted">Keep the heads somewhere else: a later verification proves that the books still continue them.</p>`,
  });
}
