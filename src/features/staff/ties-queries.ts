/** Who counts as whom, as owners see it. The rows are those of two pairs of hands, which alone writes them. */
import type { NamedActor } from '../../actor.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { namedActor } from '../audit/open/named-actor.ts';
import type { TieReason } from '../two-hands/open/approval-tie.ts';

export interface Tie {
  id: string;
  subject: NamedActor;
  countsAs: NamedActor;
  reason: TieReason;
  createdAt: Date;
  until: Date;
}

const tie = tenantTable('approval_tie');

const list = statement<Tie, { before: string | null; count: number }>('staff_ties_list', ({ before, count }) =>
  tie('t')
    .whereRaw('t.confirmed_by is null and t.until > now()')
    .whereRaw('(:before::uuid is null or t.id < :before)', { before })
    .orderBy('t.id', 'desc')
    .limit(count)
    .select(
      raw(`t.id, ${namedActor('t.subject')} as subject, ${namedActor('t.counts_as')} as "countsAs", t.reason,
           t.created_at as "createdAt", t.until`),
    ),
);

/** Those that still count, newest first. */
export function listTies(db: Db, scope: Scope, before: string | undefined, count: number): Promise<Tie[]> {
  return db.rows(list(scope, { before: before ?? null, count }));
}
