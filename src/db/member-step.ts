/** A step up the member tree, as every statement that walks it takes it. */

/**
 * Joins `m`, a member's row by its id: `$1` is the tenant, `$2` the environment. The limit keeps the planner
 * to one lookup a step: where most tenants are small it expects few rows of any, and would read all of a
 * large one at each step.
 */
export function memberStep(id: string, columns: readonly string[]): string {
  return `cross join lateral (
       select ${columns.map((column) => `m.${column}`).join(', ')} from member m
       where m.tenant_id = $1 and m.environment = $2 and m.id = ${id} limit 1) m`;
}
