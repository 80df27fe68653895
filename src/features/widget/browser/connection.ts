/**
 * The private port to the page around the frame, and the reads with the token that comes by it. The token is in memory
 * alone. Source: docs/specification/widget.md#handshake.
 */

/** How long the page around may take for a new token. */
const PATIENCE_MS = 15_000;
/** A new token is asked for so long before the present one ends, and not more often than that again. */
const AHEAD_MS = 60_000;
const PAUSE_MS = 15_000;

export type ErrorCode = 'token' | 'origin' | 'session' | 'theme' | 'network' | 'timeout';

/** Why a read failed. The code is `NETWORK` where there was no answer, and `ENDED` where no token is good any more. */
export class Failure extends Error {
  readonly status: number;
  readonly code: string;
  /** Names of the fields that are wrong. */
  readonly fields: readonly string[];
  readonly requestId: string | null;

  constructor(status: number, code: string, fields: readonly string[] = [], requestId: string | null = null) {
    super(code);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.requestId = requestId;
  }
}

interface Request {
  body?: unknown;
  /** A repeat with the same key has no second effect. */
  idempotencyKey?: string;
}

export interface Connection {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, request: Request): Promise<T>;
  image(path: string): Promise<Blob>;
  /** Whether the page around gives another token of the session. A Failure where it gave one and the service was not reached. */
  renew(): Promise<boolean>;
  use(token: string): void;
  tell(code: ErrorCode): void;
  /** When the present token ends, by the server's clock. */
  endsAt(instant: string): void;
}

interface Terms {
  /** The frame's own session: a token of another one is not taken. */
  sessionId: string;
  /** When a read finds that no token is good any more. */
  onEnd(): void;
}

export function connect(port: MessagePort, { sessionId, onEnd }: Terms): Connection {
  let token = '';
  let renewal: Promise<boolean> | undefined;
  let answered: ((given: boolean | Promise<boolean>) => void) | undefined;
  /** Questions for a token that nobody has answered yet. */
  let unanswered = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end = 0;
  /** How far the server's clock is ahead of this one. */
  let ahead = 0;

  port.addEventListener('message', ({ data }: MessageEvent) => {
    // The first token is the frame's.
    if (token === '' || (data?.type !== 'token' && data?.type !== 'no-token')) return;
    unanswered = Math.max(unanswered - 1, 0);
    const given: unknown = data.type === 'token' ? data.token : undefined;
    if (isToken(given)) {
      const taken = take(given);
      // Whoever waits hears of it; a token that nobody waits for may come to nothing.
      taken.catch(() => undefined);
      answered?.(taken);
    } else {
      if (data.type === 'token') tell('token');
      // It may be the late answer to a question that was given up.
      if (unanswered === 0) answered?.(false);
    }
  });

  /** A token takes the place of the one before once it is known whose it is. Nothing on the screen changes. */
  async function take(given: string): Promise<boolean> {
    const answer = await send(given, 'GET', '/session', {});
    if (answer.status === 401) return false;
    if (!answer.ok) throw await failureOf(answer);
    const session = await read<{ sessionId: string; expiresAt: string }>(answer, 'json');
    const isOwn = session.sessionId.toLowerCase() === sessionId;
    if (isOwn) {
      token = given;
      endsAt(session.expiresAt);
    } else tell('session');
    return isOwn;
  }

  /** All that need one at the same time wait for the same. */
  function renew(): Promise<boolean> {
    renewal ??= new Promise<boolean>((resolve) => {
      answered = resolve;
      setTimeout(resolve, PATIENCE_MS, false);
      unanswered += 1;
      port.postMessage({ type: 'token-needed' });
    }).finally(() => {
      renewal = undefined;
      answered = undefined;
    });
    return renewal;
  }

  async function send(by: string, method: string, path: string, { body, idempotencyKey }: Request): Promise<Response> {
    const headers: Record<string, string> = { authorization: `Bearer ${by}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    const init = { method, headers, credentials: 'omit', cache: 'no-store', redirect: 'error' } as const;
    try {
      const answer = await fetch(`/widget${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) });
      const now = Date.parse(answer.headers.get('date') ?? '');
      if (now) ahead = now - Date.now();
      return answer;
    } catch {
      tell('network');
      throw new Failure(0, 'NETWORK');
    }
  }

  async function ask(method: string, path: string, request: Request = {}): Promise<Response> {
    const used = token;
    let answer = await send(used, method, path, request);
    if (answer.status === 401 && (token !== used || (await renew()))) answer = await send(token, method, path, request);
    if (answer.status === 401) {
      finish();
      throw new Failure(401, 'ENDED');
    }
    if (!answer.ok) throw await failureOf(answer);
    return answer;
  }

  /** An answer that breaks off is the network's fault too. */
  async function read<T>(answer: Response, how: 'json' | 'blob'): Promise<T> {
    try {
      return await answer[how]();
    } catch {
      throw new Failure(0, 'NETWORK');
    }
  }

  function tell(code: ErrorCode): void {
    port.postMessage({ type: 'error', code });
  }

  function left(): number {
    return end - Date.now() - ahead;
  }

  function renewIn(wait: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void renewAhead(), wait);
  }

  async function renewAhead(): Promise<void> {
    // Where none came, the one that is still good does until it ends: what is on the screen stays.
    try {
      if (await renew()) return;
      if (left() <= 0) return finish();
    } catch {
      // The next read says what is wrong, if it still is.
    }
    renewIn(Math.max(Math.min(left(), PAUSE_MS), 1_000));
  }

  function endsAt(instant: string): void {
    const before = end;
    end = Date.parse(instant);
    // Near the end of the session no token is good for longer than the one before.
    renewIn(Math.max(left() - (end > before ? AHEAD_MS : 0), PAUSE_MS));
  }

  /** What was read must not stand there as if the session went on. */
  function finish(): void {
    clearTimeout(timer);
    onEnd();
  }

  return {
    get: async (path) => read(await ask('GET', path), 'json'),
    post: async (path, request) => read(await ask('POST', path, request), 'json'),
    image: async (path) => read(await ask('GET', path), 'blob'),
    renew,
    use(given) {
      token = given;
    },
    tell,
    endsAt,
  };
}

/** Whether a page around gave a token: anything may come. */
export function isToken(given: unknown): given is string {
  return typeof given === 'string' && given !== '';
}

async function failureOf(answer: Response): Promise<Failure> {
  const body: { code?: string; details?: { fields?: { field: string }[] } } = await answer.json().catch(() => ({}));
  const fields = body.details?.fields?.map(({ field }) => field);
  return new Failure(answer.status, body.code ?? '', fields, answer.headers.get('x-request-id'));
}

/** A key for a write that may have to be sent again. */
export function freshKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
