/**
 * One Express router for the routes of a feature. In front of each keyed route stand the same steps as middleware,
 * in this order: the key (with X-Environment), its count against the limits, a place among the tenant's requests, the
 * bearer token, the scope, the body, the validation, the scopes of further effects, whose member it is. The place is left
 * at the end, by the handler's or by an error's. They stand on the routes and never on the router: an unknown path is 404 and
 * an open one is open, whatever key came along.
 */
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type { z } from 'zod';
import { type Actor, actorRef } from '../actor.ts';
import type { FrameShape } from '../db/frame.ts';
import { AppError } from '../errors.ts';
import { openByteStream } from './byte-stream.ts';
import { HeldBack, Waiting } from './held-back.ts';
import { fingerprintOf, type Idempotency, type IdempotencyGuard, readIdempotencyKey, StoredAnswer } from './idempotency.ts';
import { callerOf, inputOf, type KeyedSteps, leavePlace, rawBodyOf } from './keyed-steps.ts';
import { digestsOfNamed } from './named-digests.ts';
import {
  type Answer,
  type Call,
  type Caller,
  type OpenCall,
  type Operation,
  type Origin,
  type ReceiverCall,
  takesIdempotencyKey,
  type UploadCall,
  type WholeAnswer,
} from './operation.ts';
import { requestIdOf } from './request-log.ts';
import type { ScopeOf } from './rights.ts';
import type { Route } from './route.ts';
import { sendFile, sendPieces, sendWhole } from './send-answer.ts';
import { type Input, validateInput } from './validate-input.ts';
import { type BodyReader, readRawBody } from './wire-guard.ts';

export interface RouterKit {
  steps: KeyedSteps;
  bodyReader: BodyReader;
  idempotency: Idempotency;
  scopeOf: ScopeOf;
}

type AnyCall = Call<z.ZodType, z.ZodType, z.ZodType>;
type RouteOf<Kind extends Route['kind']> = Extract<Route, { kind: Kind }>;

export function createFeatureRouter(routes: readonly Route[], kit: RouterKit): Router {
  const { steps, scopeOf } = kit;
  const router = newRouter();
  for (const route of routes) {
    if (route.kind === 'plain') {
      router[route.method](route.path, ...route.handlers);
      continue;
    }
    const { operation } = route;
    const path = operation.path.replace(/\{(\w+)\}/g, ':$1');
    const { apiKey, countRequest, bearerToken } = steps;
    const place = steps.takePlace(operation, route.kind === 'upload' ? 'upload' : 'request');
    const caller = [apiKey(operation), countRequest, place, bearerToken, steps.requireScope(operation)];
    if (route.kind === 'keyed') {
      const body = writes(operation) ? [steps.readBody(operation)] : [];
      const effects = steps.requireEffects(operation, scopeOf);
      const input = [...body, steps.validate(operation), effects, steps.ownMember(operation)];
      router[operation.method](path, ...caller, ...input, leaving(keyed(route, kit)), leaveOnError);
    } else if (route.kind === 'upload') {
      const input = [steps.validate(withoutBody(operation)), steps.requireEffects(operation, scopeOf)];
      router[operation.method](path, ...caller, ...input, leaving(upload(route, kit)), leaveOnError);
    } else {
      router[operation.method](path, route.kind === 'open' ? open(route, kit) : receiver(route));
    }
  }
  return router;
}

/** Paths are told apart to the letter. */
export function newRouter(): Router {
  return Router({ caseSensitive: true, strict: true });
}

function leaving(handler: (req: Request, res: Response) => Promise<void>): RequestHandler {
  return (req, res) => handler(req, res).finally(() => leavePlace(res));
}

const leaveOnError: ErrorRequestHandler = (error, _req, res, next) => {
  leavePlace(res);
  next(error);
};

function keyed(
  { operation, handler, present }: RouteOf<'keyed'>,
  kit: RouterKit,
): (req: Request, res: Response) => Promise<void> {
  const usualStatus = operation.success[0]?.status ?? 200;
  const toWire = (result: unknown, caller: Caller): Answer<string> => {
    if (result instanceof Waiting) return whileWaiting(operation, result);
    const answer: Answer<unknown> = present ? present(result, caller) : { status: usualStatus, body: result };
    if ('pieces' in answer || 'bytes' in answer) return answer;
    return { ...answer, body: JSON.stringify(operation.response.parse(answer.body)) };
  };
  const toWhole = (result: unknown, caller: Caller): WholeAnswer<string> => {
    const answer = toWire(result, caller);
    if ('pieces' in answer || 'bytes' in answer) throw new Error(`${operation.operationId} writes and must answer with JSON`);
    return answer;
  };
  return async (req, res) => {
    const caller = callerOf(res);
    const call = { ...(inputOf(res) as Pick<AnyCall, keyof Input>), scope: caller, origin: originOf(req) };
    if (writes(operation)) {
      const shaper = createShaper((result) => toWhole(result, caller));
      const guard = guardOf(kit, operation, req, caller, { body: () => rawBodyOf(res), shaper });
      const options = { guard, shape: shaper.shape };
      await sendWritten(res, operation, { guard, shaper }, async () => {
        try {
          return await handler({ ...call, ...options });
        } catch (error) {
          if (!(error instanceof HeldBack)) throw error;
          return error.keep({ params: req.params, query: req.query, body: rawBodyOf(res) }, options);
        }
      });
      return;
    }
    const answer = toWire(await handler({ ...call, guard: undefined, shape: undefined }), caller);
    if ('pieces' in answer) await sendPieces(res, answer, operation.produces);
    else if ('bytes' in answer) sendFile(res, answer, operation.produces);
    else sendWhole(res, answer);
  };
}

function whileWaiting({ operationId, success }: Operation, { body }: Waiting): WholeAnswer<string> {
  const answer = success.find(({ status }) => status === 202);
  if (answer?.status !== 202) throw new Error(`${operationId} waits and has no 202`);
  return { status: answer.status, body: JSON.stringify(answer.response.parse(answer.present?.(body) ?? body)) };
}

function upload(
  { operation, maxBytes, handler, present }: RouteOf<'upload'>,
  kit: RouterKit,
): (req: Request, res: Response) => Promise<void> {
  const toWhole = (result: unknown): WholeAnswer<string> => {
    const answer = present(result);
    return { ...answer, body: JSON.stringify(operation.response.parse(answer.body)) };
  };
  return async (req, res) => {
    const caller = callerOf(res);
    const { query } = inputOf(res) as Pick<UploadCall<z.ZodType>, 'query'>;
    const bytes = openByteStream(req, res, { type: operation.consumes, maxBytes });
    const shaper = createShaper(toWhole);
    const guard = guardOf(kit, operation, req, caller, { body: () => bytes.digest(), shaper });
    await sendWritten(res, operation, { guard, shaper }, async () => {
      try {
        return await handler({ query, bytes, scope: caller, guard, shape: shaper.shape });
      } catch (error) {
        bytes.drop(error);
        throw error;
      }
    });
  };
}

/** Sends what a write answers: what was made in its frame, or, where nothing was to be written, what is made now. */
async function sendWritten(
  res: Response,
  { operationId }: Operation,
  { guard, shaper }: { guard: IdempotencyGuard | undefined; shaper: Shaper },
  run: () => Promise<unknown>,
): Promise<void> {
  try {
    const result = await run();
    if (guard && !guard.stored()) throw new Error(`${operationId} ended without storing its answer`);
    sendWhole(res, shaper.answerOf(result));
  } catch (error) {
    if (!(error instanceof StoredAnswer)) throw error;
    sendWhole(res, { status: error.status, body: error.json, headers: { 'Idempotent-Replayed': 'true' } });
  }
}

interface Shaper {
  shape: FrameShape;
  answerOf(result: unknown): WholeAnswer<string>;
}

/** Makes an answer once, when it is first asked for; a frame that runs again brings another result. */
function createShaper(present: (result: unknown) => WholeAnswer<string>): Shaper {
  let last: { result: unknown; answer: WholeAnswer<string> } | undefined;
  const answerOf = (result: unknown): WholeAnswer<string> => {
    if (!last || last.result !== result) last = { result, answer: present(result) };
    return last.answer;
  };
  return { answerOf, shape: (result) => void answerOf(result) };
}

function open({ operation, handler, countRefusal }: RouteOf<'open'>, { bodyReader }: RouterKit): RequestHandler {
  return async (req, res) => {
    const raw = await bodyReader.read(req, res, operation.bodyLimit);
    const { body } = validateInput(operation, req, raw) as Pick<OpenCall<z.ZodType>, 'body'>;
    try {
      const result = await handler({
        body,
        tenantHeader: req.get('x-tenant-id'),
        requestId: requestIdOf(res),
        ip: req.ip ?? null,
        ranIn: ranIn(res),
      });
      sendUsual(res, operation, result);
    } catch (error) {
      if (error instanceof AppError && error.status === 401) await countRefusal(req, res);
      throw error;
    }
  };
}

function receiver({ operation, handler }: RouteOf<'receiver'>): RequestHandler {
  return async (req, res) => {
    const { query } = validateInput(withoutBody(operation), req, undefined) as Pick<ReceiverCall<z.ZodType>, 'query'>;
    const rawBody = await readRawBody(req, res);
    const result = await handler({
      query,
      rawBody,
      requestId: requestIdOf(res),
      header: (name) => req.get(name),
      ranIn: ranIn(res),
    });
    sendUsual(res, operation, result);
  };
}

/** Where `body` describes what comes as bytes, it does not validate. */
function withoutBody({ body: _described, ...operation }: Operation): Operation {
  return operation;
}

function writes({ method }: Operation): boolean {
  return method !== 'get';
}

function ranIn(res: Response): (environment: string) => void {
  return (environment) => void res.setHeader('X-Environment', environment);
}

function sendUsual(res: Response, { response, success }: Operation, result: unknown): void {
  sendWhole(res, { status: success[0]?.status ?? 200, body: JSON.stringify(response.parse(result)) });
}

function guardOf(
  { idempotency }: RouterKit,
  operation: Operation,
  req: Request,
  caller: Caller,
  { body, shaper }: { body: () => unknown; shaper: Shaper },
): IdempotencyGuard | undefined {
  if (!takesIdempotencyKey(operation)) return undefined;
  const key = readIdempotencyKey(req.get('idempotency-key'));
  if (key === undefined) return undefined;
  const { operationId, secrets } = operation;
  const url = req.originalUrl;
  const subject = subjectOf(caller);
  const fingerprint = (): Buffer => fingerprintOf({ method: req.method, url, body: body(), subject: actorRef(subject) });
  const named = (answer: string): string[] => digestsOfNamed([actorRef(subject), decodeURIComponent(url), body(), answer]);
  return idempotency.guard({ scope: caller, operationId, key, subject, fingerprint, named, secrets }, shaper.answerOf);
}

/** Whose request it is, and whose a repeat must be: a key's successors go on with what it began. */
function subjectOf({ keyFamilyId, member, provenance: { actor } }: Caller): Actor {
  if (member) return { kind: 'member', id: member.memberId };
  return actor.kind === 'api_key' ? { kind: 'api_key', id: keyFamilyId } : actor;
}

function originOf(req: Request): Origin {
  return { ip: req.ip ?? '', userAgent: req.get('user-agent') ?? null };
}
