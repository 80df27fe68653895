/** The frames of a sender's turn: it is taken, what was sent is stored while the lease is held, and it is given back. */
import type { Frames } from '../../../db/frame.ts';
import type { Scope } from '../../../db/scope.ts';
import { disableBySystem } from './disable-endpoint.ts';
import {
  type DueDelivery,
  type EndedAttempt,
  type Health,
  holdEndpoint,
  type Lease,
  type LeasedEndpoint,
  readDue,
  readEmptied,
  releaseEndpoint,
  settleAttempts,
  takeEndpoint,
} from './sending-queries.ts';

export type WriteFrames = Pick<Frames, 'write'>;

export interface Taken {
  endpoint: LeasedEndpoint;
  due: DueDelivery[];
}

/** Undefined where another has the endpoint, or nothing is due. A lease that nobody knows of runs out by itself. */
export function takeLease(frames: WriteFrames, scope: Scope, lease: Lease, limit: number): Promise<Taken | undefined> {
  return frames.write(scope, async (db) => {
    const endpoint = await takeEndpoint(db, scope, lease);
    return endpoint && { endpoint, due: await readDue(db, scope, { endpointId: lease.endpointId, known: [], limit }) };
  });
}

export interface ToStore {
  attempts: readonly EndedAttempt[];
  /** So many more are wanted, beside those that are known. */
  wanted: number;
  known: readonly string[];
  /** Events that were read and are not on their way. */
  inHand: readonly string[];
  /** Whether the turn ends here unless there is more. */
  isLast: boolean;
  /** Of the endpoint as it was taken. */
  version: string;
}

export interface Stored {
  more: DueDelivery[];
  /** Which of the events in hand have no object any more. */
  emptied: ReadonlySet<string>;
  /** Whether the turn goes by what holds no longer: the endpoint was disabled, deleted or changed. */
  isOutdated: boolean;
  isReleased: boolean;
}

/** The lease is another's: nothing was stored. */
export class LeaseLost extends Error {}

export function storeAttempts(frames: WriteFrames, scope: Scope, lease: Lease, toStore: ToStore): Promise<Stored> {
  const { attempts, wanted, known, inHand, isLast, version } = toStore;
  return frames.write(
    scope,
    async (db) => {
      const [held, , emptied] = await Promise.all([
        holdEndpoint(db, scope, { ...lease, health: healthAfter(attempts), version }),
        settleAttempts(db, scope, lease.endpointId, attempts),
        // What an erasure has left that has ended. One that goes on is seen at the next look.
        readEmptied(db, scope, inHand),
      ]);
      if (!held) throw new LeaseLost();
      const reason = attempts.some(({ status }) => status === 410) ? 'gone' : held.failsForDays ? 'failing' : undefined;
      const isDisabled = held.enabled && !held.isChanged && reason !== undefined;
      if (isDisabled) await disableBySystem(db, scope, lease.endpointId, reason);
      const isOutdated = !held.enabled || isDisabled || held.isChanged;
      const more =
        isOutdated || wanted <= 0 ? [] : await readDue(db, scope, { endpointId: lease.endpointId, known, limit: wanted });
      const isReleased = isLast && more.length === 0;
      if (isReleased) await releaseEndpoint(db, scope, lease);
      return { more, emptied, isOutdated, isReleased };
    },
    // The number of an attempt makes a second run one of nothing, and a lease that was given back is lost.
    { repeatable: true },
  );
}

function healthAfter(attempts: readonly EndedAttempt[]): Health {
  const last = attempts.at(-1);
  if (!last) return 'unknown';
  if (last.outcome === 'delivered') return 'well';
  return attempts.some(({ outcome }) => outcome === 'delivered') ? 'failing anew' : 'failing';
}
