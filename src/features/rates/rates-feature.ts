/** Rates that are agreed with members, and what a member earns. */
import { defineFeature } from '../../house/feature.ts';
import type { CommissionsOffers } from '../commissions/commissions-feature.ts';
import type { EventsOffers } from '../events/events-feature.ts';
import type { PendingChangesOffers } from '../pending-changes/pending-changes-feature.ts';
import { type AgreeRow, createAgreeRow } from './agree-row.ts';
import { ratesEvents } from './rates-events.ts';
import { ratesPersonal } from './rates-personal.ts';
import { ratesRoutes } from './rates-routes.ts';
import { createRatesService } from './rates-service.ts';

export interface RatesOffers {
  agreeRow: AgreeRow;
}

interface Needs {
  commissions: CommissionsOffers;
  events: EventsOffers;
  pendingChanges: PendingChangesOffers;
}

export const ratesFeature = defineFeature({
  name: 'rates',
  events: ratesEvents,
  personal: ratesPersonal,
  scopes: {
    'rates:read': 'Read rates that were agreed with members, and what they earn',
    'rates:write': 'Agree rates with members, for their links and for their codes',
  },
  groups: { Rates: 'Rates that are agreed with members, and what a member earns' },
  tables: ['rate_override'],
  open(
    { frames, cursors },
    { commissions: { plans }, events: { memberAt, soldBefore }, pendingChanges: { holdBack, refuseToWait } }: Needs,
  ) {
    const rates = createRatesService({ frames, cursors, plans, memberAt, soldBefore, holdBack });
    return { offers: { agreeRow: createAgreeRow({ plans, refuseToWait }) } satisfies RatesOffers, routes: ratesRoutes(rates) };
  },
});
