/** Tenants in SQL. */
import type { Db } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

export interface NewTenant {
  id: string;
  name: string;
  defaultCurrency: string;
  reportingTimeZone: string;
}

const insertTenantStatement = prepared<unknown, [string, string, string, string]>(
  'tenants_insert',
  'insert into tenant (id, name, default_currency, reporting_time_zone) values ($1, $2, $3, $4)',
);

export async function insertTenant(db: Db, tenant: NewTenant): Promise<void> {
  await db.rows(insertTenantStatement(tenant.id, tenant.name, tenant.defaultCurrency, tenant.reportingTimeZone));
}

const tenantExistsStatement = prepared<{ id: string }, [string]>('tenants_exists', 'select id from tenant where id = $1');

export async function tenantExists(db: Db, tenantId: string): Promise<boolean> {
  return (await db.row(tenantExistsStatement(tenantId))) !== undefined;
}

const timeZoneStatement = prepared<{ known: boolean }, [string]>(
  'tenants_time_zone_known',
  'select exists (select from pg_timezone_names where name = $1) as known',
);

/** Whether the database, which does the calendar arithmetic, knows the IANA zone. */
export async function isKnownTimeZone(db: Db, zone: string): Promise<boolean> {
  return (await db.row(timeZoneStatement(zone)))?.known === true;
}
