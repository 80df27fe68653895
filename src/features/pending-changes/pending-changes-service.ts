/** Changes that wait for another pair of hands: what waits, what ends it, and who sees it. Source: docs/specification/two-hands.md#waiting. */
import type { z } from 'zod';
import { type ActingScope, actorRef, bySystem, type Provenance } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope, WriteDb } from '../../db/scope.ts';
import type { Cipher } from '../../encryption.ts';
import { AppError } from '../../errors.ts';
import type { HouseParts } from '../../house/feature.ts';
import {
  type FieldEffect,
  type HandsDetails,
  HeldBack,
  type KeepOptions,
  type SentRequest,
  Waiting,
} from '../../http/held-back.ts';
import { digestsOfNamed } from '../../http/named-digests.ts';
import type { CallContext, Caller } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { effectsOf, holdsRight, rightsLacking } from '../../http/rights.ts';
import { validateSent } from '../../http/validate-input.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { twoHandsErrors } from '../two-hands/open/two-hands-errors.ts';
import type { TwoHandsOffers } from '../two-hands/two-hands-feature.ts';
import type { PendingChange, PendingField } from './open/pending-change.ts';
import { pendingChangesErrors } from './open/pending-changes-errors.ts';
import { sealRequest, withSealed, withShown } from './open-request.ts';
import type { listPendingChanges } from './pending-changes-operations.ts';
import {
  claimFields,
  closeChanges,
  findChange,
  insertChange,
  listChanges,
  lockChange,
  lockChangesOf,
  lockDueChanges,
  type StoredChange,
  sweepChanges,
} from './pending-changes-queries.ts';

/** How long a change waits. */
const HOURS = 72;

type List = z.output<(typeof listPendingChanges)['query'] & {}>;

/** As a service calls it inside its write frame, behind its locks, before it stores anything. */
export type HoldBack = (db: WriteDb, context: CallContext, effects: readonly FieldEffect[]) => Promise<HandsDetails>;

export interface PendingChangesService {
  /**
   * Returns when what the request changes may take effect now, with what its audit entry adds; a waiting change of the
   * same safeguard is cancelled then. Throws HeldBack when the request must wait. `effects` are what is other than before.
   */
  holdBack: HoldBack;
  /** The same for what is one of many, which cannot wait: SECOND_PERSON_REQUIRED where it must, with the operation `alone`. */
  refuseToWait(db: WriteDb, scope: ActingScope, effects: readonly FieldEffect[], alone: string): Promise<HandsDetails>;
  list(context: CallContext, query: List): Promise<Page<PendingChange>>;
  /** NOT_FOUND, FORBIDDEN. */
  read(context: CallContext, id: string): Promise<PendingChange>;
  /** NOT_FOUND, FORBIDDEN, STATE_CONFLICT. */
  reject(context: CallContext, id: string, reason: string | null): Promise<PendingChange>;
  /** Expires at most so many that nobody confirmed in time; how many. */
  expire(db: Db, scope: Scope, limit: number): Promise<number>;
}

interface Deps {
  frames: Frames;
  cursors: Cursors;
  cipher: Cipher;
  house: Pick<HouseParts, 'routeOf' | 'scopeOf' | 'allScopes'>;
  twoHands: TwoHandsOffers;
}

export function createPendingChangesService({ frames, cursors, cipher, house, twoHands }: Deps): PendingChangesService {
  async function keep(
    { scope }: CallContext,
    effects: readonly FieldEffect[],
    rule: 'keys' | 'persons',
    request: SentRequest,
    { guard, shape }: KeepOptions,
  ): Promise<Waiting> {
    const { operationId, actor } = scope.provenance;
    const fields = effects.map(toField);
    const before = Object.fromEntries(effects.map((effect) => [effect.field, effect.before]));
    const shown = Object.fromEntries(effects.flatMap(({ field, shownSealed }) => (shownSealed ? [[field, shownSealed]] : [])));
    const change = {
      operationId,
      scopes: scopesOf(house, operationId, request),
      rule,
      fields,
      named: digestsOfNamed([request.params, request.query, request.body, fields]),
      createdBy: actorRef(actor),
      createdRoot: scope.root,
      hours: HOURS,
    };
    const weakened = weakenedBy(effects);
    return frames.write(
      scope,
      async (db) => {
        const over = (await lockChangesOf(db, scope, weakened)).filter((one) => one.over);
        await end(db, scope, { ids: over.map(({ id }) => id), status: 'expired', by: bySystem(EXPIRE) });
        const stored = await insertChange(db, scope, change, (id) =>
          sealRequest(cipher, scope, id, { ...request, before, shown }),
        );
        const pendingChangeId = await claimFields(db, scope, stored.id, weakened);
        if (pendingChangeId !== undefined) {
          throw new AppError(
            pendingChangesErrors.CHANGE_PENDING,
            'Another change that weakens the same safeguard waits to be confirmed; confirm or reject that one first',
            { details: { pendingChangeId } },
          );
        }
        await audit(db, scope, scope.provenance, stored, 'opened');
        return new Waiting({ pendingChange: { ...stored, fields: withShown(stored.fields, shown) } });
      },
      { guard, shape },
    );
  }

  async function takeEffect(
    db: WriteDb,
    scope: ActingScope,
    effects: readonly FieldEffect[],
    mustWait: (rule: 'keys' | 'persons') => Error,
  ): Promise<HandsDetails> {
    const hands = handsOf(effects);
    if (scope.environment !== 'LIVE' || effects.length === 0) return hands;
    if (weakenedBy(effects).length > 0) {
      const rule = await twoHands.readRule(db, scope);
      if (rule !== 'none') throw mustWait(rule);
    }
    await cancelChangesOf(db, scope, scope.provenance, effects);
    return hands;
  }

  return {
    async holdBack(db, context, effects) {
      const { scope, confirming } = context;
      if (confirming) return { ...handsOf(effects), ...(await confirming.settle(db, effects)) };
      return takeEffect(
        db,
        scope,
        effects,
        (rule) => new HeldBack((request, options) => keep(context, effects, rule, request, options)),
      );
    },

    refuseToWait: (db, scope, effects, alone) =>
      takeEffect(
        db,
        scope,
        effects,
        () =>
          new AppError(
            twoHandsErrors.SECOND_PERSON_REQUIRED,
            `Dual control: this takes another pair of hands; send it alone, by ${alone}, where it waits for them`,
          ),
      ),

    async list({ scope }, { limit, cursor, status }) {
      const list = { scope, operationId: 'listPendingChanges', filters: { status } };
      const before = cursors.open(cursor, list);
      const held = house.allScopes.filter((one) => holdsRight(scope, one));
      const seen = { held, self: actorRef(scope.provenance.actor) };
      const rows = await frames.read(scope, (db) => listChanges(db, scope, seen, { status, before, count: limit + 1 }));
      const page = cursors.page(rows, limit, list, ({ id }) => id);
      return { ...page, rows: page.rows.map((change) => withSealed(cipher, scope, change)) };
    },

    async read({ scope }, id) {
      return withSealed(cipher, scope, visibleTo(scope, await frames.read(scope, (db) => findChange(db, scope, id))));
    },

    async reject({ scope, guard, shape }, id, reason) {
      // Ahead of a stored answer: who may not see the change gets none.
      await frames.read(scope, async (db) => visibleTo(scope, await findChange(db, scope, id)));
      return frames.write(
        scope,
        async (db) => {
          requireOpen(visibleTo(scope, await lockChange(db, scope, id)));
          const [rejected] = await end(db, scope, { ids: [id], status: 'rejected', by: scope.provenance, reason });
          if (!rejected) throw new Error('an open change was not rejected');
          return rejected;
        },
        { guard, shape },
      );
    },

    async expire(db, scope, limit) {
      const ids = await lockDueChanges(db, scope, limit);
      const by = bySystem(EXPIRE);
      for (const change of await sweepChanges(db, scope, { ids, status: 'expired', by: actorRef(by.actor) })) {
        await audit(db, scope, by, change, 'expired');
      }
      return ids.length;
    },
  };
}

/** The sweep. */
export const EXPIRE = 'expire-pending-changes';

/** Changes of these fields that wait are over: what they were asked of is not there any more. */
export async function cancelChangesOf(
  db: Db,
  scope: Scope,
  by: Provenance,
  effects: readonly FieldEffect[],
  except?: string,
): Promise<void> {
  const fields = effects.map(({ field }) => field);
  const ids = (await lockChangesOf(db, scope, fields)).map(({ id }) => id).filter((id) => id !== except);
  await end(db, scope, { ids, status: 'cancelled', by });
}

async function end(
  db: Db,
  scope: Scope,
  {
    ids,
    status,
    by,
    reason,
  }: { ids: string[]; status: 'rejected' | 'expired' | 'cancelled'; by: Provenance; reason?: string | null },
): Promise<PendingChange[]> {
  if (ids.length === 0) return [];
  const ending = { ids, status, by: actorRef(by.actor) };
  // A row of an import ends changes too: as a worker, who may give no reason.
  const closed =
    status === 'rejected'
      ? await closeChanges(db, scope, { ...ending, reason: reason ?? null, named: digestsOfNamed([reason ?? '']) })
      : await sweepChanges(db, scope, ending);
  for (const change of closed) await audit(db, scope, by, change, status);
  return closed;
}

/** Of fields the names alone. */
export function audit(
  db: Db,
  scope: Scope,
  by: Provenance,
  { id, operationId, fields, createdBy }: PendingChange,
  deed: 'opened' | 'confirmed' | 'rejected' | 'expired' | 'cancelled',
): Promise<void> {
  return recordAudit(db, scope, {
    action: `pending_change.${deed}`,
    by,
    objectKind: 'pending_change',
    objectId: id,
    details: { operationId, fields: fields.map(({ field }) => field), proposedBy: actorRef(createdBy) },
  });
}

export const weakenedBy = (effects: readonly FieldEffect[]): string[] =>
  effects.filter(({ direction }) => direction === 'weakens').map(({ field }) => field);

function handsOf(effects: readonly FieldEffect[]): HandsDetails {
  const weakened = weakenedBy(effects);
  const tightened = effects.filter(({ direction }) => direction === 'tightens').map(({ field }) => field);
  return {
    ...(weakened.length > 0 ? { weakens: weakened } : {}),
    ...(tightened.length > 0 ? { tightens: tightened } : {}),
  };
}

export const toField = ({ field, direction, shown }: FieldEffect): PendingField => ({
  field,
  direction,
  from: shown?.from ?? null,
  to: shown?.to ?? null,
});

/** The rights that the request needs: its operation's, and those of its effects. */
export function scopesOf({ routeOf, scopeOf }: Deps['house'], operationId: string, request: SentRequest): string[] {
  const { operation } = routeOf(operationId);
  const effects = effectsOf(operation, validateSent(operation, request));
  return [...new Set([scopeOf(operationId), ...effects.map((effect) => scopeOf(effect.operationId))])];
}

/** Whoever could ask for it sees it, and whoever has. NOT_FOUND, FORBIDDEN. */
export function visibleTo<Change extends StoredChange>(caller: Caller, change: Change | undefined): Change {
  if (!change) throw new AppError('NOT_FOUND', 'No such pending change');
  if (change.createdByRef !== actorRef(caller.provenance.actor)) requireRights(caller, change.scopes);
  return change;
}

export function requireRights(caller: Caller, scopes: readonly string[]): void {
  const lacking = rightsLacking(caller, scopes);
  if (lacking.length > 0)
    throw new AppError('FORBIDDEN', `The API key lacks the scope ${lacking.join(', ')}, which the change needs`);
}

export function requireOpen({ status }: PendingChange): void {
  if (status !== 'open') throw new AppError('STATE_CONFLICT', `The change is ${status} and cannot be decided any more`);
}
