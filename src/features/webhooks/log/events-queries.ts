/** The log of events in SQL: by their numbers. */
import { type GivenPlaces, listStatement, raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { SealedEvent } from '../open/event-body.ts';
import type { IdRange } from './id-range.ts';

export interface LogFilters {
  type: string | undefined;
  objectId: string | undefined;
  from: string | undefined;
  to: string | undefined;
}

type Row = Omit<SealedEvent, 'environment'>;
type Parameters = LogFilters & IdRange & { after: string; count: number };

const list = listStatement<Row, Parameters>('webhooks_list_events', (p: GivenPlaces<Scope & Parameters>) => {
  const query = tenantTable('outgoing_sequence')('s')
    .join('outgoing_event as e', 'e.id', 's.event_id')
    .where('s.sequence', '>', raw(':after::bigint', { after: p.after }))
    .where('e.id', '>=', p.lowId)
    .where('e.id', '<=', p.highId)
    .orderBy('s.sequence')
    .limit(p.count)
    .select(
      raw(`e.id, e.type, s.sequence, e.occurred_at as "occurredAt", e.object_id as "objectId",
      e.object_version as "objectVersion", e.actor, e.data, e.left_out as "leftOut",
      e.only_for is not null as "isExample"`),
    );
  if (p.type) query.where('e.type', p.type);
  if (p.objectId) query.where('e.object_id', p.objectId);
  if (p.from) query.where('e.occurred_at', '>=', p.from);
  if (p.to) query.where('e.occurred_at', '<', p.to);
  return query;
});

/** Behind that number, in order. */
export async function listEvents(
  db: Db,
  scope: Scope,
  filters: LogFilters & IdRange,
  after: bigint,
  count: number,
): Promise<SealedEvent[]> {
  const rows = await db.rows(list(scope, { ...filters, after: after.toString(), count }));
  return rows.map((row) => ({ ...row, environment: scope.environment }));
}

export interface LogHead {
  /** The last number that was given. */
  sequence: bigint;
  /** Up to it events are forgotten. */
  forgotten: bigint;
}

const head = statement<LogHead>('webhooks_head', () => tenantTable('outgoing_head')().select('sequence', 'forgotten'));

export async function readHead(db: Db, scope: Scope): Promise<LogHead> {
  return (await db.row(head(scope))) ?? { sequence: 0n, forgotten: 0n };
}
