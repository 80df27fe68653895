/** The shop's HTTP client: one key, and the patience a real backend needs. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Answer<Body> {
  status: number;
  body: Body;
  /** The service answered from the stored answer of an earlier request with this Idempotency-Key. */
  replayed: boolean;
}

export interface ApiRequest {
  body?: object;
  idempotencyKey?: string;
  /** Statuses that are no error; default 200 and 201. */
  expect?: readonly number[];
}

export interface ShopApi {
  get<Body>(path: string): Promise<Body>;
  send<Body>(method: 'POST' | 'PATCH', path: string, request: ApiRequest): Promise<Answer<Body>>;
  /** Requests sent again after a 429, a 503 or a lost connection. */
  retries(): number;
}

export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
  }
}

const MAX_ATTEMPTS = 8;
const TIMEOUT_MS = 30_000;

interface Options {
  baseUrl: string;
  key: string;
  /** Told of each wait of a second or more. */
  onWait: (seconds: number, reason: string) => void;
}

/** Every request may be sent again: writes carry a key or an id of their own. */
export function createShopApi({ baseUrl, key, onWait }: Options): ShopApi {
  let retries = 0;

  async function send<Body>(method: string, path: string, request: ApiRequest = {}): Promise<Answer<Body>> {
    const { body, idempotencyKey, expect = [200, 201] } = request;
    const headers: Record<string, string> = { 'x-tenant-api-key': key };
    if (body) headers['content-type'] = 'application/json';
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    for (let attempt = 1; ; attempt++) {
      const outcome = await attemptOnce(`${baseUrl}${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
      if ('response' in outcome) {
        const { response, text } = outcome;
        if (expect.includes(response.status)) {
          const replayed = response.headers.get('idempotent-replayed') === 'true';
          return { status: response.status, body: JSON.parse(text) as Body, replayed };
        }
        const mayPass = response.status === 429 || response.status === 503;
        if (!mayPass || attempt === MAX_ATTEMPTS) {
          throw new ApiError(response.status, `${method} ${path} answered ${response.status}: ${messageOf(text)}`);
        }
        await wait(Number(response.headers.get('retry-after') ?? 1), response.status === 429 ? 'rate limit' : 'service busy');
      } else {
        if (attempt === MAX_ATTEMPTS) throw new ApiError(0, `${method} ${path} got no answer: ${outcome.reason}`);
        await wait(0.1 * 2 ** attempt, outcome.reason);
      }
      retries++;
    }
  }

  async function wait(seconds: number, reason: string): Promise<void> {
    if (seconds >= 1) onWait(seconds, reason);
    await sleep(seconds * 1000);
  }

  return {
    get: async <Body>(path: string) => (await send<Body>('GET', path)).body,
    send,
    retries: () => retries,
  };
}

async function attemptOnce(url: string, init: RequestInit): Promise<{ response: Response; text: string } | { reason: string }> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { response, text: await response.text() };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { reason: cause instanceof Error ? cause.message : String(cause) };
  }
}

function messageOf(text: string): string {
  try {
    const { error, code } = JSON.parse(text) as { error?: string; code?: string };
    return `${error} (${code})`;
  } catch {
    return text.slice(0, 200);
  }
}

/** Runs `work` for every item, at most `limit` at once, in order of the list; stops starting new ones after a failure. */
export async function forEachBounded<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const entries = items.entries();
  let failed = false;
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) {
      if (failed) return;
      try {
        await work(item, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
