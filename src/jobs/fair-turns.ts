/** Whose turn it is: fair among those that are due, with rests that double after failures. */

const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 60_000;
const LOG_EVERY_MS = 60_000;
/** Who has had no turn for so long counts as new. */
const REMEMBERED_MS = 600_000;

export interface Turns {
  /**
   * The keys that may have a turn, those that rest left out. First one key of each group, beginning with the group whose
   * last turn is the longest ago, then a second of each: a group with many keys is no sooner served than one with a
   * single key, and who is new comes next. Keys of a group go by the same rule. `groupOf` tells whose a key is.
   */
  order(keys: readonly string[], groupOf?: (key: string) => string): string[];
  succeeded(key: string, group?: string): void;
  /** Lets the key rest. True when the failure should be logged: once a minute for each key. */
  failed(key: string, group?: string): boolean;
}

interface Trouble {
  restMs: number;
  until: number;
  loggedAt: number;
}

/** `now` in milliseconds, on a clock that is never set back. */
export function createTurns(now: () => number = () => performance.now()): Turns {
  const troubles = new Map<string, Trouble>();
  const keyTurns = createRecency(now);
  const groupTurns = createRecency(now);

  function hadTurn(key: string, group: string): void {
    keyTurns.note(key);
    groupTurns.note(group);
  }

  return {
    order(keys, groupOf = (key) => key) {
      for (const [key, { until }] of troubles) {
        if (until + LONGEST_REST_MS < now() && !keys.includes(key)) troubles.delete(key);
      }
      const awake = keys.filter((key) => (troubles.get(key)?.until ?? 0) <= now());
      const groups = Map.groupBy(awake.toSorted(keyTurns.compare), groupOf);
      const inTurn = [...groups.keys()].toSorted(groupTurns.compare).map((group) => groups.get(group) ?? []);
      const most = Math.max(0, ...inTurn.map(({ length }) => length));
      return Array.from({ length: most }, (_, rank) => inTurn.flatMap((own) => own.slice(rank, rank + 1))).flat();
    },
    succeeded(key, group = key) {
      hadTurn(key, group);
      troubles.delete(key);
    },
    failed(key, group = key) {
      hadTurn(key, group);
      const before = troubles.get(key);
      const restMs = before ? Math.min(2 * before.restMs, LONGEST_REST_MS) : FIRST_REST_MS;
      const log = !before || now() - before.loggedAt >= LOG_EVERY_MS;
      troubles.set(key, { restMs, until: now() + restMs, loggedAt: log ? now() : before.loggedAt });
      return log;
    },
  };
}

interface Recency {
  note(key: string): void;
  /** Orders those first whose turn is the longest ago, or who had none. */
  compare(a: string, b: string): number;
}

function createRecency(now: () => number): Recency {
  /** In the order of the turns, the latest last. */
  const turns = new Map<string, { turn: number; at: number }>();
  let turn = 0;
  return {
    note(key) {
      turns.delete(key);
      turns.set(key, { turn: ++turn, at: now() });
      for (const [oldest, { at }] of turns) {
        if (at > now() - REMEMBERED_MS) break;
        turns.delete(oldest);
      }
    },
    compare(a, b) {
      const difference = (turns.get(a)?.turn ?? 0) - (turns.get(b)?.turn ?? 0);
      return difference !== 0 ? difference : a < b ? -1 : Number(a > b);
    },
  };
}
