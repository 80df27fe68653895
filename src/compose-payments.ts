/** The parts of paying members: settings, the vendor, accounts, runs, statements. */
import type { Services } from './app.ts';
import type { Config } from './config.ts';
import type { Frames } from './db/frame.ts';
import type { Cipher } from './encryption.ts';
import type { PlansService } from './features/commissions/plans-service.ts';
import { createAdvancePayouts } from './features/payouts/advance-payouts.ts';
import { CHECK_BATCH, checkPayouts, EXECUTE_BATCH, executePayouts } from './features/payouts/execute-payouts.ts';
import { forgetPaymentEvents } from './features/payouts/forget-payment-events.ts';
import { createPaymentSettingsReader } from './features/payouts/payment-settings.ts';
import { createPaymentSettingsPart } from './features/payouts/payment-settings-part.ts';
import { createPaymentVendors } from './features/payouts/payment-vendors.ts';
import { createPayoutAccountsService } from './features/payouts/payout-accounts-service.ts';
import { toVendorSlots } from './features/payouts/payout-methods.ts';
import { createPayoutMethodsService } from './features/payouts/payout-methods-service.ts';
import { createPayoutsService } from './features/payouts/payouts-service.ts';
import { createProvisioner } from './features/payouts/provision-account.ts';
import { createProvisionJob, createProvisionSweep } from './features/payouts/provision-job.ts';
import { createPaymentEventReceiver, retryPaymentEvents } from './features/payouts/receive-payment-event.ts';
import { createRunCsvService } from './features/payouts/run-csv-service.ts';
import { createRunsService } from './features/payouts/runs-service.ts';
import { settlePayout } from './features/payouts/settle-payout.ts';
import { createSimulatedPaymentEvents } from './features/payouts/simulated-payment-events.ts';
import { createIdentityReader } from './features/profile/read-identity.ts';
import { createStatementsService } from './features/statements/statements-service.ts';
import { createTaxDocumentsService } from './features/statements/tax-documents-service.ts';
import type { Cursors } from './http/pagination.ts';
import type { JobHandler } from './jobs/job.ts';
import type { JobQueue } from './jobs/queue.ts';
import type { Sweep } from './jobs/schedule.ts';
import { findBaseUrlFault, PAYMENT_VENDOR_ORIGIN } from './outgoing/address-form.ts';
import { createPayvendor } from './vendors/payments/payvendor.ts';
import { createVendorClients } from './vendors/payments/vendor-clients.ts';

interface Deps {
  config: Config;
  frames: Frames;
  cursors: Cursors;
  cipher: Cipher;
  logger: Services['logger'];
  queue: JobQueue;
  plans: PlansService;
}

export function composePayments({ config, frames, cursors, cipher, logger, queue, plans }: Deps) {
  const allowedHosts = config.OUTGOING_ALLOWED_HOSTS ?? [];
  const checkBaseUrl = (address: string) => findBaseUrlFault(address, allowedHosts, PAYMENT_VENDOR_ORIGIN);
  const settings = createPaymentSettingsReader({ frames, cipher });
  const { readSettings } = settings;
  const vendors = createPaymentVendors({
    settings,
    payvendor: createPayvendor({ clients: createVendorClients({ checkBaseUrl }), logger }),
    frames,
  });
  const provisioner = createProvisioner({
    frames,
    cipher,
    logger,
    vendors,
    readIdentity: createIdentityReader({ frames, cipher }),
    toSlots: toVendorSlots,
  });
  const services = {
    payoutMethods: createPayoutMethodsService({ frames, readSettings }),
    payoutAccounts: createPayoutAccountsService({
      frames,
      cursors,
      cipher,
      pepper: config.secrets.apiKeyPepper,
      readSettings,
      provisioner,
    }),
    provisioner,
    payoutRuns: createRunsService({ frames, cursors, readMinimumPayout: plans.readMinimumPayout }),
    payouts: createPayoutsService({ frames, cursors }),
    runCsv: createRunCsvService({ frames, cipher }),
    paymentEvents: createPaymentEventReceiver({ frames, settings }),
    simulatedPayments: createSimulatedPaymentEvents({ frames, settings, settlePayout }),
    statements: createStatementsService({ frames }),
    taxDocuments: createTaxDocumentsService({ frames }),
  } satisfies Partial<Services>;
  const sweeps = {
    execute: {
      name: 'execute-payouts',
      batchSize: EXECUTE_BATCH,
      run: (db, scope) => executePayouts(db, scope, queue.enqueue),
    },
    check: { name: 'check-payouts', batchSize: CHECK_BATCH, run: (db, scope) => checkPayouts(db, scope, queue.enqueue) },
    retryEvents: retryPaymentEvents,
    forgetEvents: forgetPaymentEvents,
    provision: createProvisionSweep(queue),
  } satisfies Record<string, Sweep>;
  const handlers: JobHandler[] = [createProvisionJob(provisioner), createAdvancePayouts({ vendorOf: vendors.of, logger })];
  return { services, sweeps, handlers, settingsPart: createPaymentSettingsPart({ cipher, checkBaseUrl }) };
}
