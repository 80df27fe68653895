/** Writes that go on while an operator works, and what became of each: what was acknowledged must be there afterwards. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DrillCluster } from './cluster.ts';
import type { DrillKit } from './kit.ts';

export interface Load {
  /** From now on the writes go there, as a balancer sends them; undefined: nobody is there. */
  sendTo(api: { baseUrl: string } | undefined): void;
  /** Resolves when that many more were acknowledged. */
  acknowledge(more: number): Promise<void>;
  /**
   * Ends it, and tells what became of it. Nothing may be lost or be there twice, and nothing refused: answered with another
   * status, or not at all, until it was sent again.
   */
  settle(): Promise<void>;
}

const WRITERS = 4;
const PAUSE_MS = 20;

/** New members, each under the one before it of its writer, by one key. */
export function startLoad(kit: DrillKit, cluster: DrillCluster, key: string, api: { baseUrl: string }): Load {
  let target: { baseUrl: string } | undefined = api;
  let stopping = false;
  let refused = 0;
  let longestGapMs = 0;
  let lastAt = performance.now();
  const acknowledged: string[] = [];

  async function send(email: string, sponsorId: string | undefined): Promise<string | undefined> {
    if (!target) return undefined;
    const body = { email, ...(sponsorId === undefined ? {} : { parent_id: sponsorId }) };
    const answer = await kit.call(target, key, 'POST', '/api/v1/users', body).catch(() => undefined);
    // A repeat of a write whose answer was lost finds the member there.
    const id = answer?.status === 409 ? answer.body.details?.existing_id : answer?.status === 201 ? answer.body.id : undefined;
    if (id === undefined) {
      refused += 1;
      if (refused === 1)
        kit.step(`the first refusal: ${answer ? `${answer.status} ${JSON.stringify(answer.body)}` : 'no answer'}`);
      // Of a write that is never taken the drill would wait in vain.
      if (answer && answer.status < 500) kit.check(false, `a write is refused: ${answer.status} ${JSON.stringify(answer.body)}`);
      return undefined;
    }
    longestGapMs = Math.max(longestGapMs, performance.now() - lastAt);
    lastAt = performance.now();
    acknowledged.push(email);
    return id;
  }

  async function write(writer: number): Promise<void> {
    let sponsorId: string | undefined;
    // oxlint-disable-next-line no-unmodified-loop-condition -- it is set elsewhere
    for (let count = 0; !stopping; ) {
      const id = await send(`w${writer}-${count}@load.example`, sponsorId);
      if (id !== undefined) {
        count += 1;
        sponsorId = count % 50 === 0 ? undefined : id;
      }
      await sleep(PAUSE_MS);
    }
  }

  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
  return {
    sendTo(next) {
      target = next;
    },
    async acknowledge(more) {
      const enough = acknowledged.length + more;
      await kit.until(`${more} more writes are acknowledged`, async () => acknowledged.length >= enough);
    },
    async settle() {
      stopping = true;
      await Promise.all(writers);
      const rows = await cluster.query<{ email: string }>("select email from member where email like '%@load.example'");
      const stored = rows.map(({ email }) => email);
      const lost = acknowledged.filter((email) => !stored.includes(email)).length;
      const doubled = stored.length - new Set(stored).size;
      const figures = { acknowledged: acknowledged.length, refused, longestGapMs: Math.round(longestGapMs), lost, doubled };
      for (const [name, figure] of Object.entries(figures)) kit.figure(name, figure);
      kit.check(lost === 0 && doubled === 0, 'each acknowledged write is there once');
      kit.check(refused === 0, 'nothing is refused where both releases run side by side');
    },
  };
}
