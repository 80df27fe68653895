/** A job as handlers and logs see it, and its payload as it is stored: a scope and ids, nothing else. */
import type { JobWithMetadata } from 'pg-boss';
import { z } from 'zod';
import type { Frames } from '../db/frame.ts';
import type { Scope, WriteDb } from '../db/scope.ts';

/** Work that has a loop and places of its own, so that no other backlog delays it, and it delays nothing. */
export type Lane = 'payouts';

/** Ids by name. Rows are looked up by the handler, in the job's scope: the payload carries no data. */
export type JobIds = Readonly<Record<string, string>>;

export interface Job {
  id: string;
  name: string;
  scope: Scope;
  ids: JobIds;
  /** 1 for the first. */
  attempt: number;
}

export interface TransactionalHandler {
  name: string;
  kind: 'transactional';
  lane?: Lane;
  /** Everything it does goes through `db`; when it throws, that is undone and the job is repeated later. */
  run(db: WriteDb, job: Job): Promise<void>;
}

export interface LeasedHandler {
  name: string;
  kind: 'leased';
  lane?: Lane;
  /** `signal` tells that the lease is lost or the process ends: what is done from then on may be done twice. */
  run(frames: Frames, job: Job, signal: AbortSignal): Promise<void>;
}

export type JobHandler = TransactionalHandler | LeasedHandler;

const payloadSchema = z
  .object({ tenantId: z.uuid(), environment: z.enum(['LIVE', 'SANDBOX']) })
  .catchall(z.uuid({ message: 'must be an id: a job carries no other data' }));

/** The payload of a job. Throws when it holds anything but ids. */
export function payloadOf({ tenantId, environment }: Scope, ids: JobIds): object {
  return payloadSchema.parse({ ...ids, tenantId, environment });
}

/** Throws when the payload is not one. */
export function jobOf({ id, name, data, retryCount }: Pick<JobWithMetadata, 'id' | 'name' | 'data' | 'retryCount'>): Job {
  const { tenantId, environment, ...ids } = payloadSchema.parse(data);
  return { id, name, scope: { tenantId, environment }, ids, attempt: retryCount + 1 };
}

/** What is kept of an error with a job. A database error's detail quotes row values and is left out. */
export function describeFailure(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error ? String(error.code) : undefined;
  return { name: error.name, message: error.message, code };
}
