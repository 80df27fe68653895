/**
 * Runs an operation for a caller who is known: its right, the validation, the rights of further effects, whose member it
 * is, the Idempotency-Key, the handler, the shape of the answer. Requests (feature-router.ts) and pages (invoke.ts) come
 * this way alike, so whatever way leads to an effect, the same is asked. Source: docs/specification/identity.md#rights.
 */
import { z } from 'zod';
import { type Actor, actorRef } from '../actor.ts';
import type { FrameShape } from '../db/write-options.ts';
import type { JsonRow } from '../documents/rows-as-csv.ts';
import { AppError } from '../errors.ts';
import type { OpenedStream } from './byte-stream.ts';
import { HeldBack, type SentRequest, Waiting } from './held-back.ts';
import { fingerprintOf, type Idempotency, type IdempotencyGuard, readIdempotencyKey, StoredAnswer } from './idempotency.ts';
import { listAsCsv } from './list-as-csv.ts';
import type { MemberAccess } from './member-access.ts';
import { digestsOfNamed } from './named-digests.ts';
import {
  type Answer,
  type Call,
  type Caller,
  type Operation,
  type Origin,
  type PiecedAnswer,
  takesIdempotencyKey,
  type WholeAnswer,
} from './operation.ts';
import { effectsOf, mayCall, requireRight, type ScopeOf } from './rights.ts';
import type { KeyedRoute, UploadRoute } from './route.ts';
import { requireFactors } from './step-up.ts';
import { type Input, validateSent } from './validate-input.ts';

/** What a caller asks of an operation. */
export interface Asked {
  caller: Caller;
  /** The texts of path and query and the parsed body, as they came. */
  sent: SentRequest;
  /** Path and query in one text; a repeat has the same. */
  url: string;
  idempotencyKey: string | undefined;
  origin: Origin;
}

type AnyCall = Call<z.ZodType, z.ZodType, z.ZodType>;

export interface OperationRunner {
  /** FORBIDDEN where the caller lacks the operation's scope, or a member may not do this. Reads nothing. */
  requireScope(operation: Operation, caller: Caller): void;
  /** The operation's answer, as JSON text, pieces of one, or a file. */
  run(route: KeyedRoute, asked: Asked): Promise<Answer<string>>;
  /** The same as CSV, of an operation that has rows; `goOn` is called between its pages. */
  runCsv(route: KeyedRoute, asked: Asked, goOn: () => Promise<void>): Promise<PiecedAnswer>;
  /** The same of an operation that consumes a file, which is opened once the caller may send it. */
  runUpload(route: UploadRoute, asked: Asked, open: () => OpenedStream): Promise<WholeAnswer<string>>;
}

export interface RunnerParts {
  idempotency: Idempotency;
  scopeOf: ScopeOf;
  members: Pick<MemberAccess, 'isBelow'>;
}

export function createOperationRunner({ idempotency, scopeOf, members }: RunnerParts): OperationRunner {
  function requireScope(operation: Operation, caller: Caller): void {
    const { scope, member, people } = operation;
    if (people && caller.provenance.actor.kind !== 'staff') {
      throw new AppError('FORBIDDEN', 'This is for people who are signed in: no key and no token reaches it');
    }
    if (people && caller.environment !== 'LIVE') {
      throw new AppError('ENVIRONMENT_MISMATCH', 'People are of the tenant and not of an environment: ask LIVE');
    }
    if (!mayCall(caller, operation)) requireRight(caller, scope);
    if (caller.member && !member) throw new AppError('FORBIDDEN', 'Members may not do this');
  }

  function requireEffects(operation: Operation, caller: Caller, input: Input): void {
    for (const { operationId, when } of effectsOf(operation, input)) {
      requireRight(caller, scopeOf(operationId), when === '' ? operation.operationId : `${operation.operationId} ${when}`);
    }
  }

  /**
   * A member reaches itself, and in some places its downline. Whoever else is named, existing or not, is forbidden; a
   * list of the member's own rows that names nobody is narrowed to the member.
   */
  async function ofOwnMember(operation: Operation, caller: Caller, input: Input): Promise<Input> {
    const { member } = caller;
    if (!member) return input;
    if (operation.params) {
      const { userId, targetUserId } = input.params as { userId?: string; targetUserId?: string };
      const reaches = async (id: string | undefined, far: boolean): Promise<boolean> =>
        id === undefined || id === member.memberId || (far && (await members.isBelow(caller, member.memberId, id)));
      if (!(await reaches(userId, operation.member === 'downline')) || !(await reaches(targetUserId, true))) throw ofAnother();
    }
    const filter = operation.member === 'own' ? memberFilterOf(operation) : undefined;
    if (filter === undefined) return input;
    const query = input.query as Record<string, unknown>;
    if (query[filter] !== undefined && query[filter] !== member.memberId) throw ofAnother();
    return { ...input, query: { ...query, [filter]: member.memberId } };
  }

  async function check(operation: Operation, { caller, sent }: Asked): Promise<Input> {
    requireScope(operation, caller);
    requireFactors(operation, caller);
    const input = validateSent(operation, sent);
    requireEffects(operation, caller, input);
    return ofOwnMember(operation, caller, input);
  }

  function guardOf(
    operation: Operation,
    { caller, url, idempotencyKey }: Asked,
    { body, shaper }: { body: () => unknown; shaper: Shaper },
  ): IdempotencyGuard | undefined {
    if (!takesIdempotencyKey(operation)) return undefined;
    const key = readIdempotencyKey(idempotencyKey);
    if (key === undefined) return undefined;
    const { method, operationId, secrets } = operation;
    const subject = subjectOf(caller);
    const request = { method: method.toUpperCase(), url, subject: actorRef(subject) };
    const fingerprint = (): Buffer => fingerprintOf({ ...request, body: body() });
    const named = (answer: string): string[] => digestsOfNamed([request.subject, decodeURIComponent(url), body(), answer]);
    return idempotency.guard({ scope: caller, operationId, key, subject, fingerprint, named, secrets }, shaper.answerOf);
  }

  return {
    requireScope,

    async run({ operation, handler, present }, asked) {
      const { caller, sent, origin } = asked;
      const input = (await check(operation, asked)) as Pick<AnyCall, keyof Input>;
      const call = { ...input, scope: caller, origin };
      const toWire = (result: unknown): Answer<string> => {
        if (result instanceof Waiting) return whileWaiting(operation, result);
        const usual = { status: operation.success[0]?.status ?? 200, body: result };
        const answer: Answer<unknown> = present ? present(result, caller) : usual;
        if ('pieces' in answer || 'bytes' in answer) return answer;
        return { ...answer, body: JSON.stringify(operation.response.parse(answer.body)) };
      };
      if (!writes(operation)) return toWire(await handler({ ...call, guard: undefined, shape: undefined }));
      const shaper = createShaper((result) => toWhole(operation, toWire(result)));
      const guard = guardOf(operation, asked, { body: () => sent.body, shaper });
      const options = { guard, shape: shaper.shape };
      return answerOnce(operation, { guard, shaper }, async () => {
        try {
          return await handler({ ...call, ...options });
        } catch (error) {
          if (!(error instanceof HeldBack)) throw error;
          return error.keep(sent, options);
        }
      });
    },

    async runCsv({ operation, handler, present }, asked, goOn) {
      const { csv, operationId, response } = operation;
      if (!csv) throw new Error(`${operationId} has no rows`);
      const { caller, sent, origin, url } = asked;
      const input = (await check(operation, asked)) as Pick<AnyCall, keyof Input>;
      const call = { ...input, scope: caller, origin, guard: undefined, shape: undefined };
      return listAsCsv({
        csv,
        query: sent.query as Record<string, unknown>,
        url,
        goOn,
        async read(paging) {
          const result = await handler({ ...call, query: { ...(input.query as object), ...paging } });
          const answer: Answer<unknown> = present ? present(result, caller) : { status: 200, body: result };
          if (!('body' in answer)) throw new Error(`${operationId} does not answer with JSON`);
          return response.parse(answer.body) as JsonRow;
        },
      });
    },

    async runUpload({ operation, handler, present }, asked, open) {
      const { body: _described, ...withoutBody } = operation;
      const { query } = await check(withoutBody, asked);
      const bytes = open();
      const shaper = createShaper((result) => {
        const answer = present(result);
        return { ...answer, body: JSON.stringify(operation.response.parse(answer.body)) };
      });
      const guard = guardOf(operation, asked, { body: () => bytes.digest(), shaper });
      return answerOnce(operation, { guard, shaper }, async () => {
        try {
          return await handler({ query, bytes, scope: asked.caller, guard, shape: shaper.shape });
        } catch (error) {
          bytes.drop(error);
          throw error;
        }
      });
    },
  };
}

export function writes({ method }: Operation): boolean {
  return method !== 'get';
}

/** What of the query names whose rows are listed. */
export function memberFilterOf({ query }: Operation): 'userId' | 'user_id' | undefined {
  const fields = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
  return (['userId', 'user_id'] as const).find((name) => fields.includes(name));
}

/** What a write answers: what was made in its frame, or, where nothing was to be written, what is made now; or what was stored. */
async function answerOnce(
  { operationId }: Operation,
  { guard, shaper }: { guard: IdempotencyGuard | undefined; shaper: Shaper },
  run: () => Promise<unknown>,
): Promise<WholeAnswer<string>> {
  try {
    const result = await run();
    if (guard && !guard.stored()) throw new Error(`${operationId} ended without storing its answer`);
    return shaper.answerOf(result);
  } catch (error) {
    if (!(error instanceof StoredAnswer)) throw error;
    return { status: error.status, body: error.json, headers: { 'Idempotent-Replayed': 'true' } };
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

function toWhole({ operationId }: Operation, answer: Answer<string>): WholeAnswer<string> {
  if ('pieces' in answer || 'bytes' in answer) throw new Error(`${operationId} writes and must answer with JSON`);
  return answer;
}

function whileWaiting({ operationId, success }: Operation, { body }: Waiting): WholeAnswer<string> {
  const answer = success.find(({ status }) => status === 202);
  if (answer?.status !== 202) throw new Error(`${operationId} waits and has no 202`);
  return { status: answer.status, body: JSON.stringify(answer.response.parse(answer.present?.(body) ?? body)) };
}

/** Whose request it is, and whose a repeat must be: a key's successors go on with what it began. */
function subjectOf({ key, member, provenance: { actor } }: Caller): Actor {
  if (member) return { kind: 'member', id: member.memberId };
  return key ? { kind: 'api_key', id: key.familyId } : actor;
}

function ofAnother(): AppError {
  return new AppError('FORBIDDEN', 'The bearer token is of another member');
}
