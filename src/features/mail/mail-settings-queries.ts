/** What members are mailed about, in SQL. Without a row: nothing that they could refuse. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';

export interface MailSettings {
  payouts: boolean;
}

const settings = tenantTable('mail_settings');

const read = statement<MailSettings>('mail_read_settings', () => settings('s').select({ payouts: 's.payouts' }));

export function readMailSettings(db: Db, scope: Scope): Promise<MailSettings | undefined> {
  return db.row(read(scope));
}

const store = statement<unknown, MailSettings>('mail_store_settings', ({ payouts }) =>
  settings('s')
    .insert({ payouts, updated_at: raw('now()') })
    // One row a scope.
    .onConflict([])
    .merge(['payouts', 'updated_at']),
);

/** Whoever changes them holds a lock on the tenant's row. */
export async function storeMailSettings(db: Db, scope: Scope, whole: MailSettings): Promise<void> {
  await db.rows(store(scope, whole));
}
