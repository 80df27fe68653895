/**
 * A payment vendor as far as payouts need one, in memory: keeps transfers, payouts and balances, answers
 * a key once, and loses answers when told to.
 */
import { AppError } from '../../../src/errors.ts';
import type { PayoutVendor } from '../../../src/features/payouts/payouts/advance-payouts.ts';
import type { MoneyOrder, VendorPayout } from '../../../src/vendors/payments/payment-vendor.ts';

type Call = keyof PayoutVendor;

interface Transfer extends MoneyOrder {
  id: string;
  reversalId: string | null;
}
interface StoredPayout extends MoneyOrder {
  id: string;
  status: VendorPayout['status'];
  failureCode: string | null;
}

/** `lost`: done, and the answer lost. `dropped`: not done. */
export type DoubleFault = 'lost' | 'dropped' | 'refused' | 'unauthorized' | 'no_funds';

export interface PayoutVendorDouble extends PayoutVendor {
  transfers: Map<string, Transfer>;
  payouts: Map<string, StoredPayout>;
  /** Ids of all, in their order. */
  reversals: string[];
  calls: { name: Call; key: string }[];
  failNext(name: Call, ...faults: DoubleFault[]): void;
  /** Of calls that change something, 0 to 1. */
  lostRate: number;
  /** Called before a call that changes something is answered: what happens meanwhile. */
  meanwhile: (() => Promise<unknown>) | undefined;
  /** What becomes of payouts from now on. Default: pending. */
  outcome: 'pending' | 'paid' | 'failed';
  tell(payoutId: string, status: VendorPayout['status'], failureCode?: string): void;
  forgetKeys(): void;
  /** Money that has left to banks for a payout of ours, net of failures. */
  netTo(payoutId: string): bigint;
  /** Money on connected accounts that went nowhere. */
  stranded(): bigint;
}

export function createPayoutVendorDouble(): PayoutVendorDouble {
  const transfers = new Map<string, Transfer>();
  const payouts = new Map<string, StoredPayout>();
  const reversals: string[] = [];
  const kept = new Map<string, { body: string; answer: unknown }>();
  const faults: { name: Call; fault: DoubleFault }[] = [];
  const calls: { name: Call; key: string }[] = [];
  const told = new Map<string, { status: VendorPayout['status']; failureCode: string | null }>();
  let made = 0;
  const newId = (kind: string): string => `${kind}_${process.pid}_${++made}`;
  const balanceOf = (account: string): bigint => {
    const sum = (values: Iterable<{ connectedAccountId: string; amountMinor: bigint }>): bigint =>
      [...values].filter((one) => one.connectedAccountId === account).reduce((total, one) => total + one.amountMinor, 0n);
    return (
      sum([...transfers.values()].filter(({ reversalId }) => reversalId === null)) -
      sum([...payouts.values()].filter(({ status }) => status !== 'failed' && status !== 'canceled'))
    );
  };

  /** Once a key, whatever is asked again. */
  async function once<T>(name: Call, key: string, body: object, perform: () => T): Promise<T> {
    calls.push({ name, key });
    const at = faults.findIndex((one) => one.name === name);
    const fault = at === -1 ? undefined : faults.splice(at, 1)[0]?.fault;
    await double.meanwhile?.();
    if (fault === 'dropped') throw unavailable();
    if (fault === 'unauthorized') throw new AppError('PROVIDER_CONFIGURATION', 'The key is refused');
    const text = JSON.stringify(body, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
    const before = kept.get(key);
    if (before && before.body !== text) throw new Error(`the key ${key} was used for something else`);
    const answer = before
      ? before.answer
      : answerOf(() =>
          fault === 'refused' ? refuse('refused') : fault === 'no_funds' ? refuse('insufficient_funds') : perform(),
        );
    kept.set(key, { body: text, answer });
    if (fault === 'lost' || Math.random() < double.lostRate) throw unavailable();
    if (answer instanceof Error) throw answer;
    return answer as T;
  }

  const double: PayoutVendorDouble = {
    transfers,
    payouts,
    reversals,
    calls,
    lostRate: 0,
    meanwhile: undefined,
    outcome: 'pending',
    failNext: (name, ...next) => void faults.push(...next.map((fault) => ({ name, fault }))),
    tell(payoutId, status, failureCode) {
      const found = [...payouts.values()].find(({ metadata }) => metadata['payout_id'] === payoutId);
      if (found) Object.assign(found, { status, failureCode: failureCode ?? null });
      else told.set(payoutId, { status, failureCode: failureCode ?? null });
    },
    forgetKeys: () => kept.clear(),
    netTo: (payoutId) =>
      [...payouts.values()]
        .filter(({ metadata, status }) => metadata['payout_id'] === payoutId && status !== 'failed' && status !== 'canceled')
        .reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    stranded: () =>
      [...new Set([...transfers.values()].map(({ connectedAccountId }) => connectedAccountId))].reduce(
        (sum, account) => sum + balanceOf(account),
        0n,
      ),

    createTransfer: (order) =>
      once('createTransfer', order.idempotencyKey, order, () => {
        const id = newId('tr');
        transfers.set(id, { ...order, id, reversalId: null });
        return { id };
      }),
    createPayout: (order) =>
      once('createPayout', order.idempotencyKey, order, () => {
        if (balanceOf(order.connectedAccountId) < order.amountMinor) refuse('insufficient_funds');
        const id = newId('po');
        const known = told.get(order.metadata['payout_id'] ?? '');
        const failed = double.outcome === 'failed' ? { status: double.outcome, failureCode: 'account_closed' } : undefined;
        const outcome = known ?? failed ?? { status: double.outcome, failureCode: null };
        payouts.set(id, { ...order, id, ...outcome });
        return { id, ...outcome };
      }),
    reverseTransfer: (transferId, key) =>
      once('reverseTransfer', key, { transferId }, () => {
        const transfer = transfers.get(transferId);
        if (!transfer) return refuse('refused');
        if (transfer.reversalId === null) {
          transfer.reversalId = newId('trr');
          reversals.push(transfer.reversalId);
        }
        // As the adapter tells of one that is taken back already.
        return { id: transfer.reversalId };
      }),
    async findTransfer({ payoutId, attempt }) {
      calls.push({ name: 'findTransfer', key: payoutId });
      return [...transfers.values()].find(isOf(payoutId, attempt));
    },
    async findPayout({ payoutId, attempt }) {
      calls.push({ name: 'findPayout', key: payoutId });
      return [...payouts.values()].find(isOf(payoutId, attempt));
    },
    async readPayout(_account, id) {
      calls.push({ name: 'readPayout', key: id });
      const at = faults.findIndex((one) => one.name === 'readPayout');
      if (at !== -1) {
        faults.splice(at, 1);
        throw unavailable();
      }
      const found = payouts.get(id);
      return found && { id, status: found.status, failureCode: found.failureCode };
    },
  };
  return double;
}

function answerOf(perform: () => unknown): unknown {
  try {
    return perform();
  } catch (error) {
    return error;
  }
}

function isOf(payoutId: string, attempt: number): (one: MoneyOrder) => boolean {
  return ({ metadata }) => metadata['payout_id'] === payoutId && metadata['attempt'] === String(attempt);
}

function unavailable(): AppError {
  return new AppError('PROVIDER_UNAVAILABLE', 'The answer was lost');
}

function refuse(reason: string): never {
  throw new AppError('STATE_CONFLICT', 'The payment provider has refused to move the money', { details: { reason } });
}
