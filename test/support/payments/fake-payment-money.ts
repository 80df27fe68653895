/** Transfers, their reversals, and payouts of connected accounts as the fake payment vendor keeps them. */
import { type FakeAccount, type FakePlatform, isInRegion, newId, seconds } from './fake-payment-accounts.ts';
import { amountOf, currencyOf, metadataAt, type Params, paramAt, Refusal, refuse, requireParam } from './fake-payment-params.ts';

export interface FakeReversal {
  id: string;
  object: 'transfer_reversal';
  amount: number;
  currency: string;
  created: number;
  metadata: Record<string, string>;
  transfer: string;
}

export interface FakeTransfer {
  id: string;
  object: 'transfer';
  amount: number;
  amount_reversed: number;
  created: number;
  currency: string;
  destination: string;
  livemode: boolean;
  metadata: Record<string, string>;
  reversals: { object: 'list'; data: FakeReversal[]; has_more: boolean; url: string };
  reversed: boolean;
  transfer_group: string | null;
}

export interface FakePayout {
  id: string;
  object: 'payout';
  amount: number;
  arrival_date: number;
  created: number;
  currency: string;
  destination: string;
  failure_code: string | null;
  failure_message: string | null;
  livemode: boolean;
  metadata: Record<string, string>;
  method: string;
  status: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled';
  type: 'bank_account';
}

export interface FakeMoney {
  /** By id, in the order they were made. */
  transfers: Map<string, FakeTransfer>;
  payouts: Map<string, FakePayout & { account: string }>;
  /** By currency in lower case: what the tenant has there. A currency that is not named never runs out. */
  platformBalance: Map<string, number>;
  /** When a payout ends as its bank account has it: when it is told to, or at once. Default `told`. */
  settles: 'told' | 'at once';
  /** Ends payouts that are on their way, by their bank accounts' numbers or as it is told. Returns their ids. */
  settlePayouts(options?: { ids?: string[]; status?: FakePayout['status']; failureCode?: string }): string[];
  /** A payout that was paid comes back. */
  returnPayout(id: string, failureCode?: string): void;
  /**
   * What has happened for a payout of ours, by its metadata: money that left the tenant and was not taken
   * back, and payouts to the bank that have not failed. All of one payout must be 1 when it is paid, 0 when it failed.
   */
  effectsOf(payoutId: string): {
    transfers: number;
    payouts: number;
    made: { transfers: number; payouts: number; reversals: number };
  };
}

interface Deps {
  accounts: Map<string, FakeAccount>;
  platform: FakePlatform;
  record(type: string, object: object, accountId?: string): unknown;
}

/** By the end of the number of the bank account. */
const FAILURES: [ending: string, code: string][] = [
  ['000111111116', 'no_account'],
  ['000111111113', 'account_closed'],
  ['000222222227', 'insufficient_funds'],
  ['000333333335', 'debit_not_authorized'],
  ['000444444440', 'invalid_currency'],
];

export function createFakeMoney({ accounts, platform, record }: Deps) {
  const transfers = new Map<string, FakeTransfer>();
  const payouts = new Map<string, FakePayout & { account: string }>();
  const platformBalance = new Map<string, number>();

  function credit(account: FakeAccount | undefined, currency: string, amount: number): void {
    account?.balance.set(currency, (account.balance.get(currency) ?? 0) + amount);
  }

  function end(payout: FakePayout & { account: string }, status: FakePayout['status'], failureCode: string | null): void {
    payout.status = status;
    if (status === 'failed' || status === 'canceled') {
      payout.failure_code = failureCode;
      payout.failure_message = failureCode === null ? null : 'told to';
      credit(accounts.get(payout.account), payout.currency, payout.amount);
    }
    record(`payout.${status === 'in_transit' ? 'updated' : status}`, withoutAccount(payout), payout.account);
  }

  const money = {
    transfers,
    payouts,
    platformBalance,
    settles: 'told' as 'told' | 'at once',

    createTransfer(params: Params): FakeTransfer {
      const amount = amountOf(params);
      const currency = currencyOf(params);
      const destination = accounts.get(requireParam(params, 'destination'));
      if (!destination)
        throw refuse('resource_missing', `No such destination: '${paramAt(params, 'destination')}'`, 'destination');
      const transfersStatus = destination.told.transfers ?? 'active';
      if (transfersStatus !== 'active') {
        throw refuse(
          'insufficient_capabilities_for_transfer',
          'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
        );
      }
      const isAbroad = destination.country !== platform.country && !isInRegion(destination.country);
      if (destination.agreement === 'full' && isAbroad) {
        throw new Refusal(400, {
          message: `Funds can't be sent to accounts located in ${destination.country} when the account is under the \`full\` service agreement.`,
        });
      }
      const left = platformBalance.get(currency);
      if (left !== undefined && left < amount) {
        throw refuse('balance_insufficient', 'You have insufficient available funds in your account.');
      }
      if (left !== undefined) platformBalance.set(currency, left - amount);
      credit(destination, currency, amount);
      const id = newId('tr');
      const transfer: FakeTransfer = {
        id,
        object: 'transfer',
        amount,
        amount_reversed: 0,
        created: seconds(),
        currency,
        destination: destination.id,
        livemode: false,
        metadata: metadataAt(params),
        reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
        reversed: false,
        transfer_group: paramAt(params, 'transfer_group') ?? null,
      };
      transfers.set(id, transfer);
      record('transfer.created', transfer);
      return transfer;
    },

    readTransfer(id: string): FakeTransfer {
      const transfer = transfers.get(id);
      if (!transfer) throw refuse('resource_missing', `No such transfer: '${id}'`, 'id', 404);
      return transfer;
    },

    listTransfers(params: Params): unknown {
      const { destination, transfer_group: group } = params;
      const matching = [...transfers.values()].filter(
        (one) =>
          (destination === undefined || one.destination === destination) &&
          (group === undefined || one.transfer_group === group) &&
          isWithin(one.created, params),
      );
      return pageOf(matching, params, '/v1/transfers');
    },

    createReversal(id: string, params: Params): FakeReversal {
      const transfer = money.readTransfer(id);
      const left = transfer.amount - transfer.amount_reversed;
      if (left === 0) throw new Refusal(400, { message: `Transfer ${id} is already fully reversed.` });
      const amount = paramAt(params, 'amount') === undefined ? left : amountOf(params);
      if (amount > left)
        throw new Refusal(400, { message: 'Reversal amount is greater than unreversed amount', param: 'amount' });
      const account = accounts.get(transfer.destination);
      if ((account?.balance.get(transfer.currency) ?? 0) < amount) {
        throw refuse('balance_insufficient', 'The connected account has insufficient funds for this reversal.');
      }
      credit(account, transfer.currency, -amount);
      const held = platformBalance.get(transfer.currency);
      if (held !== undefined) platformBalance.set(transfer.currency, held + amount);
      const reversal: FakeReversal = {
        id: newId('trr'),
        object: 'transfer_reversal',
        amount,
        currency: transfer.currency,
        created: seconds(),
        metadata: metadataAt(params),
        transfer: id,
      };
      transfer.reversals.data.unshift(reversal);
      transfer.amount_reversed += amount;
      transfer.reversed = transfer.amount_reversed === transfer.amount;
      record('transfer.reversed', transfer);
      return reversal;
    },

    createPayout(account: FakeAccount, params: Params): unknown {
      const amount = amountOf(params);
      const currency = currencyOf(params);
      const wanted = paramAt(params, 'destination');
      const bank = account.bankAccounts.find((one) =>
        wanted === undefined ? one.currency === currency && one.default_for_currency : one.id === wanted,
      );
      if (!bank) throw refuse('resource_missing', `No such external account: '${wanted ?? ''}'`, 'destination');
      if (bank.currency !== currency)
        throw new Refusal(400, { message: 'The currency is not that of the bank account', param: 'currency' });
      if (bank.status !== 'new' && bank.status !== 'validated' && bank.status !== 'verified') {
        throw refuse('bank_account_unusable', 'The bank account provided cannot be used for payouts.', 'destination');
      }
      if ((account.told.disabled_reason ?? null) !== null) {
        throw refuse('payouts_not_allowed', 'Payouts have been disabled on your account.');
      }
      if ((account.balance.get(currency) ?? 0) < amount) {
        throw refuse('balance_insufficient', 'You have insufficient funds in your account.');
      }
      credit(account, currency, -amount);
      const payout: FakePayout & { account: string } = {
        id: newId('po'),
        object: 'payout',
        account: account.id,
        amount,
        arrival_date: seconds() + 86_400,
        created: seconds(),
        currency,
        destination: bank.id,
        failure_code: null,
        failure_message: null,
        livemode: false,
        metadata: metadataAt(params),
        method: 'standard',
        status: 'pending',
        type: 'bank_account',
      };
      payouts.set(payout.id, payout);
      record('payout.created', withoutAccount(payout), account.id);
      const answer = withoutAccount(payout);
      if (money.settles === 'at once') money.settlePayouts({ ids: [payout.id] });
      return answer;
    },

    readPayout(account: FakeAccount, id: string): unknown {
      const payout = payouts.get(id);
      if (payout?.account !== account.id) throw refuse('resource_missing', `No such payout: '${id}'`, 'id', 404);
      return withoutAccount(payout);
    },

    listPayouts(account: FakeAccount, params: Params): unknown {
      const { destination, status } = params;
      const matching = [...payouts.values()].filter(
        (one) =>
          one.account === account.id &&
          (destination === undefined || one.destination === destination) &&
          (status === undefined || one.status === status) &&
          isWithin(one.created, params),
      );
      return pageOf(matching.map(withoutAccount), params, '/v1/payouts');
    },

    settlePayouts({ ids, status, failureCode }: Parameters<FakeMoney['settlePayouts']>[0] = {}): string[] {
      const due = [...payouts.values()].filter(
        (one) => (one.status === 'pending' || one.status === 'in_transit') && (ids === undefined || ids.includes(one.id)),
      );
      for (const payout of due) {
        const number = accounts.get(payout.account)?.numbers.get(payout.destination) ?? '';
        const magic = FAILURES.find(([ending]) => number.endsWith(ending))?.[1];
        const becomes = status ?? (magic === undefined ? 'paid' : 'failed');
        end(payout, becomes, becomes === 'failed' ? (failureCode ?? magic ?? 'could_not_process') : null);
      }
      return due.map(({ id }) => id);
    },

    returnPayout(id: string, failureCode = 'account_closed'): void {
      const payout = payouts.get(id);
      if (payout?.status !== 'paid') throw new Error(`the vendor has no paid payout ${id}`);
      end(payout, 'failed', failureCode);
    },

    effectsOf(payoutId: string): ReturnType<FakeMoney['effectsOf']> {
      const mine = [...transfers.values()].filter(({ metadata }) => metadata['payout_id'] === payoutId);
      const sent = [...payouts.values()].filter(({ metadata }) => metadata['payout_id'] === payoutId);
      return {
        transfers: mine.filter(({ reversed }) => !reversed).length,
        payouts: sent.filter(({ status }) => status !== 'failed' && status !== 'canceled').length,
        made: {
          transfers: mine.length,
          payouts: sent.length,
          reversals: mine.reduce((sum, { reversals }) => sum + reversals.data.length, 0),
        },
      };
    },
  };
  return money;
}

/** Newest first, as the vendor lists. */
export function pageOf<T extends { id: string }>(rows: T[], params: Params, url: string): unknown {
  const newest = rows.toReversed();
  const after = paramAt(params, 'starting_after');
  const begin = after === undefined ? 0 : newest.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && begin === 0) throw refuse('resource_missing', `No such object: '${after}'`, 'starting_after');
  const limit = Number(paramAt(params, 'limit') ?? 10);
  if (!(limit >= 1 && limit <= 100)) throw refuse('parameter_invalid_integer', 'limit must be 1 to 100', 'limit');
  return { object: 'list', data: newest.slice(begin, begin + limit), has_more: newest.length > begin + limit, url };
}

export function isWithin(created: number, params: Params): boolean {
  const bound = (name: string): number | undefined => {
    const given = paramAt(params, `created[${name}]`);
    return given === undefined ? undefined : Number(given);
  };
  return (
    created >= (bound('gte') ?? 0) &&
    created > (bound('gt') ?? -1) &&
    created <= (bound('lte') ?? Infinity) &&
    created < (bound('lt') ?? Infinity)
  );
}

function withoutAccount({ account: _account, ...payout }: FakePayout & { account: string }): FakePayout {
  return payout;
}
