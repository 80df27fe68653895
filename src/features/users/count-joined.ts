/** Counts the members that one transaction inserts, for those above them: once for all, not for each sponsor. */
import type { Db, Scope } from '../../db/frame.ts';
import { insertJoinedCounts, listUplines } from './joined-counts-queries.ts';
import { type Joined, shareCounts } from './share-counts.ts';

export interface NewDescendant {
  sponsorId: string | null;
  isActive: boolean;
  createdAt: Date;
}

/** About 50 MB of ancestors. */
const MOST_ABOVE = 200_000;
/** So few sponsors are counted together, however deep they are. */
const FEW_SPONSORS = 100;

/** Behind the lock under which they were inserted: the uplines are as they were then. */
export async function countJoined(db: Db, scope: Scope, members: readonly NewDescendant[]): Promise<void> {
  // More than one only when the clock of a SANDBOX is moved meanwhile.
  const byMoment = Map.groupBy(members, ({ createdAt }) => createdAt.getTime());
  for (const [moment, joined] of byMoment) {
    const bySponsor = new Map<string, Joined>();
    for (const { sponsorId, isActive } of joined) {
      if (sponsorId === null) continue;
      const sum = bySponsor.get(sponsorId) ?? { sponsorId, members: 0, active: 0 };
      sum.members += 1;
      sum.active += Number(isActive);
      bySponsor.set(sponsorId, sum);
    }
    if (bySponsor.size > 0) await countUnder(db, scope, new Date(moment), [...bySponsor.values()]);
  }
}

async function countUnder(db: Db, scope: Scope, joinedAt: Date, joined: readonly Joined[]): Promise<void> {
  const most = joined.length > FEW_SPONSORS ? MOST_ABOVE : undefined;
  const sponsorIds = joined.map(({ sponsorId }) => sponsorId);
  const above = await listUplines(db, scope, sponsorIds, most && most + 1);
  if (most === undefined || above.length <= most) {
    await insertJoinedCounts(db, scope, joinedAt, shareCounts(joined, above), joined);
    return;
  }
  const half = Math.ceil(joined.length / 2);
  await countUnder(db, scope, joinedAt, joined.slice(0, half));
  await countUnder(db, scope, joinedAt, joined.slice(half));
}
