/** Rules of members: sponsorship, uniqueness, dated changes. */
import type { z } from 'zod';
import type { Db, Frames, Scope, WriteDb } from '../../db/frame.ts';
import { AppError, invalidField } from '../../errors.ts';
import { faultPoint } from '../../fault-points.ts';
import type { RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { foldName, type MembershipTier, normaliseEmail } from '../../http/schemas.ts';
import { type BulkOptions, type MemberRows, openMemberRows } from './bulk-members.ts';
import type { MemberHistoryAnswer } from './history-operations.ts';
import {
  applyMemberChanges,
  type HistoryEntry,
  historyStatement,
  insertActivityChange,
  insertTierChange,
  readNow,
} from './history-queries.ts';
import { findMemberByEmail, hasExternalId, type MemberNames, updateNames } from './person-queries.ts';
import { drawReferralCode, withFreshCode } from './referral-code.ts';
import type { createUser, listUsers, updateUser } from './users-operations.ts';
import {
  insertActivityCount,
  insertMember,
  listMembers,
  lockMember,
  lockTreeForChange,
  lockTreeForInsert,
  type Member,
  type MemberStatus,
  memberStatusStatement,
  toMemberStatus,
} from './users-queries.ts';

type Create = z.output<(typeof createUser)['body'] & {}>;
type Update = z.output<(typeof updateUser)['body'] & {}>;
type List = z.output<(typeof listUsers)['query'] & {}>;

export interface UsersService {
  /** Creates a member under its sponsor. EMAIL_EXISTS, EXTERNAL_ID_EXISTS, RECRUITING_DISABLED. */
  createMember(context: RequestContext, input: Create): Promise<Member>;
  /** The same within a transaction, which goes on; a constraint's error, a code drawn twice among them, is the caller's (withFreshCode). */
  insertMember(db: WriteDb, scope: Scope, input: Create): Promise<Member>;
  /** For many at once, rows of a file, within a transaction. */
  openRows(db: WriteDb, scope: Scope, options: BulkOptions): MemberRows;
  /** The member with this email, whatever its case; `alive` when it is active and not erased. */
  findByEmail(db: Db, scope: Scope, email: string): Promise<{ id: string; alive: boolean } | undefined>;
  isExternalIdTaken(db: Db, scope: Scope, externalId: string): Promise<boolean>;
  /** Sets the names that are given, those of the profile only where there is one. */
  renameMember(db: Db, scope: Scope, memberId: string, names: MemberNames): Promise<void>;
  listMembers(context: RequestContext, query: List): Promise<Page<Member>>;
  /** Changes tier, activity or can_recruit, with dated history. USER_NOT_FOUND; STATE_CONFLICT to bring back one that is erased. */
  updateMember(context: RequestContext, memberId: string, input: Update): Promise<Member>;
  /** A member's state and the fold of its postings. USER_NOT_FOUND. */
  readStatus(context: RequestContext, memberId: string): Promise<MemberStatus>;
  /** A member's tiers, activity and sponsors over time. USER_NOT_FOUND. */
  readHistory(context: RequestContext, memberId: string): Promise<MemberHistoryAnswer>;
}

export function createUsersService({ frames, cursors }: { frames: Frames; cursors: Cursors }): UsersService {
  async function insert(db: WriteDb, scope: Scope, input: Create): Promise<Member> {
    const [, { member, sponsorFound }] = await Promise.all([
      db.rows(lockTreeForInsert(scope.tenantId, scope.environment)),
      insertMember(db, scope, {
        email: input.email,
        emailNorm: normaliseEmail(input.email),
        name: input.name ?? null,
        externalId: input.external_id ?? null,
        membershipTier: input.membership_tier ?? 'ORDINARY',
        sponsorId: input.parent_id ?? null,
        sponsorCode: input.referral_code ?? null,
        isActive: input.is_active ?? true,
        canRecruit: input.can_recruit ?? true,
        isTestUser: input.is_test_user ?? false,
        payCurrency: input.pay_currency ?? null,
        referralCode: drawReferralCode(),
        nameNorm: input.name == null ? null : foldName(input.name),
      }),
    ]);
    await faultPoint('member:written');
    if (member) return member;
    throw sponsorFound ? new AppError('RECRUITING_DISABLED', 'The sponsor may not recruit') : unknownSponsor(input);
  }

  return {
    createMember: (context, input) =>
      withFreshCode(() => frames.write(context.scope, (db) => insert(db, context.scope, input), { guard: context.guard })),

    // Not the last statement: what the caller does with the member travels behind it.
    insertMember: (db, scope, input) => insert({ ...db, lastRow: db.row }, scope, input),
    openRows: openMemberRows,
    findByEmail: (db, scope, email) => findMemberByEmail(db, scope, normaliseEmail(email)),
    isExternalIdTaken: hasExternalId,
    renameMember: (db, scope, memberId, names) =>
      updateNames(db, scope, memberId, { ...names, nameNorm: names.name === null ? null : foldName(names.name) }),

    async listMembers({ scope }, { limit, cursor, ...query }) {
      const filters = {
        emailNorm: query.email === undefined ? undefined : normaliseEmail(query.email),
        tier: query.tier,
        isActive: query.is_active,
        parentId: query.parent_id,
      };
      const list = { scope, operationId: 'listUsers', filters };
      const afterId = cursors.open(cursor, list);
      const rows = await frames.read(scope, (db) => listMembers(db, scope, filters, afterId, limit + 1));
      return cursors.page(rows, limit, list, (member) => member.id);
    },

    async updateMember(context, memberId, input) {
      const { scope } = context;
      return frames.write(
        scope,
        async (db) => {
          const { membership_tier: tier, is_active: isActive } = input;
          if (input.can_recruit !== undefined) await db.rows(lockTreeForChange(scope.tenantId, scope.environment));
          // Its upline counts who is active, and must not change meanwhile.
          else if (isActive !== undefined) await db.rows(lockTreeForInsert(scope.tenantId, scope.environment));
          const [member, now] = await Promise.all([lockMember(db, scope, memberId), readNow(db, scope)]);
          if (!member) throw new AppError('USER_NOT_FOUND', 'No such member');
          if (member.erasedAt && (isActive === true || input.can_recruit === true)) {
            throw new AppError('STATE_CONFLICT', 'The member was erased');
          }
          const effectiveAt = input.effective_at ?? undefined;
          if (effectiveAt !== undefined && Date.parse(effectiveAt) > now.getTime()) {
            throw invalidField('effective_at', 'must not be in the future');
          }
          const change = { memberId, effectiveAt, reason: input.reason ?? null };
          if (tier !== undefined && (tier !== member.membershipTier || effectiveAt !== undefined)) {
            await insertTierChange(db, scope, member.membershipTier, tier, change);
          }
          if (isActive !== undefined && (isActive !== member.isActive || effectiveAt !== undefined)) {
            await insertActivityChange(db, scope, member.isActive, isActive, change);
          }
          await applyMemberChanges(db, scope, memberId, input.can_recruit);
          if (isActive !== undefined) await insertActivityCount(db, scope, memberId, member.isActive);
          const changed = await lockMember(db, scope, memberId);
          if (!changed) throw new Error('a locked member vanished');
          return changed;
        },
        { guard: context.guard },
      );
    },

    async readStatus({ scope }, memberId) {
      const [row] = await frames.readOnce(scope, memberStatusStatement(scope.tenantId, scope.environment, memberId));
      if (!row) throw new AppError('USER_NOT_FOUND', 'No such member');
      return toMemberStatus(row);
    },

    async readHistory({ scope }, memberId) {
      const entries = await frames.readOnce(scope, historyStatement(scope.tenantId, scope.environment, memberId));
      if (entries.length === 0) throw new AppError('USER_NOT_FOUND', 'No such member');
      return toHistory(memberId, entries);
    },
  };
}

/** parent_id wins over referral_code, so it is the one that was looked for. */
function unknownSponsor(input: Create): AppError {
  return input.parent_id == null
    ? invalidField('referral_code', 'is not an active referral code')
    : invalidField('parent_id', 'is not a member of this tenant and environment');
}

function toHistory(userId: string, entries: readonly HistoryEntry[]): MemberHistoryAnswer {
  const of = <Value>(wanted: HistoryEntry['dimension'], read: (value: string | null) => Value) =>
    entries
      .filter(({ dimension }) => dimension === wanted)
      .map(({ value, validFrom, recordedAt, reason }) => ({ ...read(value), validFrom, recordedAt, reason }));
  return {
    userId,
    tier: of('tier', (value) => ({ membershipTier: value as MembershipTier })),
    activity: of('activity', (value) => ({ isActive: value === 'true' })),
    sponsor: of('sponsor', (value) => ({ sponsorId: value })),
  };
}
