/**
 * A request that must wait for another pair of hands: what a service says of its effect, and how it leaves its frame.
 * Source: docs/specification/two-hands.md#waiting.
 */

import type { WriteDb } from '../db/scope.ts';
import type { FrameGuard, FrameShape } from '../db/write-options.ts';

/** What a change does to a safeguard: `neutral` touches none. */
export type Direction = 'tightens' | 'weakens' | 'neutral';

export interface ShownValues {
  from: unknown;
  to: unknown;
}

/** One field that a request changes. */
export interface FieldEffect {
  /** As `payments.dualControl`; with an id where there are several. One name, one safeguard, in all of a scope. */
  field: string;
  direction: Direction;
  /** The value that is there now, as canonical text or a digest. Kept sealed. */
  before: string;
  /** The old and the new value as whoever confirms sees them. No secret and nothing of a person. */
  shown?: ShownValues;
  /** What is shown in their place while the change waits, and kept sealed until then: it may name a person. */
  shownSealed?: ShownValues;
}

/** What the audit entry of a change that may take effect adds to its details. */
export type HandsDetails = Readonly<Record<string, unknown>>;

/** The confirmation of a change that waited: the call carries the proposer's request, by the caller who confirms it. */
export interface Confirming {
  /** Whose hands the proposer's are, as an `actorRef`. */
  readonly proposerRoot: string;
  /** Throws unless the change is open, is still what it was, and both may make it; then it is confirmed. */
  settle(db: WriteDb, effects: readonly FieldEffect[]): Promise<HandsDetails>;
}

/** The request as it was sent. */
export interface SentRequest {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** The request's part of the frame that keeps it. */
export interface KeepOptions {
  guard: FrameGuard | undefined;
  shape?: FrameShape | undefined;
}

/** What is answered while a request waits. */
export class Waiting {
  readonly body: unknown;
  constructor(body: unknown) {
    this.body = body;
  }
}

/** Thrown inside the frame to leave it with nothing written: the request is kept, and waits. */
export class HeldBack extends Error {
  /** Keeps the request in a frame of its own, with the part of an Idempotency-Key in it. */
  readonly keep: (request: SentRequest, options: KeepOptions) => Promise<Waiting>;
  constructor(keep: HeldBack['keep']) {
    super('the request waits for another pair of hands');
    this.keep = keep;
  }
}
