import { savedAs } from '../../../http/operation.ts';
import { type Route, route } from '../../../http/route.ts';
import { exportPayoutRun } from './run-csv-operations.ts';
import type { RunCsvService } from './run-csv-service.ts';

export function runCsvRoutes(runCsv: RunCsvService): Route[] {
  return [
    route(
      exportPayoutRun,
      async ({ params: { runId }, ...context }) => ({
        name: `payouts-${runId}.csv`,
        pieces: await runCsv.exportRun(context, runId),
      }),
      ({ name, pieces }) => ({ status: 200, pieces, headers: savedAs(name) }),
    ),
  ];
}
