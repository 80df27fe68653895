/** Enqueueing: a job comes into being with the business transaction, or not at all. */
import type { Logger } from 'pino';
import type { Frames } from '../db/frame.ts';
import type { Db, Scope } from '../db/scope.ts';
import { createBoss, databaseOn } from './boss.ts';
import { DEAD_LETTERS } from './declarations.ts';
import { type JobIds, jobOf, payloadOf } from './job.ts';

export interface JobQueue {
  /** Part of the caller's transaction: it exists once that has committed. Returns its id. */
  enqueue(db: Db, scope: Scope, name: string, ids: JobIds): Promise<string>;
  /** Puts a dead letter's job back into its queue as a new job; undefined when there is no such dead letter. */
  retry(deadLetterId: string): Promise<{ id: string; name: string } | undefined>;
  /** Reads which queues there are, so that no `enqueue` needs a second connection for it. */
  open(): Promise<void>;
  close(): Promise<void>;
}

export function createJobQueue(frames: Frames, logger: Logger): JobQueue {
  const boss = createBoss(frames, logger);

  async function enqueue(db: Db, scope: Scope, name: string, ids: JobIds): Promise<string> {
    const id = await boss.send(name, payloadOf(scope, ids), { db: databaseOn(db) });
    if (id === null) throw new Error(`the job ${name} was not enqueued: its queue does not exist`);
    return id;
  }

  return {
    enqueue,
    retry: (deadLetterId) =>
      frames.claim(async (db) => {
        const options = { db: databaseOn(db) };
        const [letter] = await boss.findJobs<object>(DEAD_LETTERS, { ...options, id: deadLetterId });
        if (letter?.state !== 'created') return undefined;
        const name = letter.sourceName ?? '';
        const { scope, ids } = jobOf(letter);
        const id = await enqueue(db, scope, name, ids);
        // Not deleted: that it was dealt with stays to be seen for as long as finished jobs are kept.
        const retried = { ...letter.output, retriedAs: id };
        const completed = await boss.complete(DEAD_LETTERS, letter.id, retried, { ...options, includeQueued: true });
        if ((completed as { affected?: number }).affected !== 1)
          throw new Error('the dead letter was retried by another command');
        return { id, name };
      }),
    async open() {
      await boss.start();
    },
    close: () => boss.stop({ graceful: false }),
  };
}
