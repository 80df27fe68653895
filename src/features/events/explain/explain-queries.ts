/** What an explanation shows beside the event itself: its receipt, its plan version, its journal, what became of its lines. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import type { AttributionModel } from '../../attribution/open/decide-attribution.ts';
import type { StoredCandidate } from '../../attribution/open/receipt.ts';
import type { NamedLine } from '../../commissions/open/commission-line.ts';
import { type NamedLineRow, namedLineJson, toNamedLine } from '../../commissions/open/line-rows.ts';

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
  /** Of the versions that were asked for. */
  passedOver: { versionId: string; planId: string; name: string }[];
  journal: { id: string; recordedAt: string; postings: ExplainedPosting[] } | null;
  /** Lines of the event and lines linked to them, oldest first. */
  lines: NamedLine[];
}

interface ExtrasRow {
  receipt: ExplainedReceipt | null;
  plan: ExplainedPlan | null;
  passed_over: ExplainExtras['passedOver'] | null;
  journal: ExplainExtras['journal'];
  lines: NamedLineRow[] | null;
}

const extras = statement<ExtrasRow, { eventId: string; planVersionId: string | null; passedOver: readonly string[] }>(
  'events_explain_extras',
  ({ eventId, planVersionId, passedOver }) =>
    raw(
      `with original as materialized (
     select l.* from commission_line l where ${ofTenant('l')} and l.event_id = :eventId)
   select
     (select json_build_object('planId', v.plan_id, 'versionId', v.id, 'version', v.version,
        'effectiveFrom', case when isfinite(v.effective_from) then v.effective_from end, 'definition', v.definition)
      from commission_plan_version v where ${ofTenant('v')} and v.id = :planVersionId) as plan,
     (select json_agg(json_build_object('versionId', v.id, 'planId', p.id, 'name', p.name))
      from commission_plan_version v join commission_plan p on ${ofTenant('p')} and p.id = v.plan_id
      where ${ofTenant('v')} and v.id = any (:passedOver::uuid[])) as passed_over,
     (select json_build_object('model', r.model, 'windowDays', r.window_days, 'asOf', r.as_of, 'candidates', r.candidates)
      from attribution_receipt r where ${ofTenant('r')} and r.event_id = :eventId) as receipt,
     (select json_build_object('id', j.id, 'recordedAt', j.recorded_at, 'postings',
        (select json_agg(json_build_object('seq', p.seq, 'account', p.account, 'userId', p.member_id, 'currency', p.currency,
           'amountMinor', p.amount_minor::text) order by p.seq)
         from posting p where ${ofTenant('p')} and p.journal_id = j.id))
      from journal_entry j where ${ofTenant('j')} and j.cause_type = 'event' and j.cause_id = :eventId) as journal,
     (select json_agg(${namedLineJson('l', 'e')} order by l.id)
      from (
        select o.* from original o
        union all
        -- A void belongs to the event itself and is an original here.
        select linked.* from original o cross join lateral (
          select r.* from commission_line r
          where ${ofTenant('r')} and r.reverses_line_id = o.id and r.event_id <> :eventId offset 0) linked) l
      join event e on ${ofTenant('e')} and e.id = l.event_id) as lines`,
      { eventId, planVersionId, passedOver },
    ),
);

export async function readExplainExtras(
  db: Db,
  scope: Scope,
  eventId: string,
  planVersionId: string | null,
  passedOver: readonly string[],
): Promise<ExplainExtras> {
  const row = await db.row(extras(scope, { eventId, planVersionId, passedOver }));
  return {
    receipt: row?.receipt ?? null,
    plan: row?.plan ?? null,
    passedOver: row?.passed_over ?? [],
    journal: row?.journal ?? null,
    lines: (row?.lines ?? []).map(toNamedLine),
  };
}
