/** What an operation answers, for the service itself: not through HTTP, but by its own handler and shape. */
import { bySystem } from '../actor.ts';
import type { Scope } from '../db/scope.ts';
import type { Caller } from './operation.ts';
import type { KeyedRoute } from './route.ts';

/** Parameters of path and query, by name. */
export interface Rendered {
  params?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
}

/**
 * The body of the answer as JSON has it, shown to the tenant without further rights. `what` names the job or the step
 * that reads. The input is taken as it is: who calls has checked it, and may ask for larger pages than callers may.
 */
export async function renderOperation(
  { operation, handler, present }: KeyedRoute,
  { tenantId, environment }: Scope,
  { params = {}, query = {} }: Rendered,
  what: string,
): Promise<Readonly<Record<string, unknown>>> {
  const caller: Caller = { tenantId, environment, rights: [], root: 'system', provenance: bySystem(what) };
  const result = await handler({
    scope: caller,
    guard: undefined,
    params,
    query,
    body: undefined,
    origin: { ip: '', userAgent: null },
  });
  const answer = present ? present(result, caller) : { status: 200, body: result };
  if (!('body' in answer)) throw new Error(`${operation.operationId} does not answer with JSON`);
  return operation.response.parse(answer.body) as Readonly<Record<string, unknown>>;
}
