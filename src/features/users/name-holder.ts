/** Who has the email or the external id that somebody else asks for. */
import { violates } from '../../db/constraints.ts';
import type { Frames } from '../../db/frame.ts';
import type { Scope } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import { normaliseEmail } from '../../http/schemas.ts';
import { findMemberByExternalId } from './corrections-queries.ts';
import { usersErrors } from './open/users-errors.ts';
import { findMemberByEmail } from './person-queries.ts';

/** As they were asked for, by the time that the write is refused. */
export interface Asked {
  email?: string | undefined;
  externalId?: string | null | undefined;
}

export type NamingHolder = <Result>(scope: Scope, asked: Asked, write: () => Promise<Result>) => Promise<Result>;

const MAX_RUNS = 3;

/**
 * Runs a write, and names in `details.existing_id` who has the email or the external id where it is taken. Only for
 * operations that are a key's alone: members do not learn who is a member. The holder is looked for behind the refusal;
 * where it has given the value up by then, the write runs again.
 */
export function createNamingHolder(frames: Frames): NamingHolder {
  return async (scope, asked, write) => {
    for (let run = 1; ; run++) {
      try {
        return await write();
      } catch (error) {
        const isEmail = violates(error, 'member_email_key');
        if (!isEmail && !violates(error, 'member_external_id_key')) throw error;
        const { email, externalId } = asked;
        const holder = await frames.read(scope, async (db) => {
          if (isEmail) return email === undefined ? undefined : findMemberByEmail(db, scope, normaliseEmail(email));
          return externalId == null ? undefined : findMemberByExternalId(db, scope, externalId);
        });
        if (holder === undefined && run < MAX_RUNS) continue;
        throw new AppError(
          isEmail ? usersErrors.EMAIL_EXISTS : usersErrors.EXTERNAL_ID_EXISTS,
          `A member with this ${isEmail ? 'email' : 'external_id'} already exists`,
          { ...(holder && { details: { existing_id: holder.id } }), cause: error },
        );
      }
    }
  };
}
