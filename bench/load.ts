/** Loading by SQL, a step after the other. */
import type { Stage, Tenant } from './stage.ts';

/** Says how long something took. */
export async function told<T>(say: (line: string) => void, what: string, run: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await run();
  say(`${what} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

/** Steps of SQL in which `$scope` stands for the two first columns of every row. */
export function loadingSteps(
  stage: Pick<Stage, 'sql'>,
  { tenantId, environment }: Pick<Tenant, 'tenantId' | 'environment'>,
  say: (line: string) => void,
): (what: string, text: string) => Promise<void> {
  return async (what, text) => {
    await told(say, `loaded ${what}`, () => stage.sql(text.replaceAll('$scope', `'${tenantId}'::uuid, '${environment}'`)));
  };
}

/** As folding would have left the counts, in which members loaded past the service are not; on a connection of its own. */
export async function countDownlines(
  stage: Stage,
  { tenantId, environment }: Pick<Tenant, 'tenantId' | 'environment'>,
): Promise<void> {
  const client = await stage.connect();
  await client.query('select rebuild_downline($1, $2)', [tenantId, environment]);
  // Of a table that nobody has looked at yet few rows are expected, and each would be sought among all of the others.
  await client.query('analyze member, downline_count');
  await client.query(
    `update downline_count c set parent_id = m.parent_id from member m
     where c.tenant_id = $1 and c.environment = $2 and m.tenant_id = $1 and m.environment = $2 and m.id = c.member_id`,
    [tenantId, environment],
  );
  await client.end();
}

/**
 * Loads a table without its indexes but the primary key, and makes them anew: entries that come in no
 * order cost several times as much one by one. Returns what makes them, to be run beside other work.
 */
export async function loadUnindexed(stage: Stage, table: string, load: () => Promise<void>): Promise<() => Promise<void>> {
  const indexes = await stage.sql<{ dropping: string; making: string; naming: string | null }>(
    `select case when c.oid is null then 'drop index ' || i.indexrelid::regclass
                 else format('alter table %I drop constraint %I', $1::text, c.conname) end as dropping,
            pg_get_indexdef(i.indexrelid) as making,
            case when c.oid is not null then
              format('alter table %1$I add constraint %2$I unique using index %2$I', $1::text, c.conname) end as naming
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype = 'u'
     where i.indrelid = $1::regclass and not i.indisprimary order by i.indexrelid`,
    [table],
  );
  await stage.sql(indexes.map(({ dropping }) => dropping).join(';'));
  await load();
  return async () => {
    const client = await stage.connect();
    await client.query("set maintenance_work_mem = '256MB'");
    for (const { making } of indexes) await client.query(making);
    // Last, for it waits until nobody reads the table.
    for (const { naming } of indexes) if (naming !== null) await client.query(naming);
    await client.end();
  };
}
