/** Erasing a member: nothing of the person is left beside the books. Source: data.md, api-decisions §6. */
import type { Frames } from '../../db/frame.ts';
import { AppError } from '../../errors.ts';
import type { CallContext } from '../../http/operation.ts';
import { normaliseEmail } from '../../http/schemas.ts';
import { actorOf, recordAudit } from '../audit/audit-log.ts';
import { forgetKyc } from '../kyc/forget-kyc.ts';
import { retireMember } from '../users/retire-member.ts';
import type { ErasureAnswer } from './erasure-operations.ts';
import { eraseCustomers, erasePerson, holdOpenPayouts } from './erasure-queries.ts';
import { profileStatement } from './profile-queries.ts';

export interface ErasureService {
  /** Erases the member's personal data, for good; once erased it changes nothing. USER_NOT_FOUND. */
  eraseMember(context: CallContext, memberId: string, reason: string | undefined): Promise<ErasureAnswer>;
}

export function createErasureService({ frames }: { frames: Frames }): ErasureService {
  return {
    async eraseMember({ scope, guard }, memberId, reason) {
      return frames.write(
        scope,
        async (db) => {
          const known = await db.row(profileStatement(scope.tenantId, scope.environment, memberId));
          if (!known) throw new AppError('USER_NOT_FOUND', 'No such member');
          const emailNorm = normaliseEmail(known.email);
          // Only an erasure changes an email, so it is still this one, or gone, when the member is locked.
          if (!known.erasedAt) {
            await eraseCustomers(db, scope, emailNorm, known.email);
            // Decisions on a verification lock its record first, and the member then.
            await forgetKyc(db, scope, memberId);
            await holdOpenPayouts(db, scope, memberId);
          }
          const member = await retireMember(db, scope, memberId, 'Erased');
          if (!member) throw new Error('a member vanished');
          if (member.erasedAt) return { userId: memberId, email: member.email, erasedAt: member.erasedAt };
          const erased = await erasePerson(db, scope, memberId, emailNorm);
          await recordAudit(db, scope, {
            action: 'member.erased',
            actor: actorOf(scope),
            objectKind: 'member',
            objectId: memberId,
            ...(reason === undefined ? {} : { details: { reason } }),
          });
          return { userId: memberId, ...erased };
        },
        // A second run finds the member erased.
        { guard, repeatable: true },
      );
    },
  };
}
