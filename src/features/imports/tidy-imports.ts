/**
 * The sweep that removes what is of no use any more: transfers that broke off, rows of what was ended, faults after 30
 * days. It ends imports that came to a standstill, whose rows would wait for ever.
 */
import { bySystem } from '../../actor.ts';
import type { Scope, WriteDb } from '../../db/scope.ts';
import type { Sweep } from '../../jobs/schedule.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import { deleteSomeRows } from './import-rows-queries.ts';
import { deleteImport, endImport, settleTidyingOf, takeDueImport } from './imports-queries.ts';
import { forgetNamesOfFailed } from './link-rows-queries.ts';

const BATCH_SIZE = 5_000;

export const tidyImports: Sweep = {
  name: 'tidy-imports',
  batchSize: BATCH_SIZE,
  async run(db: WriteDb, scope: Scope, limit: number) {
    const due = await takeDueImport(db, scope);
    if (!due) return 0;
    if (due.stands) {
      await endImport(db, scope, due.id, 'failed', 'The import came to a standstill; what was applied stays');
      tell(db, bySystem('tidy-imports'), 'import.failed', due.id);
      return limit;
    }
    const waitingOnly = !due.receiving && !due.expired;
    const rows = await deleteSomeRows(db, scope, due.id, { waitingOnly, count: limit });
    if (rows === limit) return rows;
    if (due.receiving) await deleteImport(db, scope, due.id);
    else {
      await forgetNamesOfFailed(db, scope, due.id);
      await settleTidyingOf(db, scope, due.id, due.expired);
    }
    return limit; // another import may be due
  },
};
