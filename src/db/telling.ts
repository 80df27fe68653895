/**
 * What a frame tells the tenant: collected while it runs, written at its end, in its transaction. So an event shows its
 * object as the frame leaves it, and is there exactly when the change is. Source: docs/specification/webhooks.md#events.
 */
import type { Db, Scope, Told } from './scope.ts';

/** The last of it was sent and need not be waited for: the commit may travel behind it. */
export interface Sent {
  done: Promise<void>;
}

/** Writes down what is told where somebody hears of it. */
export interface Outbox {
  /** Whose events are heard: asked in the tick of the first `tell`, so the question travels with the frame's own statements. */
  ask(db: Db, scope: Scope): Promise<readonly string[]>;
  /** `heard` are the patterns that `ask` has answered. Undefined where nothing is written. */
  write(db: Db, scope: Scope, told: readonly Told[], heard: readonly string[]): Promise<Sent | undefined>;
}

export interface Telling {
  tell(told: Told): void;
  listen(): void;
  /** A part of the frame that is undone forgets what it has told. */
  readonly told: Told[];
  /** Behind the frame's own statements, ahead of the commit. */
  settle(): Promise<Sent | undefined>;
}

/** Without an outbox nothing is written. */
export function openTelling(outbox: Outbox | undefined, db: Db, scope: Scope): Telling {
  const told: Told[] = [];
  let asked: Promise<readonly string[]> | undefined;
  const listen = (): void => {
    if (!outbox || asked) return;
    asked = outbox.ask(db, scope);
    asked.catch(() => undefined); // awaited below; the frame may fail before
  };
  return {
    told,
    listen,
    tell(one) {
      if (!outbox) return;
      const isSame = (other: Told): boolean => other.type === one.type && other.objectId === one.objectId && !one.data;
      if (told.some(isSame)) return;
      told.push(one);
      if (one.heard !== true) listen();
    },
    async settle() {
      if (!outbox || told.length === 0) return undefined;
      const heard = asked ? await asked : [];
      return outbox.write(db, scope, told, heard);
    },
  };
}
