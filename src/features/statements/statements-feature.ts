/** Statements of a month and documents of a tax year, for members. */
import { defineFeature } from '../../house/feature.ts';
import { statementsRoutes } from './statements-routes.ts';
import { createStatementsService } from './statements-service.ts';
import { createTaxDocumentsService } from './tax-documents-service.ts';

export const statementsFeature = defineFeature({
  name: 'statements',
  open({ frames }) {
    const statements = createStatementsService({ frames });
    return { offers: {}, routes: statementsRoutes({ statements, taxDocuments: createTaxDocumentsService({ frames }) }) };
  },
});
