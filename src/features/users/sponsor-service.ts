/**
 * Rules of moving members in the tree. Source: docs/specification/hierarchy.md#moves,
 * docs/specification/hierarchy.md#tree-lock.
 */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { ActingContext } from '../../http/operation.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import { insertSponsorChange } from './history-queries.ts';
import { usersErrors } from './open/users-errors.ts';
import type { moveMember, SponsorMoveAnswer } from './sponsor-operations.ts';
import { applySponsorMove, lockFoldsForMove, type MoveFacts, readMoveFacts } from './sponsor-queries.ts';
import { lockHistoryForChange, lockTreeForChange } from './users-queries.ts';

type Move = z.output<(typeof moveMember)['body'] & {}>;

export interface SponsorService {
  /** Moves a member under another sponsor, as of a time. USER_NOT_FOUND, CYCLE_DETECTED, RECRUITING_DISABLED. */
  moveMember(context: ActingContext, memberId: string, input: Move): Promise<SponsorMoveAnswer>;
}

export function createSponsorService({ frames }: { frames: Frames }): SponsorService {
  return {
    async moveMember({ scope, guard, shape }, memberId, { sponsorId, ...input }) {
      const effectiveAt = input.effectiveAt ?? undefined;
      const reason = input.reason ?? null;
      return frames.write(
        scope,
        async (db) => {
          const [, , , facts] = await Promise.all([
            // In this order: while a move waits for a rebuild, others join.
            db.rows(lockFoldsForMove(scope)),
            db.rows(lockTreeForChange(scope)),
            db.rows(lockHistoryForChange(scope)),
            readMoveFacts(db, scope, { memberId, sponsorId, effectiveAt }),
          ]);
          const moved = { userId: memberId, sponsorId, formerSponsorId: facts.formerSponsorId };
          refuseUnknown(facts, sponsorId, effectiveAt);
          if (effectiveAt === undefined && facts.parentId === sponsorId) {
            return { ...moved, effectiveAt: facts.latestAt, reason: facts.latestReason, downlineMoved: 0 };
          }
          refuseForbidden(facts);
          const change = { memberId, effectiveAt: facts.effectiveAtText, reason };
          const { formerSponsorId, effectiveAt: since } = facts;
          tell(db, scope.provenance, 'member.moved', memberId);
          // The answer has a sum, so it is made before the commit, which does not travel behind the move.
          const [, , members] = await Promise.all([
            insertSponsorChange(db, scope, facts.parentId, sponsorId, change),
            // Without the reason, which is free text: the history keeps it.
            recordAudit(db, scope, {
              action: 'member.moved',
              by: scope.provenance,
              objectKind: 'member',
              objectId: memberId,
              details: { sponsorId, formerSponsorId, effectiveAt: since },
            }),
            applySponsorMove(db, scope, memberId),
          ]);
          return { ...moved, effectiveAt: since, reason, downlineMoved: Math.max(0, members - 1) };
        },
        { guard, shape },
      );
    },
  };
}

function refuseUnknown(facts: MoveFacts, sponsorId: string | null, effectiveAt: string | undefined): void {
  if (!facts.memberFound) throw new AppError('USER_NOT_FOUND', 'No such member');
  if (sponsorId !== null && !facts.sponsorFound) {
    throw invalidField('sponsorId', 'is not a member of this tenant and environment');
  }
  if (effectiveAt !== undefined && Date.parse(effectiveAt) > facts.now.getTime()) {
    throw invalidField('effectiveAt', 'must not be in the future');
  }
}

function refuseForbidden(facts: MoveFacts): void {
  if (facts.closesCycle) {
    throw new AppError(
      usersErrors.CYCLE_DETECTED,
      'The sponsor is the member itself, or is below it at a time this move would count for',
    );
  }
  if (facts.sponsorCanRecruit === false) throw new AppError(usersErrors.RECRUITING_DISABLED, 'The sponsor may not recruit');
}
