/**
 * Calls to the API processes of a trial, by a balancer that asks each for its /readyz and gives requests only to those that
 * are ready. Every answer is noted, good or bad; what can be sent again is, until it is answered for good.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

const POLL_MS = 300;
const READY_MS = 2_000;
/** A client gives up an attempt after it, and counts it as a bad answer. */
const ATTEMPT_MS = 5_000;
const GIVE_UP_MS = 120_000;

export interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  key: string;
  body?: object | string;
  headers?: Record<string, string>;
  idempotencyKey?: string;
}

export interface Answer {
  status: number;
  text: string;
  json: unknown;
}

/** One attempt. `fault`: undefined when it was answered well, and a refusal is a good answer. */
export interface Attempt {
  begun: number;
  ended: number;
  target: string;
  path: string;
  fault: string | undefined;
}

export interface Caller {
  send(wanted: Request): Promise<Answer>;
  /** Of performance.now(): when each target was seen ready for the last time, and when not. */
  readiness(): { target: string; ready: boolean; lastUnready: number }[];
  /** The attempts since the last call. */
  take(): Attempt[];
  close(): Promise<void>;
}

export function openCaller(targets: readonly string[]): Caller {
  const agent = new Agent({ connections: 128, pipelining: 1, keepAliveTimeout: 3_000 });
  const states = targets.map((target) => ({ target, ready: true, lastUnready: Number.NEGATIVE_INFINITY }));
  const attempts: Attempt[] = [];
  let open = true;

  async function watch(state: (typeof states)[number]): Promise<void> {
    // oxlint-disable-next-line no-unmodified-loop-condition -- it is set elsewhere
    while (open) {
      const ready = await request(`${state.target}/readyz`, { signal: AbortSignal.timeout(READY_MS), dispatcher: agent }).then(
        async ({ statusCode, body }) => {
          await body.dump();
          return statusCode === 200;
        },
        () => false,
      );
      state.ready = ready;
      if (!ready) state.lastUnready = performance.now();
      await sleep(POLL_MS);
    }
  }
  const watches = states.map(watch);

  function choose(): string {
    const ready = states.filter((state) => state.ready);
    const among = ready.length > 0 ? ready : states;
    return among[Math.floor(Math.random() * among.length)]?.target ?? '';
  }

  async function attempt({ method, path, key, body, headers = {}, idempotencyKey }: Request): Promise<Answer | undefined> {
    const target = choose();
    const begun = performance.now();
    const note = (fault: string | undefined): void => {
      attempts.push({ begun, ended: performance.now(), target, path, fault });
    };
    try {
      const answer = await request(`${target}${path}`, {
        method,
        headers: {
          'x-tenant-api-key': key,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(ATTEMPT_MS),
        dispatcher: agent,
      });
      const text = await answer.body.text();
      const status = answer.statusCode;
      if (status >= 500 || status === 429) {
        note(`${status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 80)}`);
        return undefined;
      }
      note(undefined);
      // Somebody else is at it: the same request of this client, whose answer did not arrive.
      if (status === 409 && text.includes('"IDEMPOTENCY_IN_PROGRESS"')) return undefined;
      return { status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
    } catch (error) {
      note(error instanceof Error && error.name === 'TimeoutError' ? 'no answer in 5 s' : codeOf(error));
      return undefined;
    }
  }

  return {
    async send(wanted) {
      for (const until = Date.now() + GIVE_UP_MS; ; await sleep(100 + Math.random() * 200)) {
        const answer = await attempt(wanted);
        if (answer) return answer;
        if (Date.now() > until) throw new Error(`${wanted.method} ${wanted.path} was not answered in ${GIVE_UP_MS / 1000} s`);
      }
    },
    readiness: () => states.map((state) => ({ ...state })),
    take: () => attempts.splice(0),
    async close() {
      open = false;
      await Promise.all(watches);
      await agent.destroy();
    },
  };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error as NodeJS.ErrnoException).code ?? error.message;
}
