/** What holds off whoever guesses. Source: docs/specification/people.md#guessing. */
import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { Frames } from '../../db/frame.ts';
import type { Scope } from '../../db/scope.ts';
import { forgetFailures, secondsToWait, takeAttempt } from './guessing-queries.ts';

/** So many failures in a row cost nothing. */
const FREE = 5;
/** Then none is looked at for a second, and for twice as long after each further one, up to this. */
const LONGEST_SECONDS = 900;

export interface Guessing {
  /**
   * Counts an attempt at a subject as failed, before it is looked at: attempts at the same time are counted too. The
   * seconds to wait, when it is not to be looked at.
   */
  take(scope: Scope, subject: string): Promise<{ waitSeconds?: number; failures: number }>;
  /** The attempt was none: what failed before is forgotten. */
  succeeded(scope: Scope, subject: string): Promise<void>;
}

/** Subjects are kept as keyed digests: an email that somebody tried is stored nowhere. */
export function createGuessing(frames: Frames, pepper: Buffer): Guessing {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', 'staff-guessing', 32)));
  const digest = (subject: string): Buffer => createHmac('sha256', key).update(subject).digest();
  return {
    take: (scope, text) =>
      frames.write(scope, async (db) => {
        const subject = digest(text);
        const failures = await takeAttempt(db, scope, { subject, free: FREE, longest: LONGEST_SECONDS });
        if (failures !== undefined) return { failures };
        return { failures: FREE, waitSeconds: await secondsToWait(db, scope, subject) };
      }),
    succeeded: (scope, text) => frames.write(scope, (db) => forgetFailures(db, scope, digest(text))),
  };
}
