/** The arithmetic of one stored line, told in steps. Source: docs/specification/commissions.md#how-much. */
import { divideRoundHalfUp, toMajorNumber } from '../../money.ts';
import type { CommissionLine } from './open/commission-line.ts';
import { EXACT_DENOMINATOR } from './open/walk-upline.ts';

export interface Calculation {
  exact: { numerator: string; denominator: string };
  steps: string[];
}

/** Undefined for a line that no plan calculated. */
export function explainCalculation(line: CommissionLine): Calculation | undefined {
  if (line.kind !== 'commission') return undefined;
  const currency = line.conversion?.currency ?? line.currency;
  const money = (amount: bigint, of = currency): string => `${toMajorNumber(amount, of)} ${of}`;
  const multiplier = BigInt(line.multiplierMilli);
  const numerator =
    line.flatMinor === null ? line.baseMinor * BigInt(line.rateBps) * multiplier : line.flatMinor * multiplier * 10_000n;
  const rounded = divideRoundHalfUp(numerator, EXACT_DENOMINATOR);
  const payable = line.conversion?.amountMinor ?? line.amountMinor;
  const afterCeiling = payable + line.cappedMinor;
  const rate =
    line.flatMinor === null ? `${line.rateBps / 100} % of ${money(line.baseMinor)}` : `${money(line.flatMinor)} a sale`;
  const steps = [
    `level ${line.level}, paid as level ${line.paidLevel}: ${rate}, times ${line.multiplierMilli / 1000}: ${money(rounded)}`,
  ];
  if (afterCeiling !== rounded) steps.push(`scaled with all lines to the ceiling of the event: ${money(afterCeiling)}`);
  if (line.cappedMinor > 0n) steps.push(`a cap (${line.cap}) takes off ${money(line.cappedMinor)}: ${money(payable)}`);
  if (line.conversion !== null) steps.push(`converted with the stored rate: ${money(line.amountMinor, line.currency)}`);
  return { exact: { numerator: numerator.toString(), denominator: EXACT_DENOMINATOR.toString() }, steps };
}
