/**
 * How an account at the payment vendor stands, whoever learned it, and what follows for the payout
 * accounts on it. Source: docs/specification/payouts.md#account-standing.
 */
import type { ActingScope } from '../../../actor.ts';
import type { WriteDb } from '../../../db/scope.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { AccountStatus } from '../open/payout-states.ts';
import { tellAccountStatus, tellPrimary } from '../payouts-events.ts';
import { promoteNewestActive } from './account-changes-queries.ts';
import {
  type AccountOnProvider,
  lockAccountsOn,
  type ProviderAccount,
  type StoredState,
  storeAccountStatus,
  storeProviderState,
} from './account-state-queries.ts';

/** Reasons that are the bank account's own: the account around it does not mend them. */
const BANK_REASON = 'bank_account_';

/** Of a locked account; payout accounts that follow are locked here. `at`: see `storeProviderState`. */
export async function applyAccountState(
  db: WriteDb,
  scope: ActingScope,
  account: ProviderAccount,
  state: StoredState,
  at: Date | null,
): Promise<void> {
  await storeProviderState(db, scope, account.id, state, at);
  const accounts = await lockAccountsOn(db, scope, account.id);
  for (const one of accounts) await changeAccount(db, scope, one, statusUnder(state, one));
  if (state.status === 'gone') await replacePrimary(db, scope, accounts);
}

/** A bank account that the vendor cannot pay to, or can again; undefined `fault`. */
export async function applyBankFault(
  db: WriteDb,
  scope: ActingScope,
  account: ProviderAccount,
  bankAccountId: string,
  fault: string | undefined,
): Promise<boolean> {
  const one = (await lockAccountsOn(db, scope, account.id)).find(({ externalAccountId }) => externalAccountId === bankAccountId);
  if (!one) return false;
  const mended = { ...one, statusReason: null };
  const next: Next =
    fault === undefined ? statusUnder(account, mended) : { status: 'action_required', reason: `${BANK_REASON}${fault}` };
  return changeAccount(db, scope, one, next);
}

/** The bank account is not at the vendor any more. */
export async function applyBankRemoval(
  db: WriteDb,
  scope: ActingScope,
  account: ProviderAccount,
  bankAccountId: string,
): Promise<boolean> {
  const one = (await lockAccountsOn(db, scope, account.id)).find(({ externalAccountId }) => externalAccountId === bankAccountId);
  if (!one) return false;
  const changed = await changeAccount(db, scope, one, { status: 'deactivated', reason: 'bank_account_deleted' });
  await replacePrimary(db, scope, [one]);
  return changed;
}

/** The newest that is active takes the place of a primary account that was deactivated, as when the member does it. */
async function replacePrimary(db: WriteDb, scope: ActingScope, deactivated: readonly AccountOnProvider[]): Promise<void> {
  const primary = deactivated.find(({ isPrimary }) => isPrimary);
  const successor = primary && (await promoteNewestActive(db, scope, primary.memberId));
  if (primary === undefined || successor === undefined) return;
  tellPrimary(db, scope.provenance, { id: successor, memberId: primary.memberId }, undefined);
  await recordAudit(db, scope, {
    action: 'payout_account.made_primary',
    by: scope.provenance,
    objectKind: 'payout_account',
    objectId: successor,
    details: { userId: primary.memberId, before: primary.id },
  });
}

interface Next {
  status: AccountStatus;
  reason: string | null;
}

/** A rejected one stays so: the vendor takes that back for nobody. */
function statusUnder(state: StoredState, one: AccountOnProvider): Next {
  const same: Next = { status: one.status, reason: one.statusReason };
  if (state.status === 'gone') return { status: 'deactivated', reason: 'account_deauthorized' };
  if (one.status === 'rejected') return same;
  if (state.status === 'rejected') return { status: 'rejected', reason: state.disabledReason };
  if (one.statusReason?.startsWith(BANK_REASON) === true) return same;
  if (state.status === 'active') {
    // Without a bank account at the vendor it is still being set up.
    return one.externalAccountId === null ? same : { status: 'active', reason: null };
  }
  const reason = state.disabledReason ?? (state.requirements.length === 0 ? null : state.requirements.join(', '));
  // The vendor is still looking, and nobody has to do anything.
  if (reason === null && one.status === 'provisioning') return same;
  return { status: 'action_required', reason: reason ?? 'transfers_inactive' };
}

async function changeAccount(db: WriteDb, scope: ActingScope, one: AccountOnProvider, next: Next): Promise<boolean> {
  if (next.status === one.status && next.reason === one.statusReason) return false;
  await storeAccountStatus(db, scope, one.id, next);
  tellAccountStatus(db, scope.provenance, one, one.status, next.status);
  if (next.status !== one.status) {
    await recordAudit(db, scope, {
      action: `payout_account.${next.status}`,
      by: scope.provenance,
      objectKind: 'payout_account',
      objectId: one.id,
      details: { from: one.status, ...(next.reason === null ? {} : { reason: next.reason }) },
    });
  }
  return true;
}
