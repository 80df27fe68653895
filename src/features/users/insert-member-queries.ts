/** A new member in SQL, with its code, its place in the tree, the receipt of that, and what becomes of its lead. */

import { type Actor, actorRef } from '../../actor.ts';
import { shareLock } from '../../db/lock-classes.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope, WriteDb } from '../../db/scope.ts';
import { SCOPE_NOW } from '../../db/scope-clock.ts';
import { behindLocks, type Statement } from '../../db/statement.ts';
import { theTenant } from '../../db/tenant-condition.ts';
import { memberStep } from '../../db/upline-step-sql.ts';
import { IS_GRANTED } from '../../db/write-options.ts';
import type { MembershipTier } from '../../http/schemas.ts';
import { insertSignUpReceipt, type SponsorChoice, sponsorChoice } from '../attribution/open/sign-up-sql.ts';
import { namedActor } from '../audit/open/named-actor.ts';
import { insertPendingCounts } from '../genealogy/open/downline-sql.ts';
import { convertLeads, lockEmail } from '../leads/open/lead-sql.ts';
import { insertDefaultCodes } from '../referrals/open/code-sql.ts';
import { matchesTypeSql } from '../webhooks/open/event-types.ts';
import { HEARD } from '../webhooks/open/hearing-sql.ts';
import type { Member } from './open/member.ts';
import { type MemberRow, toMember } from './users-queries.ts';

/** True once the Idempotency-Key is granted, if there is one: nothing is written before, and no lock is waited for. */
const MAY_GO_ON = `(not :underGuard::boolean or ${IS_GRANTED})`;

/**
 * The email's lock, then the tree's as other inserts share it (users-queries.ts). Behind the first a lead that is being
 * captured is there or is not, and whoever captures it afterwards finds the member.
 */
const lock = statement<unknown, { emailNorm: string; underGuard: boolean }>('users_lock_sign_up', ({ emailNorm, underGuard }) =>
  raw(
    `select case when ${MAY_GO_ON} then ${lockEmail(':emailNorm')} end,
          case when ${MAY_GO_ON} then ${shareLock('members')} end`,
    { emailNorm, underGuard },
  ),
);

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

/** Who was made, or refused. */
export type InsertedMember = { member: Member; convertedLeadId: string | null } | RefusedSponsor;

type InsertRow = { [Column in keyof MemberRow]: MemberRow[Column] | null } & {
  converted_lead_id: string | null;
  refused_source: string | null;
  refused_state: string | null;
  is_heard: boolean;
};

/** Whether somebody hears of what the statement does, in SQL. */
const HEARD_OF = ['member.created', 'lead.converted'].map((type) => matchesTypeSql(HEARD, `'${type}'`)).join(' or ');

type Parameters = Omit<NewMember, 'actor'> & { createdBy: string | null; unlessHeard: boolean; underGuard: boolean };

/**
 * One statement behind the locks. Ancestors come nearest first: the sponsor, then its upline. With `unlessHeard` nobody is
 * made where somebody hears of it.
 */
const insertMemberStatement = statement<InsertRow, Parameters>('users_insert', (places) =>
  raw(
    `with recursive ${sponsorChoice(SCOPE_NOW)},
   up as (
     select s.id, s.parent_id, 1 as depth from sponsor s
     union all
     select m.id, m.parent_id, up.depth + 1 from up
     ${memberStep('up.parent_id', ['id', 'parent_id'])}),
   above as (select array_agg(up.id order by up.depth) as ids from up),
   heard as materialized (select :unlessHeard::boolean and (${HEARD_OF}) as is_heard),
   fresh as (
     insert into member (id, tenant_id, environment, email, email_norm, name, external_id, membership_tier, parent_id,
                         is_active, can_recruit, is_test_user, pay_currency, created_at, updated_at, name_norm, email_verified, created_by, group_key, joined_at)
     select self.id, :tenantId, :environment, :email, :emailNorm, :name, :externalId, :membershipTier, sponsor.id, :isActive, :canRecruit, :isTestUser,
            coalesce(:payCurrency, (select default_currency from tenant where ${theTenant('tenant')})), clock.now, clock.now, :nameNorm, :emailVerified, coalesce(:createdBy, 'member:' || self.id), :group, :joinedAt::timestamptz
     from clock cross join (select uuidv7() as id) self left join sponsor on true
     where not exists (select from refused) and not (select heard.is_heard from heard) and ${MAY_GO_ON}
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
   select fresh.*, (select converted.id from converted) as converted_lead_id, code.code as referral_code, ${namedActor('fresh.created_by')} as creator, refused.source as refused_source, refused.state as refused_state, heard.is_heard
   from heard left join fresh on true left join code on true left join refused on true`,
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
      unlessHeard: places.unlessHeard,
      underGuard: places.underGuard,
    },
  ),
);

/** Throws the constraint's error on a taken email, external_id or code. */
export async function insertMember(
  db: Db,
  scope: Scope,
  member: NewMember,
  { underGuard = false } = {},
): Promise<InsertedMember> {
  const inserted = toInserted(await db.row(insertBehindLocks(scope, member, { unlessHeard: false, underGuard })));
  if (!inserted) throw new Error('a member was not made because it is heard of');
  return inserted;
}

/** The same as the last statement of its frame. Undefined where somebody would hear of it: nothing is written then. */
export async function insertUnheardMember(db: WriteDb, scope: Scope, member: NewMember): Promise<InsertedMember | undefined> {
  return toInserted(await db.lastRow(insertBehindLocks(scope, member, { unlessHeard: true, underGuard: false })));
}

function insertBehindLocks(
  scope: Scope,
  { actor, ...member }: NewMember,
  when: { unlessHeard: boolean; underGuard: boolean },
): Statement<InsertRow> {
  const { tenantId, environment } = scope;
  const createdBy = actor === undefined ? null : actorRef(actor);
  return behindLocks(
    lock({ tenantId, environment }, { emailNorm: member.emailNorm, underGuard: when.underGuard }),
    insertMemberStatement(scope, { ...member, createdBy, ...when }),
  );
}

function toInserted(row: InsertRow | undefined): InsertedMember | undefined {
  if (!row) throw new Error('the insert of a member returned no row');
  if (row.is_heard) return undefined;
  if (row.refused_source !== null && row.refused_state !== null) return { source: row.refused_source, state: row.refused_state };
  if (row.id === null) throw new Error('the guard of the transaction was not granted');
  return { member: toMember(row as MemberRow), convertedLeadId: row.converted_lead_id };
}
