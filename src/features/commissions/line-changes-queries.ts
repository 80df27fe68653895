/** What changes lines: actions on one family, clearing what is due. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { LineStatus, NewLine } from './commission-line.ts';
import type { NewPosting } from './journal.ts';

export interface NewAction {
  lineId: string;
  action: 'hold' | 'release' | 'void';
  fromStatus: LineStatus;
  toStatus: LineStatus;
  reason: string | null;
  keyId: string;
  /** The line that a void makes, with the event of the line it takes back. */
  line: (NewLine & { eventId: string }) | undefined;
  postings: readonly NewPosting[];
}

const insertActionStatement = prepared<unknown, [string, string, ...unknown[]]>(
  'commissions_insert_action',
  `with clock as (select case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end as now),
   act as (
     insert into commission_action (tenant_id, environment, line_id, action, from_status, to_status, reason, key_id, recorded_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, clock.now from clock
     returning id),
   made as (
     insert into commission_line (tenant_id, environment, event_id, beneficiary_id, kind, source, level, paid_level, rate_bps,
                                  flat_minor, multiplier_milli, base_minor, amount_minor, currency, source_amount_minor,
                                  source_currency, exchange_rate_id, status, clears_at, occurred_at, plan_version_id,
                                  calculation_hash, reverses_line_id, leg_id, action_id, created_at)
     select $1, $2, l.event_id, l.beneficiary_id, l.kind, l.source, l.level, l.paid_level, l.rate_bps, l.flat_minor,
            l.multiplier_milli, l.base_minor, l.amount_minor, l.currency, l.source_amount_minor, l.source_currency,
            l.exchange_rate_id, l.status, l.clears_at, l.occurred_at, l.plan_version_id, decode(l.calculation_hash, 'base64'),
            l.reverses_line_id, l.leg_id, act.id, clock.now
     from jsonb_to_record($9::jsonb) as l(event_id uuid, beneficiary_id uuid, kind text, source text, level smallint,
       paid_level smallint, rate_bps int, flat_minor bigint, multiplier_milli int, base_minor bigint, amount_minor bigint,
       currency text, source_amount_minor bigint, source_currency text, exchange_rate_id uuid, status text, clears_at timestamptz,
       occurred_at timestamptz, plan_version_id uuid, calculation_hash text, reverses_line_id uuid,
       leg_id uuid)
     cross join act cross join clock
     where l.event_id is not null),
   due as materialized (
     select p.* from jsonb_to_recordset($10::jsonb) as p(seq smallint, account text, member_id uuid, currency text, amount_minor bigint)),
   journal as (
     insert into journal_entry (tenant_id, environment, cause_type, cause_id, occurred_at, recorded_at)
     select $1, $2, $4, act.id, clock.now, clock.now from act cross join clock where exists (select from due)
     returning id)
   insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
   select $1, $2, journal.id, due.seq, due.account, due.member_id, due.currency, due.amount_minor from journal cross join due`,
);

/** Keeps who did what to a line, with the line and the journal it made. */
export async function insertAction(db: Db, scope: Scope, action: NewAction): Promise<void> {
  const { line } = action;
  await db.rows(
    insertActionStatement(
      scope.tenantId,
      scope.environment,
      action.lineId,
      action.action,
      action.fromStatus,
      action.toStatus,
      action.reason,
      action.keyId,
      JSON.stringify(line ? actionLineJson(line) : {}),
      JSON.stringify(
        action.postings.map((posting, seq) => ({
          seq,
          account: posting.account,
          member_id: posting.memberId,
          currency: posting.currency,
          amount_minor: posting.amountMinor.toString(),
        })),
      ),
    ),
  );
}

function actionLineJson(line: NewLine & { eventId: string }): object {
  return {
    event_id: line.eventId,
    beneficiary_id: line.beneficiaryId,
    kind: line.kind,
    source: line.source,
    level: line.level,
    paid_level: line.paidLevel,
    rate_bps: line.rateBps,
    flat_minor: line.flatMinor?.toString(),
    multiplier_milli: line.multiplierMilli,
    base_minor: line.baseMinor.toString(),
    amount_minor: line.amountMinor.toString(),
    currency: line.currency,
    source_amount_minor: line.conversion?.amountMinor.toString(),
    source_currency: line.conversion?.currency,
    exchange_rate_id: line.conversion?.exchangeRateId,
    status: line.status,
    clears_at: line.clearsAt,
    occurred_at: line.occurredAt,
    plan_version_id: line.planVersionId,
    calculation_hash: line.calculationHash.toString('base64'),
    reverses_line_id: line.reversesLineId,
    leg_id: line.legId,
  };
}

const clearDue = prepared<{ cleared: number }, [string, string, limit: number]>(
  'commissions_clear_due',
  `with clock as (select case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end as now),
   due as materialized (
     select l.id, l.beneficiary_id, l.currency, l.amount_minor from commission_line l
     where l.tenant_id = $1 and l.environment = $2 and l.status = 'pending' and l.clears_at <= (select now from clock)
     order by l.clears_at limit $3 for update skip locked),
   sums as materialized (
     select beneficiary_id, currency, sum(amount_minor)::bigint as amount_minor, row_number() over () as n
     from due group by beneficiary_id, currency having sum(amount_minor) <> 0),
   journal as (
     insert into journal_entry (tenant_id, environment, cause_type, cause_id, occurred_at, recorded_at)
     select $1, $2, 'clearing', uuidv7(), clock.now, clock.now from clock where exists (select from sums)
     returning id),
   moved as (
     update commission_line l set status = 'cleared', cleared_journal_id = (select id from journal),
            status_changed_at = (select now from clock)
     from due where l.tenant_id = $1 and l.environment = $2 and l.id = due.id),
   posted as (
     insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
     select $1, $2, journal.id, 2 * sums.n - 2, 'member:pending', sums.beneficiary_id, sums.currency, -sums.amount_minor
     from journal cross join sums
     union all
     select $1, $2, journal.id, 2 * sums.n - 1, 'member:cleared', sums.beneficiary_id, sums.currency, sums.amount_minor
     from journal cross join sums)
   select count(*)::int as cleared from due`,
);

/**
 * Clears up to `limit` pending lines whose time has come by the scope's clock, with one journal that
 * moves each member's sum; returns how many. Safe to run at any time and anywhere at once: a line
 * that somebody else has locked is left to them.
 */
export async function clearDueLines(db: Db, scope: Scope, limit: number): Promise<number> {
  return (await db.row(clearDue(scope.tenantId, scope.environment, limit)))?.cleared ?? 0;
}
