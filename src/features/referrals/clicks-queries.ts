/** Clicks that the tenant tells of, in SQL; and forgetting old ones. */
import type { Db, Scope, WriteDb } from '../../db/frame.ts';
import { prepared, type Statement } from '../../db/statement.ts';

/** What led to somebody: a link, or a referral code. */
export type ClickSource = { linkId: string } | { slug: string } | { referralCode: string };

export interface FoundSource {
  linkId: string | null;
  codeId: string | null;
  referralCode: string | null;
  memberId: string;
}

const findSourceRow = prepared<FoundSource, [string, string, linkId: string | null, slug: string | null, code: string | null]>(
  'clicks_find_source',
  `select l.id as "linkId", null::uuid as "codeId", null as "referralCode", l.member_id as "memberId"
   from referral_link l
   where l.tenant_id = $1 and l.environment = $2 and (l.id = $3 or l.slug = $4) and l.status = 'active'
     and (l.expires_at is null or l.expires_at > case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end)
   union all
   select null, c.id, c.code, c.member_id
   from referral_code c
   where c.tenant_id = $1 and c.environment = $2 and c.code = upper($5) and c.status = 'active'`,
);

/** Undefined where there is none that is in use. */
export function findSource(db: Db, scope: Scope, source: ClickSource): Promise<FoundSource | undefined> {
  const { linkId = null, slug = null, referralCode = null } = source as Record<string, string | undefined>;
  return db.row(findSourceRow(scope.tenantId, scope.environment, linkId, slug, referralCode));
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
}

type InsertValues = [
  string,
  string,
  linkId: string | null,
  codeId: string | null,
  memberId: string,
  ipHash: Buffer | null,
  referrerHost: string | null,
  customerExternalId: string | null,
];

const insert = prepared<{ id: string; clickedAt: Date }, InsertValues>(
  'clicks_insert',
  `insert into referral_click (tenant_id, environment, link_id, code_id, member_id, kind, clicked_at, ip_hash, referrer_host,
                               customer_external_id)
   values ($1, $2, $3, $4, $5, 'server', case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end, $6, $7, $8)
   returning id, clicked_at as "clickedAt"`,
);

/** The last statement of its frame. */
export async function insertClick(db: WriteDb, scope: Scope, source: FoundSource, click: ServerClick): Promise<RecordedClick> {
  const { linkId, codeId, referralCode, memberId } = source;
  const { ipHash, referrerHost, customerExternalId } = click;
  const values: InsertValues = [
    scope.tenantId,
    scope.environment,
    linkId,
    codeId,
    memberId,
    ipHash,
    referrerHost,
    customerExternalId,
  ];
  const row = await db.lastRow(insert(...values));
  if (!row) throw new Error('the click was not stored');
  return { clickId: row.id, linkId, referralCode, memberId, clickedAt: row.clickedAt, customerExternalId };
}

const tie = prepared<RecordedClick, [string, string, clickId: string, customerExternalId: string]>(
  'clicks_tie',
  `update referral_click c set customer_external_id = $4
   where c.tenant_id = $1 and c.environment = $2 and c.id = $3 and coalesce(c.customer_external_id, $4) = $4
   returning c.id as "clickId", c.link_id as "linkId", c.member_id as "memberId", c.clicked_at as "clickedAt",
     c.customer_external_id as "customerExternalId",
     (select k.code from referral_code k where k.tenant_id = $1 and k.environment = $2 and k.id = c.code_id) as "referralCode"`,
);

/** Undefined when it is another customer's, or is not there. */
export function tieClick(db: Db, scope: Scope, clickId: string, customerExternalId: string): Promise<RecordedClick | undefined> {
  return db.row(tie(scope.tenantId, scope.environment, clickId, customerExternalId));
}

const exists = prepared<{ id: string }, [string, string, clickId: string]>(
  'clicks_exists',
  'select c.id from referral_click c where c.tenant_id = $1 and c.environment = $2 and c.id = $3',
);

export async function clickExists(db: Db, scope: Scope, clickId: string): Promise<boolean> {
  return (await db.row(exists(scope.tenantId, scope.environment, clickId))) !== undefined;
}

/** By row address, as the expired idempotency keys are; ids are in the order of their time. */
const forget = prepared<{ count: number }, [string, string, limit: number]>(
  'clicks_forget',
  `with gone as (
     delete from referral_click c where c.tenant_id = $1 and c.environment = $2 and c.ctid = any (array(
       select o.ctid from referral_click o
       where o.tenant_id = $1 and o.environment = $2 and o.id < first_id_at(now() - interval '400 days')
       order by o.id limit $3 for update skip locked))
     returning 1)
   select count(*)::int as count from gone`,
);

/** At most so many, the oldest first. */
export function forgetClicksStatement(scope: Scope, limit: number): Statement<{ count: number }> {
  return forget(scope.tenantId, scope.environment, limit);
}
