/** Rules of changing members, by their id and by the id that the tenant knows them by: docs/specification/hierarchy.md#changes. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { WriteDb } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { CallContext, Caller } from '../../http/operation.ts';
import { normaliseEmail } from '../../http/schemas.ts';
import type { GroupsOffers } from '../groups/groups-feature.ts';
import type { MemberMail } from '../mail/mail-service.ts';
import { changeMember, type LockedMember, lockForChange, type MemberChange, type TreeLock } from './change-member.ts';
import { findMemberByExternalId } from './corrections-queries.ts';
import type { NamingHolder } from './name-holder.ts';
import type { Member } from './open/member.ts';
import { withFreshCode } from './open/referral-code.ts';
import { askedBy } from './open/sign-up.ts';
import type { putUser, updateUser } from './users-operations.ts';
import type { UsersService } from './users-service.ts';

type Update = z.output<(typeof updateUser)['body'] & {}>;
type Put = z.output<(typeof putUser)['body'] & {}>;

export interface PutMember {
  member: Member;
  created: boolean;
}

export interface ChangesService {
  /**
   * Changes tier, activity and group, with dated history, can_recruit, and corrects the rest, which leaves an audit entry.
   * USER_NOT_FOUND; EMAIL_EXISTS, EXTERNAL_ID_EXISTS; STATE_CONFLICT to bring back or correct one that is erased.
   */
  updateMember(context: CallContext, memberId: string, input: Update): Promise<Member>;
  /**
   * Creates the member with this external id, or changes of it what is sent. EMAIL_EXISTS; RECRUITING_DISABLED; 400
   * without an email where there is no such member.
   */
  putMember(context: CallContext, externalId: string, input: Put): Promise<PutMember>;
}

interface Parts {
  frames: Frames;
  users: Pick<UsersService, 'insertMember'>;
  namingHolder: NamingHolder;
  mail: MemberMail;
  groups: GroupsOffers;
}

/** Somebody else was quicker: what was read of the member no longer holds. */
class Overtaken extends Error {}

const MAX_RUNS = 5;

export function createChangesService({ frames, users, namingHolder, mail, groups }: Parts): ChangesService {
  /** Of a new address the former one is told too: whoever took the account over has the new one. */
  async function changeAndTell(db: WriteDb, scope: Caller, locked: LockedMember, change: MemberChange): Promise<Member> {
    const { email: before, group } = locked.member;
    if (change.group !== undefined && change.group !== group) await groups.requireOpen(db, scope, change.group, 'group');
    const changed = await changeMember(db, scope, locked, change);
    if (normaliseEmail(changed.email) !== normaliseEmail(before)) {
      await mail.toMember(db, scope, { kind: 'email_changed', values: {}, memberId: changed.id, alsoTo: before });
    }
    return changed;
  }

  async function putOnce(context: CallContext, externalId: string, input: Put, locksAlone: boolean): Promise<PutMember> {
    const { scope } = context;
    return frames.write(
      scope,
      async (db) => {
        const known = await findMemberByExternalId(db, scope, externalId);
        if (!known) {
          const { email } = input;
          if (email === undefined) throw invalidField('email', 'must be sent to create a member');
          const member = await users.insertMember(
            db,
            scope,
            { ...input, email, external_id: externalId },
            askedBy(scope.provenance.actor),
          );
          return { member, created: true };
        }
        const { member, now } = await lockForChange(db, scope, known.id, {
          tree: locksAlone ? 'alone' : 'shared',
          history: isDated(input),
        });
        if (member.externalId !== externalId) throw new Overtaken();
        const change = differences(member, input);
        if (change.canRecruit !== undefined && !locksAlone) throw new Overtaken();
        if (Object.keys(change).length === 0) return { member, created: false };
        return { member: await changeAndTell(db, scope, { member, now }, change), created: false };
      },
      { guard: context.guard, shape: context.shape },
    );
  }

  /** Whether a creation lost a race for its external id, by that or by its email: run again, it changes the member that won. */
  async function isThereNow({ scope }: CallContext, externalId: string, error: unknown): Promise<boolean> {
    const holder = error instanceof AppError ? error.details?.['existing_id'] : undefined;
    if (holder === undefined) return false;
    const found = await frames.read(scope, (db) => findMemberByExternalId(db, scope, externalId));
    return found?.id === holder;
  }

  return {
    updateMember: ({ scope, guard, shape }, memberId, input) =>
      namingHolder(scope, { email: input.email, externalId: input.external_id }, () =>
        frames.write(
          scope,
          async (db) => {
            const locked = await lockForChange(db, scope, memberId, { tree: treeLockOf(input), history: isDated(input) });
            return changeAndTell(db, scope, locked, {
              membershipTier: input.membership_tier,
              isActive: input.is_active,
              group: input.group,
              canRecruit: input.can_recruit,
              effectiveAt: input.effective_at ?? undefined,
              reason: input.reason ?? null,
              email: input.email,
              name: input.name,
              externalId: input.external_id,
              payCurrency: input.pay_currency,
              isTestUser: input.is_test_user,
            });
          },
          { guard, shape },
        ),
      ),

    async putMember(context, externalId, input) {
      if (input.external_id != null && input.external_id !== externalId) {
        throw invalidField('external_id', 'must be the one of the path');
      }
      for (let run = 1, locksAlone = false; ; run++) {
        try {
          return await namingHolder(context.scope, { email: input.email, externalId }, () =>
            withFreshCode(() => putOnce(context, externalId, input, locksAlone)),
          );
        } catch (error) {
          if (error instanceof Overtaken) locksAlone ||= input.can_recruit != null;
          else if (!(await isThereNow(context, externalId, error))) throw error;
          if (run === MAX_RUNS) {
            const message = 'The member is being changed by others; try again';
            throw new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 1, cause: error });
          }
        }
      }
    },
  };
}

function isDated({ membership_tier: tier, is_active: isActive, group }: Update | Put): boolean {
  return tier != null || isActive != null || group != null;
}

function treeLockOf({ can_recruit: canRecruit, is_active: isActive }: Update): TreeLock {
  if (canRecruit !== undefined) return 'alone';
  return isActive === undefined ? 'none' : 'shared';
}

/** What of a member is to become other than it is. Null is the default of a creation, and leaves a member as it is, save for its name. */
function differences(member: Member, input: Put): MemberChange {
  const wanted = {
    email: input.email,
    name: input.name,
    payCurrency: input.pay_currency ?? undefined,
    isTestUser: input.is_test_user ?? undefined,
    membershipTier: input.membership_tier ?? undefined,
    isActive: input.is_active ?? undefined,
    group: input.group ?? undefined,
    canRecruit: input.can_recruit ?? undefined,
  } satisfies MemberChange;
  const names = Object.keys(wanted) as (keyof typeof wanted)[];
  return Object.fromEntries(
    names.filter((name) => wanted[name] !== undefined && wanted[name] !== member[name]).map((name) => [name, wanted[name]]),
  );
}
