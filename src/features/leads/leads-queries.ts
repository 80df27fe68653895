/** Leads in SQL. Rows never leave this folder unmapped. */
import { sqlBuilder } from '../../db/connect.ts';
import type { Db, Scope } from '../../db/frame.ts';
import { built, prepared, type Statement } from '../../db/statement.ts';
import type { LeadStatus } from './lead-status.ts';

export interface Lead {
  id: string;
  email: string;
  name: string | null;
  phone: string | null;
  referrerUserId: string | null;
  /** By which the referrer was found; null of none, and of one from before receipts were kept. */
  attributionRule: string | null;
  receiptId: string | null;
  conversionStatus: LeadStatus;
  convertedUserId: string | null;
  source: string | null;
  utmSource: string | null;
  utmMedium: string | null;
  utmCampaign: string | null;
  clickId: string | null;
  /** Null: it does not expire. */
  expiresAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface LeadRow {
  id: string;
  email: string;
  name: string | null;
  phone: string | null;
  referrer_user_id: string | null;
  attribution_rule: string | null;
  receipt_id: string | null;
  conversion_status: LeadStatus;
  converted_member_id: string | null;
  source: string | null;
  utm_source: string | null;
  utm_medium: string | null;
  utm_campaign: string | null;
  click_id: string | null;
  expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export function toLead(row: LeadRow): Lead {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    phone: row.phone,
    referrerUserId: row.referrer_user_id,
    attributionRule: row.attribution_rule,
    receiptId: row.receipt_id,
    conversionStatus: row.conversion_status,
    convertedUserId: row.converted_member_id,
    source: row.source,
    utmSource: row.utm_source,
    utmMedium: row.utm_medium,
    utmCampaign: row.utm_campaign,
    clickId: row.click_id,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The time that leads go by: the database's, or the tenant's own in SANDBOX. */
const CLOCK = "select case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end as now";

const lockEmail = prepared<unknown, [string, string, email: string]>(
  'leads_lock_email',
  "select pg_advisory_xact_lock(hashtextextended($1 || ':' || $2 || ':' || $3, 8))",
);

/**
 * Captures of one email, and what makes a member of its lead, come one after another, so that what is read
 * of the lead behind this lock still holds when it is written. It is taken before the lock of the tree and
 * before any row's; whoever makes a member without a look at the lead takes neither this lock nor the lead's
 * row before the member's email.
 */
export function lockLeadEmail({ tenantId, environment }: Scope, email: string): Statement<unknown> {
  return lockEmail(tenantId, environment, email);
}

const lockEmailOfLead = prepared<unknown, [string, string, id: string]>(
  'leads_lock_email_of',
  `select pg_advisory_xact_lock(hashtextextended($1 || ':' || $2 || ':' || l.email, 8))
   from lead l where l.tenant_id = $1::uuid and l.environment = $2 and l.id = $3`,
);

/** The same lock, of a lead by its id. */
export function lockEmailOf({ tenantId, environment }: Scope, leadId: string): Statement<unknown> {
  return lockEmailOfLead(tenantId, environment, leadId);
}

/** With whether its time is over, which the sweep may not have written yet. */
export interface JudgedLead {
  lead: Lead;
  status: LeadStatus;
}

type JudgedRow = LeadRow & { is_over: boolean };

const JUDGED = `with clock as (${CLOCK})
   select l.*, l.conversion_status in ('captured', 'qualified') and coalesce(l.expires_at <= clock.now, false) as is_over
   from lead l cross join clock
   where l.tenant_id = $1 and l.environment = $2 and l.id = $3`;

const findStatement = prepared<JudgedRow, [string, string, id: string]>('leads_find', JUDGED);
const lockStatement = prepared<JudgedRow, [string, string, id: string]>('leads_lock', `${JUDGED} for no key update of l`);

const toJudged = (row: JudgedRow): JudgedLead => ({ lead: toLead(row), status: row.is_over ? 'expired' : row.conversion_status });

export async function findLead(db: Db, { tenantId, environment }: Scope, id: string): Promise<JudgedLead | undefined> {
  const row = await db.row(findStatement(tenantId, environment, id));
  return row && toJudged(row);
}

/** Against other changes, until the transaction ends. */
export async function lockLead(db: Db, { tenantId, environment }: Scope, id: string): Promise<JudgedLead | undefined> {
  const row = await db.row(lockStatement(tenantId, environment, id));
  return row && toJudged(row);
}

/** What is undefined stays. */
export interface LeadChanges {
  name: string | null | undefined;
  phone: string | null | undefined;
  source: string | null | undefined;
  status: LeadStatus | undefined;
}

/** One that is expired by hand is over from now on: it is by `expires_at` that sales are credited, or not. */
const updateStatement = prepared<LeadRow, [string, string, id: string, changes: string]>(
  'leads_update',
  `with clock as (${CLOCK}),
   wanted as (select n.* from lead l cross join lateral jsonb_populate_record(l, $4::jsonb) n
              where l.tenant_id = $1 and l.environment = $2 and l.id = $3)
   update lead l set name = w.name, phone = w.phone, source = w.source, conversion_status = w.conversion_status,
          expires_at = case when w.conversion_status = 'expired' and l.conversion_status <> 'expired'
                       then least(l.expires_at, (select now from clock)) else l.expires_at end,
          updated_at = case when row(w.name, w.phone, w.source, w.conversion_status)
                                 is distinct from row(l.name, l.phone, l.source, l.conversion_status)
                       then (select now from clock) else l.updated_at end
   from wanted w
   where l.tenant_id = $1 and l.environment = $2 and l.id = $3
   returning l.*`,
);

/** Of a lead that is locked. */
export async function updateLead(db: Db, scope: Scope, id: string, { status, ...fields }: LeadChanges): Promise<Lead> {
  const changes = JSON.stringify({ ...fields, conversion_status: status });
  const row = await db.row(updateStatement(scope.tenantId, scope.environment, id, changes));
  if (!row) throw new Error('a locked lead vanished');
  return toLead(row);
}

export interface LeadFilters {
  email: string | undefined;
  status: LeadStatus | undefined;
  referrerUserId: string | undefined;
  source: string | undefined;
  createdFrom: string | undefined;
  createdTo: string | undefined;
}

/** In order of their ids, which is the order they were captured in. */
export async function listLeads(
  db: Db,
  scope: Scope,
  filters: LeadFilters,
  afterId: string | undefined,
  count: number,
): Promise<Lead[]> {
  const query = sqlBuilder('lead as l')
    .where({ 'l.tenant_id': scope.tenantId, 'l.environment': scope.environment })
    .orderBy('l.id')
    .limit(count)
    .select('l.*');
  if (filters.email !== undefined) query.where('l.email', filters.email);
  if (filters.status !== undefined) query.where('l.conversion_status', filters.status);
  if (filters.referrerUserId !== undefined) query.where('l.referrer_user_id', filters.referrerUserId);
  if (filters.source !== undefined) query.where('l.source', filters.source);
  if (filters.createdFrom !== undefined) query.where('l.created_at', '>=', filters.createdFrom);
  if (filters.createdTo !== undefined) query.where('l.created_at', '<', filters.createdTo);
  if (afterId !== undefined) query.where('l.id', '>', afterId);
  return (await db.rows(built<LeadRow>(query))).map(toLead);
}

const expireStatement = prepared<{ count: number }, [string, string, limit: number]>(
  'leads_expire',
  `with clock as (${CLOCK}),
   gone as (
     update lead set conversion_status = 'expired', updated_at = (select now from clock)
     where tenant_id = $1 and environment = $2 and ctid = any (array(
       select l.ctid from lead l
       where l.tenant_id = $1 and l.environment = $2 and l.conversion_status in ('captured', 'qualified')
         and l.expires_at <= (select now from clock)
       order by l.expires_at limit $3 for update skip locked))
     returning 1)
   select count(*)::int as count from gone`,
);

/** At most `limit` leads whose time is over, the oldest first; those that are being changed are left to the next batch. */
export async function expireDueLeads(db: Db, { tenantId, environment }: Scope, limit: number): Promise<number> {
  return (await db.row(expireStatement(tenantId, environment, limit)))?.count ?? 0;
}
