/**
 * Decisions of a reviewer that wait: each for ten seconds from when it was made. Until then nothing of it was sent, and
 * it can be undone. They are sent one behind the other, in their order. Source: docs/specification/pages.md#reviews.
 */

/** What became of a decision that was sent. `away`: it is not known, so it is sent again as it is. */
export type Sent = { kind: 'done' } | { kind: 'refused'; message: string } | { kind: 'away' };

export interface Decision {
  /** The verification. */
  record: string;
  /** `record`, or the id of one document: the last word on the same thing is what counts. */
  about: string;
  /** What is done, for a person: "Approve Ida Root". */
  words: string;
  /** The same twice acts once. */
  send(): Promise<Sent>;
}

export interface Waits {
  decision: Decision;
  /** Until it is due; 0 for one that is on its way, and for one that waits for those before it. */
  seconds: number;
  isSending: boolean;
}

export interface Listeners {
  /** What waits has changed, or its seconds. */
  changed(waiting: readonly Waits[]): void;
  sent(decision: Decision): void;
  /**
   * It was refused, or, where it is not `known`, nobody has said whether it was done; `dropped` are the later ones of the
   * same record, which are not sent either.
   */
  failed(decision: Decision, message: string, dropped: readonly Decision[], known: boolean): void;
}

export interface Decisions {
  /** Takes the place of one that waits and is about the same thing. */
  make(decision: Decision): void;
  /** Takes back the last one that is not on its way; undefined where there is none. */
  undo(): Decision | undefined;
  waiting(): readonly Waits[];
  /** Whether the record as a whole is decided, here and not yet there. */
  isDecided(record: string): boolean;
}

export const UNDO_MS = 10_000;
const TICK_MS = 250;
/** Pauses before a decision that nobody answered is sent again. */
const PAUSES_MS = [1_000, 2_000, 4_000];
const AWAY = 'The service did not answer. Open the record and look whether it was decided.';

interface Item {
  decision: Decision;
  due: number;
  isSending: boolean;
}

export function createDecisions({ changed, sent, failed }: Listeners): Decisions {
  let items: Item[] = [];
  let isSending = false;
  let timer: ReturnType<typeof setInterval> | undefined;
  let told = '';

  const secondsOf = ({ due, isSending: isGone }: Item): number =>
    isGone ? 0 : Math.max(0, Math.ceil((due - performance.now()) / 1_000));
  const waiting = (): Waits[] =>
    items.map((item) => ({ decision: item.decision, seconds: secondsOf(item), isSending: item.isSending }));

  function tell(): void {
    const now = items.map((item) => `${item.decision.words} ${secondsOf(item)} ${item.isSending}`).join('\n');
    if (now === told) return;
    told = now;
    changed(waiting());
  }

  function beat(): void {
    void pump();
    if (items.length === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    tell();
  }

  async function pump(): Promise<void> {
    const [first] = items;
    if (isSending || !first || first.due > performance.now()) return;
    isSending = true;
    first.isSending = true;
    tell();
    const answer = await sendOf(first.decision);
    items = items.filter((item) => item !== first);
    isSending = false;
    if (answer.kind === 'done') sent(first.decision);
    else {
      const dropped = items.filter(({ decision }) => decision.record === first.decision.record);
      items = items.filter((item) => !dropped.includes(item));
      const message = answer.kind === 'refused' ? answer.message : AWAY;
      failed(
        first.decision,
        message,
        dropped.map(({ decision }) => decision),
        answer.kind === 'refused',
      );
    }
    beat();
  }

  return {
    make(decision) {
      const { record, about } = decision;
      items = items.filter((item) => item.isSending || item.decision.record !== record || item.decision.about !== about);
      items.push({ decision, due: performance.now() + UNDO_MS, isSending: false });
      timer ??= setInterval(beat, TICK_MS);
      tell();
    },

    undo() {
      const last = items.findLast((item) => !item.isSending);
      if (!last) return undefined;
      items = items.filter((item) => item !== last);
      beat();
      return last.decision;
    },

    waiting,

    isDecided: (record) => items.some(({ decision }) => decision.record === record && decision.about === 'record'),
  };
}

async function sendOf(decision: Decision): Promise<Sent> {
  for (const pause of [...PAUSES_MS, undefined]) {
    const answer = await decision.send().catch((): Sent => ({ kind: 'away' }));
    if (answer.kind !== 'away' || pause === undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return { kind: 'away' };
}
