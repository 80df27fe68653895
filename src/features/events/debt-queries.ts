/** What members owe for commissions that were paid out and taken back, and what of it has become due to be forgiven. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

export interface Debt {
  memberId: string;
  currency: string;
  /** The cleared balance; below zero the member owes it. */
  clearedMinor: bigint;
  /** All that was forgiven, by hand, by the plan or in time, less what was recovered. */
  forgivenMinor: bigint;
}

const debts = prepared<
  { member_id: string; currency: string; cleared: bigint; forgiven: bigint },
  [string, string, memberIds: string[], currencies: string[]]
>(
  'events_debts',
  `select d.member_id, d.currency,
          coalesce((select sum(p.amount_minor) from posting p
                    where p.tenant_id = $1 and p.environment = $2 and p.member_id = d.member_id and p.currency = d.currency
                      and p.account = 'member:cleared'), 0)::bigint as cleared,
          coalesce((select sum(l.amount_minor) from commission_line l
                    where l.tenant_id = $1 and l.environment = $2 and l.beneficiary_id = d.member_id and l.currency = d.currency
                      and l.kind = 'write_off' and l.status <> 'reversed'), 0)::bigint as forgiven
   from unnest($3::uuid[], $4::text[]) as d(member_id, currency)`,
);

/** Read behind the debts' locks. */
export async function readDebts(db: Db, scope: Scope, owed: readonly { memberId: string; currency: string }[]): Promise<Debt[]> {
  const memberIds = owed.map(({ memberId }) => memberId);
  const currencies = owed.map(({ currency }) => currency);
  const rows = await db.rows(debts(scope.tenantId, scope.environment, memberIds, currencies));
  return rows.map((row) => ({
    memberId: row.member_id,
    currency: row.currency,
    clearedMinor: row.cleared,
    forgivenMinor: row.forgiven,
  }));
}

const definitions = prepared<{ id: string; definition: unknown }, [string, string, versionIds: string[]]>(
  'events_plan_definitions',
  `select v.id, v.definition from commission_plan_version v
   where v.tenant_id = $1 and v.environment = $2 and v.id = any ($3::uuid[])`,
);

export async function readPlanDefinitions(
  db: Db,
  scope: Scope,
  versionIds: readonly string[],
): Promise<{ id: string; definition: unknown }[]> {
  return db.rows(definitions(scope.tenantId, scope.environment, [...versionIds]));
}

const endOf = prepared<unknown, [string, string, eventId: string]>(
  'events_end_write_offs',
  `update commission_line l set write_off_at = null
   where l.tenant_id = $1 and l.environment = $2 and l.event_id = $3 and l.write_off_at is not null`,
);

/** The clawbacks of a dispute that is won after all are undone: nothing is left of them to be forgiven in time. */
export async function endWriteOffs(db: Db, scope: Scope, eventId: string): Promise<void> {
  await db.rows(endOf(scope.tenantId, scope.environment, eventId));
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

const takeDue = prepared<
  { id: string; beneficiary_id: string; currency: string; write_off_minor: bigint; after_days: number; now: Date },
  [string, string, limit: number]
>(
  'events_take_due_clawbacks',
  `with clock as (select case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end as now)
   select l.id, l.beneficiary_id, l.currency, l.write_off_minor, clock.now,
          round(extract(epoch from l.write_off_at - l.created_at) / 86400)::int as after_days
   from commission_line l cross join clock
   where l.tenant_id = $1 and l.environment = $2 and l.status = 'cleared' and l.write_off_at <= (select now from clock)
   order by l.write_off_at, l.id limit $3 for update of l skip locked`,
);

/** Clawbacks whose time has come, locked; those that somebody else has locked are left to them. */
export async function takeDueClawbacks(db: Db, scope: Scope, limit: number): Promise<DueClawback[]> {
  const rows = await db.rows(takeDue(scope.tenantId, scope.environment, limit));
  return rows.map((row) => ({
    lineId: row.id,
    memberId: row.beneficiary_id,
    currency: row.currency,
    amountMinor: row.write_off_minor,
    afterDays: row.after_days,
    now: row.now,
  }));
}

const settleDue = prepared<{ count: number }, [string, string, lineIds: string[]]>(
  'events_settle_due_clawbacks',
  `with settled as (
     update commission_line l set write_off_at = null
     where l.tenant_id = $1 and l.environment = $2 and l.id = any ($3::uuid[])
     returning l.id)
   select count(*)::int as count from settled`,
);

/** They are dealt with; returns how many. */
export async function settleDueClawbacks(db: Db, scope: Scope, lineIds: readonly string[]): Promise<number> {
  return (await db.row(settleDue(scope.tenantId, scope.environment, [...lineIds])))?.count ?? 0;
}
