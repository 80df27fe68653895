/** Members in SQL. Rows never leave this file unmapped. */
import { sqlBuilder } from '../../db/connect.ts';
import type { Db, Scope, WriteDb } from '../../db/frame.ts';
import { memberStep } from '../../db/member-step.ts';
import { built, prepared } from '../../db/statement.ts';
import type { MembershipTier } from '../../http/schemas.ts';

export interface Member {
  id: string;
  tenantId: string;
  email: string;
  name: string | null;
  externalId: string | null;
  membershipTier: MembershipTier;
  parentId: string | null;
  isActive: boolean;
  canRecruit: boolean;
  isTestUser: boolean;
  payCurrency: string;
  referralCode: string;
  createdAt: Date;
  updatedAt: Date;
  /** When its personal data was erased. */
  erasedAt: Date | null;
}

interface MemberRow {
  id: string;
  tenant_id: string;
  email: string;
  name: string | null;
  external_id: string | null;
  membership_tier: MembershipTier;
  parent_id: string | null;
  is_active: boolean;
  can_recruit: boolean;
  is_test_user: boolean;
  pay_currency: string;
  referral_code: string;
  created_at: Date;
  updated_at: Date;
  erased_at: Date | null;
}

function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    email: row.email,
    name: row.name,
    externalId: row.external_id,
    membershipTier: row.membership_tier,
    parentId: row.parent_id,
    isActive: row.is_active,
    canRecruit: row.can_recruit,
    isTestUser: row.is_test_user,
    payCurrency: row.pay_currency,
    referralCode: row.referral_code,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    erasedAt: row.erased_at,
  };
}

/**
 * Shared by inserts, so that they do not queue on each other. A sponsor move takes the lock
 * exclusively and so cannot slip between a new member and the ancestors counted for it (data.md);
 * so does a change of can_recruit, which thus holds until the child is committed (reliability
 * C-10). A row lock on the sponsor would do that too, but every child of one sponsor would then
 * write that one row.
 */
export const lockTreeForInsert = prepared<unknown, [tenantId: string, environment: string]>(
  'users_lock_tree_shared',
  "select pg_advisory_xact_lock_shared(hashtextextended($1 || ':' || $2, 1))",
);

export const lockTreeForChange = prepared<unknown, [tenantId: string, environment: string]>(
  'users_lock_tree',
  "select pg_advisory_xact_lock(hashtextextended($1 || ':' || $2, 1))",
);

export interface NewMember {
  email: string;
  emailNorm: string;
  name: string | null;
  externalId: string | null;
  membershipTier: MembershipTier;
  /** The sponsor by id, or else by referral code; both null for a root member. */
  sponsorId: string | null;
  sponsorCode: string | null;
  isActive: boolean;
  canRecruit: boolean;
  isTestUser: boolean;
  payCurrency: string | null;
  /** The new member's own code. */
  referralCode: string;
  nameNorm: string | null;
}

/** `member` is undefined when nothing was inserted: the sponsor is unknown, or may not recruit. */
export interface InsertedMember {
  member: Member | undefined;
  sponsorFound: boolean;
}

type InsertRow = { [Column in keyof MemberRow]: MemberRow[Column] | null } & { sponsor_found: boolean };

/**
 * The member, its default code, its pending counts and the conversion of its lead, in one
 * statement, behind the tree's lock. Ancestors come nearest first: the sponsor, then its upline.
 * The sponsor's id is a scalar subquery of its own: under row-level security a bare coalesce would
 * not be looked up in the index.
 */
const insertMemberStatement = prepared<InsertRow, [string, string, ...unknown[]]>(
  'users_insert',
  `with recursive sponsor as (
     select id, parent_id, can_recruit from member
     where tenant_id = $1 and environment = $2 and id = (select coalesce($8, (
       select c.member_id from referral_code c
       where c.tenant_id = $1 and c.environment = $2 and c.code = upper($9) and c.status = 'active')))),
   up as (
     select s.id, s.parent_id, 1 as depth from sponsor s
     union all
     select m.id, m.parent_id, up.depth + 1 from up
     ${memberStep('up.parent_id', ['id', 'parent_id'])}),
   above as (select array_agg(up.id order by up.depth) as ids from up),
   fresh as (
     insert into member (tenant_id, environment, email, email_norm, name, external_id, membership_tier, parent_id,
                         is_active, can_recruit, is_test_user, pay_currency, created_at, updated_at, name_norm)
     select $1, $2, $3, $4, $5, $6, $7, sponsor.id, $10, $11, $12,
            coalesce($13, (select default_currency from tenant where id = $1)), clock.now, clock.now, $15
     from (select case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end as now) clock left join sponsor on true
     where sponsor.can_recruit or ($8::uuid is null and $9::text is null)
     returning *),
   code as (
     insert into referral_code (tenant_id, environment, code, member_id, is_default)
     select tenant_id, environment, $14, id, true from fresh
     returning code),
   pending as (
     insert into downline_pending (tenant_id, environment, member_id, ancestor_ids, delta, active_delta, sponsor_id, sponsor_delta,
                                   joined_at)
     select fresh.tenant_id, fresh.environment, fresh.id, above.ids, 1, fresh.is_active::int, fresh.parent_id, 1, fresh.created_at
     from fresh, above where above.ids is not null),
   converted as (
     update lead set conversion_status = 'converted', converted_member_id = fresh.id, updated_at = fresh.created_at
     from fresh
     where lead.tenant_id = $1 and lead.environment = $2 and lead.email = $4
       and lead.conversion_status in ('captured', 'qualified')
       and (lead.expires_at is null or lead.expires_at > fresh.created_at))
   select fresh.*, code.code as referral_code, exists (select from sponsor) as sponsor_found
   from (values (1)) one left join fresh on true left join code on true`,
);

/** The frame's last statement. Throws the constraint's error on a taken email, external_id or code. */
export async function insertMember(db: WriteDb, scope: Scope, member: NewMember): Promise<InsertedMember> {
  const row = await db.lastRow(
    insertMemberStatement(
      scope.tenantId,
      scope.environment,
      member.email,
      member.emailNorm,
      member.name,
      member.externalId,
      member.membershipTier,
      member.sponsorId,
      member.sponsorCode,
      member.isActive,
      member.canRecruit,
      member.isTestUser,
      member.payCurrency,
      member.referralCode,
      member.nameNorm,
    ),
  );
  if (!row) throw new Error('the insert of a member returned no row');
  return { member: row.id === null ? undefined : toMember(row as MemberRow), sponsorFound: row.sponsor_found };
}

/**
 * A change of activity as its upline counts it, behind the tree's lock so that the upline stays. Nothing
 * when the member is as active as before.
 */
const noteActivity = prepared<unknown, [string, string, memberId: string, formerlyActive: boolean]>(
  'users_note_activity',
  `insert into downline_pending (tenant_id, environment, member_id, ancestor_ids, delta, active_delta)
   with recursive up as (
     select m.parent_id as id, m.is_active, 1 as depth from member m
     where m.tenant_id = $1 and m.environment = $2 and m.id = $3 and m.is_active <> $4
     union all
     select m.parent_id, up.is_active, up.depth + 1 from up
     ${memberStep('up.id', ['parent_id'])})
   select $1, $2, $3, array_agg(up.id order by up.depth), 0, case when up.is_active then 1 else -1 end
   from up where up.id is not null group by up.is_active`,
);

export async function insertActivityCount(db: Db, scope: Scope, memberId: string, formerlyActive: boolean): Promise<void> {
  await db.rows(noteActivity(scope.tenantId, scope.environment, memberId, formerlyActive));
}

const memberColumns = `m.*, c.code as referral_code
   from member m
   join referral_code c on c.tenant_id = m.tenant_id and c.environment = m.environment and c.member_id = m.id and c.is_default`;

const memberForUpdate = prepared<MemberRow, [string, string, string]>(
  'users_find_for_update',
  `select ${memberColumns} where m.tenant_id = $1 and m.environment = $2 and m.id = $3 for no key update of m`,
);

/** Locks the member against other changes; undefined when there is none. */
export async function lockMember(db: Db, scope: Scope, id: string): Promise<Member | undefined> {
  const row = await db.row(memberForUpdate(scope.tenantId, scope.environment, id));
  return row && toMember(row);
}

export interface MemberFilters {
  emailNorm: string | undefined;
  tier: MembershipTier | undefined;
  isActive: boolean | undefined;
  parentId: string | undefined;
}

/** Members in order of their ids, which is the order they were created in. */
export async function listMembers(
  db: Db,
  scope: Scope,
  filters: MemberFilters,
  afterId: string | undefined,
  count: number,
): Promise<Member[]> {
  const query = sqlBuilder('member as m')
    .join('referral_code as c', (on) =>
      on
        .on('c.tenant_id', 'm.tenant_id')
        .andOn('c.environment', 'm.environment')
        .andOn('c.member_id', 'm.id')
        .andOnVal('c.is_default', true),
    )
    .where({ 'm.tenant_id': scope.tenantId, 'm.environment': scope.environment })
    .orderBy('m.id')
    .limit(count)
    .select('m.*', 'c.code as referral_code');
  if (filters.emailNorm !== undefined) query.where('m.email_norm', filters.emailNorm);
  if (filters.tier !== undefined) query.where('m.membership_tier', filters.tier);
  if (filters.isActive !== undefined) query.where('m.is_active', filters.isActive);
  if (filters.parentId !== undefined) query.where('m.parent_id', filters.parentId);
  if (afterId !== undefined) query.where('m.id', '>', afterId);
  return (await db.rows(built<MemberRow>(query))).map(toMember);
}

export interface MemberStatus {
  userId: string;
  email: string;
  membershipTier: MembershipTier;
  isActive: boolean;
  canRecruit: boolean;
  currency: string;
  pendingMinor: bigint;
  clearedMinor: bigint;
  processingMinor: bigint;
  paidMinor: bigint;
}

interface MemberStatusRow {
  id: string;
  email: string;
  membership_tier: MembershipTier;
  is_active: boolean;
  can_recruit: boolean;
  currency: string;
  pending: bigint;
  cleared: bigint;
  processing: bigint;
  paid: bigint;
}

/** The balances are folds over the member's postings in the tenant's currency, answered from one index. */
export const memberStatusStatement = prepared<MemberStatusRow, [string, string, string]>(
  'users_status',
  `select m.id, m.email, m.membership_tier, m.is_active, m.can_recruit, t.default_currency as currency,
          b.pending, b.cleared, b.processing, b.paid
   from member m
   join tenant t on t.id = m.tenant_id
   cross join lateral (
     select coalesce(sum(p.amount_minor) filter (where p.account = 'member:pending'), 0)::bigint as pending,
            coalesce(sum(p.amount_minor) filter (where p.account = 'member:cleared'), 0)::bigint as cleared,
            coalesce(sum(p.amount_minor) filter (where p.account = 'member:processing'), 0)::bigint as processing,
            coalesce(sum(p.amount_minor) filter (where p.account = 'member:paid_out'), 0)::bigint as paid
     from posting p
     where p.tenant_id = m.tenant_id and p.environment = m.environment and p.member_id = m.id
       and p.currency = t.default_currency) b
   where m.tenant_id = $1 and m.environment = $2 and m.id = $3`,
);

export function toMemberStatus(row: MemberStatusRow): MemberStatus {
  return {
    userId: row.id,
    email: row.email,
    membershipTier: row.membership_tier,
    isActive: row.is_active,
    canRecruit: row.can_recruit,
    currency: row.currency,
    pendingMinor: row.pending,
    clearedMinor: row.cleared,
    processingMinor: row.processing,
    paidMinor: row.paid,
  };
}
