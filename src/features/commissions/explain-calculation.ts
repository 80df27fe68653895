/** The arithmetic of one stored line, told in steps. Source: docs/specification/commissions.md#how-much. */
import { divideRoundHalfUp, toMajorNumber } from '../../money.ts';
import type { DerivationAnswer } from './commissions-operations.ts';
import type { CommissionLine } from './open/commission-line.ts';
import { EXACT_DENOMINATOR, exactOf, type SourcePay } from './open/pay-parts.ts';

export interface Calculation {
  exact: { numerator: string; denominator: string };
  steps: string[];
}

type PaidPart = NonNullable<DerivationAnswer['shares'][number]['parts']>[number];

const sourcePay = ({ baseMinor, flatMinor, ...part }: PaidPart): SourcePay => ({
  ...part,
  baseMinor: BigInt(baseMinor),
  flatMinor: flatMinor === null ? null : BigInt(flatMinor),
});

/** Undefined for a line that no plan calculated. `parts` are what its sources pay, of one that goes by parts of the sale. */
export function explainCalculation(line: CommissionLine, parts: readonly PaidPart[] | undefined): Calculation | undefined {
  if (line.kind !== 'commission') return undefined;
  const currency = line.conversion?.currency ?? line.currency;
  const money = (amount: bigint, of = currency): string => `${toMajorNumber(amount, of)} ${of}`;
  const own: SourcePay = { ...line, units: null, baseMinor: line.baseMinor };
  const paid = parts?.map(sourcePay) ?? [own];
  const numerator = paid.reduce((sum, one) => sum + exactOf(one), 0n);
  const rounded = divideRoundHalfUp(numerator, EXACT_DENOMINATOR);
  const payable = line.conversion?.amountMinor ?? line.amountMinor;
  const afterCeiling = payable + line.cappedMinor;
  const sums = paid.map(({ flatMinor, rateBps, baseMinor, units, multiplierMilli }) => {
    const flat = flatMinor === null ? '' : `${money(flatMinor)} ${units === null ? 'a sale' : `for ${units} pieces`}`;
    return `${flat || `${rateBps / 100} % of ${money(baseMinor)}`}, times ${multiplierMilli / 1000}`;
  });
  const steps = [`level ${line.level}, paid as level ${line.paidLevel}: ${sums.join(', and ')}: ${money(rounded)}`];
  if (afterCeiling !== rounded) steps.push(`scaled with all lines to the ceiling of the event: ${money(afterCeiling)}`);
  if (line.cappedMinor > 0n) steps.push(`a cap (${line.cap}) takes off ${money(line.cappedMinor)}: ${money(payable)}`);
  if (line.conversion !== null) steps.push(`converted with the stored rate: ${money(line.amountMinor, line.currency)}`);
  return { exact: { numerator: numerator.toString(), denominator: EXACT_DENOMINATOR.toString() }, steps };
}
