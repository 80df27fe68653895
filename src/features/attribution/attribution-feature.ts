/** Whom a lead or a sale is credited to, and the receipts that say why. */
import { defineFeature } from '../../house/feature.ts';
import type { ReferralsOffers } from '../referrals/referrals-feature.ts';
import { attributionAudits } from './attribution-audits.ts';
import { attributionPersonal } from './attribution-personal.ts';
import { createAttributionService } from './attribution-service.ts';
import { receiptsRoutes } from './receipts-routes.ts';
import { createReceiptsService } from './receipts-service.ts';

export const attributionFeature = defineFeature({
  name: 'attribution',
  audits: attributionAudits,
  personal: attributionPersonal,
  growsWith: 'lines',
  tables: ['attribution_receipt'],
  open({ frames, cursors }, { referrals }: { referrals: ReferralsOffers }) {
    return {
      offers: createAttributionService({ clickIds: referrals.clickIds }),
      routes: receiptsRoutes(createReceiptsService({ frames, cursors })),
    };
  },
});
