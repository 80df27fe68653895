/** What tenants are told of commission lines: docs/specification/webhooks.md#types. */
import type { Render } from '../../../db/scope.ts';

/** More than an event has. */
const MOST_LINES = 1_000;

export interface ToldLines {
  /** The event that made or changed them. */
  eventId: string;
  /** Whether the frame has made that event: then all its lines are told, which nobody else can have changed. */
  isNew?: true;
  /** And these, of whatever event. The frame has made or locked them: others may be told of by somebody else at once. */
  lineIds?: readonly string[];
  /** Somebody is known to hear of it. */
  heard?: true;
}

/** What `tell` takes of `commissions.created` and `commissions.reversed`; the object is the event. */
export function toldLines({ eventId, isNew, lineIds = [], heard }: ToldLines) {
  return {
    data: async (render: Render) => ({ eventId, commissions: await readLines(render, isNew && eventId, lineIds) }),
    ...(heard && { heard }),
  };
}

type Line = Readonly<Record<string, unknown>>;

async function readLines(render: Render, eventId: string | undefined, lineIds: readonly string[]): Promise<Line[]> {
  const found = new Map<unknown, Line>();
  if (eventId !== undefined) {
    const { data } = await render('listCommissions', { query: { eventId, limit: MOST_LINES } });
    for (const line of data as Line[]) found.set(line['id'], line);
  }
  for (const commissionId of lineIds) {
    if (!found.has(commissionId)) found.set(commissionId, await render('getCommission', { params: { commissionId } }));
  }
  return [...found.values()];
}
