/** Clicks that the tenant tells of, in SQL; and forgetting old ones. */
import { type Actor, actorRef } from '../../actor.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope, WriteDb } from '../../db/scope.ts';
import { SCOPE_NOW } from '../../db/scope-clock.ts';
import type { Statement } from '../../db/statement.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';

const click = tenantTable('referral_click');

/** What led to somebody: a link, or a referral code. */
export type ClickSource = { linkId: string } | { slug: string } | { referralCode: string };

export interface FoundSource {
  linkId: string | null;
  codeId: string | null;
  referralCode: string | null;
  memberId: string;
}

const findSourceRow = statement<FoundSource, { linkId: string | null; slug: string | null; code: string | null }>(
  'clicks_find_source',
  ({ linkId, slug, code }) =>
    raw(
      `select l.id as "linkId", null::uuid as "codeId", null as "referralCode", l.member_id as "memberId"
   from referral_link l
   where ${ofTenant('l')} and (l.id = :linkId or l.slug = :slug) and l.status = 'active'
     and (l.expires_at is null
          or l.expires_at > ${SCOPE_NOW})
   union all
   select null, c.id, c.code, c.member_id
   from referral_code c
   where ${ofTenant('c')} and c.code = upper(:code) and c.status = 'active'`,
      { linkId, slug, code },
    ),
);

/** Undefined where there is none that is in use. */
export function findSource(db: Db, scope: Scope, source: ClickSource): Promise<FoundSource | undefined> {
  const { linkId = null, slug = null, referralCode = null } = source as Record<string, string | undefined>;
  return db.row(findSourceRow(scope, { linkId, slug, code: referralCode }));
}

export interface RecordedClick {
  clickId: string;
  linkId: string | null;
  referralCode: string | null;
  memberId: string;
  clickedAt: Date;
  customerExternalId: string | null;
}

export interface ServerClick {
  ipHash: Buffer | null;
  referrerHost: string | null;
  customerExternalId: string | null;
  actor: Actor;
}

type NewClick = Omit<FoundSource, 'referralCode'> & Omit<ServerClick, 'actor'> & { createdBy: string };

const insert = statement<{ id: string; clickedAt: Date }, NewClick>(
  'clicks_insert',
  ({ linkId, codeId, memberId, ipHash, referrerHost, customerExternalId, createdBy }) =>
    click()
      .insert({
        link_id: linkId,
        code_id: codeId,
        member_id: memberId,
        kind: 'server',
        clicked_at: raw(SCOPE_NOW),
        ip_hash: ipHash,
        referrer_host: referrerHost,
        customer_external_id: customerExternalId,
        created_by: createdBy,
      })
      .returning(['id', 'clicked_at as clickedAt']),
);

/** The last statement of its frame. */
export async function insertClick(db: WriteDb, scope: Scope, source: FoundSource, click: ServerClick): Promise<RecordedClick> {
  const { linkId, codeId, referralCode, memberId } = source;
  const { ipHash, referrerHost, customerExternalId } = click;
  const createdBy = actorRef(click.actor);
  const row = await db.lastRow(insert(scope, { linkId, codeId, memberId, ipHash, referrerHost, customerExternalId, createdBy }));
  if (!row) throw new Error('the click was not stored');
  return { clickId: row.id, linkId, referralCode, memberId, clickedAt: row.clickedAt, customerExternalId };
}

const tie = statement<RecordedClick, { clickId: string; customerExternalId: string }>(
  'clicks_tie',
  ({ clickId, customerExternalId }) =>
    raw(
      `update referral_click c set customer_external_id = :customerExternalId
   where ${ofTenant('c')} and c.id = :clickId and coalesce(c.customer_external_id, :customerExternalId) = :customerExternalId
   returning c.id as "clickId", c.link_id as "linkId", c.member_id as "memberId", c.clicked_at as "clickedAt",
     c.customer_external_id as "customerExternalId",
     (select k.code from referral_code k where ${ofTenant('k')} and k.id = c.code_id) as "referralCode"`,
      { clickId, customerExternalId },
    ),
);

/** Undefined when it is another customer's, or is not there. */
export function tieClick(db: Db, scope: Scope, clickId: string, customerExternalId: string): Promise<RecordedClick | undefined> {
  return db.row(tie(scope, { clickId, customerExternalId }));
}

const exists = statement<{ id: string }, { clickId: string }>('clicks_exists', ({ clickId }) =>
  click().where({ id: clickId }).select('id'),
);

export async function clickExists(db: Db, scope: Scope, clickId: string): Promise<boolean> {
  return (await db.row(exists(scope, { clickId }))) !== undefined;
}

/** By row address, as the expired idempotency keys are; ids are in the order of their time. */
const forget = statement<{ count: number }, { limit: number; keptDays: number }>('clicks_forget', ({ limit, keptDays }) =>
  raw(
    `with gone as (
     delete from referral_click c where ${ofTenant('c')} and c.ctid = any (array(
       select o.ctid from referral_click o
       where ${ofTenant('o')} and o.id < first_id_at(now() - make_interval(days => :keptDays))
       order by o.id limit :limit for update skip locked))
     returning 1)
   select count(*)::int as count from gone`,
    { limit, keptDays },
  ),
);

/** At most `limit` of those that came more than `keptDays` ago, the oldest first. */
export function forgetClicksStatement(
  scope: Scope,
  { limit, keptDays }: { limit: number; keptDays: number },
): Statement<{ count: number }> {
  return forget(scope, { limit, keptDays });
}
