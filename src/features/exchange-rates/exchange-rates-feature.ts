/** Dated exchange rates, which a sale takes where its member is paid in another currency. */
import { defineFeature } from '../../house/feature.ts';
import type { PendingChangesOffers } from '../pending-changes/pending-changes-feature.ts';
import { exchangeRatesRoutes } from './exchange-rates-routes.ts';
import { createExchangeRatesService } from './exchange-rates-service.ts';

export const exchangeRatesFeature = defineFeature({
  name: 'exchange-rates',
  scopes: { 'admin:rates': 'Read and record exchange rates' },
  tables: ['exchange_rate'],
  open({ frames, cursors }, { pendingChanges: { holdBack } }: { pendingChanges: PendingChangesOffers }) {
    const rates = createExchangeRatesService({ frames, cursors, holdBack });
    return { offers: rates, routes: exchangeRatesRoutes(rates) };
  },
});
