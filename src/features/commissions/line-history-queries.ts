/** What became of a commission line, in SQL. */
import type { NamedActor } from '../../actor.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant, sameTenant } from '../../db/tenant-condition.ts';
import { namedActor } from '../audit/open/named-actor.ts';
import type { LineStatus, NamedLine } from './open/commission-line.ts';
import { type NamedLineRow, namedLineJson, toNamedLine } from './open/line-rows.ts';

export interface LineHistory {
  actions: {
    id: string;
    action: 'hold' | 'release' | 'void';
    fromStatus: LineStatus;
    toStatus: LineStatus;
    reason: string | null;
    createdBy: NamedActor | null;
    at: string;
  }[];
  /** Lines that take the line back, add to it or reinstate it, oldest first. */
  linked: NamedLine[];
  ledger: {
    journalId: string;
    causeType: string;
    causeId: string;
    recordedAt: string;
    account: string;
    currency: string;
    amountMinor: string;
  }[];
}

interface HistoryRow {
  actions: LineHistory['actions'] | null;
  linked: NamedLineRow[] | null;
  ledger: LineHistory['ledger'] | null;
}

const historyStatement = statement<HistoryRow, { lineId: string }>('commissions_line_history', ({ lineId }) =>
  raw(
    `with line as (
     select l.id, l.event_id, l.beneficiary_id, l.cleared_journal_id, l.reverses_line_id, l.created_at,
            coalesce((select o.about_event_id from commission_line o where ${ofTenant('o')} and o.id = l.reverses_line_id),
                     l.about_event_id, e.purchase_id, e.id) as purchase_id
     from commission_line l join event e on ${ofTenant('e')} and e.id = l.event_id
     where ${ofTenant('l')} and l.id = :lineId),
   -- An action on one line of a family acts on all of it that there is by then.
   family as (
     select coalesce(line.reverses_line_id, line.id) as id from line
     union all
     select linked.id from line cross join lateral (
       select r.id from commission_line r
       where ${ofTenant('r')} and r.reverses_line_id = coalesce(line.reverses_line_id, line.id) offset 0) linked),
   act as (
     select a.* from line cross join family cross join lateral (
       select c.* from commission_action c where ${ofTenant('c')} and c.line_id = family.id offset 0) a
     where a.recorded_at >= line.created_at),
   -- Made by its event, by actions, and by the stages of a dispute that held or released it.
   cause as (
     select 'event' as type, line.event_id as id from line
     union all
     select 'event', stage.id from line cross join lateral (
       select e.id from event e
       where ${ofTenant('e')} and e.purchase_id = line.purchase_id
         and e.evaluation -> 'reversal' -> 'moved' \\? line.id::text and e.id <> line.event_id offset 0) stage
     union all
     select kind.type, act.id from act cross join (values ('hold'), ('release'), ('void')) kind(type)),
   journal as (
     select made.* from cause cross join lateral (
       select j.* from journal_entry j
       where ${ofTenant('j')} and j.cause_type = cause.type and j.cause_id = cause.id offset 0) made
     union
     select cleared.* from line cross join lateral (
       select j.* from journal_entry j where ${ofTenant('j')} and j.id = line.cleared_journal_id offset 0) cleared)
   select
     (select json_agg(json_build_object('id', a.id, 'action', a.action, 'fromStatus', a.from_status, 'toStatus', a.to_status,
        'reason', a.reason, 'createdBy', ${namedActor('a.created_by')}, 'at', a.recorded_at) order by a.id) from act a) as actions,
     (select json_agg(${namedLineJson('r', 'e')} order by r.id)
      from commission_line r join event e on ${sameTenant('e', 'r')} and e.id = r.event_id
      where ${ofTenant('r')} and r.reverses_line_id = :lineId) as linked,
     (select json_agg(json_build_object('journalId', j.id, 'causeType', j.cause_type, 'causeId', j.cause_id,
        'recordedAt', j.recorded_at, 'account', p.account, 'currency', p.currency, 'amountMinor', p.amount_minor::text)
        order by j.id, p.seq)
      from journal j cross join line
      join posting p on ${ofTenant('p')} and p.journal_id = j.id and p.member_id = line.beneficiary_id) as ledger`,
    { lineId },
  ),
);

/** What became of a line: actions on it, lines linked to it, and the postings to its member that moved it. */
export async function readLineHistory(db: Db, scope: Scope, lineId: string): Promise<LineHistory> {
  const row = await db.row(historyStatement(scope, { lineId }));
  return { actions: row?.actions ?? [], linked: (row?.linked ?? []).map(toNamedLine), ledger: row?.ledger ?? [] };
}
