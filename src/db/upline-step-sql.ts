/** A step up the member tree, as every statement that walks it takes it. */
import { ofTenant } from './tenant-condition.ts';

/**
 * Joins `m`, a member's row by its id. The limit keeps the planner to one lookup a step: where most tenants are small it
 * expects few rows of any, and would read all of a large one at each step.
 */
export function memberStep(id: string, columns: readonly string[]): string {
  return `cross join lateral (
       select ${columns.map((column) => `m.${column}`).join(', ')} from member m
       where ${ofTenant('m')} and m.id = ${id} limit 1) m`;
}
