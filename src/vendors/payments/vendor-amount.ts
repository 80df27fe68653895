/** Amounts as the payment vendor counts them, which is not always in the currency's minor units. Source: the vendor's page on currencies. */
import { AppError } from '../../errors.ts';

/** Without minor units in ISO 4217, with two at the vendor. */
const COUNTED_IN_HUNDREDTHS = new Set(['ISK', 'UGX']);
/** Paid out in whole units only. */
const PAID_OUT_WHOLE = new Set(['HUF', 'TWD']);
/** With three digits, of which the last must be 0. */
const THREE_DIGITS = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** What an amount must be a multiple of, in minor units, for the vendor to pay it out. */
export function payableStep(currency: string): bigint {
  return PAID_OUT_WHOLE.has(currency) ? 100n : THREE_DIGITS.has(currency) ? 10n : 1n;
}

/** In minor units again, of what the vendor tells. */
export function minorAmount(amount: number, currency: string): bigint {
  return COUNTED_IN_HUNDREDTHS.has(currency) ? BigInt(amount) / 100n : BigInt(amount);
}

/** STATE_CONFLICT, reason `amount_not_payable`, for what the vendor would take and could not pay out. */
export function vendorAmount(amountMinor: bigint, currency: string): number {
  const amount = COUNTED_IN_HUNDREDTHS.has(currency) ? amountMinor * 100n : amountMinor;
  if (amount <= 0n || amount > BigInt(Number.MAX_SAFE_INTEGER) || amountMinor % payableStep(currency) !== 0n) {
    throw new AppError('STATE_CONFLICT', 'The payment provider cannot pay out this amount in this currency', {
      details: { reason: 'amount_not_payable' },
    });
  }
  return Number(amount);
}
