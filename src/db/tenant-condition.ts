/**
 * The first wall between tenants, as text: every statement names the tenant and the environment. It is written here and
 * nowhere else; `tenantTable` adds it to what Knex builds, and SQL texts take it by these functions.
 * Source: docs/specification/tenancy.md#walls.
 */

/** The rows of the frame's scope. */
export function ofTenant(alias: string): string {
  return `${alias}.tenant_id = :tenantId and ${alias}.environment = :environment`;
}

/** The row of the frame's tenant in the table `tenant`. */
export function theTenant(alias: string): string {
  return `${alias}.id = :tenantId`;
}

/** Rows of one scope: `one`'s is that of `other`. */
export function sameTenant(one: string, other: string): string {
  return `${one}.tenant_id = ${other}.tenant_id and ${one}.environment = ${other}.environment`;
}
