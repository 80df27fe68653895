/** What a provider says of a member's account there, and what follows for the payout accounts on it. Source: vendors.md §2.7. */
import type { Db, Scope } from '../../db/frame.ts';
import { fieldOf } from '../../vendors/payments/map-error.ts';
import type { ConnectedAccount } from '../../vendors/payments/payment-vendor.ts';
import { recordAudit } from '../audit/audit-log.ts';
import { followProviderState, lockProviderAccount, storeAccountState } from './account-state-queries.ts';
import type { AccountStatus } from './payout-states.ts';

const FOLLOWS: Record<ConnectedAccount['status'] | 'gone', AccountStatus> = {
  active: 'active',
  pending: 'provisioning',
  restricted: 'action_required',
  rejected: 'rejected',
  gone: 'deactivated',
};

/**
 * Notes the provider's account as it is now, and moves the payout accounts on it along. `gone`: the provider
 * has it no more. False: nobody here has this account. Repeatable. `at` is the vendor's clock, of an event.
 */
export async function applyAccountState(
  db: Db,
  scope: Scope,
  connected: ConnectedAccount | { id: string; status: 'gone' },
  at: Date | null = null,
): Promise<boolean> {
  const account = await lockProviderAccount(db, scope, connected.id);
  if (!account) return false;
  const none = { transfers: null, disabledReason: null, requirements: [] };
  await storeAccountState(db, scope, account.id, { ...none, ...connected }, at);
  const to = FOLLOWS[connected.status];
  const changed = await followProviderState(db, scope, account.id, to, reasonOf(connected));
  for (const { id, from } of changed.filter((one) => one.from !== to)) {
    await recordAudit(db, scope, {
      action: `payout_account.${to}`,
      actor: { kind: 'system', id: null },
      objectKind: 'payout_account',
      objectId: id,
      details: { userId: account.memberId, from, to },
    });
  }
  return true;
}

function reasonOf(connected: ConnectedAccount | { status: 'gone' }): string | null {
  if (connected.status === 'active') return null;
  if (connected.status === 'gone') return 'The provider has closed the account';
  if (connected.status === 'rejected') return 'The provider has rejected the account';
  const fields = [...new Set(connected.requirements.map((name) => fieldOf(name) ?? 'other details'))];
  if (fields.length > 0) return `The provider needs: ${fields.join(', ')}`.slice(0, 500);
  return connected.status === 'pending' ? 'The provider is verifying the details' : 'The provider is reviewing the account';
}
