/** The sweep that removes what is of no use any more: transfers that broke off, rows of what was ended, faults after 30 days. */
import type { Scope, WriteDb } from '../../db/frame.ts';
import type { Sweep } from '../../jobs/schedule.ts';
import { deleteSomeRows } from './import-rows-queries.ts';
import { deleteImport, settleTidyingOf, takeDueImport } from './imports-queries.ts';

const BATCH_SIZE = 5_000;

export const tidyImports: Sweep = {
  name: 'tidy-imports',
  batchSize: BATCH_SIZE,
  async run(db: WriteDb, scope: Scope) {
    const due = await takeDueImport(db, scope);
    if (!due) return 0;
    const waitingOnly = !due.receiving && !due.expired;
    const rows = await deleteSomeRows(db, scope, due.id, { waitingOnly, count: BATCH_SIZE });
    if (rows === BATCH_SIZE) return rows;
    if (due.receiving) await deleteImport(db, scope, due.id);
    else await settleTidyingOf(db, scope, due.id, due.expired);
    return BATCH_SIZE; // another import may be due
  },
};
