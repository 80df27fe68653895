/** The statements of the operations of snapshots. */
import { type Counted, read, type StatementRow, write } from '../../support/statements/statement-row.ts';
import { plantSnapshot } from './matrix-snapshots.ts';
import { snapshotPath, snapshotsPath } from './snapshot-calls.ts';

/** What planting asks for is not the operation's. */
async function planted({ app, scope, forget }: Counted): Promise<string> {
  const id = await plantSnapshot(app, { ...scope, canaries: [] });
  forget();
  return id;
}

export const snapshotStatements: StatementRow[] = [
  [
    'createEventSnapshot',
    (world) => world.client.post(snapshotPath, { kinds: ['members'] }),
    202,
    write('webhooks_lock_new_snapshot', 'webhooks_insert_snapshot', 'audit_insert', 'built'),
  ],
  [
    'getEventSnapshot',
    async (world) => world.client.get(`${snapshotsPath}/${await planted(world)}`),
    200,
    read('webhooks_find_snapshot'),
  ],
  [
    'createEventSnapshotDownloadUrl',
    async (world) => world.client.post(`${snapshotsPath}/${await planted(world)}/download-url`, {}),
    200,
    write('webhooks_lock_snapshot', 'audit_insert'),
  ],
];
