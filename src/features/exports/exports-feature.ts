/** Exports: the rows of a list as a file, made in the background and downloaded by a signed address. */
import { z } from 'zod';
import { defineFeature } from '../../house/feature.ts';
import { endStandingExports, expireExports } from './expire-exports.ts';
import { openExportKinds } from './export-kinds.ts';
import { REMOVE_EXPORT_FILES, RUN_EXPORT } from './export-run.ts';
import { exportsPersonal } from './exports-personal.ts';
import { exportsRoutes } from './exports-routes.ts';
import { createExportsService } from './exports-service.ts';
import { createFileRemoval, createRemovalSweep } from './remove-export-files.ts';
import { createExportJob, EXPORT_REPEATS } from './run-export.ts';

export const exportsFeature = defineFeature({
  name: 'exports',
  scopes: { 'exports:write': 'Export lists as files and download them, with the scope of each list' },
  groups: { Exports: 'Lists as files, made in the background' },
  env: {
    EXPORT_PAGE_ROWS: z.coerce.number().int().min(1).max(5_000).default(500).describe('Rows that an export reads at a time'),
  },
  faultPoints: ['export:page-written', 'export:stored'],
  tables: ['export_run', 'export_object'],
  kept: ['export_object'],
  // The exports go now, their files right after: by the sweep.
  beforeErasure: ["update export_object set remove_after = now() where tenant_id = erased_tenant and environment = 'SANDBOX'"],
  due: {
    'expire-exports': [{ table: 'export_run', where: "status = 'completed'", at: 'expires_at', clock: 'scope' }],
    'end-standing-exports': [{ table: 'export_run', at: 'stands_at', clock: 'database' }],
    [REMOVE_EXPORT_FILES]: [{ table: 'export_object', at: 'remove_after', clock: 'database' }],
  },
  personal: exportsPersonal,
  jobs: [
    // Begins from the first row each time. An hour is time for several million rows.
    { name: RUN_EXPORT, kind: 'leased', retryLimit: EXPORT_REPEATS, longestSeconds: 3_600 },
    { name: REMOVE_EXPORT_FILES, kind: 'leased' },
  ],
  open({ frames, cursors, queue, logger, env, documents: { storage }, house }) {
    const kinds = openExportKinds(house);
    const exports = createExportsService({ frames, cursors, queue, storage, kinds });
    return {
      offers: {},
      routes: exportsRoutes(exports, kinds),
      sweeps: [
        expireExports,
        endStandingExports,
        createRemovalSweep((db, scope) => queue.enqueue(db, scope, REMOVE_EXPORT_FILES, {})),
      ],
      handlers: [createExportJob({ storage, kinds, pageSize: env.EXPORT_PAGE_ROWS }), createFileRemoval({ storage, logger })],
    };
  },
});
