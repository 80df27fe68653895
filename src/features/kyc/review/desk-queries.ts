/** Who looks at a verification now, in SQL. Minutes of people go by the real time, in SANDBOX too. */
import type { Knex } from 'knex';
import type { NamedActor } from '../../../actor.ts';
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import { namedActor } from '../../audit/open/named-actor.ts';

export interface Taken {
  /** Null: nobody, or its time is over. */
  takenBy: NamedActor | null;
  takenUntil: Date | null;
}

export interface Desk extends Taken {
  waitingSeconds: number;
}

const kycRecord = tenantTable('kyc_record');

/** Since when a record `k` has its status. */
const WAITING = `greatest(0, floor(extract(epoch from scope_now(k.tenant_id, k.environment) - k.status_since)))::float8`;

/** Of a record `k`. */
export const DESK_COLUMNS: readonly Knex.Raw[] = [
  raw(`${WAITING} as "waitingSeconds"`),
  raw(`case when k.taken_until > now() then ${namedActor('k.taken_by')} end as "takenBy"`),
  raw('case when k.taken_until > now() then k.taken_until end as "takenUntil"'),
];

const desk = statement<Desk, { id: string }>('kyc_review_desk', ({ id }) =>
  kycRecord('k')
    .where('k.id', id)
    .select([...DESK_COLUMNS]),
);

/** Of a record that is there. */
export async function readDesk(db: Db, scope: Scope, id: string): Promise<Desk> {
  const row = await db.row(desk(scope, { id }));
  if (!row) throw new Error('a KYC record vanished');
  return row;
}

const take = statement<unknown, { id: string; by: string; minutes: number }>('kyc_review_take', ({ id, by, minutes }) =>
  kycRecord('k')
    .where('k.id', id)
    .update({ taken_by: by, taken_until: raw('now() + make_interval(mins => :minutes)', { minutes }) }),
);

/** Of a record that is locked. It counts as no change of the record: what the vendor says meanwhile is heeded. */
export async function storeTaken(db: Db, scope: Scope, id: string, taken: { by: string; minutes: number }): Promise<void> {
  await db.rows(take(scope, { id, ...taken }));
}

const release = statement<unknown, { id: string }>('kyc_review_release', ({ id }) =>
  kycRecord('k').where('k.id', id).update({ taken_by: null, taken_until: null }),
);

/** Of a record that is locked. */
export async function storeReleased(db: Db, scope: Scope, id: string): Promise<void> {
  await db.rows(release(scope, { id }));
}
