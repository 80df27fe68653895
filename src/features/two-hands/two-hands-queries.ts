/** The rule of an environment, and who counts as whom, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import type { TieReason } from './open/approval-tie.ts';
import type { TwoHandsRule } from './open/two-hands-rule.ts';

const paymentSettings = tenantTable('payment_settings');

const rule = statement<{ rule: TwoHandsRule }>('two_hands_rule', () =>
  paymentSettings('s').select(raw("case when s.dual_control then s.dual_control_by else 'none' end as rule")),
);

/** `none` without dual control, and without settings. */
export async function readRule(db: Db, scope: Scope): Promise<TwoHandsRule> {
  return (await db.row(rule(scope)))?.rule ?? 'none';
}

const ruleOfTies = statement<{ rule: 'keys' | 'persons' }>('two_hands_rule_of_ties', () =>
  paymentSettings('s').select(raw('s.dual_control_by as rule')),
);

/** What dual control would ask for, whether it is on or not. */
export async function readRuleOfTies(db: Db, scope: Scope): Promise<'keys' | 'persons'> {
  return (await db.row(ruleOfTies(scope)))?.rule ?? 'keys';
}

/** By the time of the database, whatever a SANDBOX's clock says. */
const COUNTS = 't.confirmed_by is null and t.until > now()';

/** The names themselves and whom they count as, over any number of ties. */
const handsOf = (name: string, places: string): string => `${name}(hand) as (
     select unnest(${places}::text[])
     union
     select t.counts_as from ${name} h join approval_tie t on ${ofTenant('t')} and t.subject = h.hand and ${COUNTS})`;

const meeting = statement<{ same: boolean }, { firsts: readonly string[]; seconds: readonly string[] }>(
  'two_hands_meeting',
  ({ firsts, seconds }) =>
    raw(
      `with recursive ${handsOf('one', ':firsts')}, ${handsOf('other', ':seconds')}
   select exists (select from one join other on other.hand = one.hand) as same`,
      { firsts, seconds },
    ),
);

/** Whether some of the first are some of the seconds, or count as somebody whom those count as. All are `actorRef`s. */
export async function areSameHands(
  db: Db,
  scope: Scope,
  firsts: readonly string[],
  seconds: readonly string[],
): Promise<boolean> {
  const row = await db.row(meeting(scope, { firsts, seconds }));
  // Fails closed.
  return row?.same !== false;
}

export interface ApprovalTie {
  id: string;
  subject: string;
  countsAs: string;
  reason: TieReason;
  until: Date;
  confirmedBy: string | null;
  /** By the time of the database. */
  counts: boolean;
}

const approvalTie = tenantTable('approval_tie');

const columns = `t.id, t.subject, t.counts_as as "countsAs", t.reason, t.until, t.confirmed_by as "confirmedBy", ${COUNTS} as counts`;

type NewTie = Pick<ApprovalTie, 'subject' | 'countsAs' | 'reason'> & { days: number };

const insert = statement<ApprovalTie, NewTie>('two_hands_insert_tie', ({ subject, countsAs, reason, days }) =>
  raw(
    `insert into approval_tie as t (tenant_id, environment, subject, counts_as, reason, until)
   values (:tenantId, :environment, :subject, :countsAs, :reason, now() + make_interval(days => :days))
   returning ${columns}`,
    { subject, countsAs, reason, days },
  ),
);

export async function insertTie(db: Db, scope: Scope, tie: NewTie): Promise<ApprovalTie> {
  const row = await db.row(insert(scope, tie));
  if (!row) throw new Error('a tie was not written');
  return row;
}

const lock = statement<ApprovalTie, { tieId: string }>('two_hands_lock_tie', ({ tieId }) =>
  approvalTie('t').where('t.id', tieId).select(raw(columns)).forUpdate(),
);

export async function lockTie(db: Db, scope: Scope, tieId: string): Promise<ApprovalTie | undefined> {
  return db.row(lock(scope, { tieId }));
}

const confirm = statement<unknown, { tieId: string; by: string }>('two_hands_confirm_tie', ({ tieId, by }) =>
  approvalTie('t')
    .where('t.id', tieId)
    .update({ confirmed_by: by, confirmed_at: raw('now()') }),
);

/** Of a locked one. */
export async function storeConfirmed(db: Db, scope: Scope, tieId: string, by: string): Promise<void> {
  await db.rows(confirm(scope, { tieId, by }));
}
