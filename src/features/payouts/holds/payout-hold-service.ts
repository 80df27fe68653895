/** The brake on all payments to a member. Source: docs/specification/payouts.md#hold. */
import type { z } from 'zod';
import { actorRef } from '../../../actor.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { AppError, invalidField } from '../../../errors.ts';
import type { ActingContext, RequestContext } from '../../../http/operation.ts';
import type { Cursors, Page } from '../../../http/pagination.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { listPayoutHolds, setPayoutHold } from './payout-hold-operations.ts';
import {
  awaitPayouts,
  findHold,
  type HoldInForce,
  listHolds,
  lockMemberToHold,
  type MemberToHold,
  type PayoutHold,
  removeHold,
  resumePayouts,
  storeHold,
} from './payout-hold-queries.ts';

type ListInput = z.output<(typeof listPayoutHolds)['query'] & {}>;
type SetInput = z.output<(typeof setPayoutHold)['body'] & {}>;

export interface HoldOfMember {
  userId: string;
  payoutHold: PayoutHold | null;
}

export interface PayoutHoldService {
  list(context: RequestContext, query: ListInput): Promise<Page<HoldInForce>>;
  /** All of these: USER_NOT_FOUND. */
  read(context: RequestContext, memberId: string): Promise<HoldOfMember>;
  /** STATE_CONFLICT once erased; 400 on an end that is not in the future. */
  set(context: ActingContext, memberId: string, input: SetInput): Promise<HoldOfMember>;
  lift(context: ActingContext, memberId: string): Promise<HoldOfMember>;
}

export function createPayoutHoldService({ frames, cursors }: { frames: Frames; cursors: Cursors }): PayoutHoldService {
  return {
    async list({ scope }, { limit, cursor }) {
      const list = { scope, operationId: 'listPayoutHolds', filters: {} };
      const [setAt = '', memberId = ''] = cursors.open(cursor, list)?.split(' ') ?? [];
      const after = cursor === undefined ? undefined : { setAt: BigInt(setAt), memberId };
      const rows = await frames.read(scope, (db) => listHolds(db, scope, after, limit + 1));
      return cursors.page(rows, limit, list, (hold) => `${hold.setAt} ${hold.memberId}`);
    },

    read: ({ scope }, userId) =>
      frames.read(scope, async (db) => {
        const payoutHold = await findHold(db, scope, userId);
        if (payoutHold === undefined) throw noSuchMember();
        return { userId, payoutHold };
      }),

    set: (context, userId, { reason, until = null }) =>
      frames.write(
        context.scope,
        async (db) => {
          const { scope } = context;
          const { erasedAt, now } = await lockMember(db, scope, userId);
          if (erasedAt) throw new AppError('STATE_CONFLICT', 'The member was erased');
          if (until !== null && new Date(until) <= now) throw invalidField('until', 'must be in the future');
          // In one go, yet in this order: whoever takes up a payout of the member behind this sees the hold.
          const [payoutHold] = await Promise.all([
            storeHold(db, scope, userId, { reason, until, createdBy: actorRef(scope.provenance.actor), now }),
            awaitPayouts(db, scope, userId),
            audit(db, context, userId, 'set', { until }),
          ]);
          return { userId, payoutHold };
        },
        { guard: context.guard, shape: context.shape },
      ),

    lift: (context, userId) =>
      frames.write(
        context.scope,
        async (db) => {
          const { scope } = context;
          await lockMember(db, scope, userId);
          if (await removeHold(db, scope, userId)) {
            await Promise.all([resumePayouts(db, scope, userId), audit(db, context, userId, 'lifted', {})]);
          }
          return { userId, payoutHold: null };
        },
        { guard: context.guard, shape: context.shape },
      ),
  };
}

async function lockMember(db: Db, scope: Scope, memberId: string): Promise<MemberToHold> {
  const member = await lockMemberToHold(db, scope, memberId);
  if (!member) throw noSuchMember();
  return member;
}

/** Without the reason: entries outlive an erasure. */
function audit(
  db: Db,
  { scope }: ActingContext,
  memberId: string,
  deed: 'set' | 'lifted',
  details: Record<string, unknown>,
): Promise<void> {
  const action = `payout_hold.${deed}`;
  return recordAudit(db, scope, { action, by: scope.provenance, objectKind: 'member', objectId: memberId, details });
}

function noSuchMember(): AppError {
  return new AppError('USER_NOT_FOUND', 'No such member');
}
