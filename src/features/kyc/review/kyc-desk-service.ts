/** Taking a verification, so that two reviewers do not do the same work. Source: docs/specification/verification.md#taking. */
import { type Actor, actorRef } from '../../../actor.ts';
import type { Frames } from '../../../db/frame.ts';
import type { WriteDb } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import type { CallContext } from '../../../http/operation.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { ProfileOffers } from '../../profile/profile-feature.ts';
import type { KycRecord } from '../records/kyc-record-queries.ts';
import { readDesk, storeReleased, storeTaken, type Taken } from './desk-queries.ts';
import { lockForReview } from './lock-for-review.ts';

/** Both throw NOT_FOUND, and STATE_CONFLICT once the member is erased. */
export interface KycDeskService {
  /** For 15 minutes from now. STATE_CONFLICT while another has it, unless it is taken `from` them. */
  take(context: CallContext, kycId: string, input: { from?: boolean | undefined }): Promise<KycRecord & Taken>;
  /** Ends what the caller has taken; what another has stays, unless it is ended `from` them. */
  release(context: CallContext, kycId: string, input: { from?: boolean | undefined }): Promise<KycRecord & Taken>;
}

interface Deps {
  frames: Frames;
  findProfile: ProfileOffers['findProfile'];
}

const MINUTES = 15;

export function createKycDeskService({ frames, findProfile }: Deps): KycDeskService {
  /** Under the record's lock, so that of two at once one finds what the other has done. */
  function atDesk(
    { scope, guard, shape }: CallContext,
    kycId: string,
    act: (db: WriteDb, present: Taken) => Promise<void>,
  ): Promise<KycRecord & Taken> {
    return frames.write(
      scope,
      async (db) => {
        const record = await lockForReview(findProfile, db, scope, kycId);
        await act(db, await readDesk(db, scope, kycId));
        const { takenBy, takenUntil } = await readDesk(db, scope, kycId);
        return { ...record, takenBy, takenUntil };
      },
      { guard, shape },
    );
  }

  function note(db: WriteDb, { scope }: CallContext, kycId: string, action: string): Promise<void> {
    return recordAudit(db, scope, { action, by: scope.provenance, objectKind: 'kyc_record', objectId: kycId });
  }

  return {
    take: (context, kycId, { from = false }) =>
      atDesk(context, kycId, async (db, { takenBy, takenUntil }) => {
        const { actor } = context.scope.provenance;
        const mine = isSame(takenBy, actor);
        if (takenBy && !mine && !from) {
          throw new AppError('STATE_CONFLICT', 'Somebody else has taken the verification; send `from` to take it all the same', {
            details: { takenBy, takenUntil },
          });
        }
        if (!mine) await note(db, context, kycId, 'kyc_record.taken');
        await storeTaken(db, context.scope, kycId, { by: actorRef(actor), minutes: MINUTES });
      }),

    release: (context, kycId, { from = false }) =>
      atDesk(context, kycId, async (db, { takenBy }) => {
        if (!takenBy || !(from || isSame(takenBy, context.scope.provenance.actor))) return;
        await note(db, context, kycId, 'kyc_record.released');
        await storeReleased(db, context.scope, kycId);
      }),
  };
}

function isSame(one: Actor | null, other: Actor): boolean {
  return one !== null && one.kind === other.kind && one.id === other.id;
}
