/** Chooses what the demo ends with: a mid-level member worth looking at, and who makes the last sale below them. */
import type { MemberState, Shop, Tier } from './demo-shop-model.ts';

/** A higher tier is paid further down its downline. */
const RANK: Record<Tier, number> = { ORDINARY: 0, SENIOR: 2, MANAGER: 4, DIRECTOR: 4 };
/** A tree of about this many people fits a screen. */
const WANTED_DOWNLINE = 12;

/** More sales of one's own make no better picture. */
const ENOUGH_SALES = 10;

/** `focus` is on level 3 or 4 where one there has a downline; `seller` is active and deep below, or the focus. */
export function chooseFocus(
  { members, purchases }: Pick<Shop, 'members' | 'purchases'>,
  states: readonly MemberState[],
): { focus: number; seller: number } {
  const below = downlines(members);
  const sales = members.map(() => 0);
  for (const { credit } of purchases) {
    if (credit.by === 'referral_code' || credit.by === 'user_id') sales[credit.member] = (sales[credit.member] ?? 0) + 1;
  }
  const scores = members.map((_, index) => scoreOf(index));
  const focus = scores.indexOf(Math.max(...scores));
  const sellers = (below[focus] ?? []).toSorted((a, b) => sellerScoreOf(b) - sellerScoreOf(a) || a - b);
  return { focus, seller: sellers[0] ?? focus };

  function scoreOf(index: number): number {
    const level = members[index]?.level ?? 0;
    const downline = below[index] ?? [];
    const people = downline.map((other) => states[other]);
    const depth = Math.max(0, ...downline.map((other) => (members[other]?.level ?? level) - level));
    return (
      ((level === 3 || level === 4) && downline.length > 0 ? 1_000 : 0) +
      (states[index]?.isActive ? 100 : 0) +
      depth * 10 +
      Math.min(ENOUGH_SALES, sales[index] ?? 0) * 3 +
      RANK[states[index]?.tier ?? 'ORDINARY'] * 4 +
      new Set(people.map((person) => person?.tier)).size * 5 +
      Math.min(2, people.filter((person) => person?.isActive === false).length) * 8 -
      Math.abs(downline.length - WANTED_DOWNLINE) * 2
    );
  }

  /** Deep, active, and with people on the way up who will be passed over. */
  function sellerScoreOf(index: number): number {
    let passedOver = 0;
    for (let at = members[index]?.sponsor; at !== undefined && at !== focus; at = members[at]?.sponsor) {
      if (!states[at]?.isActive) passedOver += 3;
      else if (states[at]?.tier === 'ORDINARY') passedOver += 1;
    }
    return (states[index]?.isActive ? 100 : 0) + (members[index]?.level ?? 0) * 10 + passedOver;
  }
}

/** Everybody below each member. */
function downlines(members: Shop['members']): number[][] {
  const below: number[][] = members.map(() => []);
  for (const index of members.keys()) {
    for (let at = members[index]?.sponsor; at !== undefined; at = members[at]?.sponsor) below[at]?.push(index);
  }
  return below;
}
