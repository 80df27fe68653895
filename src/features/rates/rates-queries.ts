/** Rates that were agreed with members, in SQL. Rows are never changed: what counts is the last of a series for an instant. */
import type { NamedActor } from '../../actor.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { SCOPE_CLOCK_BEHIND } from '../../db/scope-clock.ts';
import { ofTenant, theTenant } from '../../db/tenant-condition.ts';
import { namedActor } from '../audit/open/named-actor.ts';
import type { AgreedRate, AgreedTarget } from '../commissions/open/agreed-rates.ts';
import type { PlanRule } from '../commissions/open/plan-rules.ts';
import { LOCK_HISTORY_FOR_CHANGE } from '../users/open/history-lock.ts';
import { markAgreed } from '../users/open/member-sql.ts';
import { type AgreedItems, lastOfSeries, PAYS_BY_PLAN } from './open/agreed-at.ts';
import type { NameColumn } from './open/override-rows.ts';

export interface RateOverride {
  id: string;
  target: AgreedTarget;
  targetId: string;
  userId: string;
  planId: string | null;
  level: number;
  items: AgreedItems | null;
  pay: PlanRule['pay'];
  validFrom: Date;
  validTo: Date | null;
  recordedAt: Date;
  reason: string | null;
  createdBy: NamedActor;
}

/** Rows of one series: what one of them says counts in place of what those before it say. */
export interface Series {
  target: AgreedTarget;
  targetId: string;
  planId: string | null;
  level: number;
  itemsKey: string;
}

const sameSeries = (a: string, b: string): string =>
  `${ofTenant(a)} and ${a}.target_id = ${b}.target_id and ${a}.level = ${b}.level and ${a}.target = ${b}.target
     and ${a}.plan_id is not distinct from ${b}.plan_id and ${a}.items_key = ${b}.items_key`;

const columns = `o.id, o.target, o.target_id as "targetId", o.member_id as "userId", o.plan_id as "planId", o.level, o.items, o.pay,
          o.valid_from as "validFrom", o.recorded_at as "recordedAt", o.reason, ${namedActor('o.created_by')} as "createdBy",
          (select n.valid_from from rate_override n where ${sameSeries('n', 'o')} and (n.valid_from, n.id) > (o.valid_from, o.id)
           order by n.valid_from, n.id limit 1) as "validTo"`;

/** The time by the scope's clock, with the tenant's currency. */
const now = statement<{ now: Date; currency: string }>('rates_now', () =>
  raw(`select scope_now(:tenantId, :environment) as now, t.default_currency as currency from tenant t where ${theTenant('t')}`),
);

export async function readNow(db: Db, scope: Scope): Promise<{ now: Date; currency: string }> {
  const row = await db.row(now(scope));
  if (!row) throw new Error('the tenant vanished');
  return row;
}

/** Sales that are under way are waited for, and wait: what is agreed from now on is dated behind them. */
export const lockHistoryForChange = statement<unknown>('rates_lock_history', () => raw(`select ${LOCK_HISTORY_FOR_CHANGE}`));

interface OwnerRow {
  memberId: string;
  /** When a change that is made now counts from. */
  now: Date;
}

/**
 * Whose link or code it is, or the member itself, kept from being erased meanwhile. No row: there is none. The instant is
 * read behind the lock of the history, so what was changed before lies in front of it.
 */
const owner = statement<OwnerRow, { target: AgreedTarget; targetId: string }>('rates_lock_owner', ({ target, targetId }) =>
  raw(
    `select m.id as "memberId", ${SCOPE_CLOCK_BEHIND} as now from member m
   where ${ofTenant('m')} and m.id = case :target
       when 'member' then :targetId::uuid
       when 'link' then (select l.member_id from referral_link l where ${ofTenant('l')} and l.id = :targetId::uuid)
       else (select c.member_id from referral_code c where ${ofTenant('c')} and c.id = :targetId::uuid) end
   for no key update of m`,
    { target, targetId },
  ),
);

export function lockOwner(db: Db, scope: Scope, target: AgreedTarget, targetId: string): Promise<OwnerRow | undefined> {
  return db.row(owner(scope, { target, targetId }));
}

const namedTarget = statement<{ id: string }, { column: NameColumn; value: string }>('rates_find_named', ({ column, value }) =>
  raw(
    `select m.id from member m where ${ofTenant('m')} and :column = 'email' and m.email_norm = :value
   union all
   select m.id from member m where ${ofTenant('m')} and :column = 'external_id' and m.external_id = :value
   union all
   select c.id from referral_code c where ${ofTenant('c')} and :column = 'referral_code' and c.code = :value`,
    { column, value },
  ),
);

/** A member by its normalised email or its external id, or a code by its letters; undefined where there is none. */
export async function findNamed(db: Db, scope: Scope, column: NameColumn, value: string): Promise<string | undefined> {
  return (await db.row(namedTarget(scope, { column, value })))?.id;
}

export interface SeriesEntry {
  id: string;
  pay: PlanRule['pay'] | null;
  validFrom: Date;
}

/** What of a series counts at an instant; no row: nothing was agreed by then. */
const inForce = statement<SeriesEntry, Series & { at: Date }>(
  'rates_series_at',
  ({ target, targetId, planId, level, itemsKey, at }) =>
    raw(
      `select o.id, o.pay, o.valid_from as "validFrom" from rate_override o
   where ${ofTenant('o')} and o.target_id = :targetId and o.level = :level and o.target = :target
     and o.plan_id is not distinct from :planId::uuid and o.items_key = :itemsKey and o.valid_from <= :at::timestamptz
   order by o.valid_from desc, o.id desc limit 1`,
      { target, targetId, planId, level, itemsKey, at },
    ),
);

export function readSeriesAt(db: Db, scope: Scope, series: Series, at: Date): Promise<SeriesEntry | undefined> {
  return db.row(inForce(scope, { ...series, at }));
}

export interface NewOverride extends Series {
  memberId: string;
  items: AgreedItems | null;
  /** Null ends what counts. */
  pay: PlanRule['pay'] | null;
  validFrom: Date;
  /** What `lockOwner` gave as now. */
  recordedAt: Date;
  reason: string | null;
  /** An `actorRef`. */
  createdBy: string;
}

interface InsertParameters extends Omit<NewOverride, 'items' | 'pay'> {
  items: string | null;
  pay: string | null;
}

/** Members that something was agreed with are asked for it at each sale, from then on. */
const insert = statement<{ id: string }, InsertParameters>(
  'rates_insert_override',
  ({ memberId, target, targetId, planId, level, items, itemsKey, pay, validFrom, recordedAt, reason, createdBy }) =>
    raw(
      `with marked as (
     ${markAgreed(':memberId')})
   insert into rate_override (tenant_id, environment, member_id, target, target_id, plan_id, level, items, items_key, pay, valid_from,
                              recorded_at, reason, created_by)
   select :tenantId, :environment, :memberId, :target, :targetId, :planId::uuid, :level, :items::jsonb, :itemsKey, :pay::jsonb,
          :validFrom::timestamptz, :recordedAt::timestamptz, :reason, :createdBy
   returning id`,
      { memberId, target, targetId, planId, level, items, itemsKey, pay, validFrom, recordedAt, reason, createdBy },
    ),
);

/** The owner is locked. Returns the id. */
export async function insertOverride(db: Db, scope: Scope, { items, pay, ...row }: NewOverride): Promise<string> {
  const json = (value: object | null) => value && JSON.stringify(value);
  const inserted = await db.row(insert(scope, { ...row, items: json(items), pay: json(pay) }));
  if (!inserted) throw new Error('the insert of an override returned no row');
  return inserted.id;
}

/** For `frames.readOnce`. Rows that end something are no overrides of their own. */
export const overrideStatement = statement<RateOverride & { itemsKey: string }, { id: string }>('rates_find_override', ({ id }) =>
  raw(
    `select ${columns}, o.items_key as "itemsKey" from rate_override o where ${ofTenant('o')} and o.id = :id and o.pay is not null`,
    { id },
  ),
);

export interface OverrideFilters {
  userId: string | undefined;
  target: AgreedTarget | undefined;
  targetId: string | undefined;
  planId: string | undefined;
  at: string | undefined;
}

type ListParameters = { [Name in keyof OverrideFilters]: string | null } & { afterId: string | null; count: number };

const list = statement<RateOverride, ListParameters>(
  'rates_list_overrides',
  ({ userId, target, targetId, planId, at, afterId, count }) =>
    raw(
      `select ${columns} from rate_override o
   where ${ofTenant('o')} and o.pay is not null and (:afterId::uuid is null or o.id > :afterId)
     and (:userId::uuid is null or o.member_id = :userId) and (:target::text is null or o.target = :target)
     and (:targetId::uuid is null or o.target_id = :targetId) and (:planId::uuid is null or o.plan_id = :planId)
     and (:at::timestamptz is null or o.valid_from <= :at and not exists (
       select from rate_override n where ${sameSeries('n', 'o')} and (n.valid_from, n.id) > (o.valid_from, o.id)
         and n.valid_from <= :at))
   order by o.id limit :count`,
      { userId, target, targetId, planId, at, afterId, count },
    ),
);

export function listOverrides(
  db: Db,
  scope: Scope,
  { userId, target, targetId, planId, at }: OverrideFilters,
  afterId: string | undefined,
  count: number,
): Promise<RateOverride[]> {
  return db.rows(
    list(scope, {
      userId: userId ?? null,
      target: target ?? null,
      targetId: targetId ?? null,
      planId: planId ?? null,
      at: at ?? null,
      afterId: afterId ?? null,
      count,
    }),
  );
}

type AgreedRow = Omit<AgreedRate, 'parts'> & { items: AgreedItems | null };

const agreedOf = statement<AgreedRow, { memberId: string; at: Date; planId: string }>(
  'rates_agreed_of',
  ({ memberId, at, planId }) =>
    raw(
      `select o.id, o.target, o.level, o.plan_id is not null as "forPlan", o.items, o.pay
   from (${lastOfSeries(':memberId', ':at::timestamptz')}) o
   where ${PAYS_BY_PLAN}
   order by o.valid_from desc, o.id desc`,
      { memberId, at, planId },
    ),
);

/** All that counts at an instant where this plan pays, of the member, its links and its codes, the latest first. */
export async function readAgreedOf(db: Db, scope: Scope, memberId: string, at: Date, planId: string): Promise<AgreedRate[]> {
  const rows = await db.rows(agreedOf(scope, { memberId, at, planId }));
  return rows.map(({ items, ...one }) => ({ ...one, ...(items && { parts: [] }) }));
}
