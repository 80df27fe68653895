/** What a monthly statement says on paper. */
import type { PdfColumn, PdfContent, PdfPart } from '../../documents/pdf.ts';
import { toMajorText } from '../../money.ts';
import { ACCOUNTS, accountOf, type Balances, type StatementAccount, type StatementFold } from './fold-statement.ts';
import { personFacts } from './statement-person.ts';
import type { StatementEntryRow, StatementHeadRow } from './statements-queries.ts';

const ACCOUNT_NAMES: Record<StatementAccount, string> = {
  pending: 'Pending',
  cleared: 'Cleared',
  processing: 'Being paid',
  paid: 'Paid out',
};

/** One without a name here is shown as it is stored. */
const CAUSE_NAMES: Readonly<Record<string, string>> = {
  event: 'Sales, refunds and manual entries',
  clearing: 'Cleared for payout',
  hold: 'Put on hold',
  release: 'Released',
  void: 'Voided',
  write_off: 'Debt written off',
  payout_processing: 'Payout started',
  payout_paid: 'Payout paid',
  payout_failed: 'Payout failed',
  payout_returned: 'Payout came back',
};

const nameOf = (causeType: string): string => CAUSE_NAMES[causeType] ?? causeType;

const right = (title: string, share: number): PdfColumn => ({ title, share, align: 'right' });

export function statementContent(
  head: StatementHeadRow,
  period: string,
  fold: StatementFold,
  entries: readonly StatementEntryRow[],
): PdfContent {
  const { currency, memberId, from } = head;
  return {
    title: `Statement for ${period}`,
    date: fold.lastAt() ?? from,
    footer: `Member ${memberId}, statement for ${period}, ${currency}`,
    parts: [factsOf(head), summaryOf(currency, fold), ...payoutParts(currency, fold), ...entryParts(currency, fold, entries)],
  };
}

function factsOf(head: StatementHeadRow): PdfPart {
  const status = head.isOver ? 'Final: the month is over' : 'Preliminary: the month is not over';
  return {
    kind: 'facts',
    facts: [...personFacts(head), ['Currency', head.currency], ['Time zone', head.timeZone], ['Status', status]],
  };
}

function summaryOf(currency: string, fold: StatementFold): PdfPart {
  const amounts = (balances: Balances): string[] => [
    ...ACCOUNTS.map((account) => toMajorText(balances[account], currency)),
    toMajorText(balances.pending + balances.cleared + balances.processing, currency),
  ];
  return {
    kind: 'table',
    columns: [
      { title: '', share: 0.3 },
      ...ACCOUNTS.map((account) => right(ACCOUNT_NAMES[account], 0.14)),
      right('Not yet paid', 0.14),
    ],
    rows: [
      ['Opening balance', ...amounts(fold.opening)],
      ...fold.causes().map(({ causeType, sums }) => [nameOf(causeType), ...amounts(sums)]),
    ],
    total: ['Closing balance', ...amounts(fold.balances())],
  };
}

function payoutParts(currency: string, fold: StatementFold): PdfPart[] {
  const payouts = fold.payouts();
  if (payouts.length === 0) return [];
  return [
    { kind: 'heading', text: 'Payouts' },
    {
      kind: 'table',
      columns: [
        { title: 'Recorded (UTC)', share: 0.25 },
        { title: '', share: 0.2 },
        { title: 'Payout', share: 0.35 },
        right('Amount', 0.2),
      ],
      rows: payouts.map(({ recordedAt, type, payoutId, amountMinor }) => [
        recordedAt.toISOString().slice(0, 16).replace('T', ' '),
        type === 'paid' ? 'Paid' : 'Came back',
        payoutId ?? '',
        toMajorText(amountMinor, currency),
      ]),
    },
  ];
}

function entryParts(currency: string, fold: StatementFold, entries: readonly StatementEntryRow[]): PdfPart[] {
  if (entries.length === 0) return [];
  const left = fold.count() - entries.length;
  return [
    { kind: 'heading', text: 'Entries' },
    {
      kind: 'table',
      columns: [
        { title: 'Recorded', share: 0.18 },
        { title: 'What', share: 0.3 },
        { title: 'Reference', share: 0.22 },
        { title: 'Account', share: 0.14 },
        right('Amount', 0.16),
      ],
      rows: entries.map((entry) => [
        entry.localTime,
        nameOf(entry.causeType),
        entry.externalEventId ?? entry.payoutId ?? '',
        ACCOUNT_NAMES[accountOf(entry.account)],
        toMajorText(entry.amountMinor, currency),
      ]),
    },
    ...(left > 0 ? [{ kind: 'note' as const, text: `and ${left} more, which the CSV has.` }] : []),
  ];
}
