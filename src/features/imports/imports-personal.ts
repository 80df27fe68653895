/** What imports hold of a person: names of files, and how rows that failed named their members. */
import { raw, statement } from '../../db/query.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import type { Personal } from '../../house/personal.ts';
import { NAMES_OF_ROW } from './link-rows-queries.ts';

const importRun = tenantTable('import_run');

const fileNames = statement<unknown>('erasure_import_files', () =>
  importRun().whereNotNull('file_name').update({ file_name: null }),
);

const failedRows = statement<unknown>('erasure_import_rows', () =>
  raw(
    `update import_row r set ${NAMES_OF_ROW.map((name) => `${name} = null`).join(', ')}
   from import_run i
   where ${ofTenant('r')} and ${ofTenant('i')} and i.id = r.import_id and i.finished_at is not null and r.state = 'failed'
     and num_nonnulls(${NAMES_OF_ROW.map((name) => `r.${name}`).join(', ')}) > 0`,
  ),
);

/**
 * Nobody knows whom a file is called by: the names of all go. A row that waits is applied still, and makes a new member
 * of whomever it names.
 */
export const importsPersonal: Personal = {
  eraseBefore: async (db, scope) => {
    await Promise.all([db.rows(fileNames(scope)), db.rows(failedRows(scope))]);
  },
};
