/** The log of events, in SQL. */
import type { Knex } from 'knex';
import { listStatement, raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { SealedEvent } from '../open/event-body.ts';

type EventRow = Omit<SealedEvent, 'environment'>;

const numbered = tenantTable('outgoing_sequence');

const COLUMNS = `o.id, o.type, s.sequence, o.occurred_at as "occurredAt", o.object_id as "objectId",
  o.object_version as "objectVersion", o.actor, o.data, o.left_out as "leftOut"`;

const events = (): Knex.QueryBuilder => numbered('s').join('outgoing_event as o', 'o.id', 's.event_id').select(raw(COLUMNS));

export interface EventFilters {
  type: string | undefined;
  objectId: string | undefined;
  /** ISO 8601. */
  from: string | undefined;
  to: string | undefined;
}

const list = listStatement<EventRow, EventFilters & { after: bigint; count: number }>('webhooks_list_events', (given) => {
  const query = events().where('s.sequence', '>', given.after).orderBy('s.sequence').limit(given.count);
  if (given.type) query.where('o.type', given.type);
  if (given.objectId) query.where('o.object_id', given.objectId);
  if (given.from) query.where('o.occurred_at', '>=', given.from);
  if (given.to) query.where('o.occurred_at', '<', given.to);
  return query;
});

/** In the order of their numbers. */
export async function listEvents(
  db: Db,
  scope: Scope,
  filters: EventFilters,
  after: bigint,
  count: number,
): Promise<SealedEvent[]> {
  const rows = await db.rows(list(scope, { ...filters, after, count }));
  return rows.map((row) => ({ ...row, environment: scope.environment }));
}

const find = statement<EventRow, { eventId: string }>('webhooks_find_event', ({ eventId }) => events().where('o.id', eventId));

export async function findEvent(db: Db, scope: Scope, eventId: string): Promise<SealedEvent | undefined> {
  const row = await db.row(find(scope, { eventId }));
  return row && { ...row, environment: scope.environment };
}

export interface Head {
  /** The last number that was given. */
  sequence: bigint;
  /** Events up to this one are not kept any more. */
  forgotten: bigint;
}

const head = statement<Head>('webhooks_read_head', () =>
  raw(`select h.sequence, h.forgotten from outgoing_head h where ${ofTenant('h')}`),
);

export async function readHead(db: Db, scope: Scope): Promise<Head> {
  return (await db.row(head(scope))) ?? { sequence: 0n, forgotten: 0n };
}
