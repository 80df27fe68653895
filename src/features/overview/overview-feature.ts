/** What a tenant's people look at first: what needs them, how money stands, and finding a record by whatever names it. */
import { defineFeature } from '../../house/feature.ts';
import { overviewRoutes } from './overview-routes.ts';
import { createOverviewService } from './overview-service.ts';
import { createSearchService } from './search-service.ts';

export const overviewFeature = defineFeature({
  name: 'overview',
  groups: { Overview: 'What waits, and search over everything' },
  open({ frames }) {
    return { offers: {}, routes: overviewRoutes(createOverviewService({ frames }), createSearchService({ frames })) };
  },
});
