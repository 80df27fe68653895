/**
 * The demo shop as data: the same seed, sizes and day always give the same members, leads, changes
 * and purchases, down to the cent.
 */
import { createDice, type Dice, mixSeed } from './demo-shop-dice.ts';
import { chooseFocus } from './demo-shop-focus.ts';
import {
  DAY_MS,
  type MemberState,
  type Shop,
  type ShopChange,
  type ShopLead,
  type ShopMember,
  TIERS,
  type Tier,
} from './demo-shop-model.ts';
import { drawName } from './demo-shop-names.ts';
import { generateLastPurchase, generatePurchases } from './demo-shop-purchases.ts';

export interface ShopSize {
  seed: number;
  members: number;
  leads: number;
  purchases: number;
  /** All dates count back from the start of this day (UTC). */
  today: Date;
}

/** Share of the members on each level, in thousandths. */
const LEVEL_SHARES = [5, 18, 77, 200, 290, 255, 155];
/** Chance of each tier, from DIRECTOR down to SENIOR; the rest are ORDINARY. By level. */
const TIER_CHANCES = [
  [1, 0, 0],
  [0.4, 0.6, 0],
  [0.1, 0.4, 0.4],
  [0, 0.15, 0.4],
  [0, 0.04, 0.22],
  [0, 0, 0.12],
  [0, 0, 0],
];

export function generateShop(size: ShopSize): Shop {
  const today = Math.floor(size.today.getTime() / DAY_MS) * DAY_MS;
  const members = generateMembers(size.members, createDice(mixSeed(size.seed, 1)));
  const leads = generateLeads(members, size.leads, createDice(mixSeed(size.seed, 2)));
  const changes = generateChanges(members, today, createDice(mixSeed(size.seed, 3)));
  const purchases = generatePurchases({ members, count: size.purchases, today, dice: createDice(mixSeed(size.seed, 4)) });
  const { focus, seller } = chooseFocus({ members, purchases }, finalStates({ members, changes }));
  return { members, leads, changes, purchases, focus, lastPurchase: generateLastPurchase(seller) };
}

/** Tier and activity of each member once every change is in. */
export function finalStates({ members, changes }: Pick<Shop, 'members' | 'changes'>): MemberState[] {
  const states = members.map(({ tier }) => ({ tier, isActive: true }));
  for (const { member, set } of changes) {
    const state = states[member];
    if (!state) continue;
    if ('is_active' in set) state.isActive = set.is_active;
    else state.tier = set.membership_tier;
  }
  return states;
}

/** How many members stand on each level: one at least, the rest by share, all of them together `count`. */
export function levelWidths(count: number): number[] {
  const levels = Math.min(LEVEL_SHARES.length, count);
  const shares = LEVEL_SHARES.slice(0, levels);
  const whole = shares.reduce((sum, share) => sum + share, 0);
  let before = 0;
  let below = 0;
  return shares.map((share) => {
    before += share;
    const upTo = Math.round(((count - levels) * before) / whole);
    const width = 1 + upTo - below;
    below = upTo;
    return width;
  });
}

function generateMembers(count: number, dice: Dice): ShopMember[] {
  const members: ShopMember[] = [];
  const taken = new Set<string>();
  let above: number[] = [];
  for (const [index, width] of levelWidths(count).entries()) {
    const here: number[] = [];
    for (let i = 0; i < width; i++) {
      here.push(members.length);
      members.push({
        ...drawName(dice, taken, `member${members.length + 1}`),
        level: index + 1,
        sponsor: above[Math.floor(above.length * dice.low())],
        joinsBy: dice.chance(0.25) ? 'referral_code' : 'parent_id',
        tier: drawTier(index, dice),
        fromLead: false,
      });
    }
    above = here;
  }
  return members;
}

function drawTier(levelIndex: number, dice: Dice): Tier {
  const [director = 0, manager = 0, senior = 0] = TIER_CHANCES[levelIndex] ?? [];
  const roll = dice.next();
  if (roll < director) return 'DIRECTOR';
  if (roll < director + manager) return 'MANAGER';
  return roll < director + manager + senior ? 'SENIOR' : 'ORDINARY';
}

const SOURCES = ['newsletter', 'webinar', 'fair', 'website', 'instagram'];

/** About three leads in eight become members; those that do carry their sponsor's code. */
function generateLeads(members: ShopMember[], count: number, dice: Dice): ShopLead[] {
  const sponsors = new Set(members.map(({ sponsor }) => sponsor));
  const leaves = dice.shuffle(
    members.flatMap(({ sponsor }, index) => (sponsor !== undefined && !sponsors.has(index) ? [index] : [])),
  );
  const converting = leaves.slice(0, Math.floor((count * 3) / 8));
  for (const index of converting) Object.assign(members[index] ?? {}, { fromLead: true, joinsBy: 'referral_code' });
  const referrers = members.flatMap((member, index) => (member.fromLead ? [] : [index]));
  const taken = new Set<string>();
  return Array.from({ length: count }, (_, index) => {
    const member = members[converting[index] ?? -1];
    const source = dice.pick(SOURCES);
    if (member) return { name: member.name, email: member.email, source, referrer: member.sponsor };
    return {
      ...drawName(dice, taken, `lead${index + 1}`),
      source,
      referrer: dice.chance(0.5) ? dice.pick(referrers) : undefined,
    };
  });
}

/** Promotions by one tier, members who leave, and some of them who come back; nobody at the top. */
function generateChanges(members: readonly ShopMember[], today: number, dice: Dice): ShopChange[] {
  const below = dice.shuffle(members.flatMap(({ level }, index) => (level > 1 ? [index] : [])));
  const daysAgo = (days: number): string => new Date(today - days * DAY_MS + 9 * 3_600_000).toISOString();
  const changes: ShopChange[] = [];
  for (const member of below.slice(0, Math.round(members.length * 0.05))) {
    const left = 15 + dice.int(110);
    changes.push({ member, effectiveAt: daysAgo(left), set: { is_active: false }, reason: 'membership lapsed' });
    if (dice.chance(0.3)) {
      changes.push({
        member,
        effectiveAt: daysAgo(1 + dice.int(left - 1)),
        set: { is_active: true },
        reason: 'membership renewed',
      });
    }
  }
  for (const member of dice.shuffle(below).slice(0, Math.round(members.length * 0.08))) {
    const next = TIERS[TIERS.indexOf(members[member]?.tier ?? 'DIRECTOR') + 1];
    if (next === undefined) continue;
    changes.push({
      member,
      effectiveAt: daysAgo(10 + dice.int(150)),
      set: { membership_tier: next },
      reason: 'sales goal reached',
    });
  }
  return changes;
}
