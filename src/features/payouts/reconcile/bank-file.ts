/**
 * What a bank has paid, as a file: CSV with the columns reference, account, amount, currency, date.
 * Source: docs/specification/payouts.md#bank-file.
 */
import { parse } from 'csv-parse/sync';
import { currencyDigits, isCurrency } from '../../../money.ts';

export interface BankRow {
  /** As the bank has it: the id of the payout where the export was followed. */
  reference: string;
  /** The end of the number, four signs. */
  accountEnd: string;
  amountMinor: bigint;
  currency: string;
  date: Date;
  /** Of rows that are otherwise the same, which one. */
  ordinal: number;
}

const COLUMNS = ['reference', 'account', 'amount', 'currency', 'date'] as const;

/** Throws with the number of the line that cannot be read. */
export function readBankFile(text: string): BankRow[] {
  const records = parse(text, { bom: true, columns: true, skip_empty_lines: true, trim: true }) as Record<string, string>[];
  const seen = new Map<string, number>();
  return records.map((record, index) => {
    const line = index + 2;
    for (const column of COLUMNS) if (record[column] === undefined) throw new Error(`the file has no column ${column}`);
    const { reference = '', account = '', amount = '', currency = '', date = '' } = record;
    const at = new Date(/^\d{4}-\d\d-\d\d$/.test(date) ? `${date}T12:00:00Z` : date);
    if (Number.isNaN(at.getTime())) throw new Error(`line ${line}: date is not one`);
    if (!isCurrency(currency)) throw new Error(`line ${line}: currency is not one of ISO 4217`);
    const same = [reference, account, amount, currency, date].join('\n');
    const ordinal = (seen.get(same) ?? 0) + 1;
    seen.set(same, ordinal);
    return {
      reference,
      accountEnd: account.slice(-4),
      amountMinor: amountOf(amount, currency, line),
      currency,
      date: at,
      ordinal,
    };
  });
}

function amountOf(amount: string, currency: string, line: number): bigint {
  const digits = currencyDigits(currency);
  const [, whole = '', fraction = ''] = /^(\d{1,13})(?:\.(\d{1,4}))?$/.exec(amount) ?? [];
  const minor = fraction.length > digits ? 0n : BigInt(`${whole}${fraction.padEnd(digits, '0')}` || '0');
  if (minor <= 0n) throw new Error(`line ${line}: amount is not one of ${currency}, such as 12.50`);
  return minor;
}
