/**
 * The kinds of exports. Most are a list operation read to its end: its filters, its rows and its scope are the
 * export's, so that a file says what the API says. The columns are the paths of a row's fields, in the order of a CSV.
 */
import { z } from 'zod';
import type { Scope } from '../../db/scope.ts';
import type { JsonRow } from '../../documents/rows-as-csv.ts';
import type { HouseParts } from '../../house/feature.ts';
import type { KeyScope } from '../../http/operation.ts';
import type { KeyedRoute } from '../../http/route.ts';
import { currency, instant, uuid } from '../../http/schemas.ts';
import type { ExportFilters, ExportKind } from './export-run.ts';
import { type ReadOptions, readOperation } from './read-operation.ts';
import { readPostings } from './read-postings.ts';

export interface KindOfExport {
  /** What a key must be allowed to read. */
  readScope: KeyScope;
  filters: z.ZodObject;
  columns: readonly string[];
  /** The rows page by page, each read in a frame of its own. */
  pages(scope: Scope, filters: ExportFilters, options: ReadOptions): AsyncIterable<readonly JsonRow[]>;
}

export type KindsOfExport = Readonly<Record<ExportKind, KindOfExport>>;

export function openExportKinds(house: Pick<HouseParts, 'routeOf'>): KindsOfExport {
  return {
    members: listKind(house.routeOf('listMembers'), 'id'),
    commissions: listKind(house.routeOf('listCommissions'), 'id'),
    events: listKind(house.routeOf('listEvents'), 'event_id'),
    payouts: listKind(house.routeOf('listPayouts'), 'id', PAYOUT_COLUMNS),
    ledger: {
      readScope: 'ledger:read',
      filters: z.strictObject({
        userId: uuid.optional().meta({ description: 'Postings to this member' }),
        currency: currency.optional(),
        from: instant.optional().meta({ description: 'Recorded at this instant or later' }),
        to: instant.optional().meta({ description: 'Recorded before this instant' }),
      }),
      columns: POSTING_COLUMNS,
      pages: readPostings,
    },
    trialBalance: trialBalanceKind(house.routeOf('getTrialBalance')),
    auditLogs: listKind(house.routeOf('listAuditLogs'), 'id', AUDIT_LOG_COLUMNS),
  };
}

/** `columns`: where the operation itself has none, since it is not answered as CSV. */
function listKind(route: KeyedRoute, idField: string, columns = route.operation.csv?.columns ?? []): KindOfExport {
  return {
    readScope: scopeOf(route),
    filters: filtersOf(route),
    columns,
    async *pages(scope, filters, options) {
      for (let cursor: string | undefined, more = true; more; ) {
        const body = await readOperation(route, scope, { ...filters }, { limit: options.pageSize, cursor });
        const next = body['nextCursor'] ?? body['next_cursor'];
        cursor = typeof next === 'string' ? next : undefined;
        more = cursor !== undefined;
        // Whatever order the list is in, ids are in the order in which rows came into being.
        yield (body['data'] as JsonRow[]).filter((row) => String(row[idField]) <= options.untilId);
      }
    },
  };
}

function trialBalanceKind(route: KeyedRoute): KindOfExport {
  const { csv } = route.operation;
  if (!csv) throw new Error('the trial balance has no rows');
  return {
    readScope: scopeOf(route),
    filters: filtersOf(route),
    columns: csv.columns,
    async *pages(scope, filters) {
      yield csv.rowsOf?.(await readOperation(route, scope, { ...filters })) ?? [];
    },
  };
}

function scopeOf({ operation }: KeyedRoute): KeyScope {
  if (operation.scope === 'none' || operation.scope === 'any')
    throw new Error(`${operation.operationId} needs no scope of its own`);
  return operation.scope;
}

/** The parameters of the list without those of its paging and its order, as JSON has them. */
function filtersOf({ operation }: KeyedRoute): z.ZodObject {
  const { limit: _limit, cursor: _cursor, sort: _sort, ...parameters } = (operation.query as z.ZodObject).shape;
  return z.strictObject(
    Object.fromEntries(Object.entries(parameters).map(([name, schema]) => [name, inJson(schema as z.ZodType)])),
  );
}

/** A query has texts only; in JSON a number is a number and `true` is `true`. */
function inJson(parameter: z.ZodType): z.ZodType {
  const { description } = parameter.meta() ?? {};
  const inner = parameter instanceof z.ZodOptional ? (parameter.unwrap() as z.ZodType) : parameter;
  const {
    type,
    minimum = 0,
    maximum = Number.MAX_SAFE_INTEGER,
  } = (inner.meta()?.['override'] ?? {}) as {
    type?: string;
    minimum?: number;
    maximum?: number;
  };
  // A filter that is blank finds nothing; in a body it is refused, as all blank text is.
  const text = inner instanceof z.ZodString ? inner.regex(/\S/, 'must not be blank') : inner;
  const schema = type === 'boolean' ? z.boolean() : type === 'integer' ? z.int().min(minimum).max(maximum) : text;
  return description === undefined ? schema.optional() : schema.optional().meta({ description });
}

const PAYOUT_COLUMNS = [
  'id',
  'runId',
  'userId',
  'payoutAccountId',
  'provider',
  'currency',
  'amountMinor',
  'commissionCount',
  'status',
  'attempt',
  'failureCode',
  'failureMessage',
  'reference',
  'paidAt',
  'createdBy.kind',
  'createdBy.id',
  'createdBy.name',
  'createdAt',
  'updatedAt',
];

const POSTING_COLUMNS = [
  'journalId',
  'seq',
  'causeType',
  'causeId',
  'account',
  'userId',
  'amountMinor',
  'currency',
  'occurredAt',
  'recordedAt',
];

const AUDIT_LOG_COLUMNS = [
  'id',
  'createdAt',
  'action',
  'actor.kind',
  'actor.id',
  'actor.name',
  'target.kind',
  'target.id',
  'operationId',
  'requestId',
  'ip',
  'details',
];
