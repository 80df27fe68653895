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
  /** Nothing need be asked to write down what is told: it can be sent at once behind a statement whose answer is not there yet. */
  isReady(): boolean;
  /** Behind the frame's own statements, ahead of the commit. */
  settle(): Promise<Sent | undefined>;
}

/** Without an outbox nothing is written. */
export function openTelling(outbox: Outbox | undefined, db: Db, scope: Scope): Telling {
  const told: Told[] = [];
  /** Of `told`, of which a part that is undone takes its own back. */
  let keys = new Set<string>();
  let keyed = 0;
  const isTold = (key: string): boolean => {
    if (keyed !== told.length) keys = new Set(told.map(keyOf));
    keyed = told.length;
    return keys.has(key);
  };
  let asked: Promise<readonly string[]> | undefined;
  const ask = (of: Outbox): Promise<readonly string[]> => {
    const question = of.ask(db, scope);
    asked = question;
    // Its failure may be undone with a part of the frame: it is asked anew then. Else that fails as well.
    question.catch(() => {
      if (asked === question) asked = undefined;
    });
    return question;
  };
  const listen = (): void => {
    if (outbox && !asked) void ask(outbox);
  };
  return {
    told,
    listen,
    tell(one) {
      if (!outbox) return;
      const key = keyOf(one);
      if (isTold(key) && !one.data) return;
      told.push(one);
      keys.add(key);
      keyed += 1;
      if (one.heard !== true) listen();
    },
    isReady: () => !scope.member && told.every(({ heard, data, job }) => heard === true && isData(data) && !job),
    async settle() {
      if (!outbox || told.length === 0) return undefined;
      const isAsked = asked !== undefined || told.some(({ heard }) => heard !== true);
      const heard = isAsked ? await (asked ?? ask(outbox)) : [];
      return outbox.write(db, scope, told, heard);
    },
  };
}

function isData(data: Told['data']): boolean {
  return data !== undefined && typeof data !== 'function';
}

function keyOf({ type, objectId }: Told): string {
  return `${type} ${objectId}`;
}
