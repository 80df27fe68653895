/**
 * Puts an operation on a router: authenticate, count, read, validate, call the handler, shape the
 * answer. Handlers get one plain object and return the operation's result; they never see req or res.
 */
import type { Request, Response, Router } from 'express';
import type { z } from 'zod';
import { AppError, invalidFields } from '../errors.ts';
import { type Authenticator, environmentOfPrefix } from './authenticate.ts';
import { openByteStream } from './byte-stream.ts';
import { toFieldFaults } from './field-faults.ts';
import { fingerprintOf, type Idempotency, type IdempotencyGuard, readIdempotencyKey, StoredAnswer } from './idempotency.ts';
import type {
  Answer,
  Call,
  Caller,
  FileType,
  MemberSubject,
  OpenCall,
  Operation,
  Origin,
  ReceiverCall,
  UploadCall,
  WholeAnswer,
} from './operation.ts';
import type { RateLimits } from './rate-limit.ts';
import { logCaller } from './request-log.ts';
import { sendFile, sendPieces, sendWhole } from './send-answer.ts';
import { type BodyReader, readRawBody, refuseRepeatedParameters } from './wire-guard.ts';

/** Bearer tokens and where they reach. */
export interface MemberAccess {
  /** The member of a bearer token of the caller's tenant and environment. Throws INVALID_TOKEN. */
  authenticate(token: string, caller: Caller): Promise<MemberSubject>;
  /** Whether the target is below the member. */
  isBelow(caller: Caller, memberId: string, targetId: string): Promise<boolean>;
}

export interface HttpKit {
  authenticator: Authenticator;
  members: MemberAccess;
  rateLimits: RateLimits;
  bodyReader: BodyReader;
  idempotency: Idempotency;
}

/**
 * `present` turns the handler's result into status, body and headers; by default the result is the
 * body and the status is the operation's first. With an Idempotency-Key what the write frame returned
 * is presented, so a writing handler must return exactly that; what is stored is whole, so only an
 * operation that reads may answer in pieces.
 */
export type Mount = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType, Result = z.input<R>>(
  router: Router,
  operation: Operation<P, Q, B, R>,
  handler: (call: Call<P, Q, B>) => Promise<Result>,
  ...present: Result extends z.input<R>
    ? [present?: (result: Result) => Answer<z.input<R>>]
    : [present: (result: Result) => Answer<z.input<R>>]
) => void;

/** For operations called without a key: no Idempotency-Key, and refused tokens count like bad keys. */
export type MountOpen = <B extends z.ZodType, R extends z.ZodType>(
  router: Router,
  operation: Operation<z.ZodType, z.ZodType, B, R>,
  handler: (call: OpenCall<B>) => Promise<z.input<R>>,
) => void;

/**
 * For what vendors post: no key, no Idempotency-Key, the body as it came, whatever its type. It is described
 * by the operation, and read by the handler once its signature is known to be good. A refused signature does
 * not count against the address: a vendor's serves many tenants.
 */
export type MountReceiver = <Q extends z.ZodType, R extends z.ZodType>(
  router: Router,
  operation: Operation<z.ZodType, Q, z.ZodType, R>,
  handler: (call: ReceiverCall<Q>) => Promise<z.input<R>>,
) => void;

/**
 * For an operation that consumes a file: the handler gets the bytes as they come, at most `maxBytes`, and must write
 * behind the last of them in the frame that has the guard: of an Idempotency-Key they are a part. `body` describes them.
 */
export type MountUpload = <Q extends z.ZodType, R extends z.ZodType, Result>(
  router: Router,
  operation: Operation<z.ZodType, Q, z.ZodType, R> & { consumes: FileType },
  maxBytes: number,
  handler: (call: UploadCall<Q>) => Promise<Result>,
  present: (result: Result) => WholeAnswer<z.input<R>>,
) => void;

/** Returns the mounts and the list they fill with every operation mounted by them. */
export function createMount(kit: HttpKit): {
  mount: Mount;
  mountOpen: MountOpen;
  mountReceiver: MountReceiver;
  mountUpload: MountUpload;
  operations: readonly Operation[];
} {
  const operations: Operation[] = [];
  const mount: Mount = (router, operation, handler, ...[present]) => {
    operations.push(operation);
    const writes = operation.method !== 'get';
    const usualStatus = operation.success[0]?.status ?? 200;

    const toWire = (result: unknown): Answer<string> => {
      const answer: Answer<unknown> = present ? present(result as never) : { status: usualStatus, body: result };
      if ('pieces' in answer || 'bytes' in answer) return answer;
      return { ...answer, body: JSON.stringify(operation.response.parse(answer.body)) };
    };
    const toWhole = (result: unknown): WholeAnswer<string> => {
      const answer = toWire(result);
      if ('pieces' in answer || 'bytes' in answer) throw new Error(`${operation.operationId} writes and must answer with JSON`);
      return answer;
    };

    async function handle(req: Request, res: Response): Promise<void> {
      const caller = await admit(req, res);
      refuseUnentitled(operation, caller);
      const raw = writes ? await kit.bodyReader.read(req, res, operation.bodyLimit) : undefined;
      const input = validate(operation, req, raw);
      await refuseOthers(operation, caller, input.params);
      const guard = writes ? guardOf(operation, req, caller, { body: () => raw, present: toWhole }) : undefined;
      try {
        const result = await handler({ ...input, scope: caller, guard, origin: originOf(req) });
        checkStored(operation, guard);
        const answer = writes ? toWhole(result) : toWire(result);
        if ('pieces' in answer) await sendPieces(res, answer, operation.produces);
        else if ('bytes' in answer) sendFile(res, answer, operation.produces);
        else sendWhole(res, answer);
      } catch (error) {
        sendStored(res, error);
      }
    }

    router[operation.method](routeOf(operation), handle);
  };

  const mountOpen: MountOpen = (router, operation, handler) => {
    operations.push(operation);
    router[operation.method](routeOf(operation), async (req, res) => {
      const raw = await kit.bodyReader.read(req, res, operation.bodyLimit);
      const { body } = validate(operation, req, raw);
      const ranIn = (environment: string): void => void res.setHeader('X-Environment', environment);
      try {
        const result = await handler({ body, tenantHeader: req.get('x-tenant-id'), ranIn });
        const text = JSON.stringify(operation.response.parse(result));
        sendWhole(res, { status: operation.success[0]?.status ?? 200, body: text });
      } catch (error) {
        if (error instanceof AppError && error.status === 401) await kit.rateLimits.countBadKey(req, res);
        throw error;
      }
    });
  };

  const mountReceiver: MountReceiver = (router, { body: _described, ...operation }, handler) => {
    operations.push({ ...operation, ...(_described ? { body: _described } : {}) });
    router[operation.method](routeOf(operation), async (req, res) => {
      const { query } = validate(operation, req, undefined);
      const rawBody = await readRawBody(req, res);
      const ranIn = (environment: string): void => void res.setHeader('X-Environment', environment);
      const result = await handler({ query, rawBody, header: (name) => req.get(name), ranIn });
      const text = JSON.stringify(operation.response.parse(result));
      sendWhole(res, { status: operation.success[0]?.status ?? 200, body: text });
    });
  };

  const mountUpload: MountUpload = (router, { body: described, ...operation }, maxBytes, handler, present) => {
    operations.push({ ...operation, ...(described ? { body: described } : {}) });
    const toWhole = (result: unknown): WholeAnswer<string> => {
      const answer = present(result as never);
      return { ...answer, body: JSON.stringify(operation.response.parse(answer.body)) };
    };
    router[operation.method](routeOf(operation), async (req, res) => {
      const caller = await admit(req, res);
      refuseUnentitled(operation, caller);
      const { query } = validate(operation, req, undefined);
      const bytes = openByteStream(req, res, { type: operation.consumes, maxBytes });
      const guard = guardOf(operation, req, caller, { body: () => bytes.digest(), present: toWhole });
      try {
        const result = await handler({ query, bytes, scope: caller, guard });
        checkStored(operation, guard);
        sendWhole(res, toWhole(result));
      } catch (error) {
        bytes.drop(error);
        sendStored(res, error);
      }
    });
  };
  return { mount, mountOpen, mountReceiver, mountUpload, operations };

  function guardOf(
    { operationId }: Operation,
    req: Request,
    caller: Caller,
    { body, present }: { body: () => unknown; present: (result: unknown) => WholeAnswer<string> },
  ): IdempotencyGuard | undefined {
    const key = readIdempotencyKey(req.get('idempotency-key'));
    if (key === undefined) return undefined;
    const fingerprint = (): Buffer =>
      fingerprintOf({ method: req.method, url: req.originalUrl, body: body(), subject: subjectOf(caller) });
    return kit.idempotency.guard({ scope: caller, operationId, key, fingerprint }, present);
  }

  /** The caller of the request, counted against its limit; failed key checks count by address. */
  async function admit(req: Request, res: Response): Promise<Caller> {
    const key = req.get('x-tenant-api-key');
    let caller: Caller;
    try {
      caller = await kit.authenticator.authenticate(key);
    } catch (error) {
      if (error instanceof AppError && error.code === 'INVALID_API_KEY') await kit.rateLimits.countBadKey(req, res);
      throw error;
    }
    res.setHeader('X-Environment', caller.environment);
    logCaller(res, caller);
    await kit.rateLimits.countRequest(req, res, caller);
    const authorization = req.get('authorization');
    if (authorization === undefined) return caller;
    const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization)?.[1];
    if (token === undefined) throw new AppError('INVALID_TOKEN', 'The Authorization header must be a bearer token');
    return { ...caller, member: await kit.members.authenticate(token, caller) };
  }

  /** A member reaches itself, and in some places its downline. Whoever else is named, existing or not, is forbidden. */
  async function refuseOthers(operation: Operation, caller: Caller, params: unknown): Promise<void> {
    const { member } = caller;
    if (!member || !operation.params) return;
    const { userId, targetUserId } = params as { userId?: string; targetUserId?: string };
    const reaches = async (id: string | undefined, far: boolean): Promise<boolean> =>
      id === undefined || id === member.memberId || (far && (await kit.members.isBelow(caller, member.memberId, id)));
    if ((await reaches(userId, operation.member === 'downline')) && (await reaches(targetUserId, true))) return;
    throw new AppError('FORBIDDEN', 'The bearer token is of another member');
  }
}

function routeOf(operation: Operation): string {
  return operation.path.replace(/\{(\w+)\}/g, ':$1');
}

/** Whose request it is: repeats with an Idempotency-Key are the same subject's. */
function subjectOf(caller: Caller): string {
  return caller.member ? `member:${caller.member.memberId}` : 'tenant';
}

function originOf(req: Request): Origin {
  return { ip: req.ip ?? '', userAgent: req.get('user-agent') ?? null };
}

/** The environment to name before the caller is known. */
export function provisionalEnvironment(req: Request, fallback: string): string {
  return environmentOfPrefix(req.get('x-tenant-api-key')) ?? fallback;
}

function refuseUnentitled({ scope, member }: Operation, caller: Caller): void {
  if (!caller.keyScopes.includes('*') && !caller.keyScopes.includes(scope)) {
    throw new AppError('FORBIDDEN', `The API key lacks the scope ${scope}`);
  }
  if (caller.member && !member) throw new AppError('FORBIDDEN', 'Members may not do this');
}

function checkStored({ operationId }: Operation, guard: IdempotencyGuard | undefined): void {
  if (guard && !guard.stored()) throw new Error(`${operationId} ended without storing its answer`);
}

/** Answers a repeat with what was answered first; any other error is thrown on. */
function sendStored(res: Response, error: unknown): void {
  if (!(error instanceof StoredAnswer)) throw error;
  sendWhole(res, { status: error.status, body: error.json, headers: { 'Idempotent-Replayed': 'true' } });
}

function validate<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  operation: Operation<P, Q, B>,
  req: Request,
  raw: unknown,
): { params: z.output<P>; query: z.output<Q>; body: z.output<B> } {
  const query = req.query;
  refuseRepeatedParameters(query);
  const faults: { field: string; message: string }[] = [];
  const part = (schema: z.ZodType | undefined, value: unknown): unknown => {
    const parsed = schema?.safeParse(value);
    if (parsed && !parsed.success) faults.push(...toFieldFaults(parsed.error));
    return parsed?.data;
  };
  const params = part(operation.params, req.params);
  const parsedQuery = part(operation.query, query);
  if (!operation.query && Object.keys(query).length > 0) {
    faults.push(...Object.keys(query).map((field) => ({ field, message: 'is not a known parameter' })));
  }
  const body = part(operation.body, raw);
  if (faults.length > 0) throw invalidFields(faults);
  return { params, query: parsedQuery, body } as { params: z.output<P>; query: z.output<Q>; body: z.output<B> };
}
