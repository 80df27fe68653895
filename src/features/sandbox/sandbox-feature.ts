/** What only a SANDBOX has: a clock that is moved, its erasure, and vendors' events that are made up. */
import { defineFeature } from '../../house/feature.ts';
import { sweepScope } from '../../jobs/schedule.ts';
import type { CommissionsOffers } from '../commissions/commissions-feature.ts';
import type { KycOffers } from '../kyc/kyc-feature.ts';
import type { PayoutsOffers } from '../payouts/payouts-feature.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { createSandboxService } from './sandbox-service.ts';
import { vendorEventsRoutes } from './vendor-events-routes.ts';

interface Needs {
  commissions: CommissionsOffers;
  kyc: KycOffers;
  payouts: PayoutsOffers;
}

export const sandboxFeature = defineFeature({
  name: 'sandbox',
  scopes: { 'sandbox:write': 'Move the clock of the SANDBOX, erase it, and send events of vendors' },
  groups: { Sandbox: "The SANDBOX's clock, its reset and its simulated vendors" },
  tables: ['sandbox_clock'],
  open({ frames, logger, house }, { commissions: { plans }, kyc, payouts }: Needs) {
    const sandbox = createSandboxService({
      frames,
      plans,
      runSweeps: (scope) => sweepScope({ frames, logger, sweeps: house.sweeps() }, scope),
    });
    const { simulatedEvents: sandboxEvents } = kyc;
    const { simulatedEvents: simulatedPayments } = payouts;
    return { offers: {}, routes: [...sandboxRoutes(sandbox), ...vendorEventsRoutes({ sandboxEvents, simulatedPayments })] };
  },
});
