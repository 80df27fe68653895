/** The statements of the operations of snapshots. */
import { read, type StatementRow, write } from '../../support/statements/statement-row.ts';
import { plantSnapshot } from './matrix-snapshots.ts';
import { snapshotPath, snapshotsPath } from './snapshot-calls.ts';

export const snapshotStatements: StatementRow[] = [
  [
    'createEventSnapshot',
    (world) => world.client.post(snapshotPath, { kinds: ['members'] }),
    202,
    write('webhooks_lock_new_snapshot', 'webhooks_insert_snapshot', 'audit_insert', 'built'),
  ],
  [
    'getEventSnapshot',
    async ({ client, app, scope }) => client.get(`${snapshotsPath}/${await plantSnapshot(app, { ...scope, canaries: [] })}`),
    200,
    read('webhooks_find_snapshot'),
  ],
  [
    'createEventSnapshotDownloadUrl',
    async ({ client, app, scope }) =>
      client.post(`${snapshotsPath}/${await plantSnapshot(app, { ...scope, canaries: [] })}/download-url`, {}),
    200,
    write('webhooks_lock_snapshot', 'audit_insert'),
  ],
];
