/**
 * Confirming a change: the request that waited is carried out by its own operation, in one transaction with the
 * confirmation. Source: docs/specification/two-hands.md#confirming.
 */
import { type Actor, type ActorKind, actorRef } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db } from '../../db/scope.ts';
import type { FrameGuard } from '../../db/write-options.ts';
import type { Cipher } from '../../encryption.ts';
import { AppError } from '../../errors.ts';
import type { HouseParts } from '../../house/feature.ts';
import type { Confirming, FieldEffect, HandsDetails } from '../../http/held-back.ts';
import type { CallContext, Caller, Origin } from '../../http/operation.ts';
import { rightsLacking } from '../../http/rights.ts';
import { validateSent } from '../../http/validate-input.ts';
import { rightsOfLocked } from '../staff/open/staff-standing.ts';
import { twoHandsErrors } from '../two-hands/open/two-hands-errors.ts';
import { stricterRule } from '../two-hands/open/two-hands-rule.ts';
import type { TwoHandsOffers } from '../two-hands/two-hands-feature.ts';
import type { PendingChange } from './open/pending-change.ts';
import { openRequest } from './open-request.ts';
import { closeChanges, findChange, lockActiveKeys, lockChange, lockRole, type StoredChange } from './pending-changes-queries.ts';
import { audit, cancelChangesOf, requireOpen, requireRights, scopesOf } from './pending-changes-service.ts';

/**
 * Carries out the request that waits, once. NOT_FOUND; FORBIDDEN without its rights; SECOND_PERSON_REQUIRED;
 * STATE_CONFLICT when it is over, or not any more what was asked for. The operator is another pair of hands than all keys.
 */
export type ConfirmChange = (context: CallContext & { origin: Origin }, id: string) => Promise<PendingChange>;

interface Deps {
  frames: Frames;
  cipher: Cipher;
  house: Pick<HouseParts, 'routeOf' | 'scopeOf' | 'allScopes'>;
  twoHands: TwoHandsOffers;
}

/** What the confirmed operation refuses is told as such: the request was not the caller's. */
const OWN = new Set(['STATE_CONFLICT', 'FORBIDDEN', twoHandsErrors.SECOND_PERSON_REQUIRED.code]);

export function createConfirmChange({ frames, cipher, house, twoHands }: Deps): ConfirmChange {
  return async ({ scope, guard, shape, origin }, id) => {
    const change = await frames.read(scope, async (db) => {
      const found = await findChange(db, scope, id);
      if (!found) throw new AppError('NOT_FOUND', 'No such pending change');
      // Ahead of a stored answer: who lacks the right gets none.
      requireRights(scope, found.scopes);
      await guard?.replay(db);
      return found;
    });
    requireOpen(change);
    if (change.sealed === null) throw new Error('an open change has no request');
    const { before, ...request } = openRequest(cipher, scope, id, change.sealed);
    const confirmation = createConfirmation({ twoHands, all: house.allScopes }, scope, change, before);
    const { operation, handler } = house.routeOf(change.operationId);
    try {
      requireRights(scope, scopesOf(house, change.operationId, request));
      await handler({
        ...validateSent(operation, request),
        scope,
        origin,
        guard: guard && guardOf(guard, confirmation.answer),
        shape: () => shape?.(confirmation.answer()),
        confirming: confirmation,
      });
    } catch (error) {
      throw asOfChange(error);
    }
    return confirmation.answer();
  };
}

interface Confirmation extends Confirming {
  /** The change as it is now. Throws unless the operation has asked. */
  answer(): PendingChange;
}

function createConfirmation(
  { twoHands, all }: { twoHands: TwoHandsOffers; all: readonly string[] },
  scope: Caller,
  { id, createdRoot }: StoredChange,
  before: Readonly<Record<string, string>>,
): Confirmation {
  let confirmed: PendingChange | undefined;
  return {
    proposerRoot: createdRoot,
    async settle(db, effects) {
      confirmed = undefined;
      const change = await lockChange(db, scope, id);
      if (!change) throw new AppError('NOT_FOUND', 'No such pending change');
      requireOpen(change);
      requireSame(change, before, effects);
      await requireBoth(db, scope, change, all);
      if (scope.provenance.actor.kind !== 'operator') {
        const rule = stricterRule(change.rule, await twoHands.readRule(db, scope));
        if (rule === 'none') throw new Error('a change waits by no rule');
        await twoHands.requireSecondPair(db, scope, { root: change.createdRoot, actor: change.createdByRef }, rule);
      }
      const by = scope.provenance;
      const [closed] = await closeChanges(db, scope, { ids: [id], status: 'confirmed', by: actorRef(by.actor) });
      if (!closed) throw new Error('an open change was not confirmed');
      await audit(db, scope, by, closed, 'confirmed');
      await cancelChangesOf(db, scope, by, effects, id);
      confirmed = closed;
      return { pendingChangeId: id, proposedBy: change.createdByRef } satisfies HandsDetails;
    },
    answer() {
      if (!confirmed) throw new AppError('STATE_CONFLICT', 'The change would have no effect any more');
      return confirmed;
    },
  };
}

/** The caller's part of the transaction, with the answer of the confirmation in place of the operation's. */
function guardOf(guard: FrameGuard, answer: () => PendingChange): FrameGuard {
  return {
    replay: (db: Db) => guard.replay(db),
    begin: (db: Db) => guard.begin(db),
    finish: async (db: Db) => guard.finish(db, answer()),
  };
}

/** What the request would change now must be what was asked for, from the values of then. */
function requireSame({ fields }: StoredChange, before: Readonly<Record<string, string>>, effects: readonly FieldEffect[]): void {
  const asked = fields.map(({ field, direction }) => [field, direction, before[field]].join('\n'));
  const found = effects.map((effect) => [effect.field, effect.direction, effect.before].join('\n'));
  if (asked.toSorted().join('\n\n') === found.toSorted().join('\n\n')) return;
  throw new AppError('STATE_CONFLICT', 'What the change was asked of is not as it was; reject it, and ask anew');
}

/** Both may make the change now, whatever was known of their keys and sessions when the request came in. */
async function requireBoth(
  db: Db,
  scope: Caller,
  { createdBy, createdByRef, scopes }: StoredChange,
  all: readonly string[],
): Promise<void> {
  const { actor } = scope.provenance;
  if (createdBy.kind !== 'api_key' && createdBy.kind !== 'staff') throw new Error(`nobody tells the rights of ${createdByRef}`);
  const both = actor.kind === 'operator' ? [createdBy] : [createdBy, actor];
  const idsOf = (kind: ActorKind): string[] =>
    both.flatMap((one) => (one.kind === kind && one.id !== null ? [one.id] : [])).toSorted();
  const rights = new Map<string, readonly string[]>(await lockActiveKeys(db, scope, idsOf('api_key')));
  for (const staffId of idsOf('staff')) {
    const held = rightsOfLocked(await db.row(lockRole(scope, { staffId })), { environment: scope.environment, all });
    if (held) rights.set(staffId, held);
  }
  const mayAll = ({ id }: Actor): boolean => {
    const held = rights.get(id ?? '');
    return held !== undefined && rightsLacking({ rights: held }, scopes).length === 0;
  };
  if (!mayAll(createdBy)) {
    throw new AppError('STATE_CONFLICT', 'Whoever asked for the change may not make it any more');
  }
  if (actor.kind !== 'operator' && !mayAll(actor)) {
    throw new AppError('FORBIDDEN', 'You lack a scope that the change needs');
  }
}

/** A refusal of the operation's own is a conflict with what is there now. */
function asOfChange(error: unknown): unknown {
  if (!(error instanceof AppError) || error.status >= 500 || OWN.has(error.code) || error.code.startsWith('IDEMPOTENCY_'))
    return error;
  return new AppError('STATE_CONFLICT', `The change cannot take effect any more: ${error.message}`, {
    details: { reason: error.code },
    cause: error,
  });
}
