/** The statements of the operations of imports. */

import { type Counted, read, type StatementRow, write } from '../../support/statements/statement-row.ts';
import { sendCsv } from './csv-imports.ts';
import { plantImport } from './matrix.ts';

async function newImport({ app, scope, forget }: Counted, status?: string): Promise<string> {
  const id = await plantImport(app, { ...scope, canaries: [] }, status);
  forget();
  return `/api/v1/imports/${id}`;
}

export const importStatements: StatementRow[] = [
  ...['', 'x@a.example\n'.repeat(2_500)].map(
    (rows): StatementRow => [
      `createImport of ${rows === '' ? 'one row' : '2,501'}`,
      ({ app, liveKey }) => sendCsv(app, liveKey, `email\ny@a.example\n${rows}`),
      201,
      [
        ...write('imports_insert'),
        ...Array.from({ length: rows === '' ? 1 : 3 }, () => write('import_rows_insert')).flat(),
        ...write('imports_queue', 'built'),
      ],
    ],
  ),
  ['listImports of 100', ({ client }) => client.get('/api/v1/imports?limit=100'), 200, read('imports_list')],
  ['getImport', async (world) => world.client.get(await newImport(world)), 200, read('imports_find')],
  [
    'listImportErrors',
    async (world) => world.client.get(`${await newImport(world)}/errors`),
    200,
    read('imports_find', 'import_rows_list_failed'),
  ],
  [
    'exportImportErrors',
    async (world) => world.client.get(`${await newImport(world)}/errors.csv`),
    200,
    [...read('imports_find'), ...read('import_rows_list_failed')],
  ],
  [
    'cancelImport',
    async (world) => world.client.post(`${await newImport(world, 'queued')}/cancel`, {}),
    200,
    write('imports_wait_longer', 'imports_lock', 'imports_end', 'audit_insert'),
  ],
];
