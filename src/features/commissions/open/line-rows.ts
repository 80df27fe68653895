/**
 * A stored commission line in SQL: every statement that reads lines selects them by one of these fragments, and maps
 * its rows here.
 */
import type { CommissionLine, HoldCause, LineKind, LineSource, LineStatus, NamedLine, PaySource } from './commission-line.ts';

/** As columns; or as a JSON object, in which amounts and times are text: a JSON number would pass through a double. */
export interface LineRow {
  id: string;
  event_id: string;
  beneficiary_id: string;
  kind: LineKind;
  source: LineSource;
  level: number;
  leg_id: string | null;
  paid_level: number;
  rate_bps: number;
  flat_minor: bigint | string | null;
  multiplier_milli: number;
  base_minor: bigint | string;
  amount_minor: bigint | string;
  currency: string;
  source_amount_minor: bigint | string | null;
  source_currency: string | null;
  exchange_rate_id: string | null;
  capped_minor: bigint | string;
  cap: string | null;
  status: LineStatus;
  hold_cause: HoldCause | null;
  hold_reason: string | null;
  clears_at: Date | string;
  occurred_at: Date | string;
  created_at: Date | string;
  plan_version_id: string | null;
  pay_source: PaySource | null;
  reverses_line_id: string | null;
  about_event_id: string | null;
  cleared_journal_id: string | null;
}

export interface NamedLineRow extends LineRow {
  external_event_id: string;
}

/** All columns of a row. */
const COLUMNS: Record<keyof LineRow, 'plain' | 'amount'> = {
  id: 'plain',
  event_id: 'plain',
  beneficiary_id: 'plain',
  kind: 'plain',
  source: 'plain',
  level: 'plain',
  leg_id: 'plain',
  paid_level: 'plain',
  rate_bps: 'plain',
  flat_minor: 'amount',
  multiplier_milli: 'plain',
  base_minor: 'amount',
  amount_minor: 'amount',
  currency: 'plain',
  source_amount_minor: 'amount',
  source_currency: 'plain',
  exchange_rate_id: 'plain',
  capped_minor: 'amount',
  cap: 'plain',
  status: 'plain',
  hold_cause: 'plain',
  hold_reason: 'plain',
  clears_at: 'plain',
  occurred_at: 'plain',
  created_at: 'plain',
  plan_version_id: 'plain',
  pay_source: 'plain',
  reverses_line_id: 'plain',
  about_event_id: 'plain',
  cleared_journal_id: 'plain',
};

/** A row of `commission_line`, as columns. */
export function lineColumns(line: string): string {
  return Object.keys(COLUMNS)
    .map((column) => `${line}.${column}`)
    .join(', ');
}

/** The same and its event, by their aliases. */
export function namedLineColumns(line: string, event: string): string {
  return `${lineColumns(line)}, ${event}.external_event_id`;
}

/** A row of `commission_line` as a JSON object. */
export function lineJson(line: string): string {
  return `json_build_object(${membersOf(line).join(', ')})`;
}

/** The same with its event, by their aliases. */
export function namedLineJson(line: string, event: string): string {
  return `json_build_object(${[...membersOf(line), `'external_event_id', ${event}.external_event_id`].join(', ')})`;
}

function membersOf(line: string): string[] {
  return Object.entries(COLUMNS).map(([column, as]) => `'${column}', ${line}.${column}${as === 'amount' ? '::text' : ''}`);
}

export function toLine(row: LineRow): CommissionLine {
  return {
    id: row.id,
    eventId: row.event_id,
    beneficiaryId: row.beneficiary_id,
    kind: row.kind,
    source: row.source,
    level: row.level,
    legId: row.leg_id,
    paidLevel: row.paid_level,
    rateBps: row.rate_bps,
    flatMinor: row.flat_minor === null ? null : BigInt(row.flat_minor),
    multiplierMilli: row.multiplier_milli,
    baseMinor: BigInt(row.base_minor),
    amountMinor: BigInt(row.amount_minor),
    currency: row.currency,
    conversion: conversionOf(row),
    cappedMinor: BigInt(row.capped_minor),
    cap: row.cap,
    status: row.status,
    holdCause: row.hold_cause,
    holdReason: row.hold_reason,
    clearsAt: timeOf(row.clears_at),
    occurredAt: timeOf(row.occurred_at),
    createdAt: timeOf(row.created_at),
    planVersionId: row.plan_version_id,
    paySource: row.pay_source,
    reversesLineId: row.reverses_line_id,
    aboutEventId: row.about_event_id,
    clearedJournalId: row.cleared_journal_id,
  };
}

export function toNamedLine(row: NamedLineRow): NamedLine {
  return { ...toLine(row), externalEventId: row.external_event_id };
}

/** JavaScript wants a sign and six digits of a year with more than four, which a SANDBOX comes to at the end of its clock. */
function timeOf(at: Date | string): Date {
  return new Date(typeof at === 'string' ? at.replace(/^\d{5,}(?=-)/, (year) => `+${year.padStart(6, '0')}`) : at);
}

/** The database lets a line have all three or none. */
function conversionOf(row: LineRow): CommissionLine['conversion'] {
  const { source_amount_minor: amountMinor, source_currency: currency, exchange_rate_id: exchangeRateId } = row;
  if (amountMinor === null || currency === null || exchangeRateId === null) return null;
  return { amountMinor: BigInt(amountMinor), currency, exchangeRateId };
}
