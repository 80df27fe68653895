/** Rules of payout accounts. Source: docs/specification/payouts.md#accounts. */
import type { z } from 'zod';
import type { Frames } from '../../../db/frame.ts';
import type { Scope, WriteDb } from '../../../db/scope.ts';
import type { Cipher } from '../../../encryption.ts';
import { AppError } from '../../../errors.ts';
import type { CallContext, Caller, Origin } from '../../../http/operation.ts';
import type { Cursors, Page } from '../../../http/pagination.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { createFingerprint } from '../methods/bank-details.ts';
import type { PaymentSettingsReader } from '../settings/payment-settings.ts';
import {
  deactivateAccount,
  demotePrimary,
  promoteAccount,
  promoteNewestActive,
  renameAccount,
} from './account-changes-queries.ts';
import { openAccount, requireAccount } from './open-account.ts';
import type { NewAccountBody, updatePayoutAccount } from './payout-accounts-operations.ts';
import { findAccount, listAccounts, lockPayee, memberExists, type PayoutAccount } from './payout-accounts-queries.ts';

type Patch = z.output<(typeof updatePayoutAccount)['body'] & {}>;

/** To a member, whether others have its bank account too is nothing to be told. */
export type ShownAccount = Omit<PayoutAccount, 'sharedWithOthers'> & { sharedWithOthers: boolean | null };

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
}

/** After these the account stays as it is, and is taken up again later. */
const NOT_NOW: readonly string[] = ['PROVIDER_UNAVAILABLE', 'SERVICE_UNAVAILABLE'];

export function createPayoutAccountsService({ frames, cursors, pepper, ...deps }: Deps): PayoutAccountsService {
  const { cipher, readSettings, provisioner, maxAccounts } = deps;
  const fingerprint = createFingerprint(pepper);

  async function provision(scope: Scope, id: string): Promise<void> {
    try {
      await provisioner.provision(scope, id);
    } catch (error) {
      if (!(error instanceof AppError && NOT_NOW.includes(error.code))) throw error;
    }
  }

  return {
    async createAccount({ scope, guard, shape, origin }, memberId, body) {
      if (guard) await frames.read(scope, (db) => guard.replay(db));
      const settings = await readSettings(scope);
      const deprecated = body.details != null || body.accountHolderName != null;
      const created = (account: PayoutAccount): CreatedAccount => ({ account: shownTo(scope, account), deprecated });
      const open = (db: WriteDb) =>
        openAccount(db, { cipher, fingerprint, maxAccounts }, { scope, memberId, body, origin, settings });
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
      const [exists, rows] = await frames.read(scope, (db) =>
        Promise.all([memberExists(db, scope, memberId), listAccounts(db, scope, memberId, beforeId, limit + 1)]),
      );
      if (!exists) throw unknownMember();
      return cursors.page(
        rows.map((row) => shownTo(scope, row)),
        limit,
        identity,
        ({ id }) => id,
      );
    },

    async readAccount({ scope }, memberId, id) {
      const [exists, account] = await frames.read(scope, (db) =>
        Promise.all([memberExists(db, scope, memberId), findAccount(db, scope, memberId, id)]),
      );
      if (!exists) throw unknownMember();
      if (!account) throw new AppError('NOT_FOUND', 'No such payout account');
      return shownTo(scope, account);
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
          if (isPrimary === true && !account.isPrimary) await makePrimary(db, scope, account);
          if (displayName != null && displayName !== account.displayName) {
            await renameAccount(db, scope, id, displayName);
            await audit(db, scope, 'updated', id, { fields: ['displayName'] });
          }
          return shownTo(scope, await requireAccount(db, scope, memberId, id));
        },
        { guard, shape },
      );
    },

    async deactivateAccount({ scope, guard, shape }, memberId, id) {
      return frames.write(
        scope,
        async (db) => {
          const account = await lockAccount(db, scope, memberId, id);
          if (account.status === 'deactivated') return shownTo(scope, account);
          await deactivateAccount(db, scope, id);
          const successor = account.isPrimary ? await promoteNewestActive(db, scope, memberId) : undefined;
          await audit(db, scope, 'deactivated', id, { userId: memberId, primaryNow: successor ?? null });
          return shownTo(scope, await requireAccount(db, scope, memberId, id));
        },
        { guard, shape, repeatable: true },
      );
    },
  };
}

async function lockAccount(db: WriteDb, scope: Scope, memberId: string, id: string): Promise<PayoutAccount> {
  if (!(await lockPayee(db, scope, memberId))) throw unknownMember();
  return requireAccount(db, scope, memberId, id);
}

async function makePrimary(db: WriteDb, scope: Caller, account: PayoutAccount): Promise<void> {
  if (account.status === 'rejected') throw new AppError('STATE_CONFLICT', 'The payout account was rejected');
  const before = await demotePrimary(db, scope, account.memberId);
  await promoteAccount(db, scope, account.id);
  await audit(db, scope, 'made_primary', account.id, { userId: account.memberId, before: before ?? null });
}

function audit(db: WriteDb, scope: Caller, deed: string, id: string, details: Record<string, unknown>): Promise<void> {
  const action = `payout_account.${deed}`;
  return recordAudit(db, scope, { action, by: scope.provenance, objectKind: 'payout_account', objectId: id, details });
}

function shownTo({ member }: Caller, account: PayoutAccount): ShownAccount {
  return member ? { ...account, sharedWithOthers: null } : account;
}

function unknownMember(): AppError {
  return new AppError('USER_NOT_FOUND', 'No such member');
}
