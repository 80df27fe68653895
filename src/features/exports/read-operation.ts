/** A list operation of another feature, read by the job of an export. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { Scope } from '../../db/scope.ts';
import { renderOperation } from '../../http/render-operation.ts';
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
export function readOperation(
  route: KeyedRoute,
  scope: Scope,
  filters: ExportFilters,
  paging: { limit?: number; cursor?: string | undefined } = {},
): Promise<Readonly<Record<string, unknown>>> {
  const texts = Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]));
  const query = (route.operation.query as z.ZodObject).parse(texts);
  return renderOperation(route, scope, { query: { ...query, ...paging } }, 'run-export');
}
