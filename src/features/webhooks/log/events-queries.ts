/** The log of events in SQL: by their numbers. */
import { type GivenPlaces, listStatement, raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
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
type Parameters = LogFilters & IdRange & { sealedFrom: string | undefined } & { after: string; count: number };

/** Looked up first, in place of a walk through the log. */
const OF_OBJECT = `s.event_id = any (array(select o.id from outgoing_event o where ${ofTenant('o')} and o.object_id = :objectId))`;
/** Where to begin. Numbers are nearly in the order of these times, and a gap of minutes is far more than they differ by. */
const SEALED_FROM = `s.sequence > coalesce((
  select q.sequence from outgoing_sequence q where ${ofTenant('q')} and q.sealed_at < :sealedFrom::timestamptz - interval '10 minutes'
  order by q.sealed_at desc limit 1), 0)`;

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
  if (p.objectId) query.whereRaw(raw(OF_OBJECT, { objectId: p.objectId }));
  if (p.sealedFrom) query.whereRaw(raw(SEALED_FROM, { sealedFrom: p.sealedFrom }));
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
  // In LIVE nothing has a number before it happened; a SANDBOX's clock is another.
  const sealedFrom = scope.environment === 'LIVE' ? filters.from : undefined;
  const rows = await db.rows(list(scope, { ...filters, sealedFrom, after: after.toString(), count }));
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
