/**
 * Calculates a member's commission again from the derivation in its explanation: the member's own figures, and of
 * everybody else a verdict alone. It comes to the integer of the line, or says what does not follow.
 */

export interface Verdict {
  level: number;
  own: boolean;
  qualified: boolean;
  reason: string | null;
  usedLevels: number[];
}

export interface OwnShare {
  paidLevel: number;
  rateBps: number;
  flatMinor: number | null;
  multiplierMilli: number;
  /** What each source of its rates pays, where the share goes by parts of the sale. */
  parts?: { baseMinor: number; rateBps: number; flatMinor: number | null; multiplierMilli: number }[] | undefined;
  exact: { numerator: string; denominator: string };
  roundedMinor: number;
  ceilingLeavesMinor: number | null;
  capsLeaveMinor: number | null;
  rate: { numerator: number; denominator: number } | null;
  amountMinor: number;
  currency: string;
}

/** Of `GET /api/v1/commissions/{commissionId}/explain` what is recalculated. Amounts are integers in minor units. */
export interface CommissionDocument {
  commission: { level: number; paidLevel: number; amountMinor: number; currency: string };
  derivation: {
    plan: { mode: string; compression: string };
    baseMinor: number;
    currency: string;
    verdicts: Verdict[];
    shares: OwnShare[];
  } | null;
}

export function hasVerdicts(document: object): document is CommissionDocument {
  return 'derivation' in document;
}

const UNIT = 10_000_000n;
export const halfUp = (n: bigint, d: bigint): bigint => n / d + (2n * (n % d) >= d ? 1n : 0n);

/** What does not follow; nothing when the document is right. */
export function findVerdictDifferences({ commission, derivation }: CommissionDocument): string[] {
  if (!derivation) return [];
  const { shares, baseMinor, currency } = derivation;
  const own = derivation.verdicts.find((verdict) => verdict.own);
  const share = shares.find(({ paidLevel }) => paidLevel === commission.paidLevel);
  const faults = [...judge(derivation.plan, derivation.verdicts), ...shares.flatMap((one) => price(one, baseMinor, currency))];
  if (own?.level !== commission.level) faults.push('the own verdict is of another level');
  if (own?.usedLevels.join() !== shares.map(({ paidLevel }) => paidLevel).join())
    faults.push('the shares are not the levels used up');
  if (own?.qualified === true && own.reason !== null) faults.push('a paid member has a reason why not');
  if (share?.amountMinor !== commission.amountMinor || share.currency !== commission.currency) {
    faults.push(
      `the share comes to ${share?.amountMinor} ${share?.currency}, the line has ${commission.amountMinor} ${commission.currency}`,
    );
  }
  return faults;
}

/** Whether the levels can have been used up by those who qualified: each once, rising, by the plan's compression. */
function judge({ mode, compression }: { mode: string; compression: string }, verdicts: Verdict[]): string[] {
  const faults: string[] = [];
  const used = verdicts.flatMap(({ level, usedLevels }) => usedLevels.map((paid) => ({ level, paid })));
  if (verdicts.some(({ level }, index) => level !== index + 1)) faults.push('somebody between was not judged');
  if (verdicts.some(({ qualified, usedLevels }) => qualified !== usedLevels.length > 0))
    faults.push('who qualified used no level');
  if (verdicts.some(({ qualified, reason }) => !qualified && reason === null)) faults.push('nobody says why not');
  if (new Set(used.map(({ paid }) => paid)).size !== used.length) faults.push('a level was used up twice');
  if (used.some(({ level, paid }) => paid > level)) faults.push('a level was used up below it');
  if (compression === 'compress' && used.some(({ paid }, index) => paid !== index + 1)) faults.push('a level was left out');
  const stays = compression === 'none' || (mode === 'differential' && compression !== 'compress');
  if (stays && used.some(({ level, paid }) => paid !== level)) faults.push('a level moved to somebody else');
  return faults;
}

/** One rounding, the ceiling, the caps, the conversion, in this order. */
function price(share: OwnShare, baseMinor: number, currency: string): string[] {
  const { ceilingLeavesMinor, capsLeaveMinor, rate } = share;
  const exact = (share.parts ?? [{ ...share, baseMinor }]).reduce(
    (sum, { baseMinor: base, rateBps, flatMinor, multiplierMilli }) => {
      const whole = flatMinor === null ? BigInt(base) * BigInt(rateBps) : base === 0 ? 0n : BigInt(flatMinor) * 10_000n;
      return sum + whole * BigInt(multiplierMilli);
    },
    0n,
  );
  const rounded = halfUp(exact, UNIT);
  const ceiled = ceilingLeavesMinor === null ? rounded : BigInt(ceilingLeavesMinor);
  const source = capsLeaveMinor === null ? ceiled : BigInt(capsLeaveMinor);
  const amount = rate ? halfUp(source * BigInt(rate.numerator), BigInt(rate.denominator)) : source;
  const faults: string[] = [];
  const expect = (isTrue: boolean, what: string) => isTrue || faults.push(`level ${share.paidLevel}: ${what}`);
  expect(BigInt(share.exact.numerator) * UNIT === exact * BigInt(share.exact.denominator), `exactly ${exact} of ${UNIT}`);
  expect(share.roundedMinor === Number(rounded), `${rounded} after rounding`);
  // By largest remainder a ceiling gives a unit more than a fraction's floor, and never more.
  expect(ceiled <= exact / UNIT + 1n, `a ceiling leaves at most ${exact / UNIT + 1n}`);
  expect(source <= ceiled, `caps leave at most ${ceiled}`);
  expect(share.amountMinor === Number(amount), `${amount} at the end`);
  expect(rate !== null || share.currency === currency, `paid in ${currency}`);
  return faults;
}
