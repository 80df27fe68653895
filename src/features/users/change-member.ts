/** One change of a member: its dated history, its flags, and what is corrected of it. */
import { actorRef } from '../../actor.ts';
import type { Db, Scope, WriteDb } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { Caller } from '../../http/operation.ts';
import type { MembershipTier } from '../../http/schemas.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { type Corrections, correctMember } from './corrections-queries.ts';
import { moveToGroup } from './group-queries.ts';
import { applyMemberChanges, insertActivityChange, insertTierChange, readNow } from './history-queries.ts';
import type { Member } from './open/member.ts';
import { tellChange } from './users-events.ts';
import { insertActivityCount, lockHistoryForChange, lockMember, lockTreeForChange, lockTreeForInsert } from './users-queries.ts';

/** What is undefined stays. */
export interface MemberChange extends Corrections {
  membershipTier?: MembershipTier | undefined;
  isActive?: boolean | undefined;
  /** The key of one that is open, behind `groups.requireOpen`. */
  group?: string | undefined;
  canRecruit?: boolean | undefined;
  /** Of tier, activity and group; undefined means now. */
  effectiveAt?: string | undefined;
  reason?: string | null;
}

export interface LockedMember {
  member: Member;
  now: Date;
}

/** How the tree is locked: a change of can_recruit alone; one of activity so that the upline, which counts it, stays. */
export type TreeLock = 'alone' | 'shared' | 'none';

export interface ChangeLocks {
  tree: TreeLock;
  /** Of a change of tier, activity or group: sales are dated before or behind it. */
  history: boolean;
}

/** The tree, the history, and then the member. USER_NOT_FOUND. */
export async function lockForChange(db: Db, scope: Scope, memberId: string, locks: ChangeLocks): Promise<LockedMember> {
  if (locks.tree === 'alone') await db.rows(lockTreeForChange(scope));
  else if (locks.tree === 'shared') await db.rows(lockTreeForInsert(scope));
  if (locks.history) await db.rows(lockHistoryForChange(scope));
  const [member, now] = await Promise.all([lockMember(db, scope, memberId), readNow(db, scope)]);
  if (!member) throw new AppError('USER_NOT_FOUND', 'No such member');
  return { member, now };
}

/** The names in the API of what can be corrected, as audit entries have them. */
const CORRECTED = {
  email: 'email',
  name: 'name',
  externalId: 'external_id',
  payCurrency: 'pay_currency',
  isTestUser: 'is_test_user',
} as const satisfies Record<keyof Corrections, string>;

/** Of a member that is locked, behind the lock of the tree that the change needs. STATE_CONFLICT once it is erased. */
export async function changeMember(
  db: WriteDb,
  scope: Caller,
  { member, now }: LockedMember,
  change: MemberChange,
): Promise<Member> {
  const { membershipTier: tier, isActive, canRecruit, effectiveAt, group } = change;
  const names = Object.keys(CORRECTED) as (keyof Corrections)[];
  const corrects = names.some((name) => change[name] !== undefined);
  if (member.erasedAt && (isActive === true || canRecruit === true || corrects)) {
    throw new AppError('STATE_CONFLICT', 'The member was erased');
  }
  if (effectiveAt !== undefined && Date.parse(effectiveAt) > now.getTime()) {
    throw invalidField('effective_at', 'must not be in the future');
  }
  const fields: string[] = [];
  const dated = { memberId: member.id, effectiveAt, reason: change.reason ?? null };
  if (tier !== undefined && (tier !== member.membershipTier || effectiveAt !== undefined)) {
    await insertTierChange(db, scope, member.membershipTier, tier, dated);
    fields.push('membership_tier');
  }
  if (isActive !== undefined && (isActive !== member.isActive || effectiveAt !== undefined)) {
    await insertActivityChange(db, scope, member.isActive, isActive, dated);
    fields.push('is_active');
  }
  if (group !== undefined && (group !== member.group || effectiveAt !== undefined)) {
    const { memberId, reason } = dated;
    const createdBy = actorRef(scope.provenance.actor);
    await moveToGroup(db, scope, { memberIds: [memberId], group, effectiveAt: effectiveAt ?? null, reason, createdBy });
    fields.push('group');
  }
  if (canRecruit !== undefined && canRecruit !== member.canRecruit) fields.push('can_recruit');
  if (tier !== undefined || isActive !== undefined || canRecruit !== undefined) {
    await applyMemberChanges(db, scope, member.id, canRecruit);
  }
  if (isActive !== undefined) await insertActivityCount(db, scope, member.id, member.isActive);
  const corrected = names.filter((name) => change[name] !== undefined && change[name] !== member[name]);
  if (corrected.length > 0) {
    await correctMember(db, scope, member.id, Object.fromEntries(corrected.map((name) => [name, change[name]])));
    fields.push(...corrected.map((name) => CORRECTED[name]));
  }
  if (fields.length > 0) {
    tellChange(db, scope.provenance, member.id, fields, isActive ?? member.isActive);
    await recordAudit(db, scope, {
      action: 'member.updated',
      by: scope.provenance,
      objectKind: 'member',
      objectId: member.id,
      details: { fields },
    });
  }
  const changed = await lockMember(db, scope, member.id);
  if (!changed) throw new Error('a locked member vanished');
  return changed;
}
