/** Actors that rows keep, with their names, in SQL. */
import { ofTenant } from '../../../db/tenant-condition.ts';

/**
 * `{kind, id, name}` in JSON of a column that holds an `actorRef`, or null. The name is the one that the key, the
 * person or the member has now; a vendor's is its id.
 */
export const namedActor = (column: string): string => `(
  select json_build_object('kind', by.kind, 'id', by.id, 'name', case by.kind
    when 'api_key' then (select named.name from api_key named where ${ofTenant('named')} and named.id = by.id::uuid)
    when 'member' then (select named.name from member named where ${ofTenant('named')} and named.id = by.id::uuid)
    when 'staff' then case when by.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then staff_name(by.id::uuid) end
    when 'vendor' then by.id end)
  from (select split_part(${column}, ':', 1) as kind, nullif(substr(${column}, length(split_part(${column}, ':', 1)) + 2), '') as id) by
  where ${column} is not null)`;
