/** Paying members: methods, accounts at the payment vendor, runs, payouts, and what the vendor says of them. */
import { z } from 'zod';
import { defineFeature } from '../../house/feature.ts';
import { findBaseUrlFault, PAYMENT_VENDOR_ORIGIN } from '../../outgoing/address-form.ts';
import { metered } from '../../outgoing/call-meter.ts';
import { createPayvendor } from '../../vendors/payments/payvendor.ts';
import { createVendorClients } from '../../vendors/payments/vendor-clients.ts';
import type { CommissionsOffers } from '../commissions/commissions-feature.ts';
import type { EventsOffers } from '../events/events-feature.ts';
import type { MailOffers } from '../mail/mail-feature.ts';
import type { ProfileOffers } from '../profile/profile-feature.ts';
import type { TwoHandsOffers } from '../two-hands/two-hands-feature.ts';
import { allAccountsRoutes } from './accounts/all-accounts.ts';
import { payoutAccountsRoutes } from './accounts/payout-accounts-routes.ts';
import { createPayoutAccountsService } from './accounts/payout-accounts-service.ts';
import { createProvisioner, type Provisioner } from './accounts/provision-account.ts';
import { createProvisionJob, createProvisionSweep, PROVISION_PAYOUT_ACCOUNT } from './accounts/provision-job.ts';
import { tellAccountsJob } from './accounts/tell-accounts.ts';
import { payoutHoldRoutes } from './holds/payout-hold-routes.ts';
import { createPayoutHoldService } from './holds/payout-hold-service.ts';
import { toVendorSlots } from './methods/payout-methods.ts';
import { payoutMethodsRoutes } from './methods/payout-methods-routes.ts';
import { createPayoutMethodsService } from './methods/payout-methods-service.ts';
import { createNameJudge } from './names/judge-names.ts';
import { payoutsErrors } from './open/payouts-errors.ts';
import { createAdvancePayouts } from './payouts/advance-payouts.ts';
import { ADVANCE_PAYOUTS, CHECK_BATCH, checkPayouts, EXECUTE_BATCH, executePayouts } from './payouts/execute-payouts.ts';
import { payoutsRoutes } from './payouts/payouts-routes.ts';
import { type SettlePayout, settlePayout } from './payouts/settle-payout.ts';
import { tellPayoutsJob } from './payouts/tell-payouts.ts';
import { payoutsAudits } from './payouts-audits.ts';
import { payoutsEvents, TELL_ACCOUNTS, TELL_PAYOUTS } from './payouts-events.ts';
import { payoutsPersonal } from './payouts-personal.ts';
import { payoutsSealed } from './payouts-sealed.ts';
import { createPayoutsService } from './payouts-service.ts';
import { readinessRoutes } from './readiness/readiness-routes.ts';
import { createReadinessService } from './readiness/readiness-service.ts';
import { createPayoutFreeze, type PayoutFreeze } from './reconcile/freeze.ts';
import { payoutFreezeRoutes } from './reconcile/freeze-routes.ts';
import { reconcileCommands } from './reconcile/reconcile-commands.ts';
import { createReconcileService, type ReconcileService } from './reconcile/reconcile-service.ts';
import { reviewRoutes } from './review/review-routes.ts';
import { createReviewService } from './review/review-service.ts';
import { createRetryRun } from './runs/retry-run.ts';
import { runCsvRoutes } from './runs/run-csv-routes.ts';
import { createRunCsvService } from './runs/run-csv-service.ts';
import { payoutRunsRoutes } from './runs/runs-routes.ts';
import { createRunsService, type RunsService } from './runs/runs-service.ts';
import { createDraftSweep, DRAFT_PAYOUTS, SCHEDULES_IN_ANOTHER_ZONE } from './schedule/draft-on-schedule.ts';
import { payoutScheduleRoutes } from './schedule/schedule-routes.ts';
import { createPaymentSettingsReader } from './settings/payment-settings.ts';
import { createPaymentSettingsPart } from './settings/payment-settings-part.ts';
import { paymentSettingsDeclaration } from './settings/payment-settings-schemas.ts';
import { createPaymentVendors } from './settings/payment-vendors.ts';
import { forgetKeptAccounts } from './settlements/kept-accounts.ts';
import { settlementsRoutes } from './settlements/settlements-routes.ts';
import { createSettlementsService } from './settlements/settlements-service.ts';
import { forgetPaymentEvents } from './vendor-events/forget-payment-events.ts';
import { paymentReceiverRoutes } from './vendor-events/payment-receiver-routes.ts';
import { createPaymentEventReceiver, createRetrySweep } from './vendor-events/receive-payment-event.ts';
import { createSimulatedPaymentEvents, type SimulatedPaymentEvents } from './vendor-events/simulated-payment-events.ts';

export interface PayoutsOffers {
  /** Events as the vendor would send them, for a SANDBOX. */
  simulatedEvents: SimulatedPaymentEvents;
  provisioner: Provisioner;
  runs: RunsService;
  settlePayout: SettlePayout;
  freeze: PayoutFreeze;
  /** For the operator's commands. */
  reconcile: ReconcileService;
}

interface Needs {
  commissions: CommissionsOffers;
  events: EventsOffers;
  mail: MailOffers;
  profile: ProfileOffers;
  twoHands: TwoHandsOffers;
}

export const payoutsFeature = defineFeature({
  name: 'payouts',
  errors: payoutsErrors,
  sealed: payoutsSealed,
  settings: paymentSettingsDeclaration,
  events: payoutsEvents,
  audits: payoutsAudits,
  personal: payoutsPersonal,
  commands: reconcileCommands,
  scopes: {
    'accounts:read': 'Read payout accounts',
    'accounts:write': 'Set up and change payout accounts',
    'payouts:read': 'Read payout methods, runs, payouts and statements',
    'payouts:write': 'Draft and cancel payout runs, cancel payouts, and hold the payouts of members',
    'payouts:approve': 'Approve payout runs, lift holds, and accept names that accounts are held under',
    'payouts:execute': 'Execute payout runs, try failed payouts again, pay by hand, and enter settlements',
  },
  env: {
    MEMBER_MAX_PAYOUT_ACCOUNTS: z.coerce
      .number()
      .int()
      .positive()
      .default(20)
      .describe('Payout accounts that a member may have, without those that were deactivated'),
  },
  groups: {
    Payout: 'Payouts of cleared commissions, holds, settlements, tax documents and statements',
    'Payout Accounts': 'Where members are paid',
    'Payout runs': 'Payouts of a currency together: drafted, approved, executed',
  },
  faultPoints: [
    'provision:claimed',
    'provision:account-made',
    'provision:account-stored',
    'provision:bank-made',
    'provision:bank-stored',
    'payout:claimed',
    'payout:transferred',
    'payout:transfer-stored',
    'payout:sent',
    'payout:sent-stored',
    'payout:refusal-stored',
    'payout:reversal-refused',
    'payout:reversed',
    'payout:reversal-stored',
    'payment-event:committed',
    'payout:requeued',
    'payout-schedule:drafted',
  ],
  jobs: [
    // Made anew by a sweep for what is still under way, so it need not be repeated for long.
    { name: ADVANCE_PAYOUTS, kind: 'leased', retryLimit: 3 },
    // Repeated for what breaks off; while the provider refuses, the account is due again after a time that grows.
    { name: PROVISION_PAYOUT_ACCOUNT, kind: 'leased', retryLimit: 2 },
    { name: TELL_PAYOUTS, kind: 'leased', longestSeconds: 3_600 },
    { name: TELL_ACCOUNTS, kind: 'leased' },
  ],
  growsWith: 'lines',
  tables: [
    'payment_event',
    'payout_line',
    'payout_attempt',
    'payout',
    'payout_block',
    'payout_hold',
    'payout_schedule_run',
    'payout_schedule',
    'payout_run',
    'payout_account',
    'provider_account',
    'payment_settings',
    'payout_freeze',
    'payout_reconciliation',
  ],
  kept: ['payment_settings', 'payout_schedule', 'payout_freeze'],
  // The clock of the SANDBOX is put back: what is due next is reckoned anew.
  beforeErasure: [
    "update payout_schedule set after_at = now(), due_at = now() where tenant_id = erased_tenant and environment = 'SANDBOX'",
  ],
  due: {
    'execute-payouts': [{ table: 'payout', at: 'execute_at', clock: 'scope' }],
    'check-payouts': [{ table: 'payout', at: 'check_at', clock: 'database' }],
    [DRAFT_PAYOUTS]: [{ table: 'payout_schedule', at: 'due_at', clock: 'scope' }, { select: SCHEDULES_IN_ANOTHER_ZONE }],
    'forget-kept-accounts': [{ table: 'payout_account', at: 'kept_check_at', clock: 'scope' }],
    'provision-accounts': [{ table: 'payout_account', at: 'check_at', clock: 'scope' }],
    'retry-payment-events': [{ table: 'payment_event', at: 'retry_at', clock: 'database' }],
    'forget-payment-events': [
      { table: 'payment_event', where: "outcome <> 'parked'", at: 'received_at', after: '400 days', clock: 'database' },
    ],
  },
  open(
    { config, frames, cursors, cipher, pepper, logger, queue, env, noteCall },
    { commissions: { plans, payoutLines: lines }, events: { debts }, mail, profile: { readIdentity }, twoHands }: Needs,
  ) {
    const books = { lines, debts, mail };
    const settle: SettlePayout = (db, scope, settlement) => settlePayout(books, db, scope, settlement);
    const allowedHosts = config.OUTGOING_ALLOWED_HOSTS ?? [];
    const checkBaseUrl = (address: string) => findBaseUrlFault(address, allowedHosts, PAYMENT_VENDOR_ORIGIN);
    const settings = createPaymentSettingsReader({ frames, cipher });
    const { readSettings } = settings;
    const stripe = createPayvendor({ clients: createVendorClients({ checkBaseUrl }), logger });
    const payvendor = metered(stripe, 'payvendor', noteCall);
    const vendors = createPaymentVendors({ settings, payvendor, frames });
    const provisioner = createProvisioner({ frames, cipher, logger, vendors, readIdentity, toSlots: toVendorSlots });
    const names = createNameJudge(cipher);
    const freeze = createPayoutFreeze({ frames, logger });
    const maxAccounts = env.MEMBER_MAX_PAYOUT_ACCOUNTS;
    const accounts = createPayoutAccountsService({
      frames,
      cursors,
      cipher,
      pepper,
      readSettings,
      provisioner,
      maxAccounts,
      names,
      mail,
    });
    const runs = createRunsService({ frames, cursors, twoHands, readMinimumPayout: plans.readMinimumPayout, names, freeze });
    return {
      offers: {
        simulatedEvents: createSimulatedPaymentEvents({ frames, settings, settlePayout: settle }),
        provisioner,
        runs,
        settlePayout: settle,
        freeze,
        reconcile: createReconcileService({ frames, books, settings, vendors, freeze }),
      } satisfies PayoutsOffers,
      settings: createPaymentSettingsPart({ cipher, checkBaseUrl }),
      routes: [
        ...payoutMethodsRoutes(createPayoutMethodsService({ frames, readSettings })),
        ...allAccountsRoutes({ frames, cursors, names }),
        ...payoutAccountsRoutes(accounts),
        ...payoutHoldRoutes(createPayoutHoldService({ frames, cursors })),
        ...payoutRunsRoutes(runs, createRetryRun({ frames, twoHands, freeze })),
        ...reviewRoutes(createReviewService({ frames, names })),
        ...readinessRoutes(createReadinessService({ frames, readMinimumPayouts: plans.readMinimumPayouts, names })),
        // Before the payouts by their ids.
        ...payoutFreezeRoutes({ frames }),
        ...payoutScheduleRoutes({ frames }),
        ...payoutsRoutes(createPayoutsService({ frames, cursors, settlePayout: settle, twoHands, freeze })),
        ...settlementsRoutes(createSettlementsService({ frames, cursors, books, freeze })),
        ...runCsvRoutes(createRunCsvService({ frames, cipher, freeze })),
        ...paymentReceiverRoutes(createPaymentEventReceiver({ frames, settings, settlePayout: settle })),
      ],
      sweeps: [
        {
          name: 'execute-payouts',
          batchSize: EXECUTE_BATCH,
          lane: 'payouts',
          run: (db, scope, limit) => executePayouts({ ...books, names, freeze }, db, scope, queue.enqueue, limit),
        },
        {
          name: 'check-payouts',
          batchSize: CHECK_BATCH,
          lane: 'payouts',
          run: (db, scope, limit) => checkPayouts(freeze, db, scope, queue.enqueue, limit),
        },
        createDraftSweep({ runs, logger }),
        createRetrySweep(settle),
        createProvisionSweep(queue),
        forgetPaymentEvents,
        forgetKeptAccounts,
      ],
      handlers: [
        tellPayoutsJob,
        tellAccountsJob,
        createProvisionJob(provisioner),
        createAdvancePayouts({ vendorOf: vendors.of, logger, settlePayout: settle, freeze }),
      ],
    };
  },
});
