/** Many members at once in SQL, behind the tree's lock. Rows never leave this file unmapped. */
import { type ActingScope, actorRef } from '../../actor.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { SCOPE_NOW } from '../../db/scope-clock.ts';
import { ofTenant, theTenant } from '../../db/tenant-condition.ts';
import { foldName, normaliseEmail } from '../../http/schemas.ts';
import { convertLeads } from '../leads/open/lead-sql.ts';
import { insertDefaultCodes } from '../referrals/open/code-sql.ts';
import type { NewDescendant } from './count-joined.ts';
import type { MemberRow } from './open/member-rows.ts';
import { drawReferralCode } from './open/referral-code.ts';

export interface NumberedMember {
  rowNumber: number;
  member: MemberRow;
}

/** What the database says to a row. */
export interface CheckedMember {
  rowNumber: number;
  sponsorId: string | null;
  sponsorRecruits: boolean | null;
  emailTaken: boolean;
  externalIdTaken: boolean;
  codeTaken: boolean;
}

/**
 * The sponsor's id is a scalar subquery, or row-level security would keep it from being looked up in the index; so is
 * what `exists` would say, for which the planner would read all members.
 */
const check = statement<CheckedMember, { rows: string }>('users_bulk_check', ({ rows }) =>
  raw(
    `select i.n as "rowNumber", s.id as "sponsorId", s.can_recruit as "sponsorRecruits",
          (select true from member m where ${ofTenant('m')} and m.email_norm = i.e limit 1)
            is true as "emailTaken",
          (select true from member m where ${ofTenant('m')} and m.external_id = i.x limit 1)
            is true as "externalIdTaken",
          coalesce((select true from referral_code c where ${ofTenant('c')} and c.code = i.o limit 1),
                   (select true from erased_code c
                    where ${ofTenant('c')} and c.code_digest = code_digest(:tenantId, :environment, i.o) limit 1))
            is true as "codeTaken"
   from jsonb_to_recordset(:rows::jsonb) i(n int, e text, x text, o text, p uuid, c text, se text, sx text)
   left join lateral (
     select m.id, m.can_recruit from member m
     where ${ofTenant('m')} and m.id = (select case
       when i.p is not null then i.p
       when i.se is not null then (
         select o.id from member o where ${ofTenant('o')} and o.email_norm = i.se)
       when i.c is not null then (
         select c.member_id from referral_code c
         where ${ofTenant('c')} and c.code = upper(i.c) and c.status = 'active')
       when i.sx is not null then (
         select o.id from member o where ${ofTenant('o')} and o.external_id = i.sx) end)
     limit 1) s on true`,
    { rows },
  ),
);

export async function checkMembers(db: Db, scope: Scope, members: readonly NumberedMember[]): Promise<CheckedMember[]> {
  const rows = members.map(({ rowNumber, member }) => ({
    n: rowNumber,
    e: normaliseEmail(member.email),
    x: member.externalId,
    o: member.referralCode,
    p: member.parentId,
    c: member.sponsorCode,
    se: member.sponsorEmail,
    sx: member.sponsorExternalId,
  }));
  return db.rows(check(scope, { rows: JSON.stringify(rows) }));
}

export interface InsertedMember extends NewDescendant {
  rowNumber: number;
  id: string;
  convertedLeadId: string | null;
}

/**
 * The members, their default codes and the conversion of their leads, as `users_insert` makes them for one. Their counts
 * are the caller's. Somebody who takes an email or an external id meanwhile is waited for, and the row is then not
 * inserted.
 */
const insert = statement<InsertedMember, { rows: string; createdBy: string }>('users_bulk_insert', ({ rows, createdBy }) =>
  raw(
    `with input as materialized (
     select * from jsonb_to_recordset(:rows::jsonb) i(n int, email text, e text, name text, nn text, x text, tier text,
                                                   sponsor uuid, active boolean, recruits boolean, currency text, code text,
                                                   grp text, joined timestamptz)),
   fresh as (
     insert into member (tenant_id, environment, email, email_norm, name, name_norm, external_id, membership_tier, parent_id,
                         is_active, can_recruit, is_test_user, pay_currency, created_at, updated_at, created_by, group_key, joined_at)
     select :tenantId, :environment, i.email, i.e, i.name, i.nn, i.x, i.tier, i.sponsor, i.active, i.recruits, false,
            coalesce(i.currency, (select default_currency from tenant where ${theTenant('tenant')})), clock.now, clock.now, :createdBy, coalesce(i.grp, 'default'), i.joined
     from (select ${SCOPE_NOW} as now) clock cross join input i
     order by i.n
     on conflict do nothing
     returning id, email_norm, parent_id, is_active, created_at, created_by),
   coded as (
     ${insertDefaultCodes('(select i.code, f.id as member_id from fresh f join input i on i.e = f.email_norm)')}),
   converted as (
     ${convertLeads('fresh', 'fresh.email_norm')}
     returning lead.id, lead.converted_member_id)
   select i.n as "rowNumber", f.id, (select c.id from converted c where c.converted_member_id = f.id) as "convertedLeadId", f.parent_id as "sponsorId", f.is_active as "isActive", f.created_at as "createdAt"
   from fresh f join input i on i.e = f.email_norm`,
    { rows, createdBy },
  ),
);

/** Returns those that were inserted. Throws the constraint's error on a code that somebody has by now. */
export async function insertMembers(
  db: Db,
  scope: ActingScope,
  members: readonly (NumberedMember & { sponsorId: string | null })[],
): Promise<InsertedMember[]> {
  const rows = members.map(({ rowNumber, member, sponsorId }) => ({
    n: rowNumber,
    email: member.email,
    e: normaliseEmail(member.email),
    name: member.name,
    nn: member.name === undefined ? undefined : foldName(member.name),
    x: member.externalId,
    tier: member.membershipTier ?? 'ORDINARY',
    sponsor: sponsorId,
    active: member.isActive ?? true,
    recruits: member.canRecruit ?? true,
    currency: member.payCurrency,
    grp: member.group,
    joined: member.joinedAt,
    code: member.referralCode ?? drawReferralCode(),
  }));
  return db.rows(insert(scope, { rows: JSON.stringify(rows), createdBy: actorRef(scope.provenance.actor) }));
}
