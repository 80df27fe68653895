/** The client: a typed function for each operation, with retries, idempotency and pages. */
import { ApiError, ConnectionError, errorOf } from './errors.ts';
import { operations } from './operations.ts';
import { type Call, retryDelay, waitFor } from './retry.ts';
import type { Input, ItemOf, ListName, OperationName, Result, Schemas } from './types.ts';

export interface ClientOptions {
  /** The tenant's key: `svc_live_…` or `svc_sandbox_…`. */
  apiKey: string;
  /** Where the service is, without `/api/v1`. Default `http://127.0.0.1:3000`. */
  baseUrl?: string | undefined;
  /** A member's access token: narrows every call to that member. */
  memberToken?: string | undefined;
  /** How long one attempt may take, in milliseconds. Default 30,000. */
  timeoutMs?: number;
  /** How often a call is sent again. Default 3. */
  maxRetries?: number;
  /** In place of the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  /** Of a write; default a random one. The same key in another call has no second effect. */
  idempotencyKey?: string;
  /** Ends the call, its retries and its waits. */
  signal?: AbortSignal;
  /** In place of the client's. */
  memberToken?: string;
  timeoutMs?: number;
  maxRetries?: number;
  headers?: Record<string, string>;
}

/** An answer with its status and headers. */
export interface Answer<Body> {
  data: Body;
  status: number;
  headers: Headers;
  /** Quote it when you report a problem. */
  requestId: string | null;
}

/** Whether a call needs no input: nothing is required of it. */
type IsOptional<Name extends OperationName> = object extends Input<Name> ? true : string extends keyof Input<Name> ? true : false;

type Arguments<Name extends OperationName> =
  IsOptional<Name> extends true ? [input?: Input<Name>, options?: CallOptions] : [input: Input<Name>, options?: CallOptions];

export interface Operation<Name extends OperationName> {
  /** The body of the answer. Throws `ApiError` for what the service refuses, and `ConnectionError` where it was not reached. */
  (...args: Arguments<Name>): Promise<Result<Name>>;
  /** The same with status and headers. */
  withResponse(...args: Arguments<Name>): Promise<Answer<Result<Name>>>;
}

export interface ListOperation<Name extends ListName> extends Operation<Name> {
  /** Every item, page after page, read as they are taken. */
  all(...args: Arguments<Name>): AsyncGenerator<ItemOf<Name>, void>;
}

/** A dry run stores nothing, so what it answers has no id. */
export interface PayoutRunOperation {
  (input: Input<'createPayoutRun'> & { dryRun: true }, options?: CallOptions): Promise<Schemas['PayoutRunDryRun']>;
  (input: Input<'createPayoutRun'> & { dryRun?: false }, options?: CallOptions): Promise<Schemas['PayoutRunDraft']>;
  withResponse(input: Input<'createPayoutRun'>, options?: CallOptions): Promise<Answer<Result<'createPayoutRun'>>>;
}

export type Client = {
  readonly [Name in OperationName]: Name extends 'createPayoutRun'
    ? PayoutRunOperation
    : Name extends ListName
      ? ListOperation<Name>
      : Operation<Name>;
};

/** How an operation is called, as `operations.ts` has it. */
interface Called {
  method: string;
  path: string;
  query?: readonly string[];
  headers?: readonly string[];
  body?: 'json' | 'text';
  /** Names that the path and the body have: what is given goes to both. */
  both?: readonly string[];
  idempotent?: true;
  answer?: 'text' | 'bytes';
  next?: 'nextCursor' | 'next_cursor';
}

type Values = Record<string, unknown>;

export function createClient(options: ClientOptions): Client {
  const entries = Object.entries(operations as Record<string, Called>).map(([name, called]) => {
    const withResponse = (input: Values = {}, call: CallOptions = {}): Promise<Answer<unknown>> =>
      send(options, called, input, call);
    const operation = async (input?: Values, call?: CallOptions): Promise<unknown> => (await withResponse(input, call)).data;
    const all = (input?: Values, call?: CallOptions): AsyncGenerator => readAll(operation, called, input, call);
    return [name, Object.assign(operation, { withResponse }, called.next && { all })] as const;
  });
  return Object.fromEntries(entries) as unknown as Client;
}

async function* readAll(
  operation: (input?: Values, call?: CallOptions) => Promise<unknown>,
  { next }: Called,
  input: Values = {},
  call: CallOptions = {},
): AsyncGenerator {
  if (next === undefined) return;
  for (let cursor: unknown = input['cursor'] ?? undefined; ; ) {
    const page = (await operation({ ...input, cursor }, call)) as Values & { data: unknown[] };
    yield* page.data;
    cursor = page[next];
    if (cursor === null || cursor === undefined) return;
  }
}

async function send(client: ClientOptions, called: Called, input: Values, options: CallOptions): Promise<Answer<unknown>> {
  const { signal } = options;
  const request = requestOf(client, called, input, options);
  const attempts = 1 + (options.maxRetries ?? client.maxRetries ?? 3);
  // Sent again without harm: reads, and writes that carry their key.
  const repeatable = called.method === 'GET' || request.headers.has('idempotency-key');
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const outcome = await once(client, request, options);
    if (outcome instanceof Response && outcome.ok) return read(outcome, called);
    const failure = outcome instanceof Response ? await errorOf(outcome) : outcome;
    const delay = attempt < attempts ? retryDelay(failure, { attempt, repeatable }) : undefined;
    if (delay === undefined) throw failure;
    await waitFor(delay, signal);
  }
}

/** What came back, or why nothing did. The caller's own abort is thrown. */
async function once(
  client: ClientOptions,
  { url, ...init }: Call,
  { signal, timeoutMs }: CallOptions,
): Promise<Response | ConnectionError> {
  const timeout = AbortSignal.timeout(timeoutMs ?? client.timeoutMs ?? 30_000);
  try {
    const answer = await (client.fetch ?? fetch)(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    // A connection can be lost in the middle of an answer, too.
    const body = await answer.arrayBuffer();
    return new Response([204, 205, 304].includes(answer.status) ? null : body, answer);
  } catch (error) {
    signal?.throwIfAborted();
    return new ConnectionError(timeout.aborted ? 'the service did not answer in time' : 'the connection was lost', {
      cause: error,
    });
  }
}

function requestOf(client: ClientOptions, called: Called, input: Values, options: CallOptions): Call {
  const rest = { ...input };
  const take = (name: string): unknown => {
    const value = rest[name];
    delete rest[name];
    return value;
  };
  const kept: Values = {};
  const path = called.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    if (value === undefined || value === null || value === '') throw new TypeError(`${name} is missing`);
    kept[name] = value;
    return encodeURIComponent(textOf(value));
  });
  // What stands in the path may be a field of the body as well, as the external id of a member.
  for (const name of Object.keys(kept)) if (!called.both?.includes(name)) delete rest[name];
  const query = new URLSearchParams();
  for (const name of called.query ?? []) {
    const value = take(name);
    if (value !== undefined && value !== null) query.set(name, textOf(value));
  }
  const headers = new Headers({ 'x-tenant-api-key': client.apiKey, accept: called.answer ? '*/*' : 'application/json' });
  for (const name of called.headers ?? []) {
    const value = take(name);
    if (value !== undefined) headers.set(name, textOf(value));
  }
  const memberToken = options.memberToken ?? client.memberToken;
  if (memberToken !== undefined) headers.set('authorization', `Bearer ${memberToken}`);
  if (called.idempotent) headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID());
  if (called.body) headers.set('content-type', called.body === 'json' ? 'application/json' : 'text/csv');
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  const search = query.size > 0 ? `?${query.toString()}` : '';
  return {
    url: `${(client.baseUrl ?? 'http://127.0.0.1:3000').replace(/\/+$/, '')}${path}${search}`,
    method: called.method,
    headers,
    ...(called.body && { body: called.body === 'json' ? JSON.stringify(rest) : textOf(rest['body']) }),
  };
}

/** A list is one text with commas, as the API takes it. */
function textOf(value: unknown): string {
  return Array.isArray(value) ? value.map(textOf).join(',') : typeof value === 'string' ? value : JSON.stringify(value);
}

async function read(answer: Response, { answer: kind }: Called): Promise<Answer<unknown>> {
  const { status, headers } = answer;
  const data: unknown =
    kind === 'bytes' ? await answer.arrayBuffer() : kind === 'text' ? await answer.text() : await answer.json();
  return { data, status, headers, requestId: headers.get('x-request-id') };
}

export { ApiError, ConnectionError };
