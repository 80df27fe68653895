/**
 * The upline walk once more, plain and slow, from commissions.md alone (Rules 1-3 and "made exact"):
 * a loop over people with exact fractions, sharing nothing with src. Tests compare the two.
 */
export interface ModelPlan {
  compression: 'none' | 'roll_up' | 'compress';
  /** Basis points of level 1, 2, 3, … */
  ratesBps: readonly number[];
  tiers: Readonly<Record<string, { multiplierMilli: number; maxDepth: number }>>;
}

export type ModelPerson = { id: string; tier: string; isActive: boolean };
export type ModelLine = { beneficiaryId: string; level: number; paidLevel: number; amountMinor: bigint };

export function modelUplineWalk(plan: ModelPlan, baseMinor: bigint, upline: readonly ModelPerson[], buyerId?: string) {
  const people = upline.slice(0, 256);
  const lines: ModelLine[] = [];

  const mayTake = (distance: number, paidLevel: number): boolean => {
    const person = people[distance - 1];
    if (!person?.isActive) return false;
    if (distance > 1 && person.id === buyerId) return false;
    return paidLevel <= (plan.tiers[person.tier]?.maxDepth ?? 0);
  };
  const pay = (distance: number, paidLevel: number): void => {
    const person = people[distance - 1];
    if (!person) return;
    // base x rate/10^4 x multiplier/10^3, then half up: floor(2n/d), and one more when it is odd.
    const numerator =
      baseMinor * BigInt(plan.ratesBps[paidLevel - 1] ?? 0) * BigInt(plan.tiers[person.tier]?.multiplierMilli ?? 0);
    const halves = (2n * numerator) / 10_000_000n;
    const amountMinor = halves / 2n + (halves % 2n);
    if (amountMinor > 0n) lines.push({ beneficiaryId: person.id, level: distance, paidLevel, amountMinor });
  };

  if (plan.compression === 'compress') {
    let paidLevel = 1;
    for (let distance = 1; distance <= people.length && paidLevel <= plan.ratesBps.length; distance++) {
      if (!mayTake(distance, paidLevel)) continue;
      pay(distance, paidLevel);
      paidLevel++;
    }
    return lines;
  }
  for (let paidLevel = 1; paidLevel <= Math.min(plan.ratesBps.length, people.length); paidLevel++) {
    let distance = paidLevel;
    if (plan.compression === 'roll_up') while (distance <= people.length && !mayTake(distance, paidLevel)) distance++;
    if (mayTake(distance, paidLevel)) pay(distance, paidLevel);
  }
  return lines.toSorted((a, b) => a.level - b.level || a.paidLevel - b.paidLevel);
}
