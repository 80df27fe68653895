/** Tenants and API keys in SQL. */
import type { Db, Scope } from '../../db/frame.ts';
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

export interface NewApiKey {
  hash: Buffer;
  lastFour: string;
  name: string | null;
  scopes: readonly string[];
  rateLimit: number | null;
}

const insertKeyStatement = prepared<
  { id: string },
  [string, string, Buffer, string, string | null, readonly string[], number | null]
>(
  'tenants_insert_key',
  `insert into api_key (tenant_id, environment, hash, last_four, name, scopes, rate_limit)
   values ($1, $2, $3, $4, $5, $6, $7) returning id`,
);

/** Returns the new key's id. */
export async function insertApiKey(db: Db, scope: Scope, key: NewApiKey): Promise<string> {
  const row = await db.row(
    insertKeyStatement(scope.tenantId, scope.environment, key.hash, key.lastFour, key.name, key.scopes, key.rateLimit),
  );
  if (!row) throw new Error('the insert of an API key returned no row');
  return row.id;
}

const revokeStatement = prepared<{ id: string }, [string, string, string]>(
  'tenants_revoke_key',
  `update api_key set revoked_at = coalesce(revoked_at, now())
   where tenant_id = $1 and environment = $2 and id = $3 returning id`,
);

const disableStatement = prepared<{ id: string }, [string, string, string]>(
  'tenants_disable_key',
  `update api_key set disabled_at = coalesce(disabled_at, now())
   where tenant_id = $1 and environment = $2 and id = $3 returning id`,
);

/** Makes a key unusable; doing so again changes nothing. */
export async function stopApiKey(db: Db, scope: Scope, keyId: string, how: 'revoke' | 'disable'): Promise<void> {
  const statement = how === 'revoke' ? revokeStatement : disableStatement;
  await db.rows(statement(scope.tenantId, scope.environment, keyId));
}
