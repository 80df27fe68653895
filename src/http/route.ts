/**
 * A route: an operation with the handler that carries it out. Features list their routes, the house puts them on
 * the feature's Express router (feature-router.ts). Handlers get one plain object and return the operation's
 * result; they never see req or res.
 */
import type { RequestHandler } from 'express';
import type { z } from 'zod';
import type { Answer, Call, Caller, FileType, OpenCall, Operation, ReceiverCall, UploadCall, WholeAnswer } from './operation.ts';
import type { CountAddress } from './rate-limit.ts';

/** What a request goes through before the handler, by kind: a key; no key; a vendor's signature; a key and a file. */
export type Route =
  | {
      kind: 'keyed';
      operation: Operation;
      handler(call: Call<z.ZodType, z.ZodType, z.ZodType>): Promise<unknown>;
      present: ((result: unknown, caller: Caller) => Answer<unknown>) | undefined;
    }
  | {
      kind: 'open';
      operation: Operation;
      handler(call: OpenCall<z.ZodType>): Promise<unknown>;
      countRefusal: CountAddress;
    }
  | { kind: 'receiver'; operation: Operation; handler(call: ReceiverCall<z.ZodType>): Promise<unknown> }
  | {
      kind: 'upload';
      operation: Operation & { consumes: FileType };
      maxBytes: number;
      handler(call: UploadCall<z.ZodType>): Promise<unknown>;
      present(result: unknown): WholeAnswer<unknown>;
    }
  | { kind: 'plain'; method: 'get' | 'post'; path: string; handlers: readonly RequestHandler[] };

export type KeyedRoute = Extract<Route, { kind: 'keyed' }>;
export type UploadRoute = Extract<Route, { kind: 'upload' }>;

/**
 * The route of an operation that is called with a key. `present` turns the handler's result into status, body and
 * headers, for the caller: a member is shown less than a tenant; by default the result is the body and the status is the operation's first. With an Idempotency-Key what
 * the write frame returned is presented, so a writing handler must return exactly that; what is stored is whole, so
 * only an operation that reads may answer in pieces.
 */
export function route<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType, Result = z.input<R>>(
  operation: Operation<P, Q, B, R>,
  handler: (call: Call<P, Q, B>) => Promise<Result>,
  ...[present]: Result extends z.input<R>
    ? [present?: (result: Result, caller: Caller) => Answer<z.input<R>>]
    : [present: (result: Result, caller: Caller) => Answer<z.input<R>>]
): Route {
  return { kind: 'keyed', operation, handler, present } as Route;
}

/**
 * The route of an operation that is called without a key: no Idempotency-Key. A 401 counts against the address by
 * `countRefusal`, which makes a 429 of it past its limit.
 */
export function openRoute<B extends z.ZodType, R extends z.ZodType>(
  operation: Operation<z.ZodType, z.ZodType, B, R>,
  handler: (call: OpenCall<B>) => Promise<z.input<R>>,
  countRefusal: CountAddress,
): Route {
  return { kind: 'open', operation, handler, countRefusal };
}

/**
 * The route of what a vendor posts: no key, no Idempotency-Key, the body as it came, whatever its type. It is
 * described by the operation, and read by the handler once its signature is known to be good. A refused signature
 * does not count against the address: a vendor's serves many tenants.
 */
export function receiverRoute<Q extends z.ZodType, R extends z.ZodType>(
  operation: Operation<z.ZodType, Q, z.ZodType, R>,
  handler: (call: ReceiverCall<Q>) => Promise<z.input<R>>,
): Route {
  return { kind: 'receiver', operation, handler };
}

/**
 * The route of an operation that consumes a file. The handler gets the bytes as they come, at most `maxBytes`, and
 * must write behind the last of them in the frame that has the guard: they are a part of an Idempotency-Key's
 * request. The operation's `body` describes them.
 */
export function uploadRoute<Q extends z.ZodType, R extends z.ZodType, Result>(
  operation: Operation<z.ZodType, Q, z.ZodType, R> & { consumes: FileType },
  maxBytes: number,
  handler: (call: UploadCall<Q>) => Promise<Result>,
  present: (result: Result) => WholeAnswer<z.input<R>>,
): Route {
  return { kind: 'upload', operation, maxBytes, handler, present };
}

/** A route that is not an operation of the API, as a link that browsers follow, or a page: plain Express handlers. */
export function plainRoute(method: 'get' | 'post', path: string, ...handlers: RequestHandler[]): Route {
  return { kind: 'plain', method, path, handlers };
}
