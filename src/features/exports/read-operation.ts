/** What another feature's operation answers, for a job: not through HTTP, but by its own handler and shape. */

import type { z } from 'zod';
import { bySystem } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import type { Scope } from '../../db/scope.ts';
import type { KeyedRoute } from '../../http/route.ts';
import type { ExportFilters } from './export-run.ts';

export interface ReadOptions {
  frames: Frames;
  /** Rows of one page. */
  pageSize: number;
  /** Rows with ids behind it came into being later and are left out. */
  untilId: string;
}

/** The body of the answer as JSON has it. The filters are those of the operation's query; a larger page than its own is given. */
export async function readOperation(
  { operation, handler, present }: KeyedRoute,
  { tenantId, environment }: Scope,
  filters: ExportFilters,
  paging: { limit?: number; cursor?: string | undefined } = {},
): Promise<Readonly<Record<string, unknown>>> {
  const texts = Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]));
  const query = (operation.query as z.ZodObject).parse(texts);
  const provenance = bySystem('run-export');
  const caller = { tenantId, environment, rights: [], root: 'system', provenance };
  const result = await handler({
    scope: caller,
    guard: undefined,
    params: {},
    query: { ...query, ...paging },
    body: undefined,
    origin: { ip: '', userAgent: null },
  });
  const answer = present ? present(result, caller) : { status: 200, body: result };
  if (!('body' in answer)) throw new Error(`${operation.operationId} does not answer with JSON`);
  return operation.response.parse(answer.body) as Readonly<Record<string, unknown>>;
}
