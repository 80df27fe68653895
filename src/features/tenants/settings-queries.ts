/** A tenant's settings in SQL. They are columns of the tenant, which both environments share. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

export interface Settings {
  defaultCurrency: string;
  reportingTimeZone: string;
  updatedAt: Date;
}

const columns = `default_currency as "defaultCurrency", reporting_time_zone as "reportingTimeZone", updated_at as "updatedAt"`;

export const readSettingsStatement = prepared<Settings, [tenantId: string]>(
  'settings_read',
  `select ${columns} from tenant where id = $1`,
);

const lock = prepared<Settings, [tenantId: string]>(
  'settings_lock',
  `select ${columns} from tenant where id = $1 for no key update`,
);

/** The settings as they stay until the end of the transaction. */
export async function lockSettings(db: Db, scope: Scope): Promise<Settings> {
  const row = await db.row(lock(scope.tenantId));
  if (!row) throw new Error('the tenant of the scope does not exist');
  return row;
}

const update = prepared<Settings, [tenantId: string, defaultCurrency: string, reportingTimeZone: string]>(
  'settings_update',
  `update tenant set default_currency = $2, reporting_time_zone = $3, updated_at = now() where id = $1 returning ${columns}`,
);

export async function updateSettings(
  db: Db,
  scope: Scope,
  { defaultCurrency, reportingTimeZone }: Omit<Settings, 'updatedAt'>,
): Promise<Settings> {
  const row = await db.row(update(scope.tenantId, defaultCurrency, reportingTimeZone));
  if (!row) throw new Error('the tenant of the scope does not exist');
  return row;
}
