/** Tenants in SQL. */
import { knex, raw, unscopedStatement } from '../../db/query.ts';
import type { Db } from '../../db/scope.ts';

export interface NewTenant {
  id: string;
  name: string;
  defaultCurrency: string;
  reportingTimeZone: string;
}

const insertTenantStatement = unscopedStatement<unknown, NewTenant>(
  'tenants_insert',
  ({ id, name, defaultCurrency, reportingTimeZone }) =>
    knex('tenant').insert({ id, name, default_currency: defaultCurrency, reporting_time_zone: reportingTimeZone }),
);

export async function insertTenant(db: Db, tenant: NewTenant): Promise<void> {
  await db.rows(insertTenantStatement(tenant));
}

const tenantExistsStatement = unscopedStatement<{ id: string }, { tenantId: string }>('tenants_exists', ({ tenantId }) =>
  knex('tenant').where({ id: tenantId }).select('id'),
);

export async function tenantExists(db: Db, tenantId: string): Promise<boolean> {
  return (await db.row(tenantExistsStatement({ tenantId }))) !== undefined;
}

const setDisabledStatement = unscopedStatement<{ id: string }, { tenantId: string; disabled: boolean }>(
  'tenants_set_disabled',
  ({ tenantId, disabled }) =>
    knex('tenant')
      .where({ id: tenantId })
      .where(raw('(disabled_at is not null) <> :disabled', { disabled }))
      .update({ disabled_at: raw('case when :disabled then now() end', { disabled }) })
      .returning('id'),
);

/** False when it was so before. */
export async function setTenantDisabled(db: Db, tenantId: string, disabled: boolean): Promise<boolean> {
  return (await db.row(setDisabledStatement({ tenantId, disabled }))) !== undefined;
}

const setSlugStatement = unscopedStatement<{ id: string }, { tenantId: string; slug: string }>(
  'tenants_set_slug',
  ({ tenantId, slug }) => knex('tenant').where({ id: tenantId }).whereNot({ slug }).update({ slug }).returning('id'),
);

/** False when it was so before. Throws the constraint's error when another tenant has it. */
export async function setTenantSlug(db: Db, tenantId: string, slug: string): Promise<boolean> {
  return (await db.row(setSlugStatement({ tenantId, slug }))) !== undefined;
}

const timeZoneStatement = unscopedStatement<{ known: boolean }, { zone: string }>('tenants_time_zone_known', ({ zone }) =>
  knex('pg_timezone_names').where({ name: zone }).limit(1).select(raw('true as known')),
);

/** Whether the database, which does the calendar arithmetic, knows the IANA zone. */
export async function isKnownTimeZone(db: Db, zone: string): Promise<boolean> {
  return (await db.row(timeZoneStatement({ zone })))?.known === true;
}
