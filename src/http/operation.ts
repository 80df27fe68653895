/**
 * An operation: the single description of one method and path. It validates the request, shapes the
 * answer, and feeds the OpenAPI document, the access matrix and the fuzzer.
 */
import type { z } from 'zod';
import type { ActingScope } from '../actor.ts';
import type { Environment, Scope } from '../db/scope.ts';
import type { FrameGuard, FrameShape } from '../db/write-options.ts';
import type { ErrorCode, ErrorKind } from '../errors.ts';
import type { Confirming } from './held-back.ts';

/**
 * What a key may be allowed to do, as `leads:read`; the features declare their own. A key with the scope `*` may do
 * everything, also what is added later.
 */
export type KeyScope = `${string}:${string}`;

/** The section of the document that an operation stands in; the features declare theirs. */
export type OperationGroup = string;

type Schema = z.ZodType;

export type FileType = 'text/csv' | 'application/pdf' | 'image/svg+xml';

/**
 * What an operation brings about beside its own: the effect of another operation. Whoever calls needs that one's scope
 * too. Source: docs/specification/identity.md#rights.
 */
export interface Effect {
  /** The operation whose effect it is. */
  operationId: string;
  /** Which requests have it, as the end of a sentence; empty when all have. */
  when: string;
  /** Whether this request has it; `asked later` where only the service can tell, which calls `requireRight` then. */
  // biome-ignore lint/suspicious/noExplicitAny: the input has the types of the operation's own schemas.
  has: 'asked later' | ((input: { params: any; query: any; body: any }) => boolean);
}

/** An answer's rows as CSV: docs/specification/conventions.md#csv. */
export interface CsvForm {
  /** What a browser saves it as. */
  fileName: string;
  /** Paths of a row's fields, as `attribution.user_id`, in the order of the columns. */
  columns: readonly string[];
  /** The rows of an answer that is no list; a list is read to its end. */
  rowsOf?: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>[];
}

export interface BodyLimit {
  bytes: number;
  /** Object keys and array items in all. */
  keys: number;
}

export interface Operation<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Response extends Schema = Schema,
> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With the prefix /api/v1 and OpenAPI's braces: /api/v1/users/{user_id}. */
  path: `/api/v1/${string}`;
  operationId: string;
  group: OperationGroup;
  summary: string;
  description?: string;
  /**
   * The key scope this operation needs; `none` for what is called without a key; `any` where each object has a scope of
   * its own, which the service asks for.
   */
  scope: KeyScope | 'none' | 'any';
  effects?: readonly Effect[];
  /** What its answer has only for a key with a further scope; the operation is open without it. */
  reveals?: readonly { scope: KeyScope; what: string }[];
  /** A scope of people alone that stands in for its own and shows a part: the service narrows. */
  narrower?: { scope: KeyScope; what: string };
  /**
   * The rule of ownership for a member's bearer token beside the key: `self` when `params.userId` is the member (or
   * the operation is of the caller itself), `downline` when it is the member or below it, `own` when row security
   * finds the member's own rows alone: a filter `userId` or `user_id` of the query is the member then. Without a rule
   * every bearer token is refused.
   */
  member?: 'self' | 'downline' | 'own';
  /**
   * Why a call that is no GET leaves nobody's name: it changes nothing. All others write, and are attributable: by an
   * entry of the audit log in the same transaction, or by `created_by` of the rows.
   */
  writesNothing?: string;
  /**
   * What it does to the safeguards that two pairs of hands stand for. One that can weaken them calls `holdBack`, and
   * answers 202 where the request must wait. Source: docs/specification/two-hands.md#directions.
   */
  hands?: 'neutral' | 'tightens' | 'weakens' | 'by value';
  /** A read that shows protected data in clear text, or hands out the way to it: it leaves an entry of the audit log. */
  protectedRead?: true;
  /**
   * Of people's own affairs: no key may call it, whatever its scopes. People are of the tenant, and their rows of LIVE:
   * in SANDBOX it is ENVIRONMENT_MISMATCH.
   */
  people?: true;
  /** Where a vendor calls it, and no tenant's backend. */
  calledBy?: 'vendors';
  /**
   * Where a person must have given a second factor just now; `by value`: the service asks, by `requireFreshFactor`.
   * Source: docs/specification/people.md#step-up.
   */
  stepUp?: 'always' | 'in LIVE' | 'by value';
  /** A write that an owner may do before having a second factor. */
  withoutFactor?: true;
  /**
   * A read that takes the session of a person in place of a key, of requests from the service's own pages.
   * Source: docs/specification/people.md#session-reads.
   */
  session?: true;
  /** The headers that an operation without a key goes by, for the document. */
  headers?: z.ZodObject;
  params?: Params;
  query?: Query;
  body?: Body;
  /** Where the body may be larger than the deployment's limit. */
  bodyLimit?: BodyLimit;
  /** Success statuses with what each means; the first is the usual one. */
  success: readonly Success[];
  response: Response;
  /** The type of the body where it is a file that is worked off as it comes, and not JSON; `body` describes its text then. */
  consumes?: FileType;
  /** How a read answers its rows as CSV, for `Accept: text/csv`. */
  csv?: CsvForm;
  /** What a success is when it is a file and not JSON; `response` describes its text then. Of operations that only read. */
  produces?: FileType;
  /**
   * Fields of the answer that are secrets, shown once: what is stored for an Idempotency-Key has null in their place,
   * so they are nullable.
   */
  secrets?: readonly string[];
  /**
   * Of an operation that hands out a token or a signed address and may be sent again as often as one likes: it takes no
   * Idempotency-Key, whose stored answer would hold that secret. A header that comes along is ignored.
   */
  repeats?: 'own';
  /** Codes beyond those every operation can answer (see COMMON_ERRORS). */
  errors: readonly ErrorKind[];
}

export type Success =
  /** `response`: of an answer that has less than all of the operation's, for the document. */
  | { status: 200 | 201 | 207; meaning: string; response?: z.ZodType }
  /** Of a request that waits: its answer is another. As the usual one it is of what is done in the background. `present` gives it the names of the operation's group. */
  | { status: 202; meaning: string; response: z.ZodType; present?: (waiting: unknown) => unknown };

/** Codes every keyed operation can answer. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'INVALID_API_KEY',
  'INVALID_TOKEN',
  'FORBIDDEN',
  'IP_NOT_ALLOWED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];

/** Codes of operations that write: what a body adds. */
export const WRITE_ERRORS: readonly ErrorCode[] = ['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** Codes of operations that take an Idempotency-Key. */
export const IDEMPOTENCY_ERRORS: readonly ErrorCode[] = ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'];

/** Whether a repeat with an Idempotency-Key gets the first answer. */
export function takesIdempotencyKey({ method, scope, headers, repeats }: Operation): boolean {
  return method !== 'get' && scope !== 'none' && headers === undefined && repeats !== 'own';
}

/** Keeps the types of the parts; adds nothing at run time. */
export function defineOperation<P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  operation: Operation<P, Q, B, R>,
): Operation<P, Q, B, R> {
  return operation;
}

/** The API key that a call comes with. */
export interface CallersKey {
  id: string;
  /** The first of the keys that this one was rolled from, or the key itself: what a key began, its successor goes on with. */
  familyId: string;
  /** Requests per window, when the key has a limit of its own. */
  rateLimit: number | undefined;
  /** From where it may be used, as ranges of addresses; null: from anywhere. */
  allowedIps: readonly string[] | null;
}

/** Who calls. Only authenticators make one: of an API key and a bearer token, of a person's session, of a command or a job. */
export interface Caller extends ActingScope {
  /** Undefined where no key came along: a person, the operator, a job. */
  key?: CallersKey | undefined;
  /** The scopes of the key, or of the person's role. */
  rights: readonly string[];
  /**
   * In whose hands the call is, as an `actorRef`: all keys that come from one key, or one person, have the same. Of a
   * member's call the member; of a job the system. Source: docs/specification/two-hands.md#roots.
   */
  root: string;
  /** Whether a person of the tenant's has given a second factor just now; no key has one. */
  hasFreshFactor?: boolean;
  /** The person who calls, of the tenant's people; undefined of keys and jobs. */
  person?: CallingPerson | undefined;
  /** The member whose bearer token came with the key: the call is that member's own. */
  member?: MemberSubject;
}

export interface CallingPerson {
  /** The session that the call came by. */
  sessionId: string;
  /** Whether the person has a second factor at all. */
  hasFactor: boolean;
  /** Whether the person's role may write in LIVE only with a second factor. */
  needsFactor: boolean;
}

export interface MemberSubject {
  memberId: string;
  /** The token family: what `sid` says. */
  sessionId: string;
}

/** What a service needs to know of the request beside its input. */
export interface RequestContext {
  scope: Scope;
  /** The Idempotency-Key's part of the transaction; every writing service hands it to `frames.write`. */
  guard: FrameGuard | undefined;
  /** Makes the answer of a write ahead of its commit; it goes to `frames.write` beside the guard. Absent where no answer is made. */
  shape?: FrameShape | undefined;
}

/** For services that record who did it. */
export interface ActingContext extends RequestContext {
  scope: ActingScope;
}

/** For services that record which key did it. */
export interface CallContext extends ActingContext {
  scope: Caller;
  /** Of a request that waited, and is confirmed by this call. */
  confirming?: Confirming | undefined;
}

/** Where a request came from, for the record of who agreed to what. */
export interface Origin {
  ip: string;
  userAgent: string | null;
}

export interface Call<P extends Schema, Q extends Schema, B extends Schema> extends CallContext {
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
  origin: Origin;
}

/** A call without a key: whose it is follows from what it says. */
export interface OpenCall<B extends Schema> {
  body: z.output<B>;
  /** The X-Tenant-ID header as it was sent. */
  tenantHeader: string | undefined;
  /** X-Request-Id of the answer. */
  requestId: string;
  ip: string | null;
  /** To be called as soon as the environment is known: answers name it. */
  ranIn(environment: Environment): void;
}

/** A vendor's call: who it is of is told by its signature, over the bytes as they came. */
export interface ReceiverCall<Q extends Schema> {
  query: z.output<Q>;
  rawBody: Buffer;
  /** X-Request-Id of the answer. */
  requestId: string;
  /** A request header as it was sent; one that was sent twice has both values, joined. */
  header(name: string): string | undefined;
  /** To be called as soon as the environment is known: answers name it. */
  ranIn(environment: Environment): void;
}

/** A body as it comes, to be read once. */
export interface ByteStream extends AsyncIterable<Buffer> {
  /** How many there were so far. */
  count(): number;
}

/** A call whose body is a file. */
export interface UploadCall<Q extends Schema> extends CallContext {
  query: z.output<Q>;
  bytes: ByteStream;
}

/** What goes over the wire, of a body that is quickly made. */
export interface WholeAnswer<Body> {
  status: number;
  body: Body;
  headers?: Record<string, string>;
}

/**
 * The same for a body of unbounded size, of operations that only read. The pieces make one JSON text;
 * each is of a bounded number of items and has the shape the operation promises by its maker's care,
 * since no schema sees the whole.
 */
export interface PiecedAnswer {
  status: number;
  /** Asynchronous where they are read as they are sent: then nothing waits for a slow client but itself. */
  pieces: Iterable<string> | AsyncIterable<string>;
  headers?: Record<string, string>;
}

/** A file of bounded size, of an operation that produces one; text files of any size are answered in pieces. */
export interface FileAnswer {
  status: number;
  bytes: Buffer;
  headers?: Record<string, string>;
}

export type Answer<Body> = WholeAnswer<Body> | PiecedAnswer | FileAnswer;

/** Makes a browser save an answer under a name of ours, which has ASCII letters, digits, dots and hyphens only. */
export function savedAs(fileName: string): Record<string, string> {
  return { 'Content-Disposition': `attachment; filename="${fileName}"`, 'X-Content-Type-Options': 'nosniff' };
}

/** The same for what a browser may show in its place. */
export function shownAs(fileName: string): Record<string, string> {
  return { ...savedAs(fileName), 'Content-Disposition': `inline; filename="${fileName}"` };
}
