/** Imports: files of members, leads, purchases and agreed rates, worked off in the background. */
import { z } from 'zod';
import { defineFeature } from '../../house/feature.ts';
import type { EventsOffers } from '../events/events-feature.ts';
import type { LeadsService } from '../leads/leads-service.ts';
import type { RatesOffers } from '../rates/rates-feature.ts';
import type { UsersService } from '../users/users-service.ts';
import { createImportKinds } from './import-kinds.ts';
import { RUN_IMPORT } from './import-run.ts';
import { importsPersonal } from './imports-personal.ts';
import { importsRoutes } from './imports-routes.ts';
import { createImportsService } from './imports-service.ts';
import { createImportJob } from './run-import.ts';
import { tidyImports } from './tidy-imports.ts';

interface Needs {
  users: UsersService;
  leads: LeadsService;
  events: EventsOffers;
  rates: RatesOffers;
}

export const importsFeature = defineFeature({
  name: 'imports',
  constraints: { import_row_run_fkey: { error: 'STATE_CONFLICT', message: 'The SANDBOX was erased meanwhile' } },
  scopes: {
    'imports:read': 'Read imports and what they refused',
    'imports:write': 'Send and cancel imports, with the scope of what they make',
  },
  groups: { Imports: 'Members, leads, purchases and agreed rates from CSV files' },
  env: {
    IMPORT_MAX_BYTES: z.coerce
      .number()
      .int()
      .positive()
      .default(200 * 1024 * 1024)
      .describe('Largest file of an import'),
  },
  events: {
    'import.completed': { meaning: 'Every row of an import was applied or refused.', shows: 'getImport' },
    'import.failed': { meaning: 'An import ended early: what was applied stays.', shows: 'getImport' },
  },
  personal: importsPersonal,
  faultPoints: ['import:linked', 'import:batch-done', 'import:batch-committed'],
  // Enqueues itself anew while there are rows left, long before its time is over.
  jobs: [{ name: RUN_IMPORT, kind: 'leased', retryLimit: 10 }],
  tables: ['import_row', 'import_run'],
  due: { 'tidy-imports': [{ table: 'import_run', at: 'tidy_at', clock: 'database' }] },
  open({ frames, cursors, queue, env, house: { scopeOf } }, { users, leads, events: { batches }, rates }: Needs) {
    const kinds = createImportKinds({ users, leads, batches, rates });
    const imports = createImportsService({ frames, cursors, queue, kinds, scopeOf });
    return {
      offers: {},
      routes: importsRoutes(imports, env.IMPORT_MAX_BYTES),
      sweeps: [tidyImports],
      handlers: [createImportJob({ queue, kinds })],
    };
  },
});
