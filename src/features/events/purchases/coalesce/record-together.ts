/**
 * Several purchases in one transaction of two groups of messages. The first claims their Idempotency-Keys, fixes the time of
 * those without one, and reads what each is decided on. Each is decided as it would be alone. The second group stores them
 * with what is told and answered, and the commit travels behind. Source: docs/decisions/0037-coalesced-purchases.md.
 */
import { type ActingScope, actorRef } from '../../../../actor.ts';
import type { Frames } from '../../../../db/frame.ts';
import type { Db, Scope, WriteDb } from '../../../../db/scope.ts';
import { AppError } from '../../../../errors.ts';
import { faultPoint } from '../../../../fault-points.ts';
import type { KeyGuard } from '../../../../http/idempotency.ts';
import { claimTogether, releaseTogether, storeTogether } from '../../../../http/idempotency-together.ts';
import { holdersToLookAt } from '../../../ledger/open/balance-limit.ts';
import { insertEvents } from '../../event-insert-queries.ts';
import type { Purchase } from '../../open/purchase.ts';
import { type Recorded, recordedOf } from '../../recorded-event.ts';
import { paidByLadders } from '../../settling/note-ladders.ts';
import type { PurchaseGround } from '../decide-purchase.ts';
import { foretell, type IdentifiedEvent, insertedAs, withIds } from '../foretell-purchase.ts';
import { fixSaleTime } from '../purchase-facts-queries.ts';
import { readGrounds } from '../purchase-ground.ts';
import { decideEvent, heardOf, type PurchaseDeps, tellForetold } from '../record-purchase.ts';
import { waitBriefly } from './coalesce-queries.ts';
import type { Outcome } from './lanes.ts';

/** A purchase that may share a transaction, with its request's part in it. */
export interface Together {
  purchase: Purchase;
  scope: ActingScope;
  guard: KeyGuard | undefined;
}

/** Thrown where one has to be recorded alone. */
class Alone extends Error {}

/** Thrown to leave the transaction with nothing written. */
class NoneLeft extends Error {}

type Decided = { item: Together; event: IdentifiedEvent; recorded: Recorded; ground: PurchaseGround };

/**
 * Of purchases of one scope that have no customer, external id or key in common: what each comes to. Throws what the
 * database does; nothing is written then, unless the commit's answer was lost, and each may be recorded alone.
 */
export async function recordTogether(
  frames: Frames,
  items: readonly Together[],
  deps: PurchaseDeps,
): Promise<readonly Outcome<Recorded>[]> {
  const [first] = items;
  if (!first) return [];
  const { tenantId, environment } = first.scope;
  const scope: Scope = { tenantId, environment };
  let outcomes: readonly Outcome<Recorded>[] = [];
  const record = async (db: WriteDb): Promise<void> => {
    const [claimed, grounds] = await readAll(db, scope, items, deps);
    const decided = await settled(
      items.map((item, n) => {
        const isClaimed = !item.guard || claimed.has(item.guard);
        return isClaimed ? decideOne(db, scope, item, grounds[n] as PurchaseGround, deps) : ('alone' as const);
      }),
    );
    outcomes = decided.map((one) => (typeof one === 'object' && 'event' in one ? { result: one.recorded } : one));
    const left = decided.filter((one) => typeof one === 'object' && 'event' in one);
    await faultPoint('purchase:decided');
    await faultPoint('purchases:decided');
    if (left.length === 0) throw new NoneLeft();
    await writeAll(db, scope, left, claimed);
    await faultPoint('purchase:written');
    await faultPoint('purchases:written');
  };
  try {
    await frames.write(scope, record, { once: true, plans: 'kept' });
  } catch (error) {
    if (!(error instanceof NoneLeft)) throw error;
  }
  return outcomes;
}

/** One group of messages. Keys come ahead of the sales' lock, as they do alone. */
async function readAll(
  db: Db,
  scope: Scope,
  items: readonly Together[],
  deps: PurchaseDeps,
): Promise<[claimed: ReadonlySet<KeyGuard>, grounds: PurchaseGround[]]> {
  const asked = items.map(({ purchase, scope: { provenance } }) => ({ purchase, createdBy: actorRef(provenance.actor) }));
  const [, claimed, , grounds] = await settled([
    db.rows(waitBriefly()),
    claimTogether(
      db,
      scope,
      items.flatMap(({ guard }) => guard ?? []),
    ),
    db.rows(fixSaleTime(scope)),
    readGrounds(db, scope, asked, deps),
  ]);
  return [claimed, grounds];
}

/** What only the item is at fault for refuses it alone. Whoever would hold up the others leaves. */
async function decideOne(
  db: Db,
  scope: Scope,
  item: Together,
  ground: PurchaseGround,
  deps: PurchaseDeps,
): Promise<Decided | Exclude<Outcome<Recorded>, { result: Recorded }>> {
  if (ground.facts.knownEventId !== null) return 'alone';
  const mayWait = (): never => {
    throw new Alone('others would wait for it');
  };
  try {
    const { decided, event: plain } = await decideEvent(db, scope, item.purchase, ground, { ...deps, mayWait });
    const event = withIds(plain, ground.facts.ahead);
    const isApart = !event || holdersToLookAt(event.postings).length > 0 || paidByLadders(decided).length > 0;
    return isApart ? 'alone' : { item, event, ground, recorded: recordedOf(plain, insertedAs(event)) };
  } catch (error) {
    if (error instanceof Alone) return 'alone';
    if (error instanceof AppError && error.status < 500) return { refused: error };
    throw error;
  }
}

/** One group of messages, with the commit behind it. */
async function writeAll(db: WriteDb, scope: Scope, decided: readonly Decided[], claimed: ReadonlySet<KeyGuard>): Promise<void> {
  const kept = new Set(decided.map(({ item }) => item.guard));
  for (const { item, event, ground } of decided) {
    const { tellsSale, tellsLines } = heardOf(event, ground.facts);
    const foretold = tellsSale || tellsLines ? foretell(event, ground.facts) : undefined;
    if (foretold) tellForetold(db, item.scope.provenance, foretold, ground.facts);
  }
  await settled([
    releaseTogether(
      db,
      scope,
      [...claimed].filter((guard) => !kept.has(guard)),
    ),
    storeTogether(
      db,
      scope,
      decided.flatMap(({ item: { guard }, recorded }) => (guard ? [{ guard, result: recorded }] : [])),
    ),
    insertEvents(
      db,
      scope,
      decided.map(({ item, event }) => ({ event, createdBy: actorRef(item.scope.provenance.actor) })),
    ),
  ]);
}

/** All of them, once none is running any more: nothing may be sent behind a failure, and the first in order is its cause. */
async function settled<All extends readonly unknown[]>(all: All): Promise<{ -readonly [N in keyof All]: Awaited<All[N]> }> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
