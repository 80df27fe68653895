/** Erasing a member: nothing of the person is left beside the books. */
import type { Logger } from 'pino';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope, WriteDb } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { OwedSum, Person, Personal } from '../../house/personal.ts';
import type { CallContext } from '../../http/operation.ts';
import { normaliseEmail } from '../../http/schemas.ts';
import { minorSum } from '../../money.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import type { ErasureAnswer } from './erasure-operations.ts';
import { profileErrors } from './open/profile-errors.ts';
import { allowTime, lockBooksStatement } from './personal-queries.ts';
import { profileStatement } from './profile-queries.ts';

/** What the line of the log says, by which an erasure is known outside the database. */
export const ERASED = 'member erased';

export interface ErasureService {
  /**
   * Erases the member's personal data, for good; once erased it changes nothing. USER_NOT_FOUND; MONEY_OWED to a member
   * who is owed something, unless that is acknowledged.
   */
  eraseMember(context: CallContext, memberId: string, request: ErasureRequest): Promise<ErasureAnswer>;
}

export interface ErasureRequest {
  reason: string | null;
  acknowledgeOwed: boolean;
}

interface Deps {
  frames: Frames;
  logger: Logger;
  /** What the features hold. */
  personal: readonly Personal[];
  users: {
    /** Locks the tree and the member; returns the member as it was. */
    retireMember(
      db: WriteDb,
      scope: Scope,
      memberId: string,
      reason: string,
    ): Promise<{ email: string; erasedAt: Date | null; erasureReason: string | null } | undefined>;
    /** Those that are no other member's now. */
    listFormerEmails(db: Db, scope: Scope, memberId: string): Promise<{ email: string; emailNorm: string }[]>;
    /** Of a member that is locked. */
    eraseMember(
      db: Db,
      scope: Scope,
      memberId: string,
      reason: string | null,
    ): Promise<{ email: string; erasedAt: Date; reason: string | null }>;
  };
}

export function createErasureService({ frames, personal, users, logger }: Deps): ErasureService {
  async function erasePerson(
    db: Db,
    scope: Scope,
    person: Person,
    reason: string | null,
  ): Promise<{ email: string; erasedAt: Date; reason: string | null }> {
    const parts = [...personal.flatMap(({ lock = [] }) => lock), ...personal.flatMap(({ erase = [] }) => erase)];
    const statements = parts.map((statement) => statement(scope, person));
    const [erased] = await Promise.all([
      users.eraseMember(db, scope, person.memberId, reason),
      ...statements.map((statement) => db.rows(statement)),
    ]);
    return erased;
  }

  /** Of a member that is locked: behind this nobody can credit it. */
  async function readOwed(db: Db, scope: Scope, person: Person): Promise<OwedSum[]> {
    const statements = personal.flatMap(({ owed }) => (owed ? [owed(scope, person)] : []));
    const [, ...owed] = await Promise.all([
      db.rows(lockBooksStatement(scope, { memberId: person.memberId })),
      ...statements.map((statement) => db.rows(statement)),
    ]);
    return owed.flat();
  }

  function erase(
    { scope, guard, shape }: CallContext,
    memberId: string,
    { reason, acknowledgeOwed }: ErasureRequest,
  ): Promise<ErasureAnswer> {
    return frames.write(
      scope,
      async (db) => {
        const known = await db.row(profileStatement(scope, { memberId }));
        if (!known) throw new AppError('USER_NOT_FOUND', 'No such member');
        let person = personOf(memberId, known.email, await users.listFormerEmails(db, scope, memberId));
        if (!known.erasedAt) {
          await allowTime(db);
          for (const { eraseSales } of personal) person = { ...person, ...(await eraseSales?.(db, scope, person)) };
          for (const { eraseBefore } of personal) await eraseBefore?.(db, scope, person);
        }
        const member = await users.retireMember(db, scope, memberId, 'Erased');
        if (!member) throw new Error('a member vanished');
        if (member.erasedAt) {
          return { userId: memberId, email: member.email, erasedAt: member.erasedAt, reason: member.erasureReason };
        }
        if (member.email !== person.email) throw new EmailChanged();
        const owed = (await readOwed(db, scope, person)).map(owedBody);
        if (owed.length > 0 && !acknowledgeOwed) {
          throw new AppError(profileErrors.MONEY_OWED, 'The member is owed money', { details: { owed } });
        }
        const erased = await erasePerson(db, scope, person, reason);
        tell(db, scope.provenance, 'member.erased', memberId);
        for (const hook of personal) await hook.erased?.(db, scope, person);
        await recordAudit(db, scope, {
          action: 'member.erased',
          by: scope.provenance,
          objectKind: 'member',
          objectId: memberId,
          ...(owed.length > 0 && { details: { owed } }),
        });
        return { userId: memberId, ...erased };
      },
      // A second run finds the member erased.
      { guard, shape, repeatable: true },
    );
  }

  return {
    async eraseMember(context, memberId, request) {
      for (let run = 1; ; run++) {
        try {
          const answer = await erase(context, memberId, request);
          const { tenantId, environment } = context.scope;
          // Kept outside the database: after a restore it tells whom to erase again.
          logger.info({ tenantId, environment, memberId }, ERASED);
          return answer;
        } catch (error) {
          if (!(error instanceof EmailChanged)) throw error;
          if (run === MAX_RUNS) {
            const message = 'The email of the member is being changed; try again';
            throw new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 1, cause: error });
          }
        }
      }
    },
  };
}

/** The member got another email before it was locked: what went by the former one is undone, and it begins anew. */
class EmailChanged extends Error {}

const MAX_RUNS = 5;

function owedBody({ currency, status, amountMinor }: OwedSum): Record<string, unknown> {
  return { currency, status, ...minorSum('amountMinor', amountMinor) };
}

function personOf(memberId: string, email: string, former: readonly { email: string; emailNorm: string }[]): Person {
  const emailNorm = normaliseEmail(email);
  return {
    memberId,
    email,
    emailNorm,
    emails: [email, ...former.map((one) => one.email)],
    emailsNorm: [emailNorm, ...former.map((one) => one.emailNorm)],
    purchaseIds: [],
    saleIds: [],
    customerExternalIds: [],
  };
}
