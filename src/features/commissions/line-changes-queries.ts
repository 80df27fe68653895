/** What changes lines: actions on one family, clearing what is due. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { SCOPE_NOW } from '../../db/scope-clock.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import type { NewPosting } from '../ledger/open/journal.ts';
import { insertJournals, insertPostings, postingsJson, readPostings } from '../ledger/open/journal-sql.ts';
import { matchesTypeSql } from '../webhooks/open/event-types.ts';
import { HEARD } from '../webhooks/open/hearing-sql.ts';
import type { ClearedLine } from './open/cleared-parts.ts';
import type { LineStatus, NewLine } from './open/commission-line.ts';

export interface NewAction {
  lineId: string;
  action: 'hold' | 'release' | 'void';
  fromStatus: LineStatus;
  toStatus: LineStatus;
  reason: string | null;
  /** An `actorRef`. */
  createdBy: string;
  /** The line that a void makes, with the event of the line it takes back. */
  line: (NewLine & { eventId: string }) | undefined;
  postings: readonly NewPosting[];
}

type ActionParameters = Omit<NewAction, 'line' | 'postings'> & { made: string; postings: string };

const insertActionStatement = statement<{ line_id: string | null }, ActionParameters>(
  'commissions_insert_action',
  ({ lineId, action, fromStatus, toStatus, reason, createdBy, made, postings }) =>
    raw(
      `with clock as (select ${SCOPE_NOW} as now),
   act as (
     insert into commission_action (tenant_id, environment, line_id, action, from_status, to_status, reason, created_by, recorded_at)
     select :tenantId, :environment, :lineId, :action, :fromStatus, :toStatus, :reason, :createdBy, clock.now from clock
     returning id),
   made as (
     insert into commission_line (tenant_id, environment, event_id, beneficiary_id, kind, source, level, paid_level, rate_bps,
                                  flat_minor, multiplier_milli, base_minor, amount_minor, currency, source_amount_minor,
                                  source_currency, exchange_rate_id, status, clears_at, occurred_at, plan_version_id,
                                  calculation_hash, reverses_line_id, leg_id, action_id, created_at)
     select :tenantId, :environment, l.event_id, l.beneficiary_id, l.kind, l.source, l.level, l.paid_level, l.rate_bps, l.flat_minor,
            l.multiplier_milli, l.base_minor, l.amount_minor, l.currency, l.source_amount_minor, l.source_currency,
            l.exchange_rate_id, l.status, l.clears_at, l.occurred_at, l.plan_version_id, decode(l.calculation_hash, 'base64'),
            l.reverses_line_id, l.leg_id, act.id, clock.now
     from jsonb_to_record(:made::jsonb) as l(event_id uuid, beneficiary_id uuid, kind text, source text, level smallint,
       paid_level smallint, rate_bps int, flat_minor bigint, multiplier_milli int, base_minor bigint, amount_minor bigint,
       currency text, source_amount_minor bigint, source_currency text, exchange_rate_id uuid, status text, clears_at timestamptz,
       occurred_at timestamptz, plan_version_id uuid, calculation_hash text, reverses_line_id uuid,
       leg_id uuid)
     cross join act cross join clock
     where l.event_id is not null
     returning id),
   due as materialized (${readPostings(':postings')}),
   journal as (
     ${insertJournals(`(
       select :action::text as cause_type, act.id as cause_id, clock.now as occurred_at, clock.now as recorded_at
       from act cross join clock where exists (select from due))`)}
     returning id),
   posted as (
     ${insertPostings('(select journal.id as journal_id, due.* from journal cross join due)')})
   select (select made.id from made) as line_id`,
      { lineId, action, fromStatus, toStatus, reason, createdBy, made, postings },
    ),
);

/** Keeps who did what to a line, with the line and the journal it made. Returns the id of that line. */
export async function insertAction(db: Db, scope: Scope, action: NewAction): Promise<string | undefined> {
  const { line } = action;
  const made = JSON.stringify(line ? actionLineJson(line) : {});
  const row = await db.row(insertActionStatement(scope, { ...action, made, postings: postingsJson(action.postings) }));
  return row?.line_id ?? undefined;
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

const clearDue = statement<{ cleared: number; told: ClearedRow[] | null }, { limit: number }>(
  'commissions_clear_due',
  ({ limit }) =>
    raw(
      `with clock as (select ${SCOPE_NOW} as now),
   due as materialized (
     select l.id, l.beneficiary_id, l.currency, l.amount_minor from commission_line l
     where ${ofTenant('l')} and l.status = 'pending' and l.clears_at <= (select now from clock)
     order by l.clears_at limit :limit for update skip locked),
   sums as materialized (
     select beneficiary_id, currency, sum(amount_minor)::bigint as amount_minor, row_number() over () as n
     from due group by beneficiary_id, currency having sum(amount_minor) <> 0),
   journal as (
     ${insertJournals(`(
       select 'clearing' as cause_type, uuidv7() as cause_id, clock.now as occurred_at, clock.now as recorded_at
       from clock where exists (select from sums))`)}
     returning id),
   moved as (
     update commission_line l set status = 'cleared', cleared_journal_id = (select id from journal),
            status_changed_at = (select now from clock)
     from due where ${ofTenant('l')} and l.id = due.id),
   posted as (
     ${insertPostings(`(
       select journal.id as journal_id, 2 * sums.n - 2 as seq, 'member:pending' as account, sums.beneficiary_id as member_id,
              sums.currency, -sums.amount_minor as amount_minor
       from journal cross join sums
       union all
       select journal.id, 2 * sums.n - 1, 'member:cleared', sums.beneficiary_id, sums.currency, sums.amount_minor
       from journal cross join sums)`)})
   select (select count(*)::int from due) as cleared,
          case when ${matchesTypeSql(HEARD, "'commissions.cleared'")}
            then (select json_agg(json_build_object('id', due.id, 'memberId', due.beneficiary_id, 'currency', due.currency,
                                                    'amountMinor', due.amount_minor::text) order by due.id) from due) end as told`,
      { limit },
    ),
);

type ClearedRow = Omit<ClearedLine, 'amountMinor'> & { amountMinor: string };

export interface Cleared {
  count: number;
  /** Those lines, where somebody hears of them. */
  told: ClearedLine[];
}

/**
 * Clears up to `limit` pending lines whose time has come by the scope's clock, with one journal that
 * moves each member's sum. Safe to run at any time and anywhere at once: a line
 * that somebody else has locked is left to them.
 */
export async function clearDueLines(db: Db, scope: Scope, limit: number): Promise<Cleared> {
  const row = await db.row(clearDue(scope, { limit }));
  const told = (row?.told ?? []).map((line) => ({ ...line, amountMinor: BigInt(line.amountMinor) }));
  return { count: row?.cleared ?? 0, told };
}
