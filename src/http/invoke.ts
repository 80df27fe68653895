/**
 * Calls an operation in this process, as pages do: the way of a request without the socket. The caller's rights, the
 * validation, the audit log and the walls between tenants are the same; the limits of keys do not apply, for there is
 * no key. Source: docs/specification/people.md#one-door.
 */
import type { z } from 'zod';
import type { Constraints } from '../db/constraints.ts';
import { toAppError } from './error-handler.ts';
import type { Caller, Operation, Origin } from './operation.ts';
import type { KeyedRoute } from './route.ts';
import type { OperationRunner } from './run-operation.ts';

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

/** What the operation answered. A write that waits for another pair of hands has `waiting` and the status 202. */
export type Invoked<R extends z.ZodType> =
  | { status: number; body: z.output<R>; waiting?: undefined; replayed: boolean }
  | { status: 202; body?: undefined; waiting: unknown; replayed: boolean };

/** Throws what the API would answer, as the AppError that it is made of; a fault of ours as it is. */
export type Invoke = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  operation: Operation<P, Q, B, R>,
  said: Said,
  by: InvokedBy,
) => Promise<Invoked<R>>;

export interface InvokeParts {
  runner: OperationRunner;
  routeOf(operationId: string): KeyedRoute;
  constraints: Constraints;
}

export function createInvoke({ runner, routeOf, constraints }: InvokeParts): Invoke {
  return async (operation, said, { caller, origin, idempotencyKey }) => {
    const { operationId } = operation;
    const { params = {}, query = {}, body } = said;
    const given = Object.fromEntries(Object.entries(query).filter(([, text]) => text !== undefined && text !== ''));
    const answer = await runner
      .run(routeOf(operationId), {
        caller: { ...caller, provenance: { ...caller.provenance, operationId } },
        sent: { params, query: given, body },
        url: urlOf(operation, { params, query: given as Record<string, string> }),
        idempotencyKey,
        origin,
      })
      .catch((thrown: unknown) => {
        throw toAppError(thrown, constraints) ?? thrown;
      });
    if ('bytes' in answer) throw new Error(`${operationId} answers with a file`);
    const text = 'pieces' in answer ? await joined(answer.pieces) : answer.body;
    const replayed = 'body' in answer && answer.headers?.['Idempotent-Replayed'] === 'true';
    const parsed = JSON.parse(text) as never;
    return answer.status === 202 ? { status: 202, waiting: parsed, replayed } : { status: answer.status, body: parsed, replayed };
  };
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
