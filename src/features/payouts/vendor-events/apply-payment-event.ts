/**
 * An event of the payment vendor takes effect, in the transaction that keeps it. The scope names the vendor as who acts.
 * Source: docs/specification/webhooks.md#payment-events.
 */
import type { ActingScope } from '../../../actor.ts';
import type { WriteDb } from '../../../db/scope.ts';
import { type AccountState, accountStateOf } from '../../../vendors/payments/account-state.ts';
import {
  askProviderOfAccount,
  lockProviderAccount,
  type ProviderAccount,
  type StoredState,
} from '../accounts/account-state-queries.ts';
import { applyAccountState, applyBankFault, applyBankRemoval } from '../accounts/apply-account-state.ts';
import { askProviderAgain, findPayoutOfProvider, lockPayout } from '../payouts/payout-changes-queries.ts';
import type { SettlePayout } from '../payouts/settle-payout.ts';
import type { PaymentEvent } from './payment-event.ts';
import { type EventOutcome, isOutdated, wasTold } from './payment-events-queries.ts';

type Effect = (db: WriteDb, scope: ActingScope, event: PaymentEvent, settlePayout: SettlePayout) => Promise<EventOutcome>;

const BANK_EVENTS = ['account.external_account.created', 'account.external_account.updated', 'account.external_account.deleted'];
/** A payout of the vendor's may fail once it was paid, and is never paid once it has failed. */
const PAYOUT_FAILURES = ['payout.failed', 'payout.canceled'];

/** What is not named here is kept only. */
const EFFECTS: Readonly<Record<string, Effect>> = {
  'account.updated': onAccount(changeAccount),
  'account.application.deauthorized': onAccount(loseAccount),
  'account.external_account.created': onAccount(changeBank),
  'account.external_account.updated': onAccount(changeBank),
  'account.external_account.deleted': onAccount(removeBank),
  // It does not tell how the account stands as a whole.
  'capability.updated': onAccount(async (db, scope, account) => {
    await askProviderOfAccount(db, scope, account.id);
    return 'applied';
  }),
  'payout.paid': endPayout,
  'payout.failed': endPayout,
  'payout.canceled': endPayout,
  'transfer.reversed': endPayout,
};

/** `parked`: what it is about is not there yet, or never will be. */
export async function applyPaymentEvent(
  settlePayout: SettlePayout,
  db: WriteDb,
  scope: ActingScope,
  event: PaymentEvent,
): Promise<EventOutcome> {
  const effect = Object.hasOwn(EFFECTS, event.type) ? EFFECTS[event.type] : undefined;
  return effect && event.object ? effect(db, scope, event, settlePayout) : 'ignored';
}

function onAccount(
  change: (db: WriteDb, scope: ActingScope, account: ProviderAccount, event: PaymentEvent) => Promise<EventOutcome>,
): Effect {
  return async (db, scope, event) => {
    const id = event.account ?? (event.object?.object === 'account' ? event.object.id : null);
    const account = id === null ? undefined : await lockProviderAccount(db, scope, id);
    if (!account) return 'parked';
    // What is gone does not come back by what was said before.
    return account.status === 'gone' ? 'no_change' : change(db, scope, account, event);
  };
}

async function changeAccount(
  db: WriteDb,
  scope: ActingScope,
  account: ProviderAccount,
  event: PaymentEvent,
): Promise<EventOutcome> {
  if (event.object?.object !== 'account') return 'ignored';
  const { capabilities, requirements } = event.object;
  const state = accountStateOf({
    transfers: capabilities?.transfers ?? null,
    disabledReason: requirements?.disabled_reason ?? null,
    currentlyDue: requirements?.currently_due ?? [],
    pastDue: requirements?.past_due ?? [],
  });
  if (await isOutdated(db, scope, event, [event.type])) return 'older';
  const same = isSame(account, state);
  if (!same && isOfTheSameSecond(account, event)) {
    // Which of the two came last cannot be told.
    await askProviderOfAccount(db, scope, account.id);
    return 'applied';
  }
  await applyAccountState(db, scope, account, state, event.createdAt);
  return same ? 'no_change' : 'applied';
}

function isOfTheSameSecond({ lastEventAt }: ProviderAccount, { createdAt }: PaymentEvent): boolean {
  return createdAt === null || lastEventAt?.getTime() === createdAt.getTime();
}

function isSame(account: ProviderAccount, state: AccountState): boolean {
  return (
    account.status === state.status &&
    account.transfers === state.transfers &&
    account.disabledReason === state.disabledReason &&
    account.requirements.toSorted().join('\n') === state.requirements.toSorted().join('\n')
  );
}

async function loseAccount(
  db: WriteDb,
  scope: ActingScope,
  account: ProviderAccount,
  event: PaymentEvent,
): Promise<EventOutcome> {
  const gone: StoredState = { status: 'gone', transfers: null, disabledReason: null, requirements: [] };
  await applyAccountState(db, scope, account, gone, event.createdAt);
  return 'applied';
}

const BANK_FAULTS = ['errored', 'verification_failed', 'tokenized_account_number_deactivated'];

async function changeBank(db: WriteDb, scope: ActingScope, account: ProviderAccount, event: PaymentEvent): Promise<EventOutcome> {
  if (await isOutdated(db, scope, event, BANK_EVENTS)) return 'older';
  const { id, status } = event.object ?? {};
  const fault = BANK_FAULTS.find((known) => known === status);
  return (await applyBankFault(db, scope, account, id ?? '', fault)) ? 'applied' : 'no_change';
}

async function removeBank(db: WriteDb, scope: ActingScope, account: ProviderAccount, event: PaymentEvent): Promise<EventOutcome> {
  return (await applyBankRemoval(db, scope, account, event.object?.id ?? '')) ? 'applied' : 'no_change';
}

/**
 * A payout that was paid is settled at once. Of what went wrong the provider is asked by the sweep of
 * payouts, which takes the money back from the connected account before anything here is settled.
 */
async function endPayout(
  db: WriteDb,
  scope: ActingScope,
  event: PaymentEvent,
  settlePayout: SettlePayout,
): Promise<EventOutcome> {
  // All of ours say which payout they are of.
  if (event.object?.metadata?.payout_id == null) return 'ignored';
  const found = await findPayoutOfProvider(db, scope, event.object.id ?? '');
  if (!found) return 'parked';
  if (found.attempt !== found.presentAttempt) return 'older';
  // What another delivery has told of it meanwhile is seen behind the lock.
  await lockPayout(db, scope, found.payoutId);
  if (event.type !== 'payout.paid' || (await wasTold(db, scope, event, PAYOUT_FAILURES))) {
    return (await askProviderAgain(db, scope, found.payoutId)) ? 'applied' : 'no_change';
  }
  const { payoutId, attempt } = found;
  const settling = await settlePayout(db, scope, { payoutId, attempt, outcome: 'paid', by: scope.provenance });
  return settling?.settled === true ? 'applied' : 'no_change';
}
