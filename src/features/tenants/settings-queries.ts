/** A tenant's settings in SQL. They are columns of the tenant, which both environments share. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ownTenant } from '../../db/tenant-table.ts';

export interface Settings {
  defaultCurrency: string;
  reportingTimeZone: string;
  updatedAt: Date;
}

const columns = ['default_currency as defaultCurrency', 'reporting_time_zone as reportingTimeZone', 'updated_at as updatedAt'];

export const readSettingsStatement = statement<Settings>('settings_read', () => ownTenant().select(columns));

const lock = statement<Settings>('settings_lock', () => ownTenant().select(columns).forNoKeyUpdate());

/** The settings as they stay until the end of the transaction. */
export async function lockSettings(db: Db, scope: Scope): Promise<Settings> {
  const row = await db.row(lock(scope));
  if (!row) throw new Error('the tenant of the scope does not exist');
  return row;
}

const update = statement<Settings, { defaultCurrency: string; reportingTimeZone: string }>(
  'settings_update',
  ({ defaultCurrency, reportingTimeZone }) =>
    ownTenant()
      .update({ default_currency: defaultCurrency, reporting_time_zone: reportingTimeZone, updated_at: raw('now()') })
      .returning(columns),
);

export async function updateSettings(
  db: Db,
  scope: Scope,
  { defaultCurrency, reportingTimeZone }: Omit<Settings, 'updatedAt'>,
): Promise<Settings> {
  const row = await db.row(update(scope, { defaultCurrency, reportingTimeZone }));
  if (!row) throw new Error('the tenant of the scope does not exist');
  return row;
}
