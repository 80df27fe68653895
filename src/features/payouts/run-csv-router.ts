import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { savedAs } from '../../http/operation.ts';
import { exportPayoutRun } from './run-csv-operations.ts';
import type { RunCsvService } from './run-csv-service.ts';

export function mountRunCsv(router: Router, mount: Mount, runCsv: RunCsvService): void {
  mount(
    router,
    exportPayoutRun,
    async ({ params: { runId }, ...context }) => ({
      name: `payouts-${runId}.csv`,
      pieces: await runCsv.exportRun(context, runId),
    }),
    ({ name, pieces }) => ({ status: 200, pieces, headers: savedAs(name) }),
  );
}
