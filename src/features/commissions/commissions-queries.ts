/** Commission lines in SQL: one and many. */
import { type GivenPlaces, listStatement, raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant, theTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import type { LineKind, LineStatus, NamedLine } from './open/commission-line.ts';
import { type NamedLineRow, namedLineColumns, toNamedLine } from './open/line-rows.ts';

const line = tenantTable('commission_line');

/** With their events. */
const namedLines = () =>
  line('l')
    .join('event as e', 'e.id', 'l.event_id')
    .select(raw(namedLineColumns('l', 'e')));

/** For `frames.readOnce`. */
export const commissionStatement = statement<NamedLineRow, { lineId: string }>('commissions_find', ({ lineId }) =>
  namedLines().where('l.id', lineId),
);

export interface CommissionFilters {
  userId: string | undefined;
  eventId: string | undefined;
  status: LineStatus | undefined;
  kind: LineKind | undefined;
  level: number | undefined;
  currency: string | undefined;
  /** YYYY-MM of the sale in the tenant's zone. */
  period: string | undefined;
  createdFrom: string | undefined;
  createdTo: string | undefined;
}

const startOf = (day: string): string =>
  `(select start_of_local_day(${day}, t.reporting_time_zone) from tenant t where ${theTenant('t')})`;

type ListParameters = Omit<CommissionFilters, 'period'> & {
  /** The period's first day. */
  firstDay: string | undefined;
  afterId: string | undefined;
  count: number;
};

/** Those that the filters are true of. */
function filteredLines(p: GivenPlaces<Scope & Omit<ListParameters, 'afterId'>>) {
  const query = namedLines().limit(p.count);
  if (p.userId) query.where('l.beneficiary_id', p.userId);
  if (p.eventId) query.where('l.event_id', p.eventId);
  if (p.status) query.where('l.status', p.status);
  if (p.kind) query.where('l.kind', p.kind);
  if (p.level) query.where('l.level', p.level);
  if (p.currency) query.where('l.currency', p.currency);
  if (p.firstDay) {
    query
      .where('l.occurred_at', '>=', raw(startOf(':firstDay::date'), { firstDay: p.firstDay }))
      .where('l.occurred_at', '<', raw(startOf("(:firstDay::date + interval '1 month')::date"), { firstDay: p.firstDay }));
  }
  if (p.createdFrom) query.where('l.created_at', '>=', p.createdFrom);
  if (p.createdTo) query.where('l.created_at', '<', p.createdTo);
  return query;
}

const list = listStatement<NamedLineRow, ListParameters>('commissions_list', (p) => {
  const query = filteredLines(p).orderBy('l.id');
  if (p.afterId) query.where('l.id', '>', p.afterId);
  return query;
});

/** Neither a time nor an amount of a line ever changes, so the last line of a page tells where the next begins. */
const sortedList = (column: 'created_at' | 'amount_minor', order: 'asc' | 'desc') =>
  listStatement<NamedLineRow, ListParameters>(`commissions_list_by_${column}_${order}`, (p) => {
    const query = filteredLines(p).orderBy([
      { column: `l.${column}`, order },
      { column: 'l.id', order },
    ]);
    const place = `select a.${column}, a.id from commission_line a where ${ofTenant('a')} and a.id = :afterId`;
    const beyond = order === 'asc' ? '>' : '<';
    if (p.afterId) query.where(raw(`(l.${column}, l.id) ${beyond} (${place})`, { afterId: p.afterId }));
    return query;
  });

const sortedLists = {
  createdAt: sortedList('created_at', 'asc'),
  '-createdAt': sortedList('created_at', 'desc'),
  amount: sortedList('amount_minor', 'asc'),
  '-amount': sortedList('amount_minor', 'desc'),
};
export type CommissionSort = keyof typeof sortedLists;

/** In order of their ids, which is the order they were made in, unless another is asked for. */
export async function listCommissions(
  db: Db,
  scope: Scope,
  { period, ...filters }: CommissionFilters,
  { sort, afterId }: { sort: CommissionSort | undefined; afterId: string | undefined },
  count: number,
): Promise<NamedLine[]> {
  const firstDay = period === undefined ? undefined : `${period}-01`;
  return (await db.rows((sort ? sortedLists[sort] : list)(scope, { ...filters, firstDay, afterId, count }))).map(toNamedLine);
}
