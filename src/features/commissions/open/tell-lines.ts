/** Telling tenants of commission lines: docs/specification/webhooks.md#types. */
import type { ActingScope } from '../../../actor.ts';
import type { Render, WriteDb } from '../../../db/scope.ts';
import { tell } from '../../webhooks/webhooks-service.ts';

/** More than an event has. */
const MOST_LINES = 1_000;

export interface ToldLines {
  /** The event that made or changed them. */
  eventId: string;
  /** All of these events' lines are told, as they stand. */
  eventIds: readonly string[];
  /** And these, of whatever event. */
  lineIds?: readonly string[];
  /** Somebody is known to hear of it. */
  heard?: true;
}

export function tellLines(
  db: WriteDb,
  scope: ActingScope,
  type: 'commissions.created' | 'commissions.reversed',
  { eventId, eventIds, lineIds = [], heard }: ToldLines,
): void {
  tell(db, scope.provenance, type, eventId, {
    data: async (render) => ({ eventId, commissions: await readLines(render, eventIds, lineIds) }),
    ...(heard && { heard }),
  });
}

type Line = Readonly<Record<string, unknown>>;

async function readLines(render: Render, eventIds: readonly string[], lineIds: readonly string[]): Promise<Line[]> {
  const found = new Map<unknown, Line>();
  for (const eventId of new Set(eventIds)) {
    const { data } = await render('listCommissions', { query: { eventId, limit: MOST_LINES } });
    for (const line of data as Line[]) found.set(line['id'], line);
  }
  for (const commissionId of lineIds) {
    if (!found.has(commissionId)) found.set(commissionId, await render('getCommission', { params: { commissionId } }));
  }
  return [...found.values()];
}
