/** Identities that the tenant links itself. Source: docs/specification/identity.md#linked-by-the-tenant. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { Db } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { CallContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { linkIdentity, listIdentities } from './identities-operations.ts';
import { insertIdentity } from './identities-queries.ts';
import {
  deleteIdentity,
  findIdentityOf,
  holdProviderCalled,
  listIdentitiesOf,
  lockMember,
  type MemberIdentity,
  memberExists,
  readIdentity,
  revokeFamiliesBy,
} from './linked-identities-queries.ts';
import { lockProvider } from './providers-queries.ts';

type Link = z.output<(typeof linkIdentity)['body'] & {}>;
type List = z.output<(typeof listIdentities)['query'] & {}>;

export interface IdentitiesService {
  /**
   * USER_NOT_FOUND, VALIDATION_ERROR for an unknown provider; STATE_CONFLICT when the subject is another member's, the
   * member has another one there, or is erased. `linked` is false of what was linked already.
   */
  link(context: CallContext, memberId: string, input: Link): Promise<{ identity: MemberIdentity; linked: boolean }>;
  /** USER_NOT_FOUND. */
  list(context: CallContext, memberId: string, query: List): Promise<Page<MemberIdentity>>;
  /** Ends the sessions that came of it too. Returns the id. NOT_FOUND. */
  unlink(context: CallContext, memberId: string, identityId: string): Promise<string>;
}

export function createIdentitiesService({ frames, cursors }: { frames: Frames; cursors: Cursors }): IdentitiesService {
  return {
    link: (context, memberId, { providerId, subject }) =>
      frames.write(
        context.scope,
        async (db) => {
          const { scope } = context;
          const authProviderId = await holdProviderCalled(db, scope, providerId);
          // Against an erasure, which would miss what is linked beside it.
          const member = await lockMember(db, scope, memberId);
          if (!member) throw unknownMember();
          if (authProviderId === undefined) throw invalidField('providerId', 'is not an auth provider of this environment');
          if (member.erased) throw new AppError('STATE_CONFLICT', 'The member was erased');
          const known = await readIdentity(db, scope, authProviderId, subject);
          if (known?.memberId === memberId) return { identity: known, linked: false };
          if (known) throw new AppError('STATE_CONFLICT', SUBJECT_TAKEN);
          await insertIdentity(db, scope, { providerId: authProviderId, subject, memberId });
          const identity = await readIdentity(db, scope, authProviderId, subject);
          if (!identity) throw new Error('a linked identity vanished');
          await audit(db, context, 'linked', identity);
          return { identity, linked: true };
        },
        { guard: context.guard, shape: context.shape },
      ),

    async list({ scope }, memberId, { limit, cursor }) {
      const identity = { scope, operationId: 'listIdentities', filters: { memberId } };
      const afterId = cursors.open(cursor, identity);
      return frames.read(scope, async (db) => {
        const [found, rows] = await Promise.all([
          memberExists(db, scope, memberId),
          listIdentitiesOf(db, scope, memberId, afterId, limit + 1),
        ]);
        if (!found) throw unknownMember();
        return cursors.page(rows, limit, identity, ({ id }) => id);
      });
    },

    unlink: (context, memberId, identityId) =>
      frames.write(
        context.scope,
        async (db) => {
          const { scope } = context;
          const found = await findIdentityOf(db, scope, memberId, identityId);
          if (!found) throw unknownIdentity();
          // An exchange that has found the identity holds the provider until its session is there to be ended.
          await lockProvider(db, scope, found.authProviderId);
          const [gone] = await Promise.all([
            deleteIdentity(db, scope, identityId),
            revokeFamiliesBy(db, scope, memberId, found.authProviderId),
          ]);
          if (!gone) throw unknownIdentity();
          await audit(db, context, 'unlinked', found);
          return identityId;
        },
        { guard: context.guard, shape: context.shape },
      ),
  };
}

export const SUBJECT_TAKEN = 'The provider has linked this subject to another member';

function audit(
  db: Db,
  { scope }: CallContext,
  deed: 'linked' | 'unlinked',
  { id, memberId, authProviderId }: Pick<MemberIdentity, 'id' | 'memberId' | 'authProviderId'>,
): Promise<void> {
  return recordAudit(db, scope, {
    action: `member_identity.${deed}`,
    by: scope.provenance,
    objectKind: 'member',
    objectId: memberId,
    details: { identityId: id, authProviderId },
  });
}

function unknownMember(): AppError {
  return new AppError('USER_NOT_FOUND', 'No such member');
}

function unknownIdentity(): AppError {
  return new AppError('NOT_FOUND', 'The member has no such identity');
}
