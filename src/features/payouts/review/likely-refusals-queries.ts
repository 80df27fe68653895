/** Which payouts of a run an execution would not carry out by now, in SQL. */
import { raw, replanned } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { JOIN_VERIFIED, NAME_UNJUDGED } from '../open/holder-names.ts';
import { countsAt } from '../open/payout-hold.ts';
import type { RefusalReason } from '../open/payout-states.ts';
import { firstRefusal } from '../payouts/refusal-rules.ts';

export interface LikelyRefusal {
  payoutId: string;
  memberId: string;
  accountId: string;
  amountMinor: bigint;
  /** Null: only its holder's name is to be compared anew. */
  reason: RefusalReason | null;
  /** The verified name has changed: what comes of it is not known yet. */
  isUnjudged: boolean;
}

interface RefusalTerms {
  runId: string;
  currency: string;
  draftedAt: Date;
  requireKyc: boolean;
  /** As the books found them. */
  owingIds: readonly string[];
  shortIds: readonly string[];
  mispricedIds: readonly string[];
}

/** Longer than any transaction that was under way when the run was drafted. */
const SLACK = "interval '1 hour'";

/**
 * The payouts of the run are joined with tables alone, never with what the statement has made: of that the planner knows
 * nothing. What it has made is asked by `in`, which is a look into a hash table.
 */
const refusalsOf = (which: string) =>
  replanned<LikelyRefusal, RefusalTerms>(({ runId, currency, draftedAt, requireKyc, owingIds, shortIds, mispricedIds }) =>
    raw(
      `with clock as materialized (select ${SCOPE_NOW} as now),
   -- A commission that was taken leaves its place by being held or reversed.
   astray as materialized (
     select c.payout_id from commission_line l
     join payout_line c on ${ofTenant('c')} and c.line_id = l.id and c.live
     where ${ofTenant('l')} and l.status in ('held', 'reversed') and l.status_changed_at >= :draftedAt::timestamptz - ${SLACK}),
   owing as materialized (
     select l.beneficiary_id from commission_line l
     where ${ofTenant('l')} and l.beneficiary_id = any (:owingIds::uuid[]) and l.currency = :currency and l.status = 'cleared'
       and l.amount_minor < 0
       and not exists (
         select from payout_line c join payout o on ${ofTenant('o')} and o.id = c.payout_id
         where ${ofTenant('c')} and c.line_id = l.id and c.live and o.payout_run_id = :runId)),
   judged as (
     select q.id as "payoutId", q.member_id as "memberId", a.id as "accountId", q.amount_minor as "amountMinor",
            ${firstRefusal({
              identityChanged: `q.member_id in (
                   select c.member_id from kyc_record c where ${ofTenant('c')} and c.identity_changed_at is not null)`,
              nameStops: `k.id is not null and not ${NAME_UNJUDGED} and a.name_match = 'mismatch' and a.name_accepted_at is null`,
              changed: `q.id in (select astray.payout_id from astray) or q.member_id in (select owing.beneficiary_id from owing)
                   or q.member_id = any (:shortIds::uuid[]) or q.id = any (:mispricedIds::uuid[])`,
            })} as reason, ${NAME_UNJUDGED} as "isUnjudged"
     from payout q
     join member m on ${ofTenant('m')} and m.id = q.member_id
     left join payout_hold h on ${countsAt('q.member_id', '(select clock.now from clock)')}
     join payout_account a on ${ofTenant('a')} and a.id = q.payout_account_id ${JOIN_VERIFIED}
     where ${ofTenant('q')} and q.payout_run_id = :runId and q.status = 'queued' ${which})
   select judged.* from judged where judged.reason is not null or judged."isUnjudged" order by judged."payoutId"`,
      { runId, currency, draftedAt, requireKyc, owingIds, shortIds, mispricedIds },
    ),
  );

const ofAll = refusalsOf('');

/** By the time of the database, which ids of runs are made of; the clock of a sandbox may say another. */
const SINCE = `uuid_extract_timestamp(:runId::uuid) - ${SLACK}`;
const changed = (table: string, member: string): string =>
  `select t.${member} from ${table} t where ${ofTenant('t')} and t.payable_changed_at >= ${SINCE}`;

/**
 * A draft has no payout that would be refused. So one that would be by now is of a member of whom something has changed
 * since: triggers write down when (`note_payable_change`), and its commissions tell the rest.
 */
const ofChanged = refusalsOf(`and q.member_id = any (array(
       ${[
         changed('member', 'id'),
         ...['member_profile', 'kyc_record', 'payout_account', 'payout_hold'].map((table) => changed(table, 'member_id')),
       ].join(`
       union all `)}
       union all select o.member_id from payout o
         where ${ofTenant('o')} and o.id = any (array(select astray.payout_id from astray) || :mispricedIds::uuid[])
       union all select owing.beneficiary_id from owing
       union all select unnest(:shortIds::uuid[])))`);

/**
 * Queued payouts of a run that an execution would not carry out by now, or whose holder's name it would compare first.
 * `drafted` says what the draft asked for: where it is not known, or less than now, each payout is looked at.
 */
export async function listLikelyRefusals(
  db: Db,
  scope: Scope,
  run: RefusalTerms,
  drafted: { requireKyc: boolean | null },
): Promise<LikelyRefusal[]> {
  const isKnown = drafted.requireKyc !== null && (drafted.requireKyc || !run.requireKyc);
  return db.rows((isKnown ? ofChanged : ofAll)(scope, run));
}
