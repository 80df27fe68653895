/** Those below the member, as far as the tenant shows them. Source: docs/specification/widget.md#reads. */
import { z } from 'zod';
import { monthOf } from '../../../pages/parts/months.ts';
import { listChildren } from '../../genealogy/genealogy-operations.ts';
import { maskFor } from '../../genealogy/open/mask-person.ts';
import { getTeamStats } from '../../members/team-operations.ts';
import { readQuery } from './sent.ts';
import { majorMoneyOf, type View } from './view.ts';

export const RIGHTS = ['members:read'] as const;

const asked = z.strictObject({ cursor: z.string().optional() });

const MEMBERS_A_PAGE = '20';

export async function readTeam({ invoke, by, memberId, facts, query }: View) {
  const { cursor } = readQuery(asked, query);
  const params = { userId: memberId };
  const visibility = facts.visibility ?? 'masked';
  const [ever, now, recruits] = await Promise.all([
    invoke(getTeamStats, { params, query: { period: 'all' } }, by),
    invoke(getTeamStats, { params, query: { period: monthOf(facts.now, facts.timeZone) } }, by),
    visibility === 'counts' ? undefined : invoke(listChildren, { params, query: { limit: MEMBERS_A_PAGE, cursor } }, by),
  ]);
  if (!ever.body || !now.body) throw new Error('a read waits for nobody');
  const { teamSize, directReferrals, activeMembers, currency } = ever.body;
  const { commissionExact } = ever.body as { commissionExact?: string };
  return {
    visibility,
    direct: directReferrals,
    total: teamSize,
    active: activeMembers,
    newThisMonth: now.body.newMembers,
    earned: majorMoneyOf(ever.body.commission, currency, commissionExact),
    members:
      recruits?.body?.data.map((recruit) => ({
        name: shortened(recruit),
        joinedAt: recruit.joinedAt,
        isActive: recruit.isActive,
        tier: recruit.membershipTier,
        directReferrals: recruit.directReferrals,
        totalDownline: recruit.totalDownline,
      })) ?? null,
    nextCursor: recruits?.body?.nextCursor ?? null,
  };
}

/** The first name and an initial, however much the tenant shows: a page that others may look at says no more. */
function shortened({ name, givenName, surname }: { name: string | null; givenName: string | null; surname: string | null }) {
  const person = { id: '', email: null, name, givenName, surname };
  return maskFor({ memberId: undefined, visibility: 'masked' }, person).name;
}
