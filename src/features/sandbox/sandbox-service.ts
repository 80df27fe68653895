/**
 * Rules of the SANDBOX: its clock, its erasure. Source: docs/specification/sandbox.md#clock,
 * docs/specification/sandbox.md#reset.
 */
import type { z } from 'zod';
import type { ActingScope } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { ActingContext, RequestContext } from '../../http/operation.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { CommissionsOffers } from '../commissions/commissions-feature.ts';
import type { ClockAnswer, ErasureAnswer, moveSandboxClock } from './sandbox-operations.ts';
import { advanceClock, type ClockReading, eraseSandbox, freezeClock, readClockStatement } from './sandbox-queries.ts';

type Move = z.output<(typeof moveSandboxClock)['body'] & {}>;

export interface SandboxService {
  /** ENVIRONMENT_MISMATCH in LIVE, like all of these. */
  readClock(context: RequestContext): Promise<ClockAnswer>;
  /** Moves the clock forward and does what has become due. STATE_CONFLICT on a time that has passed. */
  moveClock(context: ActingContext, input: Move): Promise<ClockAnswer>;
  /** Erases everything but the keys and gives the default plan again, all or nothing. */
  reset(context: ActingContext): Promise<ErasureAnswer>;
}

interface Deps {
  frames: Frames;
  plans: CommissionsOffers['plans'];
  /**
   * Does what the scope's clock has made due, in frames of its own. It must not throw: the clock was
   * moved for good, and what fails is due at the next regular sweep.
   */
  runSweeps(scope: Scope): Promise<void>;
}

const END_OF_TIME_MS = Date.UTC(10_000, 0, 1);

export function createSandboxService({ frames, plans, runSweeps }: Deps): SandboxService {
  return {
    async readClock({ scope }) {
      refuseLive(scope);
      const [reading] = await frames.readOnce(scope, readClockStatement(scope));
      if (!reading) throw new Error('the scope has no clock');
      return reading;
    },

    async moveClock({ scope, guard, shape }, { advanceSeconds, frozenAt }) {
      refuseLive(scope);
      const reading = await frames.write(
        scope,
        async (db) => {
          const moved =
            frozenAt === undefined ? await advance(db, scope, advanceSeconds ?? 0) : await freeze(db, scope, frozenAt);
          await noteDeed(db, scope, 'sandbox.clock_moved', { now: moved.now, frozen: moved.frozen });
          return moved;
        },
        { guard, shape },
      );
      await runSweeps(scope);
      return reading;
    },

    async reset({ scope, guard, shape }) {
      refuseLive(scope);
      return frames.write(
        scope,
        async (db) => {
          const erased = await eraseSandbox(db);
          // The log was erased with the rest: this is the first entry of the new one.
          const counts = { eventsErased: Number(erased.events), membersErased: Number(erased.members) };
          await noteDeed(db, scope, 'sandbox.reset', counts);
          await plans.ensureDefaultPlan(db, scope);
          return { ...counts, now: erased.now };
        },
        { guard, shape, alone: true },
      );
    },
  };
}

async function freeze(db: Db, scope: Scope, frozenAt: string): Promise<ClockReading> {
  const frozen = await freezeClock(db, scope, instantOf(frozenAt));
  if (!frozen) throw new AppError('STATE_CONFLICT', 'The clock is past that instant, and never goes backward');
  return frozen;
}

async function advance(db: Db, scope: Scope, seconds: number): Promise<ClockReading> {
  const advanced = await advanceClock(db, scope, seconds);
  if (!advanced) throw invalidField('advanceSeconds', 'would take the clock past its end, in the year 9999');
  return advanced;
}

function noteDeed(db: Db, scope: ActingScope, action: string, details: Record<string, unknown>): Promise<void> {
  return recordAudit(db, scope, { action, by: scope.provenance, objectKind: 'sandbox', objectId: scope.tenantId, details });
}

function refuseLive(scope: Scope): void {
  if (scope.environment !== 'SANDBOX') {
    throw new AppError(
      'ENVIRONMENT_MISMATCH',
      'Only a SANDBOX has a clock that can be moved and data that can be erased: use a key of the SANDBOX',
    );
  }
}

/** To the millisecond, as readings are answered: a clock frozen between two could not be frozen again where it says it is. */
function instantOf(frozenAt: string): Date {
  const at = new Date(frozenAt);
  if (at.getTime() >= END_OF_TIME_MS) throw invalidField('frozenAt', 'must be in the year 9999 or before');
  return at;
}
