/** One line when the database goes away and one when it is back, however many connections and requests meet it. */
import type { Logger } from 'pino';

export interface OutageLog {
  /**
   * A connection was lost, or could not be made. `heardAt`: when it was heard last; a connection that has been mute since
   * before the last outage ended is the rest of that outage, and no new one.
   */
  failed(error: unknown, heardAt?: number): void;
  /** A connection was made, or has answered. */
  answered(): void;
  /** What the last of these two said. */
  reachable(): boolean;
  /** Since when it is so. */
  since(): number;
}

/** An outage is over when the database has answered and nothing has failed for so long. */
const QUIET_MS = 2_000;

export function createOutageLog(logger: Logger, connections: string): OutageLog {
  let isReachable = true;
  let since = performance.now();
  let endedAt = Number.NEGATIVE_INFINITY;
  let outage: { began: number; failures: number; lastFailure: number; answeredAt: number | undefined } | undefined;

  function endWhenQuiet(): void {
    if (outage?.answeredAt === undefined) return;
    const quietMs = performance.now() - outage.lastFailure;
    if (quietMs < QUIET_MS) {
      setTimeout(endWhenQuiet, QUIET_MS - quietMs + 1).unref();
      return;
    }
    const { began, failures, answeredAt } = outage;
    outage = undefined;
    endedAt = answeredAt;
    logger.info({ connections, failures, ms: Math.round(answeredAt - began) }, 'the database answers again');
  }

  function turn(reachable: boolean): void {
    if (isReachable !== reachable) since = performance.now();
    isReachable = reachable;
  }

  return {
    failed(error, heardAt) {
      const now = performance.now();
      if (!outage && heardAt !== undefined && heardAt < endedAt) return;
      turn(false);
      if (outage) {
        outage.failures += 1;
        outage.lastFailure = now;
        outage.answeredAt = undefined;
        return;
      }
      outage = { began: now, failures: 1, lastFailure: now, answeredAt: undefined };
      logger.warn(
        { err: error, connections },
        'the database went away: connections are lost or cannot be made; requests are answered 503 until it is back',
      );
    },
    answered() {
      if (isReachable) return;
      turn(true);
      if (!outage || outage.answeredAt !== undefined) return;
      outage.answeredAt = performance.now();
      endWhenQuiet();
    },
    reachable: () => isReachable,
    since: () => since,
  };
}
