/** Who may ask the provider for a member's account, and by which key: one asker a request, one account a member and country. */

import { createHash } from 'node:crypto';
import { bySystem } from '../../../actor.ts';
import type { Scope, WriteDb } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import { type ConnectedPerson, isRefusal } from '../../../vendors/payments/payment-vendor.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { tellAccount, tellAccountStatus } from '../payouts-events.ts';
import type { TenantVendor } from '../settings/payment-vendors.ts';
import {
  attachProviderAccount,
  type ClaimableAccount,
  claimProviderAccount,
  dropForeignAccounts,
  lockClaimableAccount,
  noteAccountSearched,
  type ProvisioningAccount,
  stallAccount,
  storeProviderId,
} from './provisioning-queries.ts';

const BY = bySystem('provision-payout-account');

/** Longer than the client takes with all its repeats: when it is over, whoever had it has died. */
const CLAIM_SECONDS = 90;

export interface Claim {
  row: ClaimableAccount;
  version: string;
  /** Since then it may have been made by a key that the provider does not know this request by. */
  unsettledSince: Date | null;
}

/** The right to ask the provider for the account; or the id of one that is there; or undefined while another asks. */
export async function claimConnectedAccount(
  db: WriteDb,
  scope: Scope,
  account: ProvisioningAccount,
  person: ConnectedPerson,
  vendor: TenantVendor,
): Promise<Claim | string | undefined> {
  const row = await lockClaimableAccount(db, scope, account.memberId, account.country);
  const { providerAccountId: present } = row;
  if (await attachProviderAccount(db, scope, account.id, row.id)) tellAccount(db, BY, 'payout_account.updated', account);
  if (present !== null && row.status !== 'gone' && vendor.knows(present)) return present;
  // All that the request says: the same key never goes with another body.
  const request = JSON.stringify([person, vendor.accountTerms, present]);
  const version = `${countOf(row.profileVersion)}.${createHash('sha256').update(request).digest('base64url')}`;
  // The same request may be asked by two at once, or again after a crash; another one makes another account.
  if (row.claimed && row.profileVersion !== version) {
    await waitForAnother(db, scope, account);
    return undefined;
  }
  return { row, version, unsettledSince: await claimProviderAccount(db, scope, row.id, version, CLAIM_SECONDS) };
}

async function waitForAnother(db: WriteDb, scope: Scope, account: ProvisioningAccount): Promise<void> {
  await stall(db, scope, account, { status: 'provisioning', reason: 'Another account of the member is being opened' });
}

/** Says why an account does not go on, as `stallAccount`; the tenant is told. */
export async function stall(
  db: WriteDb,
  scope: Scope,
  account: ProvisioningAccount,
  { status, reason }: { status: 'provisioning' | 'action_required' | 'rejected'; reason: string },
): Promise<{ from: string } | undefined> {
  const stalled = await stallAccount(db, scope, account.id, status, reason);
  if (stalled) tellAccountStatus(db, BY, account, stalled.from, status);
  return stalled;
}

/** Behind a search that has found none, which may have outlasted the claim. False: another request has it now. */
export async function renewClaim(
  db: WriteDb,
  scope: Scope,
  account: ProvisioningAccount,
  { row, version }: Claim,
): Promise<boolean> {
  const renewed = await noteAccountSearched(db, scope, row.id, version, CLAIM_SECONDS);
  if (!renewed) await waitForAnother(db, scope, account);
  return renewed;
}

/** Of the answers that the vendor has refused with: it repeats them for a key, also once what they were for is put right. */
function countOf(version: string): number {
  return Number.parseInt(version, 10) || 0;
}

/** The same request will be another one by its key. */
export function versionBehind(version: string): string {
  return `${countOf(version) + 1}.`;
}

/** Nothing was made by the request for an account, for certain. */
export function isAnswered(error: unknown): boolean {
  const reason = error instanceof AppError ? error.details?.['reason'] : undefined;
  return isRefusal(error) || reason === 'needs_approval' || reason === 'refused';
}

/** What the provider has made, in place of what another provider may have made before. Returns the account that stands. */
export async function noteConnectedAccount(
  db: WriteDb,
  scope: Scope,
  { id, memberId, country }: ProvisioningAccount,
  { id: ref, providerAccountId: before }: ClaimableAccount,
  connectedAccountId: string,
): Promise<string> {
  const standing = await storeProviderId(db, scope, ref, connectedAccountId, before);
  if (standing !== connectedAccountId) return standing;
  const reason = 'The provider that had this bank account is no longer used';
  const dropped = before === null ? [] : await dropForeignAccounts(db, scope, ref, id, reason);
  const audit = (action: string, objectId: string, details: Record<string, unknown>): Promise<void> =>
    recordAudit(db, scope, {
      action,
      by: BY,
      objectKind: 'payout_account',
      objectId,
      details: { userId: memberId, ...details },
    });
  await audit('provider_account.created', id, { country });
  for (const one of dropped) tellAccountStatus(db, BY, { id: one.id, memberId }, one.from, 'rejected');
  for (const one of dropped) await audit('payout_account.rejected', one.id, { from: one.from, to: 'rejected', reason });
  return standing;
}
