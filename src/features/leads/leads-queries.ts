/** Leads in SQL. Rows never leave this folder unmapped. */

import { type Actor, actorRef, type NamedActor } from '../../actor.ts';
import { takeLock } from '../../db/lock-classes.ts';
import { listStatement, raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { SCOPE_NOW } from '../../db/scope-clock.ts';
import type { Statement } from '../../db/statement.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { namedActor } from '../audit/open/named-actor.ts';
import { matchesTypeSql } from '../webhooks/open/event-types.ts';
import { HEARD } from '../webhooks/open/hearing-sql.ts';
import type { LeadSort } from './lead-sorts.ts';
import type { LeadStatus } from './lead-status.ts';
import { lockEmail } from './open/lead-sql.ts';

const lead = tenantTable('lead');

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
  /** Null of one from before it was kept. */
  createdBy: NamedActor | null;
  /** Of the last change; null of one that was never changed since it is kept. */
  updatedBy: NamedActor | null;
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
  creator: NamedActor | null;
  updater: NamedActor | null;
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
    createdBy: row.creator,
    updatedBy: row.updater,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Who made and changed the lead of the alias, for a list of columns. */
export const leadActors = (lead: string): string =>
  `${namedActor(`${lead}.created_by`)} as creator, ${namedActor(`${lead}.updated_by`)} as updater`;

/** The time that leads go by: the database's, or the tenant's own in SANDBOX. */
const CLOCK = `select ${SCOPE_NOW} as now`;

const lockEmailStatement = statement<unknown, { email: string }>('leads_lock_email', ({ email }) =>
  raw(`select ${lockEmail(':email')}`, { email }),
);

/**
 * Captures of one email, and what makes a member of its lead, come one after another, so that what is read
 * of the lead behind this lock still holds when it is written. It is taken before the lock of the tree and
 * before any row's; an import of members does not take it, nor the lead's row before the member's email.
 */
export function lockLeadEmail({ tenantId, environment }: Scope, email: string): Statement<unknown> {
  return lockEmailStatement({ tenantId, environment }, { email });
}

const lockEmailOfLead = statement<unknown, { id: string }>('leads_lock_email_of', ({ id }) =>
  lead('l')
    .where('l.id', id)
    .select(raw(takeLock('leadEmails', "l.tenant_id || ':' || l.environment || ':' || l.email"))),
);

/** The same lock, of a lead by its id. */
export function lockEmailOf({ tenantId, environment }: Scope, leadId: string): Statement<unknown> {
  return lockEmailOfLead({ tenantId, environment }, { id: leadId });
}

/** With whether its time is over, which the sweep may not have written yet. */
export interface JudgedLead {
  lead: Lead;
  status: LeadStatus;
}

type JudgedRow = LeadRow & { is_over: boolean };

const JUDGED = `with clock as (${CLOCK})
   select l.*, ${leadActors('l')}, l.conversion_status in ('captured', 'qualified') and coalesce(l.expires_at <= clock.now, false) as is_over
   from lead l cross join clock
   where ${ofTenant('l')} and l.id = :id`;

const findStatement = statement<JudgedRow, { id: string }>('leads_find', ({ id }) => raw(JUDGED, { id }));
const lockStatement = statement<JudgedRow, { id: string }>('leads_lock', ({ id }) =>
  raw(`${JUDGED} for no key update of l`, { id }),
);

const toJudged = (row: JudgedRow): JudgedLead => ({ lead: toLead(row), status: row.is_over ? 'expired' : row.conversion_status });

export async function findLead(db: Db, { tenantId, environment }: Scope, id: string): Promise<JudgedLead | undefined> {
  const row = await db.row(findStatement({ tenantId, environment }, { id }));
  return row && toJudged(row);
}

/** Against other changes, until the transaction ends. */
export async function lockLead(db: Db, { tenantId, environment }: Scope, id: string): Promise<JudgedLead | undefined> {
  const row = await db.row(lockStatement({ tenantId, environment }, { id }));
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
const updateStatement = statement<LeadRow, { id: string; changes: string; updatedBy: string }>(
  'leads_update',
  ({ id, changes, updatedBy }) =>
    raw(
      `with clock as (${CLOCK}),
   wanted as (select n.* from lead l cross join lateral jsonb_populate_record(l, :changes::jsonb) n
              where ${ofTenant('l')} and l.id = :id)
   update lead l set name = w.name, phone = w.phone, source = w.source, conversion_status = w.conversion_status,
          expires_at = case when w.conversion_status = 'expired' and l.conversion_status <> 'expired'
                       then least(l.expires_at, (select now from clock)) else l.expires_at end,
          updated_at = case when row(w.name, w.phone, w.source, w.conversion_status)
                                 is distinct from row(l.name, l.phone, l.source, l.conversion_status)
                       then (select now from clock) else l.updated_at end,
          updated_by = case when row(w.name, w.phone, w.source, w.conversion_status)
                                 is distinct from row(l.name, l.phone, l.source, l.conversion_status)
                       then :updatedBy else l.updated_by end
   from wanted w
   where ${ofTenant('l')} and l.id = :id
   returning l.*, ${leadActors('l')}`,
      { id, changes, updatedBy },
    ),
);

/** Of a lead that is locked. */
export async function updateLead(
  db: Db,
  scope: Scope,
  id: string,
  { status, ...fields }: LeadChanges,
  actor: Actor,
): Promise<Lead> {
  const changes = JSON.stringify({ ...fields, conversion_status: status });
  const row = await db.row(updateStatement(scope, { id, changes, updatedBy: actorRef(actor) }));
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

type Listing = LeadFilters & { afterId: string | undefined; count: number };

const listIn = (name: string, order: 'asc' | 'desc') =>
  listStatement<LeadRow, Listing>(name, (places) => {
    const { email, status, referrerUserId, source, createdFrom, createdTo, afterId, count } = places;
    const query = lead('l')
      .orderBy('l.id', order)
      .limit(count)
      .select('l.*', raw(leadActors('l')));
    if (email) query.where('l.email', email);
    if (status) query.where('l.conversion_status', status);
    if (referrerUserId) query.where('l.referrer_user_id', referrerUserId);
    if (source) query.where('l.source', source);
    if (createdFrom) query.where('l.created_at', '>=', createdFrom);
    if (createdTo) query.where('l.created_at', '<', createdTo);
    if (afterId) query.where('l.id', order === 'asc' ? '>' : '<', afterId);
    return query;
  });

const lists = { created_at: listIn('leads_list', 'asc'), '-created_at': listIn('leads_list_newest', 'desc') };

/** In order of their ids, which is the order they were captured in, or the other way round. */
export async function listLeads(
  db: Db,
  scope: Scope,
  filters: LeadFilters,
  afterId: string | undefined,
  count: number,
  sort: LeadSort = 'created_at',
): Promise<Lead[]> {
  return (await db.rows(lists[sort](scope, { ...filters, afterId, count }))).map(toLead);
}

const expireStatement = statement<{ count: number; told: string[] | null }, { limit: number }>('leads_expire', ({ limit }) =>
  raw(
    `with clock as (${CLOCK}),
   gone as (
     update lead set conversion_status = 'expired', updated_at = (select now from clock), updated_by = 'system'
     where ${ofTenant('lead')} and ctid = any (array(
       select l.ctid from lead l
       where ${ofTenant('l')} and l.conversion_status in ('captured', 'qualified')
         and l.expires_at <= (select now from clock)
       order by l.expires_at limit :limit for update skip locked))
     returning lead.id)
   select (select count(*)::int from gone) as count,
          case when ${matchesTypeSql(HEARD, "'lead.expired'")} then array(select gone.id from gone) end as told`,
    { limit },
  ),
);

/** At most `limit` leads whose time is over, the oldest first; those that are being changed are left to the next batch. */
export async function expireDueLeads(
  db: Db,
  { tenantId, environment }: Scope,
  limit: number,
): Promise<{ count: number /** Those leads, where somebody hears of them. */; told: string[] }> {
  const row = await db.row(expireStatement({ tenantId, environment }, { limit }));
  return { count: row?.count ?? 0, told: row?.told ?? [] };
}
