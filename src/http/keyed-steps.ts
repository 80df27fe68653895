/**
 * The Express middleware in front of every keyed route. Each step does one thing and calls the next; together they
 * turn a request into a caller and a body, which the handler at the end of the route finds by `callerOf` and
 * `rawBodyOf`. feature-router.ts has their order.
 */
import type { Request, RequestHandler, Response } from 'express';
import { actorRef } from '../actor.ts';
import { apart, holding } from '../apart.ts';
import { AppError } from '../errors.ts';
import { type Authenticator, environmentOfPrefix } from './authenticate.ts';
import type { MemberAccess } from './member-access.ts';
import { describeMissingKey, describeNoToken } from './misplaced-key.ts';
import type { Caller, Operation } from './operation.ts';
import type { RateLimits } from './rate-limit.ts';
import { logCaller, requestIdOf } from './request-log.ts';
import type { OperationRunner } from './run-operation.ts';
import type { Place, PlaceKind, TenantPlaces } from './tenant-places.ts';
import type { BodyReader } from './wire-guard.ts';

export interface KeyedSteps {
  /** The caller of the key, with X-Environment; failed key checks count by address. UNAUTHORIZED, INVALID_API_KEY, IP_NOT_ALLOWED. */
  apiKey(operation: Operation): RequestHandler;
  /**
   * A place among the tenant's requests that are worked on at once, until `leavePlace`. A key that waited for it is looked
   * at again: it may have been revoked meanwhile. RATE_LIMITED, and what `apiKey` throws.
   */
  takePlace(operation: Operation, kind: PlaceKind): RequestHandler;
  /** Counts the request against the limits of its key and its tenant. RATE_LIMITED. */
  countRequest: RequestHandler;
  /** The member of a bearer token, where one came with the key. INVALID_TOKEN. */
  bearerToken: RequestHandler;
  /** FORBIDDEN where the key lacks the operation's scope, or a member may not do this. */
  requireScope(operation: Operation): RequestHandler;
  /**
   * The body of an operation that writes. After one that was long in coming the key, the token and the scope are looked at
   * again: they may have been revoked meanwhile. What `apiKey`, `bearerToken` and `requireScope` throw.
   */
  readBody(operation: Operation): RequestHandler;
  /** Looks at the key, the token and the scope again, of an answer that is long in going. The same as `readBody` throws. */
  stillMay(operation: Operation, req: Request, res: Response): Promise<void>;
}

/** As long as a key that was revoked may still be taken for a good one (docs/specification/tenancy.md#key-cache). */
const KNOWN_MS = 900;

interface State {
  caller?: Caller;
  place?: Place;
  /** The body as it was parsed. */
  raw?: unknown;
}

/** By response, which a request has one of. */
const states = new WeakMap<Response, State>();

function stateOf(res: Response): State {
  const known = states.get(res);
  if (known) return known;
  const state: State = {};
  states.set(res, state);
  return state;
}

/** Who calls; there is one behind `apiKey`. */
export function callerOf(res: Response): Caller {
  const { caller } = stateOf(res);
  if (!caller) throw new Error('the route has no key check');
  return caller;
}

/** Gives the request's place to the next in line; a request that has none has nothing to give. */
export function leavePlace(res: Response): void {
  stateOf(res).place?.leave();
}

export function rawBodyOf(res: Response): unknown {
  return stateOf(res).raw;
}

/** The environment to name before the caller is known. */
export function provisionalEnvironment(req: Request, fallback: string): string {
  return environmentOfPrefix(req.get('x-tenant-api-key')) ?? fallback;
}

/** Who is signed in at the service's own pages, for the few operations that take a session in place of a key. */
export interface SessionAccess {
  /** Undefined without a session that works, and of requests that came from elsewhere. */
  callerOf(req: Request, operation: Operation, requestId: string): Promise<Caller | undefined>;
}

export function createKeyedSteps(options: {
  authenticator: Authenticator;
  sessions: SessionAccess;
  members: Pick<MemberAccess, 'authenticate'>;
  runner: Pick<OperationRunner, 'requireScope'>;
  rateLimits: RateLimits;
  places: TenantPlaces;
  bodyReader: BodyReader;
}): KeyedSteps {
  const { authenticator, sessions, members, runner, rateLimits, places, bodyReader } = options;

  function know(res: Response, caller: Caller): void {
    stateOf(res).caller = caller;
    if (!res.headersSent) res.setHeader('X-Environment', caller.environment);
    logCaller(res, caller);
  }

  async function identify(operation: Operation, req: Request, res: Response): Promise<void> {
    const { operationId } = operation;
    if (operation.session && req.get('x-tenant-api-key') === undefined) {
      const person = await sessions.callerOf(req, operation, requestIdOf(res));
      if (person) return know(res, person);
    }
    let counted = false;
    try {
      const holder = await authenticator.authenticate(req.get('x-tenant-api-key'), req.ip, (lookUp) => {
        counted = true;
        return rateLimits.guess(req, res, lookUp);
      });
      const actor = { kind: 'api_key', id: holder.key.id } as const;
      const provenance = { actor, operationId, requestId: requestIdOf(res), ip: req.ip ?? null };
      know(res, { ...holder, provenance });
    } catch (error) {
      const code = error instanceof AppError ? error.code : undefined;
      // A key that leaked is tried from elsewhere, too. No guess counts it: there is such a key.
      if (code === 'IP_NOT_ALLOWED' || (code === 'INVALID_API_KEY' && !counted)) await rateLimits.countBadKey(req, res);
      if (code === 'UNAUTHORIZED') {
        await rateLimits.countOpen(req, res);
        throw new AppError('UNAUTHORIZED', describeMissingKey(req));
      }
      throw error;
    }
  }

  async function identifyMember(req: Request, res: Response): Promise<void> {
    const authorization = req.get('authorization');
    if (authorization === undefined) return;
    const caller = callerOf(res);
    const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization)?.[1];
    const fault = describeNoToken(authorization);
    if (fault !== undefined) throw new AppError('INVALID_TOKEN', fault);
    if (token === undefined) throw new AppError('INVALID_TOKEN', 'The Authorization header must be a bearer token');
    const member = await members.authenticate(token, caller);
    const actor = { kind: 'member', id: member.memberId } as const;
    const provenance = { ...caller.provenance, actor };
    stateOf(res).caller = { ...caller, root: actorRef(actor), member, provenance };
  }

  async function identifyAgain(operation: Operation, req: Request, res: Response): Promise<void> {
    await identify(operation, req, res);
    await identifyMember(req, res);
    runner.requireScope(operation, callerOf(res));
  }

  return {
    apiKey: (operation) => async (req, res, next) => {
      await identify(operation, req, res);
      next();
    },

    takePlace: (operation, kind) => async (req, res, next) => {
      const place = await places.take(callerOf(res), kind, res);
      // Nobody is there to be answered.
      if (!place) return;
      stateOf(res).place = place;
      if (place.waited) await identify(operation, req, res);
      holding({ ...place, stillMay: () => identifyAgain(operation, req, res) }, next);
    },

    async countRequest(req, res, next) {
      const caller = callerOf(res);
      await (caller.key ? rateLimits.countRequest(req, res, caller) : rateLimits.countOpen(req, res));
      next();
    },

    async bearerToken(req, res, next) {
      await identifyMember(req, res);
      next();
    },

    requireScope: (operation) => (_req, res, next) => {
      runner.requireScope(operation, callerOf(res));
      next();
    },

    readBody: (operation) => async (req, res, next) => {
      const read = (): Promise<unknown> => bodyReader.read(req, res, operation.bodyLimit);
      const begun = performance.now();
      // What is still to come is waited for without the place.
      stateOf(res).raw = await (req.complete ? read() : apart(read));
      if (performance.now() - begun > KNOWN_MS) await identifyAgain(operation, req, res);
      next();
    },

    stillMay: identifyAgain,
  };
}
