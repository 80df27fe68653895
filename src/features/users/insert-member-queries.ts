/** A new member in SQL, with its code, its place in the tree, the receipt of that, and what becomes of its lead. */

import { type Actor, actorRef } from '../../actor.ts';
import { shareLock } from '../../db/lock-classes.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { SCOPE_NOW } from '../../db/scope-clock.ts';
import { theTenant } from '../../db/tenant-condition.ts';
import { memberStep } from '../../db/upline-step-sql.ts';
import type { MembershipTier } from '../../http/schemas.ts';
import { insertSignUpReceipt, type SponsorChoice, sponsorChoice } from '../attribution/open/sign-up-sql.ts';
import { namedActor } from '../audit/open/named-actor.ts';
import { insertPendingCounts } from '../genealogy/open/downline-sql.ts';
import { convertLeads, lockEmail } from '../leads/open/lead-sql.ts';
import { insertDefaultCodes } from '../referrals/open/code-sql.ts';
import type { Member } from './open/member.ts';
import { type MemberRow, toMember } from './users-queries.ts';

/**
 * The email's lock, then the tree's as other inserts share it (users-queries.ts). Behind the first a lead that is being
 * captured is there or is not, and whoever captures it afterwards finds the member.
 */
const lock = statement<unknown, { emailNorm: string }>('users_lock_sign_up', ({ emailNorm }) =>
  raw(
    `select ${lockEmail(':emailNorm')},
          ${shareLock('members')}`,
    { emailNorm },
  ),
);

export async function lockForSignUp(db: Db, { tenantId, environment }: Scope, emailNorm: string): Promise<void> {
  await db.rows(lock({ tenantId, environment }, { emailNorm }));
}

export interface NewMember extends SponsorChoice {
  email: string;
  emailNorm: string;
  emailVerified: boolean;
  name: string | null;
  externalId: string | null;
  membershipTier: MembershipTier;
  isActive: boolean;
  canRecruit: boolean;
  isTestUser: boolean;
  group: string;
  /** ISO instant; null: now. */
  joinedAt: string | null;
  payCurrency: string | null;
  /** The new member's own code. */
  referralCode: string;
  nameNorm: string | null;
  /** Undefined: the new member itself. */
  actor: Actor | undefined;
}

/** Why nobody was made: a candidate that may not be passed over. */
export interface RefusedSponsor {
  source: string;
  state: string;
}

type InsertRow = { [Column in keyof MemberRow]: MemberRow[Column] | null } & {
  converted_lead_id: string | null;
  refused_source: string | null;
  refused_state: string | null;
};

/**
 * One statement behind the locks. Ancestors come nearest first: the sponsor, then its upline.
 */
const insertMemberStatement = statement<InsertRow, Omit<NewMember, 'actor'> & { createdBy: string | null }>(
  'users_insert',
  (places) =>
    raw(
      `with recursive ${sponsorChoice(SCOPE_NOW)},
   up as (
     select s.id, s.parent_id, 1 as depth from sponsor s
     union all
     select m.id, m.parent_id, up.depth + 1 from up
     ${memberStep('up.parent_id', ['id', 'parent_id'])}),
   above as (select array_agg(up.id order by up.depth) as ids from up),
   fresh as (
     insert into member (id, tenant_id, environment, email, email_norm, name, external_id, membership_tier, parent_id,
                         is_active, can_recruit, is_test_user, pay_currency, created_at, updated_at, name_norm, email_verified, created_by, group_key, joined_at)
     select self.id, :tenantId, :environment, :email, :emailNorm, :name, :externalId, :membershipTier, sponsor.id, :isActive, :canRecruit, :isTestUser,
            coalesce(:payCurrency, (select default_currency from tenant where ${theTenant('tenant')})), clock.now, clock.now, :nameNorm, :emailVerified, coalesce(:createdBy, 'member:' || self.id), :group, :joinedAt::timestamptz
     from clock cross join (select uuidv7() as id) self left join sponsor on true
     where not exists (select from refused)
     returning *),
   code as (
     ${insertDefaultCodes('(select :referralCode::text as code, fresh.id as member_id from fresh)')}
     returning code),
   pending as (
     ${insertPendingCounts(`(
       select fresh.id as member_id, above.ids as ancestor_ids, 1 as delta, fresh.is_active::int as active_delta,
              fresh.parent_id as sponsor_id, 1 as sponsor_delta, fresh.created_at as joined_at
       from fresh, above where above.ids is not null)`)}),
   receipt as (
     ${insertSignUpReceipt('fresh')}),
   converted as (
     ${convertLeads('fresh', 'case when :takesLead then :emailNorm::text end')}
     returning lead.id)
   select fresh.*, (select converted.id from converted) as converted_lead_id, code.code as referral_code, ${namedActor('fresh.created_by')} as creator, refused.source as refused_source, refused.state as refused_state
   from (values (1)) one left join fresh on true left join code on true left join refused on true`,
      {
        email: places.email,
        emailNorm: places.emailNorm,
        emailVerified: places.emailVerified,
        name: places.name,
        nameNorm: places.nameNorm,
        externalId: places.externalId,
        membershipTier: places.membershipTier,
        sponsorId: places.sponsorId,
        sponsorCode: places.sponsorCode,
        codeReference: places.codeReference,
        clickId: places.clickId,
        clickState: places.clickState,
        clickReference: places.clickReference,
        asRoot: places.asRoot,
        takesLead: places.takesLead,
        refusing: places.refusing,
        isActive: places.isActive,
        canRecruit: places.canRecruit,
        isTestUser: places.isTestUser,
        group: places.group,
        joinedAt: places.joinedAt,
        payCurrency: places.payCurrency,
        referralCode: places.referralCode,
        createdBy: places.createdBy,
      },
    ),
);

/** Throws the constraint's error on a taken email, external_id or code. */
export async function insertMember(
  db: Db,
  scope: Scope,
  { actor, ...member }: NewMember,
): Promise<{ member: Member; convertedLeadId: string | null } | RefusedSponsor> {
  const createdBy = actor === undefined ? null : actorRef(actor);
  const row = await db.row(insertMemberStatement(scope, { ...member, createdBy }));
  if (!row) throw new Error('the insert of a member returned no row');
  return row.refused_source === null || row.refused_state === null
    ? { member: toMember(row as MemberRow), convertedLeadId: row.converted_lead_id }
    : { source: row.refused_source, state: row.refused_state };
}
