/** The money of one member: balances whose parts one click shows, the last commissions, and where it is paid to. */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Drawn, type Html, html, joined } from '../../../pages/html.ts';
import { barChart } from '../../../pages/parts/bar-chart.ts';
import { card } from '../../../pages/parts/card.ts';
import { chip, label, stateChip } from '../../../pages/parts/chips.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { eventsOf } from '../../../pages/parts/events-of.ts';
import { type Fact, facts } from '../../../pages/parts/facts.ts';
import { id } from '../../../pages/parts/id.ts';
import { isolated } from '../../../pages/parts/member-name.ts';
import { minorOfMajor, money } from '../../../pages/parts/money.ts';
import { sumWithParts } from '../../../pages/parts/sum-with-parts.ts';
import { table } from '../../../pages/parts/table.ts';
import { ago, dateOf, exactTime } from '../../../pages/parts/time.ts';
import { listCommissions } from '../../commissions/commissions-operations.ts';
import { listMemberLedger } from '../../ledger/ledger-operations.ts';
import { acceptAccountName } from '../../payouts/accounts/payout-accounts-operations.ts';
import { liftPayoutHold, setPayoutHold } from '../../payouts/holds/payout-hold-operations.ts';
import type { MemberFacts } from './member-facts.ts';

const STATES = ['pending', 'cleared', 'processing', 'paid'] as const;

type Balance = NonNullable<MemberFacts['balances']>[number];

/** Each state of money leads to its lines, the total and what is owed to the ledger. */
export function drawBalances(page: PageContext, { user, balances }: MemberFacts): Html | undefined {
  if (!balances) return undefined;
  const { format, at, can } = page;
  const rows = balances.map((balance) => {
    const { currency } = balance;
    const ledger = can(listMemberLedger) ? at(`/members/${user.id}/ledger`, { currency }) : undefined;
    const byState = STATES.map((status): Fact => {
      const minor = sumOf(balance, status);
      const lines = { userId: user.id, status, currency };
      return {
        name: word(status),
        value: can(listCommissions) ? sumWithParts(page, minor, lines) : money(format, minor, currency),
      };
    });
    const owed = sumOf(balance, 'owed');
    return facts(
      [
        ...byState,
        { name: `Total, ${currency}`, value: money(format, sumOf(balance, 'total'), currency, ledger) },
        BigInt(owed) > 0n && {
          name: 'Owed by the member',
          value: html`${money(format, owed, currency, ledger)} ${chip('owed', 'bad')}`,
        },
      ],
      { row: true },
    );
  });
  return card({
    title: 'Balances',
    lead: 'Each sum leads to its parts. Held lines are part of what is pending.',
    body: html`<div class="stack">${rows}</div>`,
  });
}

/** A sum of the answer; past the bound of exact numbers its text. */
function sumOf(balance: Balance, name: (typeof STATES)[number] | 'total' | 'owed'): number | string {
  return balance[`${name}Minor`] ?? balance[`${name}MinorExact`] ?? 0;
}

function word(state: string): string {
  return state.charAt(0).toUpperCase() + state.slice(1);
}

export function drawCommissions(page: PageContext, { user, commissions }: MemberFacts): Html | undefined {
  if (!commissions) return undefined;
  const { at, format, can } = page;
  const all = html`<a href="${at('/commissions', { userId: user.id })}">All commissions</a>`;
  return card({
    title: 'Last commissions',
    actions: all,
    flush: true,
    body: table({
      caption: 'Last commissions',
      id: 'last-commissions',
      rows: commissions,
      link: ({ id }) => at(`/commissions/${id}`),
      columns: [
        { title: 'Sale of', cell: ({ occurredAt }) => format.date(occurredAt) },
        { title: 'Level', number: true, secondary: true, cell: ({ level }) => level },
        { title: 'Kind', secondary: true, cell: ({ kind }) => kind.replaceAll('_', ' ') },
        { title: 'State', cell: ({ status }) => stateChip(status) },
        {
          title: 'Why',
          secondary: true,
          cell: ({ eventId }) => can('events:read') && html`<a href="${at(`/sales/${eventId}`)}">the sale, explained</a>`,
        },
        { title: 'Amount', number: true, cell: ({ amountMinor, currency }) => money(format, amountMinor, currency) },
      ],
      empty: empty({
        what: 'Commissions appear here as sales are recorded',
        why: 'No sale has paid this member anything yet.',
        action: { href: at('/members', { sponsorId: user.id }), label: 'Whom the member has recruited' },
      }),
    }),
  });
}

export function drawSales({ at, can, format }: PageContext, { user, sales }: MemberFacts): Html | undefined {
  if (!sales) return undefined;
  return card({
    title: 'Last sales credited',
    actions: sales.length > 0 && html`<a href="${at('/sales', { user_id: user.id })}">All sales credited</a>`,
    flush: true,
    body: table({
      caption: 'Last sales credited',
      id: 'last-sales',
      rows: sales,
      link: ({ event_id }) => at(`/sales/${event_id}`),
      columns: [
        { title: 'Order', cell: ({ external_event_id }) => html`<bdi class="break">${external_event_id}</bdi>` },
        { title: 'State', secondary: true, cell: ({ status }) => stateChip(status) },
        { title: 'When', secondary: true, cell: ({ occurred_at }) => ago(format, occurred_at) },
        { title: 'Amount', number: true, cell: ({ amount_minor, currency }) => money(format, amount_minor, currency) },
      ],
      empty: empty({
        what: 'Sales appear here that are credited to the member',
        why: 'There are none yet.',
        action: can('referrals:read') && { href: at('/links', { user_id: user.id }), label: 'Links of the member' },
        level: 3,
      }),
    }),
  });
}

/** Most months that lie beside each other legibly. */
const MOST_MONTHS = 12;

export function drawMonths({ format }: PageContext, { breakdown }: MemberFacts): Html | undefined {
  const months = breakdown?.trend.slice(-MOST_MONTHS) ?? [];
  if (!breakdown || months.length < 2) return undefined;
  const { currency } = breakdown;
  return card({
    title: 'Commissions by month',
    lead: `Of the sales of each month, in ${currency}`,
    body: barChart({
      title: 'Commissions by month',
      labels: months.map(({ period }) => format.month(period)),
      series: [
        {
          name: 'Commissions',
          tint: 'accent',
          values: months.map(({ amount, amountExact }) => Number(minorOfMajor(amount, amountExact, currency))),
        },
      ],
      format: (minor) => format.money(Math.round(minor), currency),
      tick: (minor) => format.moneyShort(minor, currency),
    }),
  });
}

const NAME_WORDS: Readonly<Record<string, string>> = {
  matched: 'as verified',
  mismatch: 'another name than verified',
  accepted: 'another name, accepted',
  not_compared: 'not compared',
};

export function drawAccounts(page: PageContext, { user, accounts, hold }: MemberFacts): Html | undefined {
  if (!accounts) return undefined;
  const { format } = page;
  const held = hold && drawHold(page, hold);
  if (accounts.length === 0) {
    return card({
      title: 'Paid to',
      body: html`${held}${empty({ what: 'Payout accounts appear here', why: 'The member has not given one, so nothing can be paid.' })}`,
    });
  }
  const list = accounts.map((account) => {
    const accept =
      account.nameMatch === 'mismatch' &&
      page.can(acceptAccountName) &&
      page.form('acceptName', {
        key: account.id,
        hidden: { accountId: account.id },
        submit: 'Accept the name',
        tone: 'plain',
        inline: true,
      });
    const usable: Drawn = account.usableFrom !== null && html`from ${exactTime(format, account.usableFrom)}`;
    return html`<li class="account-row"><p><strong>${isolated(account.displayName)}</strong> ${stateChip(account.status)}${account.isPrimary && html` ${label('primary')}`}</p>${facts(
      [
        { name: 'Currency', value: `${account.currency}, ${account.countryCode}` },
        {
          name: 'Held under',
          value:
            account.nameMatch === 'mismatch'
              ? chip(NAME_WORDS['mismatch'] ?? '', 'bad')
              : (NAME_WORDS[account.nameMatch] ?? account.nameMatch.replaceAll('_', ' ')),
        },
        account.sharedWithOthers === true && { name: 'Shared', value: chip('another member has it too', 'waiting') },
        account.statusReason !== null && { name: 'Because', value: account.statusReason },
        account.usableFrom !== null && { name: 'Paid to', value: usable },
        { name: 'Since', value: dateOf(format, account.createdAt) },
        { name: 'Id', value: id(account.id) },
      ],
    )}<div class="actions">${eventsOf(page, account.id, { label: 'Events of the account' })}${accept}</div></li>`;
  });
  return card({
    title: 'Paid to',
    actions: payoutLinks(page, user.id),
    body: html`${held}<ul class="account-rows">${list}</ul>`,
  });
}

/** The links to what was paid, where the reader may open it. */
function payoutLinks({ at, opens }: PageContext, userId: string): Html | undefined {
  if (!opens('/payouts/all') || !opens('/payouts/tax')) return undefined;
  return html`<a href="${at('/payouts/all', { userId })}">Payouts</a> <a href="${at('/payouts/tax', { member: userId })}">Tax documents</a>`;
}

function drawHold({ format }: PageContext, hold: NonNullable<MemberFacts['hold']>): Html {
  const by = hold.createdBy?.name ?? hold.createdBy?.kind;
  const told = joined(
    [
      by && html`by ${isolated(by)}`,
      html`${ago(format, hold.createdAt)}`,
      hold.until !== null && html`until ${exactTime(format, hold.until)}`,
    ].filter(Boolean),
    ', ',
  );
  return html`<div class="notice notice-waiting"><p><strong>Payouts are held.</strong> ${hold.reason}</p><p>${told}</p></div>`;
}

export function holdButton({ can }: PageContext, hold: MemberFacts['hold']): Html | undefined {
  if (hold) return can(liftPayoutHold) ? opensDialog('payout-hold', 'Lift the hold…') : undefined;
  return can(setPayoutHold) ? opensDialog('payout-hold', 'Hold payouts…') : undefined;
}

export function drawHoldDialog(page: PageContext, { hold }: MemberFacts): Html | undefined {
  if (hold) {
    if (!page.can(liftPayoutHold)) return undefined;
    const body = page.form('lift', { note: 'The next run pays what is due.', submit: 'Lift the hold' });
    return dialog({ id: 'payout-hold', title: 'Lift the hold on payouts?', body });
  }
  if (!page.can(setPayoutHold)) return undefined;
  return dialog({
    id: 'payout-hold',
    title: 'Hold the payouts of this member',
    body: page.form('hold', {
      note: 'Runs leave the member out. Commissions stay cleared.',
      fields: [
        { name: 'reason', label: 'Why', required: true, maxLength: 500, hint: 'For your colleagues.' },
        { name: 'until', label: 'Until', type: 'date', hint: 'Ends as that day begins, UTC. Empty: until somebody lifts it.' },
      ],
      submit: 'Hold payouts',
      tone: 'danger',
    }),
  });
}
