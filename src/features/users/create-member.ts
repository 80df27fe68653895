/** Making members, by a request of its own or within a transaction that goes on. Source: docs/specification/hierarchy.md#create-member. */
import { violates } from '../../db/constraints.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope, WriteDb } from '../../db/scope.ts';
import { invalidField } from '../../errors.ts';
import { faultPoint } from '../../fault-points.ts';
import type { ActingContext } from '../../http/operation.ts';
import { foldName, normaliseEmail } from '../../http/schemas.ts';
import type { GroupsOffers } from '../groups/groups-feature.ts';
import { DEFAULT_GROUP } from '../groups/open/group-key.ts';
import type { ClickIds } from '../referrals/open/click-ids.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import { refusalOf, sponsorChoiceOf } from './choose-sponsor.ts';
import { createHeardScopes } from './heard-scopes.ts';
import { readNow } from './history-queries.ts';
import { type InsertedMember, insertMember, insertUnheardMember, type NewMember } from './insert-member-queries.ts';
import type { NamingHolder } from './name-holder.ts';
import type { Member } from './open/member.ts';
import type { NewMemberInput } from './open/new-member.ts';
import { drawReferralCode, withFreshCode } from './open/referral-code.ts';
import { askedBy, type SignUp } from './open/sign-up.ts';
import { memberByCode, toMember } from './users-queries.ts';

export interface CreatingMembers {
  createMember(context: ActingContext, input: NewMemberInput): Promise<Member>;
  insertMember(db: WriteDb, scope: Scope, input: NewMemberInput, signUp: SignUp): Promise<Member>;
}

interface Deps {
  frames: Frames;
  clickIds: ClickIds;
  groups: GroupsOffers;
  namingHolder: NamingHolder;
}

/** What a creation that was committed behind a lost answer meets when it is run again. */
const MET_AGAIN = ['member_email_key', 'member_external_id_key', 'referral_code_code_key'];

export function createCreatingMembers({ frames, clickIds, groups, namingHolder }: Deps): CreatingMembers {
  const heardScopes = createHeardScopes();

  /** The member's row, once what is said of it was found to be possible. */
  async function prepare(
    db: Db,
    scope: Scope,
    input: NewMemberInput,
    { signUp, referralCode = drawReferralCode() }: { signUp: SignUp; referralCode?: string },
  ): Promise<NewMember> {
    const group = input.group ?? DEFAULT_GROUP;
    if (group !== DEFAULT_GROUP) await groups.requireOpen(db, scope, group, 'group');
    if (input.joined_at != null) await refuseJoinedAhead(db, scope, input.joined_at);
    return {
      ...sponsorChoiceOf(clickIds, scope, input, signUp),
      email: input.email,
      emailNorm: normaliseEmail(input.email),
      emailVerified: signUp.emailVerified,
      name: input.name ?? null,
      externalId: input.external_id ?? null,
      membershipTier: input.membership_tier ?? 'ORDINARY',
      isActive: input.is_active ?? true,
      canRecruit: input.can_recruit ?? true,
      isTestUser: input.is_test_user ?? false,
      group,
      joinedAt: input.joined_at ?? null,
      payCurrency: input.pay_currency ?? null,
      referralCode,
      nameNorm: input.name == null ? null : foldName(input.name),
      actor: signUp.actor,
    };
  }

  async function insert(
    db: WriteDb,
    scope: Scope,
    input: NewMemberInput,
    signUp: SignUp,
    { underGuard = false } = {},
  ): Promise<Member> {
    const prepared = await prepare(db, scope, input, { signUp });
    db.listen();
    const inserted = await insertMember(db, scope, prepared, { underGuard });
    await faultPoint('member:written');
    const { member, convertedLeadId } = madeOf(inserted);
    const by = { actor: signUp.actor ?? { kind: 'member' as const, id: member.id } };
    tell(db, by, 'member.created', member.id);
    if (convertedLeadId !== null) tell(db, by, 'lead.converted', convertedLeadId);
    return member;
  }

  /**
   * A transaction that ends in its insert: one group of messages. Undefined where somebody would hear of the member. When
   * the answer was lost it is run again with the same code, by which it knows what it has made before.
   */
  async function createUnheard({ scope }: ActingContext, input: NewMemberInput): Promise<Member | undefined> {
    const signUp = askedBy(scope.provenance.actor);
    const referralCode = drawReferralCode();
    let runs = 0;
    try {
      return await frames.write(
        scope,
        async (db) => {
          runs += 1;
          const inserted = await insertUnheardMember(db, scope, await prepare(db, scope, input, { signUp, referralCode }));
          await faultPoint('member:written');
          return inserted && madeOf(inserted).member;
        },
        { repeatable: true, plans: 'kept' },
      );
    } catch (error) {
      if (runs === 1 || !MET_AGAIN.some((constraint) => violates(error, constraint))) throw error;
      const made = await frames.readOnce(scope, memberByCode(scope, { emailNorm: normaliseEmail(input.email), referralCode }));
      if (!made[0]) throw error;
      return toMember(made[0]);
    }
  }

  async function createOnce(context: ActingContext, input: NewMemberInput): Promise<Member> {
    const { scope, guard, shape } = context;
    if (!guard && !heardScopes.has(scope)) {
      const member = await createUnheard(context, input);
      if (member) return member;
      heardScopes.note(scope);
    }
    // A group and a time are looked at ahead of the insert: that may wait, and a repeat must not.
    const isPlain = (input.group ?? DEFAULT_GROUP) === DEFAULT_GROUP && input.joined_at == null;
    const underGuard = guard !== undefined && isPlain;
    const write = (db: WriteDb) => insert(db, scope, input, askedBy(scope.provenance.actor), { underGuard });
    return frames.write(scope, write, { guard, shape, heedsGuard: underGuard, plans: 'kept' });
  }

  return {
    createMember: (context, input) =>
      namingHolder(context.scope, { email: input.email, externalId: input.external_id }, () =>
        withFreshCode(() => createOnce(context, input)),
      ),
    insertMember: (db, scope, input, signUp) => insert(db, scope, input, signUp),
  };
}

function madeOf(inserted: InsertedMember): Exclude<InsertedMember, { source: string }> {
  if ('source' in inserted) throw refusalOf(inserted);
  return inserted;
}

/** 400 for a time that has not come. */
async function refuseJoinedAhead(db: Db, scope: Scope, joinedAt: string): Promise<void> {
  if (Date.parse(joinedAt) > (await readNow(db, scope)).getTime()) throw invalidField('joined_at', 'must not be in the future');
}
