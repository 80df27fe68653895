/** What an explanation shows beside the event itself: its receipt, its plan version, its journal, what became of its lines. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { AttributionModel } from '../attribution/decide-attribution.ts';
import type { StoredCandidate } from '../attribution/receipt.ts';
import type { HoldCause, LineKind, LineStatus } from '../commissions/commission-line.ts';

export interface ExplainedPlan {
  planId: string;
  versionId: string;
  version: number;
  /** Null for a version in force since always. */
  effectiveFrom: string | null;
  definition: Record<string, unknown>;
}

export interface ExplainedPosting {
  seq: number;
  account: string;
  userId: string | null;
  currency: string;
  amountMinor: string;
}

export interface ExplainedLine {
  id: string;
  eventId: string;
  externalEventId: string;
  kind: LineKind;
  status: LineStatus;
  holdCause: HoldCause | null;
  amountMinor: string;
  reversesLineId: string | null;
  clearedJournalId: string | null;
}

export interface ExplainedReceipt {
  model: AttributionModel;
  windowDays: number;
  asOf: string;
  candidates: StoredCandidate[];
}

export interface ExplainExtras {
  /** Null of what is no purchase, and of purchases recorded before there were receipts. */
  receipt: ExplainedReceipt | null;
  plan: ExplainedPlan | null;
  journal: { id: string; recordedAt: string; postings: ExplainedPosting[] } | null;
  /** Lines of the event and lines linked to them, oldest first. */
  lines: ExplainedLine[];
}

interface ExtrasRow {
  receipt: ExplainedReceipt | null;
  plan: ExplainedPlan | null;
  journal: ExplainExtras['journal'];
  lines: ExplainedLine[] | null;
}

const extras = prepared<ExtrasRow, [string, string, eventId: string, planVersionId: string | null]>(
  'events_explain_extras',
  `with original as materialized (
     select l.* from commission_line l where l.tenant_id = $1 and l.environment = $2 and l.event_id = $3)
   select
     (select json_build_object('planId', v.plan_id, 'versionId', v.id, 'version', v.version,
        'effectiveFrom', case when isfinite(v.effective_from) then v.effective_from end, 'definition', v.definition)
      from commission_plan_version v where v.tenant_id = $1 and v.environment = $2 and v.id = $4) as plan,
     (select json_build_object('model', r.model, 'windowDays', r.window_days, 'asOf', r.as_of, 'candidates', r.candidates)
      from attribution_receipt r where r.tenant_id = $1 and r.environment = $2 and r.event_id = $3) as receipt,
     (select json_build_object('id', j.id, 'recordedAt', j.recorded_at, 'postings',
        (select json_agg(json_build_object('seq', p.seq, 'account', p.account, 'userId', p.member_id, 'currency', p.currency,
           'amountMinor', p.amount_minor::text) order by p.seq)
         from posting p where p.tenant_id = $1 and p.environment = $2 and p.journal_id = j.id))
      from journal_entry j where j.tenant_id = $1 and j.environment = $2 and j.cause_type = 'event' and j.cause_id = $3) as journal,
     (select json_agg(json_build_object('id', l.id, 'eventId', l.event_id, 'externalEventId', e.external_event_id, 'kind', l.kind,
        'status', l.status, 'holdCause', l.hold_cause, 'amountMinor', l.amount_minor::text, 'reversesLineId', l.reverses_line_id,
        'clearedJournalId', l.cleared_journal_id) order by l.id)
      from (
        select o.* from original o
        union all
        -- A void belongs to the event itself and is an original here.
        select linked.* from original o cross join lateral (
          select r.* from commission_line r
          where r.tenant_id = $1 and r.environment = $2 and r.reverses_line_id = o.id and r.event_id <> $3 offset 0) linked) l
      join event e on e.tenant_id = $1 and e.environment = $2 and e.id = l.event_id) as lines`,
);

export async function readExplainExtras(
  db: Db,
  scope: Scope,
  eventId: string,
  planVersionId: string | null,
): Promise<ExplainExtras> {
  const row = await db.row(extras(scope.tenantId, scope.environment, eventId, planVersionId));
  return { receipt: row?.receipt ?? null, plan: row?.plan ?? null, journal: row?.journal ?? null, lines: row?.lines ?? [] };
}
