/** Rules of members: sponsorship, uniqueness, dated changes. */
import type { z } from 'zod';
import type { ActingScope } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope, WriteDb } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { ActingContext, RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { foldName, type MembershipTier, normaliseEmail } from '../../http/schemas.ts';
import type { GroupsOffers } from '../groups/groups-feature.ts';
import { DEFAULT_GROUP } from '../groups/open/group-key.ts';
import type { ClickIds } from '../referrals/open/click-ids.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import { type BulkOptions, type MemberRows, openMemberRows } from './bulk-members.ts';
import { listFormerEmails } from './corrections-queries.ts';
import { createCreatingMembers } from './create-member.ts';
import type { MemberHistoryAnswer } from './history-operations.ts';
import { type HistoryEntry, historyStatement } from './history-queries.ts';
import { type Asked, createNamingHolder, type NamingHolder } from './name-holder.ts';
import type { Member, MemberStanding } from './open/member.ts';
import type { NewMemberInput } from './open/new-member.ts';
import type { SignUp } from './open/sign-up.ts';
import {
  type EmailHolder,
  findMemberByEmail,
  hasExternalId,
  type MemberNames,
  updateNames,
  verifyEmail,
} from './person-queries.ts';
import { eraseMember } from './personal-queries.ts';
import { retireMember } from './retire-member.ts';
import { listMembers } from './users-list-queries.ts';
import type { listUsers } from './users-operations.ts';
import { type MemberStatus, memberStatement, memberStatusStatement, toMember, toMemberStatus } from './users-queries.ts';

type List = z.output<(typeof listUsers)['query'] & {}>;

export type { Asked, EmailHolder };

export interface UsersService {
  /** Creates a member under its sponsor. EMAIL_EXISTS, EXTERNAL_ID_EXISTS, RECRUITING_DISABLED. */
  createMember(context: ActingContext, input: NewMemberInput): Promise<Member>;
  /** The same within a transaction, which goes on; a constraint's error, a code drawn twice among them, is the caller's (withFreshCode). */
  insertMember(db: WriteDb, scope: Scope, input: NewMemberInput, signUp: SignUp): Promise<Member>;
  /** For many at once, rows of a file, within a transaction. */
  openRows(db: WriteDb, scope: ActingScope, options: BulkOptions): MemberRows;
  /** The member with this email, whatever its case. */
  findByEmail(db: Db, scope: Scope, email: string): Promise<EmailHolder | undefined>;
  /** The member's address counts as verified from now on, if it is this one. */
  verifyEmail(db: Db, scope: Scope, memberId: string, email: string): Promise<void>;
  isExternalIdTaken(db: Db, scope: Scope, externalId: string): Promise<boolean>;
  /** Sets the names that are given as a sign-in does: none that was set in the profile or verified, those of the profile only where there is one. */
  renameMember(db: WriteDb, scope: Scope, memberId: string, names: MemberNames): Promise<void>;
  listMembers(context: RequestContext, query: List): Promise<Page<Member>>;
  /** USER_NOT_FOUND. */
  readMember(context: RequestContext, memberId: string): Promise<Member>;
  /** Runs a write that makes or changes a member, and names who has its email or external id already. For keys only. */
  namingHolder: NamingHolder;
  /** Emails that a member had and that are no other member's now. */
  listFormerEmails: typeof listFormerEmails;
  /** A member's state and the fold of its postings. USER_NOT_FOUND. */
  readStatus(context: RequestContext, memberId: string): Promise<MemberStatus>;
  /** A member's tiers, activity and sponsors over time. USER_NOT_FOUND. */
  readHistory(context: RequestContext, memberId: string): Promise<MemberHistoryAnswer>;
  /** The end of a member's part in the business, within a transaction; locks the tree and the member (retire-member.ts). */
  retireMember: typeof retireMember;
  /** Takes the person out of a member's row, which is locked. */
  eraseMember: typeof eraseMember;
}

interface Deps {
  frames: Frames;
  cursors: Cursors;
  clickIds: ClickIds;
  groups: GroupsOffers;
}

export function createUsersService({ frames, cursors, clickIds, groups }: Deps): UsersService {
  const namingHolder = createNamingHolder(frames);
  const { createMember, insertMember } = createCreatingMembers({ frames, clickIds, groups, namingHolder });

  return {
    createMember,
    insertMember,
    openRows: (db, scope, options) => openMemberRows(db, scope, options, groups),
    namingHolder,
    listFormerEmails,
    findByEmail: (db, scope, email) => findMemberByEmail(db, scope, normaliseEmail(email)),
    verifyEmail: (db, scope, memberId, email) => verifyEmail(db, scope, memberId, normaliseEmail(email)),
    isExternalIdTaken: hasExternalId,
    retireMember,
    eraseMember,
    async renameMember(db, scope, memberId, names) {
      const nameNorm = names.name === null ? null : foldName(names.name);
      const renamed = await updateNames(db, scope, memberId, { ...names, nameNorm });
      if (renamed) tell(db, { actor: { kind: 'member', id: memberId } }, 'member.updated', memberId);
    },

    async listMembers({ scope }, { limit, cursor, ...query }) {
      const filters = {
        emailNorm: query.email === undefined ? undefined : normaliseEmail(query.email),
        tier: query.tier,
        group: query.group,
        standing: query.standing,
        isActive: query.is_active,
        parentId: query.parent_id,
        externalId: query.external_id,
        ids: query.ids,
        isTestUser: query.is_test_user,
        createdFrom: query.created_from,
        createdTo: query.created_to,
      };
      const list = { scope, operationId: 'listUsers', filters };
      const afterId = cursors.open(cursor, list);
      const rows = await frames.read(scope, (db) => listMembers(db, scope, filters, afterId, limit + 1));
      return cursors.page(rows, limit, list, (member) => member.id);
    },

    async readMember({ scope }, memberId) {
      const [row] = await frames.readOnce(scope, memberStatement(scope, { id: memberId }));
      if (!row) throw new AppError('USER_NOT_FOUND', 'No such member');
      return toMember(row);
    },

    async readStatus({ scope }, memberId) {
      const [row] = await frames.readOnce(scope, memberStatusStatement(scope, { memberId }));
      if (!row) throw new AppError('USER_NOT_FOUND', 'No such member');
      return toMemberStatus(row);
    },

    async readHistory({ scope }, memberId) {
      const entries = await frames.readOnce(scope, historyStatement(scope, { memberId }));
      if (entries.length === 0) throw new AppError('USER_NOT_FOUND', 'No such member');
      return toHistory(memberId, entries);
    },
  };
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
    group: of('group', (value) => ({ group: value ?? DEFAULT_GROUP })),
    standing: of('standing', (value) => ({ standing: value as MemberStanding })),
  };
}
