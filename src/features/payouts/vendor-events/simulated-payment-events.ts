/**
 * Events that a SANDBOX has its simulated payment vendor send: the part of POST /sandbox/vendor-events.
 * Source: docs/specification/sandbox.md#vendor-events.
 */

import type { z } from 'zod';
import { type ActingScope, byVendor } from '../../../actor.ts';
import type { Frames } from '../../../db/frame.ts';
import type { WriteDb } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import type { ActingContext } from '../../../http/operation.ts';
import { active, inNeed, isSimulated, rejected } from '../../../vendors/payments/simulated.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { lockProviderAccount } from '../accounts/account-state-queries.ts';
import { applyAccountState } from '../accounts/apply-account-state.ts';
import type { PayoutStatus } from '../open/payout-states.ts';
import type {
  simulatedAccountAnswer,
  simulatedAccountEvent,
  simulatedPayoutAnswer,
  simulatedPayoutEvent,
} from '../open/simulated-events.ts';
import type { SettlePayout } from '../payouts/settle-payout.ts';
import type { PaymentSettingsReader } from '../settings/payment-settings.ts';
import {
  accountOfProviderStatement,
  type SimulatedPayoutAccount,
  simulateReversal,
  unsentStatement,
} from './simulated-queries.ts';

const STATES = { active, action_required: inNeed, rejected } as const;

type PayoutEvent = z.output<typeof simulatedPayoutEvent>;
type AccountEvent = z.output<typeof simulatedAccountEvent>;
type Answer = z.input<typeof simulatedPayoutAnswer> | z.input<typeof simulatedAccountAnswer>;

export interface SimulatedPaymentEvents {
  /** ENVIRONMENT_MISMATCH, NOT_FOUND; STATE_CONFLICT where the simulated vendor does not pay. */
  send(context: ActingContext, event: PayoutEvent | AccountEvent): Promise<Answer>;
}

/** What a settlement tells of its payout, as far as it is answered. */
interface Told {
  settled: boolean;
  payout: { status: PayoutStatus; providerType: string };
}

interface Deps {
  frames: Frames;
  settings: Pick<PaymentSettingsReader, 'readSettings'>;
  settlePayout: (...settling: Parameters<SettlePayout>) => Promise<Told | undefined>;
}

/** The event has the vendor's effects; that the key had it sent is an entry of its own. */
const VENDOR = byVendor('payvendor', 'sendVendorEvent').actor;

export function createSimulatedPaymentEvents({ frames, settings, settlePayout }: Deps): SimulatedPaymentEvents {
  async function endPayout(db: WriteDb, scope: ActingScope, { payoutId, outcome }: PayoutEvent): Promise<Answer> {
    const failureCode = outcome === 'paid' ? null : 'account_closed';
    const unsent = (await db.row(unsentStatement(scope, { payoutId }))) !== undefined;
    if (unsent && outcome === 'paid') throw new AppError('STATE_CONFLICT', 'The payout has not been sent yet');
    const settling = await settlePayout(db, scope, { payoutId, outcome, failureCode, by: scope.provenance });
    if (!settling) throw new AppError('NOT_FOUND', 'No such payout');
    if (settling.payout.providerType !== 'payvendor') {
      throw new AppError('STATE_CONFLICT', 'The payout is paid by hand; settle or return it');
    }
    if (settling.settled && outcome !== 'paid') await simulateReversal(db, scope, payoutId);
    return { kind: 'payout', payoutId, status: settling.payout.status, effect: settling.settled ? 'applied' : 'no_change' };
  }

  async function changeAccount(db: WriteDb, scope: ActingScope, { accountId, outcome }: AccountEvent): Promise<Answer> {
    const read = (): Promise<SimulatedPayoutAccount | undefined> =>
      db.row(accountOfProviderStatement(scope, { payoutAccountId: accountId }));
    const known = await read();
    if (!known) throw new AppError('NOT_FOUND', 'No such payout account');
    if (known.connectedAccountId === null || !isSimulated(known.connectedAccountId)) {
      throw new AppError('STATE_CONFLICT', 'The simulated provider does not have the account');
    }
    const account = await lockProviderAccount(db, scope, known.connectedAccountId);
    if (!account) throw new Error('an account at the provider vanished');
    await applyAccountState(db, scope, account, STATES[outcome](known.connectedAccountId), null);
    const status = (await read())?.status ?? known.status;
    return { kind: 'payout_account', accountId, status, effect: status === known.status ? 'no_change' : 'applied' };
  }

  return {
    async send({ scope, guard, shape }, event) {
      if (scope.environment !== 'SANDBOX') {
        throw new AppError('ENVIRONMENT_MISMATCH', 'Only a SANDBOX has a simulated vendor');
      }
      if (guard) await frames.read(scope, (db) => guard.replay(db));
      const { account } = await settings.readSettings(scope);
      if (account) {
        throw new AppError('STATE_CONFLICT', "This SANDBOX has a vendor account; have the vendor's own sandbox send the event");
      }
      return frames.write(
        scope,
        async (db) => {
          const asVendor: ActingScope = { ...scope, provenance: { ...scope.provenance, actor: VENDOR } };
          const answer = await (event.kind === 'payout' ? endPayout(db, asVendor, event) : changeAccount(db, asVendor, event));
          await recordAudit(db, scope, {
            action: 'sandbox.vendor_event_sent',
            by: scope.provenance,
            objectKind: event.kind,
            objectId: event.kind === 'payout' ? event.payoutId : event.accountId,
            details: { kind: event.kind, outcome: event.outcome },
          });
          return answer;
        },
        { guard, shape },
      );
    },
  };
}
