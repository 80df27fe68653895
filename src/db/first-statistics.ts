/**
 * What the planner is to expect of tables that have never had a row to look at. Without statistics it takes tenant and
 * environment for two conditions that leave a single row, whatever index they begin. So on a new database it planned 237
 * statements with an index that knows only whose the rows are, beside the one that finds the row by its key, and each
 * connection kept such plans until autovacuum came by. With these numbers all rows of a table are one tenant's, so only
 * what else is asked for leaves few. The first analyze that finds rows puts its own in their place.
 * Source: https://www.postgresql.org/docs/18/functions-admin.html#FUNCTIONS-ADMIN-STATSMOD.
 */
import pg from 'pg';

/** Of tables that were empty when they were last looked at; a size of -1 is "not looked at yet". */
const SET = `
  select pg_restore_relation_stats('schemaname', 'public', 'relname', c.relname::text, 'relpages', 0, 'reltuples', -1::real),
         pg_restore_attribute_stats('schemaname', 'public', 'relname', c.relname::text, 'attname', a.attname::text,
           'inherited', false, 'null_frac', 0::real, 'avg_width', case a.attname when 'tenant_id' then 16 else 5 end,
           'n_distinct', 1::real)
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname in ('tenant_id', 'environment') and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpages = 0 and pg_has_role(c.relowner, 'USAGE')`;

/** Run by the schema owner as a part of `migrate`. Safe to repeat. */
export async function setFirstStatistics(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(`begin; set local lock_timeout = '3s'; ${SET}; commit`);
  } finally {
    await client.end();
  }
}
