/**
 * A request of one of the tenant's people, the way that pages send it: operations of people are called in the process,
 * for no key reaches them. Source: docs/specification/people.md#one-door.
 */
import { createHash, randomUUID } from 'node:crypto';
import { AppError } from '../../../src/errors.ts';
import type { StaffSession } from '../../../src/features/staff/open/staff-session.ts';
import type { OpenedStream } from '../../../src/http/byte-stream.ts';
import { errorBody } from '../../../src/http/error-handler.ts';
import type { Said } from '../../../src/http/invoke.ts';
import type { Caller, Operation } from '../../../src/http/operation.ts';
import type { CallAnswer } from '../app/http-call.ts';
import type { TestApp } from '../app/test-app.ts';
import { plantSignedIn, type SignedIn, staffOf } from '../app/test-people.ts';
import type { MatrixRequest } from './matrix-row.ts';

interface Owner extends SignedIn {
  /** As it was when it was planted: a request of the tests touches no row of the session. */
  opened: StaffSession;
}

const owners = new WeakMap<TestApp, Map<string, Promise<Owner>>>();

/** The owner who calls for a tenant, with a second factor just given. The same one in both environments. */
export function ownerOf(app: TestApp, { tenantId }: { tenantId: string }): Promise<Owner> {
  const known = owners.get(app) ?? new Map<string, Promise<Owner>>();
  owners.set(app, known);
  const owner = known.get(tenantId) ?? plantOwner(app, tenantId);
  known.set(tenantId, owner);
  return owner;
}

async function plantOwner(app: TestApp, tenantId: string): Promise<Owner> {
  const planted = await plantSignedIn(app, tenantId);
  return { ...planted, opened: await planted.session() };
}

interface With {
  idempotencyKey?: string | undefined;
  requestId?: string;
  /** The file of an operation that consumes one. */
  csv?: string;
}

export function callAsOwner(
  app: TestApp,
  side: Pick<Caller, 'tenantId' | 'environment'>,
  operation: Operation,
  { path = {}, query = {}, body, csv }: MatrixRequest,
  more: With = {},
): Promise<CallAnswer> {
  if (csv !== undefined) return sayAsOwner(app, side, operation, { query }, { ...more, csv });
  const said = { params: path, query, body: body === undefined ? undefined : (JSON.parse(JSON.stringify(body)) as unknown) };
  return sayAsOwner(app, side, operation, said, more);
}

/** The same of what need not be valid. A fault of ours is thrown, as it is to a page. */
export async function sayAsOwner(
  app: TestApp,
  side: Pick<Caller, 'tenantId' | 'environment'>,
  operation: Operation,
  said: Said,
  { idempotencyKey, requestId = randomUUID(), csv }: With = {},
): Promise<CallAnswer> {
  const { opened } = await ownerOf(app, side);
  const caller = staffOf(app).sessions.callerOf(opened, side.environment, {
    operationId: operation.operationId,
    requestId,
    ip: '203.0.113.9',
  });
  const origin = { ip: '203.0.113.9', userAgent: 'a test' };
  const headers = new Headers({ 'x-environment': side.environment, 'x-request-id': requestId });
  try {
    const { invoke } = app.composition;
    const by = { caller, origin, idempotencyKey };
    const answer =
      csv === undefined
        ? await invoke(operation, said, by)
        : await invoke.upload(operation, said, { ...by, open: () => streamOf(csv) });
    if (answer.replayed) headers.set('idempotent-replayed', 'true');
    return answerOf(answer.status, headers, answer.status === 202 ? answer.waiting : answer.body);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return answerOf(error.status, headers, errorBody(error));
  }
}

/** A file as a browser's form sends it. */
function streamOf(text: string): OpenedStream {
  const bytes = Buffer.from(text);
  async function* read(): AsyncGenerator<Buffer> {
    yield await Promise.resolve(bytes);
  }
  return {
    [Symbol.asyncIterator]: read,
    count: () => bytes.length,
    digest: () => createHash('sha256').update(bytes).digest('hex'),
    drop: () => undefined,
  };
}

function answerOf(status: number, headers: Headers, json: unknown): CallAnswer {
  return { status, headers, text: JSON.stringify(json), json };
}
