/** The statements of the operations of exports. */
import { type Counted, read, type StatementRow, write } from '../../support/statements/statement-row.ts';
import { exportsPath } from './export-calls.ts';
import { plantExport } from './matrix.ts';

async function planted({ app, scope, forget }: Counted, status: string): Promise<string> {
  const id = await plantExport(app, { ...scope, canaries: [] }, status);
  forget();
  return `${exportsPath}/${id}`;
}

export const exportStatements: StatementRow[] = [
  [
    'createExport',
    (world) => world.client.post(exportsPath, { kind: 'members', format: 'csv', filters: { isActive: true } }),
    201,
    write('exports_lock_new', 'exports_insert', 'audit_insert', 'built'),
  ],
  ['listExports of 100', (world) => world.client.get(`${exportsPath}?limit=100`), 200, read('exports_list')],
  ['getExport', async (world) => world.client.get(await planted(world, 'completed')), 200, read('exports_find')],
  [
    'cancelExport',
    async (world) => world.client.post(`${await planted(world, 'queued')}/cancel`, {}),
    200,
    write('exports_lock', 'exports_end', 'exports_drop_objects', 'audit_insert'),
  ],
  [
    'createExportDownloadUrl',
    async (world) => world.client.post(`${await planted(world, 'completed')}/download-url`, {}),
    200,
    write('exports_lock', 'audit_insert'),
  ],
];
