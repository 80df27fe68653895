/**
 * Calls an operation in this process, as pages do: the way of a request without the socket. The caller's rights, the
 * validation, the audit log and the walls between tenants are the same; the limits of keys do not apply, for there is
 * no key. Source: docs/specification/people.md#one-door.
 */
import type { z } from 'zod';
import type { Constraints } from '../db/constraints.ts';
import type { OpenedStream } from './byte-stream.ts';
import { toAppError } from './error-handler.ts';
import type { Caller, Operation, Origin } from './operation.ts';
import type { KeyedRoute, UploadRoute } from './route.ts';
import type { Asked, OperationRunner } from './run-operation.ts';
import { refuseUnsafeSaid } from './wire-guard.ts';

/** Of path and query the texts, and the body as JSON has it: what a request would say. */
export interface Said {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | undefined>>;
  body?: unknown;
}

export interface InvokedBy {
  caller: Caller;
  origin: Origin;
  /** Of a form: sent twice it acts once. */
  idempotencyKey?: string | undefined;
}

/** What the operation answered. A write that waits for another pair of hands has `waiting` and the status 202, which is not its usual one. */
export type Invoked<R extends z.ZodType> =
  | { status: number; body: z.output<R>; waiting?: undefined; replayed: boolean }
  | { status: 202; body?: undefined; waiting: unknown; replayed: boolean };

/** Throws what the API would answer, as the AppError that it is made of; a fault of ours as it is. */
export interface Invoke {
  <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
    operation: Operation<P, Q, B, R>,
    said: Said,
    by: InvokedBy,
  ): Promise<Invoked<R>>;
  /** The same of an operation that answers with a text file. */
  text<P extends z.ZodType, Q extends z.ZodType>(
    operation: Operation<P, Q, z.ZodType, z.ZodString>,
    said: Said,
    by: InvokedBy,
  ): Promise<{ status: number; text: string }>;
  /** The same of an operation that answers with a file, whole, under the name that it is saved by. */
  file<P extends z.ZodType, Q extends z.ZodType>(
    operation: Operation<P, Q, z.ZodType, z.ZodString>,
    said: Said,
    by: InvokedBy,
  ): Promise<InvokedFile>;
  /** The same of an operation that consumes a file, which is opened once the caller may send it. */
  upload<Q extends z.ZodType, R extends z.ZodType>(
    operation: Operation<z.ZodType, Q, z.ZodType, R>,
    said: Pick<Said, 'query'>,
    by: InvokedBy & { open(maxBytes: number): OpenedStream },
  ): Promise<Invoked<R>>;
}

export interface InvokedFile {
  name: string;
  type: string;
  bytes: Buffer;
}

export interface InvokeParts {
  runner: OperationRunner;
  routeOf(operationId: string): KeyedRoute;
  uploadRouteOf(operationId: string): UploadRoute;
  constraints: Constraints;
}

export function createInvoke({ runner, routeOf, uploadRouteOf, constraints }: InvokeParts): Invoke {
  const asApiAnswers = (thrown: unknown): never => {
    throw toAppError(thrown, constraints) ?? thrown;
  };

  function askedOf(operation: Operation, { params = {}, query = {}, body }: Said, by: InvokedBy): Asked {
    const { operationId } = operation;
    const given = Object.fromEntries(Object.entries(query).filter(([, text]) => text !== undefined && text !== ''));
    const caller = { ...by.caller, provenance: { ...by.caller.provenance, operationId } };
    // Who may not do it is told that, whatever was said.
    runner.requireScope(operation, caller);
    refuseUnsafeSaid({ params, query: given, body }, operation.bodyLimit);
    return {
      caller,
      sent: { params, query: given, body },
      url: urlOf(operation, { params, query: given as Record<string, string> }),
      idempotencyKey: by.idempotencyKey,
      origin: by.origin,
    };
  }

  async function run({ operationId }: Operation, said: Said, by: InvokedBy) {
    const route = routeOf(operationId);
    return runner.run(route, askedOf(route.operation, said, by)).catch(asApiAnswers);
  }

  async function answerOf(operation: Operation, said: Said, by: InvokedBy): Promise<Told> {
    const answer = await run(operation, said, by);
    const replayed = 'body' in answer && answer.headers?.['Idempotent-Replayed'] === 'true';
    const told = 'pieces' in answer ? await joined(answer.pieces) : 'bytes' in answer ? answer.bytes.toString() : answer.body;
    return { status: answer.status, text: told, replayed };
  }

  const invoke = async (operation: Operation, said: Said, by: InvokedBy): Promise<unknown> => {
    if (operation.produces !== undefined) throw new Error(`${operation.operationId} answers with a file`);
    const { status, text: told, replayed } = await answerOf(operation, said, by);
    const parsed = JSON.parse(told) as never;
    const waits = status === 202 && operation.success[0]?.status !== 202;
    return waits ? { status, waiting: parsed, replayed } : { status, body: parsed, replayed };
  };

  const text = async (operation: Operation, said: Said, by: InvokedBy): Promise<{ status: number; text: string }> => {
    if (operation.produces === 'application/pdf') throw new Error(`${operation.operationId} answers with no text`);
    const { status, text: told } = await answerOf(operation, said, by);
    return { status, text: told };
  };

  const file = async (operation: Operation, said: Said, by: InvokedBy): Promise<InvokedFile> => {
    const { operationId, produces } = operation;
    if (produces === undefined) throw new Error(`${operationId} answers with no file`);
    const answer = await run(operation, said, by);
    if ('body' in answer) throw new Error(`${operationId} answered with no file`);
    const [, name] = /filename="([^"]*)"/.exec(answer.headers?.['Content-Disposition'] ?? '') ?? [];
    if (name === undefined) throw new Error(`${operationId} does not name its file`);
    const bytes = 'pieces' in answer ? Buffer.from(await joined(answer.pieces)) : Buffer.from(answer.bytes);
    return { name, type: produces, bytes };
  };

  const upload = async (
    operation: Operation,
    said: Said,
    { open, ...by }: InvokedBy & { open(maxBytes: number): OpenedStream },
  ): Promise<unknown> => {
    const route = uploadRouteOf(operation.operationId);
    const asked = askedOf(route.operation, said, by);
    const answer = await runner.runUpload(route, asked, () => open(route.maxBytes)).catch(asApiAnswers);
    const replayed = answer.headers?.['Idempotent-Replayed'] === 'true';
    return { status: answer.status, body: JSON.parse(answer.body), replayed };
  };

  return Object.assign(invoke, { text, file, upload }) as Invoke;
}

interface Told {
  status: number;
  text: string;
  replayed: boolean;
}

/** Path and query as a request would have them. */
export function urlOf(
  { path }: Pick<Operation, 'path'>,
  { params = {}, query = {} }: { params?: Readonly<Record<string, string>>; query?: Readonly<Record<string, string>> },
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

async function joined(pieces: Iterable<string> | AsyncIterable<string>): Promise<string> {
  const all: string[] = [];
  for await (const piece of pieces) all.push(piece);
  return all.join('');
}
