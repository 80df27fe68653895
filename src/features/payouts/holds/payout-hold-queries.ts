/** Holds on the payouts of members, in SQL. Source: docs/specification/payouts.md#hold. */
import type { NamedActor } from '../../../actor.ts';
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import { namedActor } from '../../audit/open/named-actor.ts';
import { countsAt } from '../open/payout-hold.ts';

export interface PayoutHold {
  reason: string;
  until: Date | null;
  createdBy: NamedActor | null;
  createdAt: Date;
}

const payout = tenantTable('payout');
const hold = tenantTable('payout_hold');

const columns = {
  reason: 'h.reason',
  until: 'h.until',
  createdBy: namedActor('h.created_by'),
  createdAt: 'h.created_at',
} as const;
const COLUMNS = Object.entries(columns)
  .map(([name, column]) => `${column} as "${name}"`)
  .join(', ');

const find = statement<PayoutHold | { reason: null }, { memberId: string }>('holds_find', ({ memberId }) =>
  raw(
    `select ${COLUMNS} from member m left join payout_hold h on ${countsAt('m.id', `(select ${SCOPE_NOW})`)}
   where ${ofTenant('m')} and m.id = :memberId`,
    { memberId },
  ),
);

/** Null: the member has none that counts now. Undefined: no such member. */
export async function findHold(db: Db, scope: Scope, memberId: string): Promise<PayoutHold | null | undefined> {
  const row = await db.row(find(scope, { memberId }));
  return row?.reason === null ? null : row;
}

export interface MemberToHold {
  erasedAt: Date | null;
  /** By the scope's clock. */
  now: Date;
}

const lock = statement<MemberToHold, { memberId: string }>('holds_lock_member', ({ memberId }) =>
  raw(
    `select m.erased_at as "erasedAt", ${SCOPE_NOW} as now
   from member m where ${ofTenant('m')} and m.id = :memberId for share`,
    { memberId },
  ),
);

/** Shared, so that an erasure comes before or after it. */
export async function lockMemberToHold(db: Db, scope: Scope, memberId: string): Promise<MemberToHold | undefined> {
  return db.row(lock(scope, { memberId }));
}

const store = statement<PayoutHold, { memberId: string; reason: string; until: string | null; createdBy: string; now: Date }>(
  'holds_store',
  ({ memberId, reason, until, createdBy, now }) =>
    raw(
      `insert into payout_hold as h (tenant_id, environment, member_id, reason, until, created_by, created_at)
   values (:tenantId, :environment, :memberId, :reason, :until::timestamptz, :createdBy, :now)
   on conflict (tenant_id, environment, member_id) do update
   set reason = excluded.reason, until = excluded.until, created_by = excluded.created_by, created_at = excluded.created_at
   returning ${COLUMNS}`,
      { memberId, reason, until, createdBy, now },
    ),
);

export interface NewHold {
  reason: string;
  until: string | null;
  /** An `actorRef`. */
  createdBy: string;
  now: Date;
}

/** In the place of the one there is. */
export async function storeHold(db: Db, scope: Scope, memberId: string, newHold: NewHold): Promise<PayoutHold> {
  const { reason, until, createdBy, now } = newHold;
  const row = await db.row(store(scope, { memberId, reason, until, createdBy, now }));
  if (!row) throw new Error('a hold was not stored');
  return row;
}

const openPayouts = statement<unknown, { memberId: string }>('holds_await_payouts', ({ memberId }) =>
  payout().where({ member_id: memberId }).whereIn('status', ['queued', 'processing']).orderBy('id').select('id').forShare(),
);

/** Waits for whoever is about to start or to send a payout of the member: whoever does so afterwards sees the hold. */
export async function awaitPayouts(db: Db, scope: Scope, memberId: string): Promise<void> {
  await db.rows(openPayouts(scope, { memberId }));
}

const remove = statement<{ until: Date | null }, { memberId: string }>('holds_remove', ({ memberId }) =>
  hold().where({ member_id: memberId }).delete().returning('until'),
);

/** False: there was none. */
export async function removeHold(db: Db, scope: Scope, memberId: string): Promise<boolean> {
  return (await db.row(remove(scope, { memberId }))) !== undefined;
}

const resume = statement<unknown, { memberId: string }>('holds_resume_payouts', ({ memberId }) =>
  payout()
    .where({ member_id: memberId, status: 'processing', failure_code: 'HELD' })
    .whereNotNull('check_at')
    .update({ check_at: raw('now()') }),
);

/** What the hold has kept from being sent is due at once. */
export async function resumePayouts(db: Db, scope: Scope, memberId: string): Promise<void> {
  await db.rows(resume(scope, { memberId }));
}

const held = statement<{ memberId: string }, { memberIds: string[] }>('holds_of_members', ({ memberIds }) =>
  raw(
    `select h.member_id as "memberId" from unnest(:memberIds::uuid[]) wanted(id)
   join payout_hold h on ${countsAt('wanted.id', `(select ${SCOPE_NOW})`)}`,
    { memberIds },
  ),
);

/** Which of these members are on hold now. */
export async function findHeld(db: Db, scope: Scope, memberIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows(held(scope, { memberIds: [...memberIds] }));
  return new Set(rows.map(({ memberId }) => memberId));
}

export interface HoldInForce extends PayoutHold {
  memberId: string;
  /** Its place in the list: when it was set, in microseconds. */
  setAt: bigint;
}

const inForce = statement<HoldInForce, { setAt: bigint | null; memberId: string | null; count: number }>(
  'holds_list',
  ({ setAt, memberId, count }) =>
    raw(
      `select h.member_id as "memberId", ${COLUMNS}, (extract(epoch from h.created_at) * 1000000)::bigint as "setAt"
   from payout_hold h
   where ${ofTenant('h')} and (h.until is null or h.until > (select ${SCOPE_NOW}))
     and (:setAt::bigint is null
          or (h.created_at, h.member_id) < (timestamptz 'epoch' + :setAt * interval '1 microsecond', :memberId::uuid))
   order by h.created_at desc, h.member_id desc limit :count`,
      { setAt, memberId, count },
    ),
);

/** Those that count now, the newest first. */
export async function listHolds(
  db: Db,
  scope: Scope,
  after: Pick<HoldInForce, 'setAt' | 'memberId'> | undefined,
  count: number,
): Promise<HoldInForce[]> {
  return db.rows(inForce(scope, { setAt: after?.setAt ?? null, memberId: after?.memberId ?? null, count }));
}
