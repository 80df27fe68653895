/** Counts the members that one transaction inserts, for those above them: once for all, not for each sponsor. */
import type { Db, Scope } from '../../db/scope.ts';
import { insertJoinedCounts, listUplines } from './joined-counts-queries.ts';
import { type Joined, shareCounts } from './share-counts.ts';

export interface NewDescendant {
  sponsorId: string | null;
  isActive: boolean;
  createdAt: Date;
}

export interface CountBounds {
  /** Ancestors at once; as many are about 50 MB. */
  mostAbove: number;
  /** So few sponsors are counted together, however many are above them. */
  fewSponsors: number;
}

const BOUNDS: CountBounds = { mostAbove: 200_000, fewSponsors: 100 };

/** Behind the lock under which they were inserted: the uplines are as they were then. */
export async function countJoined(db: Db, scope: Scope, members: readonly NewDescendant[], bounds = BOUNDS): Promise<void> {
  // More than one only when the clock of a SANDBOX is moved meanwhile.
  const byMoment = Map.groupBy(members, ({ createdAt }) => createdAt.getTime());
  for (const [moment, joined] of byMoment) {
    const bySponsor = sumBySponsor(joined);
    if (bySponsor.length > 0) await countUnder(db, scope, { joinedAt: new Date(moment), bounds }, bySponsor);
  }
}

function sumBySponsor(members: readonly NewDescendant[]): Joined[] {
  const sums = new Map<string, Joined>();
  for (const { sponsorId, isActive } of members) {
    if (sponsorId === null) continue;
    const sum = sums.get(sponsorId) ?? { sponsorId, members: 0, active: 0 };
    sums.set(sponsorId, { sponsorId, members: sum.members + 1, active: sum.active + Number(isActive) });
  }
  return [...sums.values()];
}

async function countUnder(
  db: Db,
  scope: Scope,
  how: { joinedAt: Date; bounds: CountBounds },
  joined: readonly Joined[],
): Promise<void> {
  const { joinedAt, bounds } = how;
  const most = joined.length > bounds.fewSponsors ? bounds.mostAbove : undefined;
  const sponsorIds = joined.map(({ sponsorId }) => sponsorId);
  const above = await listUplines(db, scope, sponsorIds, most && most + 1);
  if (most === undefined || above.length <= most) {
    await insertJoinedCounts(db, scope, joinedAt, shareCounts(joined, above), joined);
    return;
  }
  const half = Math.ceil(joined.length / 2);
  await countUnder(db, scope, how, joined.slice(0, half));
  await countUnder(db, scope, how, joined.slice(half));
}
