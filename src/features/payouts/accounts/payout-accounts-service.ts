/** Rules of payout accounts. Source: docs/specification/payouts.md#accounts. */
import type { z } from 'zod';
import { actorRef } from '../../../actor.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Db, Scope, WriteDb } from '../../../db/scope.ts';
import type { Cipher } from '../../../encryption.ts';
import { AppError } from '../../../errors.ts';
import type { CallContext, Caller, Origin } from '../../../http/operation.ts';
import type { Cursors, Page } from '../../../http/pagination.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { MemberMail } from '../../mail/mail-service.ts';
import { createFingerprint } from '../methods/bank-details.ts';
import type { NameJudge } from '../names/judge-names.ts';
import { acceptName } from '../names/names-queries.ts';
import type { NameMatch } from '../open/holder-names.ts';
import { tellAccount, tellPrimary } from '../payouts-events.ts';
import type { PaymentSettingsReader } from '../settings/payment-settings.ts';
import {
  deactivateAccount,
  demotePrimary,
  promoteAccount,
  promoteNewestActive,
  renameAccount,
} from './account-changes-queries.ts';
import { openAccount, requireAccount, tellOfAccount } from './open-account.ts';
import type { NewAccountBody, updatePayoutAccount } from './payout-accounts-operations.ts';
import { findAccount, listAccounts, lockPayee, memberExists, type PayoutAccount } from './payout-accounts-queries.ts';

type Patch = z.output<(typeof updatePayoutAccount)['body'] & {}>;

/** To a member, whether others have its bank account too is nothing to be told. */
export type ShownAccount = Omit<PayoutAccount, 'sharedWithOthers' | 'nameVerdict'> & {
  sharedWithOthers: boolean | null;
  nameMatch: NameMatch;
};

export interface CreatedAccount {
  account: ShownAccount;
  /** Whether the request had an input that is deprecated. */
  deprecated: boolean;
}

/** Goes on with an account that is being provisioned, as far as it gets; may be called at any time and twice at once. */
export interface Provisioner {
  provision(scope: Scope, accountId: string): Promise<void>;
}

export interface PayoutAccountsService {
  /**
   * Provisions it with the provider, or goes on doing so when the same details are sent again. USER_NOT_FOUND,
   * STATE_CONFLICT, LIMIT_REACHED, PROFILE_INCOMPLETE, METHOD_NOT_SUPPORTED, CURRENCY_MISMATCH, VALIDATION_ERROR, PROVIDER_CONFIGURATION.
   */
  createAccount(context: CallContext & { origin: Origin }, memberId: string, body: NewAccountBody): Promise<CreatedAccount>;
  /** USER_NOT_FOUND. */
  listAccounts(
    context: CallContext,
    memberId: string,
    page: { limit: number; cursor?: string | undefined },
  ): Promise<Page<ShownAccount>>;
  /** USER_NOT_FOUND, NOT_FOUND. */
  readAccount(context: CallContext, memberId: string, id: string): Promise<ShownAccount>;
  /** USER_NOT_FOUND, NOT_FOUND, STATE_CONFLICT. */
  updateAccount(context: CallContext, memberId: string, id: string, patch: Patch): Promise<ShownAccount>;
  /** USER_NOT_FOUND, NOT_FOUND; STATE_CONFLICT where there is no other name to accept. */
  acceptName(context: CallContext, memberId: string, id: string): Promise<ShownAccount>;
  /** USER_NOT_FOUND, NOT_FOUND. */
  deactivateAccount(context: CallContext, memberId: string, id: string): Promise<ShownAccount>;
}

interface Deps {
  frames: Frames;
  cursors: Cursors;
  cipher: Cipher;
  pepper: Buffer;
  readSettings: PaymentSettingsReader['readSettings'];
  provisioner: Provisioner;
  /** That a member may have. */
  maxAccounts: number;
  names: NameJudge;
  mail: MemberMail;
}

/** After these the account stays as it is, and is taken up again later. */
const NOT_NOW: readonly string[] = ['PROVIDER_UNAVAILABLE', 'SERVICE_UNAVAILABLE'];

export function createPayoutAccountsService({ frames, cursors, pepper, ...deps }: Deps): PayoutAccountsService {
  const { cipher, readSettings, provisioner, maxAccounts, names, mail } = deps;
  const fingerprint = createFingerprint(pepper);

  async function provision(scope: Scope, id: string): Promise<void> {
    try {
      await provisioner.provision(scope, id);
    } catch (error) {
      if (!(error instanceof AppError && NOT_NOW.includes(error.code))) throw error;
    }
  }

  function previewsOf(db: Db, scope: Scope, memberId: string, accounts: readonly PayoutAccount[]): Promise<Previews | undefined> {
    const unjudged = accounts.some(({ nameVerdict }) => nameVerdict === 'unjudged');
    return unjudged ? names.preview(db, scope, memberId) : Promise.resolve(undefined);
  }

  /** Locked, with its name compared. */
  async function lockAccount(db: WriteDb, scope: Scope, memberId: string, id: string): Promise<PayoutAccount> {
    if (!(await lockPayee(db, scope, memberId))) throw unknownMember();
    await names.ofMember(db, scope, memberId);
    return requireAccount(db, scope, memberId, id);
  }

  return {
    async createAccount({ scope, guard, shape, origin }, memberId, body) {
      if (guard) await frames.read(scope, (db) => guard.replay(db));
      const settings = await readSettings(scope);
      const deprecated = body.details != null || body.accountHolderName != null;
      const created = (account: PayoutAccount): CreatedAccount => ({ account: shownTo(scope, account), deprecated });
      const open = (db: WriteDb) =>
        openAccount(db, { cipher, fingerprint, maxAccounts, names, mail }, { scope, memberId, body, origin, settings });
      if (settings.provider === 'manual') return frames.write(scope, async (db) => created(await open(db)), { guard, shape });
      // Committed before the vendor is asked, outside any transaction; a second run finds the row of the first.
      const { id } = await frames.write(scope, open, { repeatable: true });
      await provision(scope, id);
      return frames.write(scope, async (db) => created(await requireAccount(db, scope, memberId, id)), {
        guard,
        shape,
        repeatable: true,
      });
    },

    async listAccounts({ scope }, memberId, { limit, cursor }) {
      const identity = { scope, operationId: 'listPayoutAccounts', filters: { memberId } };
      const beforeId = cursors.open(cursor, identity);
      const [exists, rows, previews] = await frames.read(scope, async (db) => {
        const [found, accounts] = await Promise.all([
          memberExists(db, scope, memberId),
          listAccounts(db, scope, memberId, beforeId, limit + 1),
        ]);
        return [found, accounts, await previewsOf(db, scope, memberId, accounts)] as const;
      });
      if (!exists) throw unknownMember();
      return cursors.page(
        rows.map((row) => shownTo(scope, row, previews)),
        limit,
        identity,
        ({ id }) => id,
      );
    },

    async readAccount({ scope }, memberId, id) {
      const [exists, account, previews] = await frames.read(scope, async (db) => {
        const [found, one] = await Promise.all([memberExists(db, scope, memberId), findAccount(db, scope, memberId, id)]);
        return [found, one, await previewsOf(db, scope, memberId, one ? [one] : [])] as const;
      });
      if (!exists) throw unknownMember();
      if (!account) throw new AppError('NOT_FOUND', 'No such payout account');
      return shownTo(scope, account, previews);
    },

    async updateAccount({ scope, guard, shape }, memberId, id, { isPrimary, displayName }) {
      return frames.write(
        scope,
        async (db) => {
          const account = await lockAccount(db, scope, memberId, id);
          if (account.status === 'deactivated') throw new AppError('STATE_CONFLICT', 'The payout account was deactivated');
          if (isPrimary === false && account.isPrimary) {
            throw new AppError('STATE_CONFLICT', 'Make another payout account the primary one instead');
          }
          if (isPrimary === true && !account.isPrimary) {
            await makePrimary(db, scope, account);
            await tellOfAccount(mail, db, scope, account);
          }
          if (displayName != null && displayName !== account.displayName) {
            await renameAccount(db, scope, id, displayName);
            tellAccount(db, scope.provenance, 'payout_account.updated', account);
            await audit(db, scope, 'updated', id, { fields: ['displayName'] });
          }
          return shownTo(scope, await requireAccount(db, scope, memberId, id));
        },
        { guard, shape },
      );
    },

    acceptName: ({ scope, guard, shape }, memberId, id) =>
      frames.write(
        scope,
        async (db) => {
          const account = await lockAccount(db, scope, memberId, id);
          if (account.nameVerdict === 'accepted') return shownTo(scope, account);
          if (account.nameVerdict !== 'mismatch' || account.status === 'deactivated') {
            throw new AppError('STATE_CONFLICT', 'The payout account is not held under another name');
          }
          await acceptName(db, scope, id, actorRef(scope.provenance.actor));
          tellAccount(db, scope.provenance, 'payout_account.updated', account);
          await audit(db, scope, 'name_accepted', id, { userId: memberId, holderType: account.holderType });
          return shownTo(scope, await requireAccount(db, scope, memberId, id));
        },
        { guard, shape },
      ),

    async deactivateAccount({ scope, guard, shape }, memberId, id) {
      return frames.write(
        scope,
        async (db) => {
          const account = await lockAccount(db, scope, memberId, id);
          if (account.status === 'deactivated') return shownTo(scope, account);
          await deactivateAccount(db, scope, id);
          const successor = account.isPrimary ? await promoteNewestActive(db, scope, memberId) : undefined;
          tellAccount(db, scope.provenance, 'payout_account.deactivated', account);
          if (successor !== undefined) tellPrimary(db, scope.provenance, { id: successor, memberId }, undefined);
          await audit(db, scope, 'deactivated', id, { userId: memberId, primaryNow: successor ?? null });
          return shownTo(scope, await requireAccount(db, scope, memberId, id));
        },
        { guard, shape, repeatable: true },
      );
    },
  };
}

async function makePrimary(db: WriteDb, scope: Caller, account: PayoutAccount): Promise<void> {
  if (account.status === 'rejected') throw new AppError('STATE_CONFLICT', 'The payout account was rejected');
  const before = await demotePrimary(db, scope, account.memberId);
  await promoteAccount(db, scope, account.id);
  tellPrimary(db, scope.provenance, account, before);
  await audit(db, scope, 'made_primary', account.id, { userId: account.memberId, before: before ?? null });
}

function audit(db: WriteDb, scope: Caller, deed: string, id: string, details: Record<string, unknown>): Promise<void> {
  const action = `payout_account.${deed}`;
  return recordAudit(db, scope, { action, by: scope.provenance, objectKind: 'payout_account', objectId: id, details });
}

/** One that is compared by the next draft is shown with what comes of that. */
export function shownTo({ member }: Caller, { nameVerdict, ...account }: PayoutAccount, previews?: Previews): ShownAccount {
  const nameMatch = nameVerdict === 'unjudged' ? (previews?.get(account.id) ?? 'not_compared') : nameVerdict;
  // Whoever accepted a name has accepted the one that it was compared with then.
  const accepted = nameMatch === 'accepted' && !member ? account.nameAcceptedBy : null;
  return { ...account, nameMatch, nameAcceptedBy: accepted, ...(member ? { sharedWithOthers: null } : {}) };
}

type Previews = ReadonlyMap<string, NameMatch>;

function unknownMember(): AppError {
  return new AppError('USER_NOT_FOUND', 'No such member');
}
