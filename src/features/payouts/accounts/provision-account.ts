/**
 * Brings a payout account to the provider in steps that each may be the last before a crash: the claim, the
 * account there, its bank account, its state. Each answer of the provider is noted in a transaction of its own
 * before the next question, and each question is one that has no second effect.
 * Source: docs/specification/payouts.md#provisioning.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { bySystem, byVendor } from '../../../actor.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Scope } from '../../../db/scope.ts';
import type { Cipher } from '../../../encryption.ts';
import { AppError, type FieldFault } from '../../../errors.ts';
import { faultPoint } from '../../../fault-points.ts';
import { levelOf } from '../../../log-level.ts';
import { type ConnectedPerson, isRefusal } from '../../../vendors/payments/payment-vendor.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { ReadIdentity } from '../../profile/open/profile.ts';
import { tellAccount } from '../payouts-events.ts';
import type { PaymentVendors, TenantVendor } from '../settings/payment-vendors.ts';
import { lockProviderAccount } from './account-state-queries.ts';
import { applyAccountState } from './apply-account-state.ts';
import {
  type Claim,
  claimConnectedAccount,
  isAnswered,
  noteConnectedAccount,
  renewClaim,
  stall as stallAndTell,
  versionBehind,
} from './claim-connected-account.ts';
import { toConnectedPerson } from './connected-person.ts';
import {
  endAccountChecks,
  type ProvisioningAccount,
  provisioningStatement,
  saveBankAccount,
  unclaimProviderAccount,
} from './provisioning-queries.ts';

export interface BankSlots {
  accountNumber: string;
  routingNumber: string | null;
  /** Which of the method's fields each was made of. */
  fields: { accountNumber: readonly string[]; routingNumber: readonly string[] };
}

/** The details that the account was opened with, in the provider's two slots. */
export type ToSlots = (
  account: Pick<ProvisioningAccount, 'methodType' | 'country'>,
  details: Readonly<Record<string, string>>,
) => BankSlots;

export interface Provisioner {
  /**
   * Goes on with an account that is being provisioned, as far as it gets; how far is what the account then
   * says. May be called at any time, and twice at once. Whoever waits for it waits for 10 s at most: the rest
   * is done after that.
   */
  provision(scope: Scope, payoutAccountId: string): Promise<void>;
  /** The same to the end. */
  provisionFully(scope: Scope, payoutAccountId: string): Promise<void>;
}

interface Deps {
  frames: Frames;
  cipher: Cipher;
  logger: Logger;
  vendors: PaymentVendors;
  readIdentity: ReadIdentity;
  toSlots: ToSlots;
}

const PATIENCE_MS = 10_000;
/** The vendor's clock may be behind ours, and its metadata says which is ours. */
const SEARCH_MARGIN_MS = 3_600_000;

interface Work {
  scope: Scope;
  account: ProvisioningAccount;
  vendor: TenantVendor;
}

export function createProvisioner(deps: Deps): Provisioner {
  const { frames, cipher, logger, vendors, readIdentity, toSlots } = deps;

  async function provisionFully(scope: Scope, payoutAccountId: string): Promise<void> {
    const [account] = await frames.readOnce(scope, provisioningStatement(scope, payoutAccountId));
    if (!account) return;
    try {
      const work = { scope, account, vendor: await vendors.of(scope) };
      const connectedAccountId = await ensureConnectedAccount(work);
      if (connectedAccountId === undefined) return;
      await ensureBankAccount(work, connectedAccountId);
      await noteState(work, connectedAccountId);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      logger.warn({ ...scope, payoutAccountId, code: error.code, ...error.details }, 'a payout account was not provisioned');
      await stall(scope, account, error);
    }
  }

  /** Undefined: it does not go on now, and the account says why. */
  async function ensureConnectedAccount({ scope, account, vendor }: Work): Promise<string | undefined> {
    if (account.providerAccountId !== null && vendor.knows(account.providerAccountId)) return account.providerAccountId;
    const { memberId, country, tosAcceptance, status } = account;
    // It went through with a provider that is not the tenant's any more.
    if (status !== 'provisioning' && status !== 'action_required') return undefined;
    const identity = await readIdentity(scope, memberId);
    if (!identity || identity.erasedAt) return undefined;
    const person = toConnectedPerson({ scope, memberId, country, identity, tosAcceptance });
    if (Array.isArray(person)) {
      const reason = `The profile lacks or no longer has what the provider needs: ${person.join(', ')}`;
      await frames.write(scope, (db) => stallAndTell(db, scope, account, { status: 'action_required', reason }), {
        repeatable: true,
      });
      return undefined;
    }
    const claimed = await frames.write(scope, (db) => claimConnectedAccount(db, scope, account, person, vendor), {
      repeatable: true,
    });
    if (typeof claimed === 'string') return claimed;
    if (!claimed) return undefined;
    await faultPoint('provision:claimed');
    const id = await makeConnectedAccount({ scope, account, vendor }, claimed, person);
    if (id === undefined) return undefined;
    await faultPoint('provision:account-made');
    const standing = await frames.write(scope, (db) => noteConnectedAccount(db, scope, account, claimed.row, id), {
      repeatable: true,
    });
    if (standing !== id)
      logger.warn({ ...scope, connectedAccountId: id, standing }, 'the payment vendor has two accounts of a member');
    await faultPoint('provision:account-stored');
    return standing;
  }

  /** Undefined: the claim went to another request while the vendor was searched. */
  async function makeConnectedAccount(
    { scope, account, vendor }: Work,
    claim: Claim,
    person: ConnectedPerson,
  ): Promise<string | undefined> {
    const { row, version, unsettledSince } = claim;
    try {
      if (unsettledSince !== null) {
        const since = new Date(unsettledSince.getTime() - SEARCH_MARGIN_MS);
        const made = await vendor.findConnectedAccount({ since, metadata: person.metadata });
        if (made && made.id !== row.providerAccountId) return made.id;
        const isOurs = await frames.write(scope, (db) => renewClaim(db, scope, account, claim), { repeatable: true });
        if (!isOurs) return undefined;
      }
      const key = ['acct', scope.environment, scope.tenantId, row.memberId, row.country, version].join(':');
      return (await vendor.createConnectedAccount(person, key)).id;
    } catch (error) {
      // Otherwise the vendor may still be at it: the claim keeps other requests off until it is over.
      if (isAnswered(error)) {
        await frames.write(scope, (db) => unclaimProviderAccount(db, scope, row.id, version, versionBehind(version)), {
          repeatable: true,
        });
      }
      throw error;
    }
  }

  async function ensureBankAccount({ scope, account, vendor }: Work, connectedAccountId: string): Promise<void> {
    const { id, externalAccountId, bankSealed, attempt } = account;
    if (externalAccountId !== null && vendor.knows(externalAccountId)) return;
    if (!bankSealed) {
      // The provider that had it is not the tenant's any more.
      throw new AppError('VALIDATION_ERROR', 'The bank account must be given again');
    }
    const place = ['payout_account', scope.tenantId, scope.environment, id, 'bank'];
    const details = JSON.parse(cipher.decrypt(bankSealed, place).toString()) as Record<string, string>;
    const bank = {
      ...toSlots(account, details),
      country: account.country,
      currency: account.currency,
      accountHolderName: details['accountHolderName'] ?? '',
      metadata: {
        tenant_id: scope.tenantId,
        environment: scope.environment,
        user_id: account.memberId,
        payout_account_id: id,
        attempt: String(attempt),
      },
    };
    const stored = await vendor.addBankAccount(connectedAccountId, bank, `ba:${id}:${attempt}`);
    await faultPoint('provision:bank-made');
    await frames.write(
      scope,
      async (db) => {
        if (!(await saveBankAccount(db, scope, id, stored))) return;
        tellAccount(db, byVendor('payvendor', 'provision-payout-account'), 'payout_account.updated', account);
      },
      { repeatable: true },
    );
    await faultPoint('provision:bank-stored');
  }

  async function noteState({ scope, account, vendor }: Work, connectedAccountId: string): Promise<void> {
    const connected = await vendor.readConnectedAccount(connectedAccountId);
    if (!connected) throw new AppError('PROVIDER_CONFIGURATION', 'The payment provider does not know the account');
    await frames.write(
      scope,
      async (db) => {
        const row = await lockProviderAccount(db, scope, connectedAccountId);
        if (!row) return;
        const provenance = byVendor('payvendor', 'provision-payout-account');
        await applyAccountState(db, { ...scope, provenance }, row, connected, null);
        await endAccountChecks(db, scope, account.id);
      },
      { repeatable: true },
    );
  }

  async function stall(scope: Scope, account: ProvisioningAccount, error: AppError): Promise<void> {
    const refused: boolean = isRefusal(error);
    const reason = refused ? refusalText(error) : error.message;
    await frames.write(
      scope,
      async (db) => {
        const stalled = await stallAndTell(db, scope, account, { status: refused ? 'rejected' : 'provisioning', reason });
        if (!stalled || !refused) return;
        await recordAudit(db, scope, {
          action: 'payout_account.rejected',
          by: bySystem('provision-payout-account'),
          objectKind: 'payout_account',
          objectId: account.id,
          details: {
            userId: account.memberId,
            from: stalled.from,
            to: 'rejected',
            fields: faultsOf(error).map(({ field }) => field),
          },
        });
      },
      { repeatable: true },
    );
  }

  return {
    provisionFully,
    async provision(scope, payoutAccountId) {
      const done = provisionFully(scope, payoutAccountId);
      done.catch((error: unknown) =>
        logger[levelOf(error)]({ err: error, ...scope, payoutAccountId }, 'a payout account was not provisioned'),
      );
      const patience = new AbortController();
      await Promise.race([done, sleep(PATIENCE_MS, undefined, { signal: patience.signal, ref: false })]).finally(() =>
        patience.abort(),
      );
    },
  };
}

function faultsOf({ details }: AppError): FieldFault[] {
  const fields = details?.['fields'];
  return Array.isArray(fields) ? (fields as FieldFault[]) : [];
}

function refusalText(error: AppError): string {
  const faults = faultsOf(error).map(({ field, message }) => `${field} ${message}`);
  return faults.length === 0 ? error.message : faults.join('; ');
}
