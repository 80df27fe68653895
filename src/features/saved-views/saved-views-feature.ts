/** Filters of pages that people and keys keep under a name, for themselves or for all. */
import { defineFeature } from '../../house/feature.ts';
import { forgetViewsNaming } from './saved-views-queries.ts';
import { savedViewsRoutes } from './saved-views-routes.ts';
import { createSavedViewsService } from './saved-views-service.ts';

export const savedViewsFeature = defineFeature({
  name: 'saved-views',
  groups: { 'Saved views': 'Filters of a dashboard page under a name' },
  tables: ['saved_view'],
  personal: {
    // Ahead of the member's erasure, while its names are there to be looked for.
    eraseBefore: async (db, scope, { memberId, emailsNorm }) => {
      await db.rows(forgetViewsNaming(scope, { memberId, emails: emailsNorm }));
    },
  },
  open({ frames }) {
    return { offers: {}, routes: savedViewsRoutes(createSavedViewsService({ frames })) };
  },
});
