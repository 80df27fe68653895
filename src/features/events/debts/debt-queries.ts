/** What members owe for commissions that were paid out and taken back, and what of it has become due to be forgiven. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import { endWriteOffTimes } from '../../commissions/open/line-sql.ts';

export interface Debt {
  memberId: string;
  currency: string;
  /** The cleared balance; below zero the member owes it. */
  clearedMinor: bigint;
  /** All that was forgiven, by hand, by the plan or in time, less what was recovered. */
  forgivenMinor: bigint;
}

const debts = statement<
  { member_id: string; currency: string; cleared: bigint; forgiven: bigint },
  { memberIds: string[]; currencies: string[] }
>('events_debts', ({ memberIds, currencies }) =>
  raw(
    `select d.member_id, d.currency,
          coalesce((select sum(p.amount_minor) from posting p
                    where ${ofTenant('p')} and p.member_id = d.member_id and p.currency = d.currency
                      and p.account = 'member:cleared'), 0)::bigint as cleared,
          coalesce((select sum(l.amount_minor) from commission_line l
                    where ${ofTenant('l')} and l.beneficiary_id = d.member_id and l.currency = d.currency
                      and l.kind = 'write_off' and l.status <> 'reversed'), 0)::bigint as forgiven
   from unnest(:memberIds::uuid[], :currencies::text[]) as d(member_id, currency)`,
    { memberIds, currencies },
  ),
);

/** Read behind the debts' locks. */
export async function readDebts(db: Db, scope: Scope, owed: readonly { memberId: string; currency: string }[]): Promise<Debt[]> {
  const memberIds = owed.map(({ memberId }) => memberId);
  const currencies = owed.map(({ currency }) => currency);
  const rows = await db.rows(debts(scope, { memberIds, currencies }));
  return rows.map((row) => ({
    memberId: row.member_id,
    currency: row.currency,
    clearedMinor: row.cleared,
    forgivenMinor: row.forgiven,
  }));
}

const planVersion = tenantTable('commission_plan_version');

const definitions = statement<{ id: string; definition: unknown }, { versionIds: string[] }>(
  'events_plan_definitions',
  ({ versionIds }) => planVersion().whereIn('id', versionIds).select('id', 'definition'),
);

export async function readPlanDefinitions(
  db: Db,
  scope: Scope,
  versionIds: readonly string[],
): Promise<{ id: string; definition: unknown }[]> {
  return db.rows(definitions(scope, { versionIds: [...versionIds] }));
}

const endOf = statement<unknown, { eventId: string }>('events_end_write_offs', ({ eventId }) =>
  raw(endWriteOffTimes('l.event_id = :eventId and l.write_off_at is not null'), { eventId }),
);

/** The clawbacks of a dispute that is won after all are undone: nothing is left of them to be forgiven in time. */
export async function endWriteOffs(db: Db, scope: Scope, eventId: string): Promise<void> {
  await db.rows(endOf(scope, { eventId }));
}

export interface DueClawback {
  lineId: string;
  memberId: string;
  currency: string;
  amountMinor: bigint;
  afterDays: number;
  /** By the scope's clock. */
  now: Date;
}

const takeDue = statement<
  { id: string; beneficiary_id: string; currency: string; write_off_minor: bigint; after_days: number; now: Date },
  { limit: number }
>('events_take_due_clawbacks', ({ limit }) =>
  raw(
    `with clock as (select ${SCOPE_NOW} as now)
   select l.id, l.beneficiary_id, l.currency, l.write_off_minor, clock.now,
          round(extract(epoch from l.write_off_at - l.created_at) / 86400)::int as after_days
   from commission_line l cross join clock
   where ${ofTenant('l')} and l.status = 'cleared' and l.write_off_at <= (select now from clock)
   order by l.write_off_at, l.id limit :limit for update of l skip locked`,
    { limit },
  ),
);

/** Clawbacks whose time has come, locked; those that somebody else has locked are left to them. */
export async function takeDueClawbacks(db: Db, scope: Scope, limit: number): Promise<DueClawback[]> {
  const rows = await db.rows(takeDue(scope, { limit }));
  return rows.map((row) => ({
    lineId: row.id,
    memberId: row.beneficiary_id,
    currency: row.currency,
    amountMinor: row.write_off_minor,
    afterDays: row.after_days,
    now: row.now,
  }));
}

const settleDue = statement<{ count: number }, { lineIds: string[] }>('events_settle_due_clawbacks', ({ lineIds }) =>
  raw(
    `with settled as (
     ${endWriteOffTimes('l.id = any (:lineIds::uuid[])')}
     returning l.id)
   select count(*)::int as count from settled`,
    { lineIds },
  ),
);

/** They are dealt with; returns how many. */
export async function settleDueClawbacks(db: Db, scope: Scope, lineIds: readonly string[]): Promise<number> {
  return (await db.row(settleDue(scope, { lineIds: [...lineIds] })))?.count ?? 0;
}
