import type { Knex } from 'knex';

/** Money: who has done what is kept as an actor, `kind:id`, in the place of the bare id of a key. */

/** Until now by keys alone. */
const KEYS: readonly { table: string; columns: readonly string[] }[] = [
  { table: 'payout_run', columns: ['created_by', 'approved_by', 'executed_by'] },
  { table: 'payout_hold', columns: ['created_by'] },
  { table: 'export_run', columns: ['created_by'] },
];

/** Rows that never change: the column is made anew, and the old one goes. */
const APPEND_ONLY: readonly { table: string; before: string }[] = [
  { table: 'commission_action', before: 'key_id' },
  { table: 'commission_plan_version', before: 'published_by' },
  { table: 'exchange_rate', before: 'recorded_by' },
];

const ACTOR = `~ '^(api_key|staff|member|operator|vendor|system)(:.+|$)'`;

const checkOf = (table: string, column: string): string =>
  `alter table ${table} add constraint ${table}_${column}_check check (${column} ${ACTOR}) not valid;`;

/** The owner is behind the walls too, and sees no row through them. */
const beyondTheWall = (tables: readonly string[], sql: string): string =>
  [
    ...tables.map((table) => `alter table ${table} no force row level security;`),
    sql,
    ...tables.map((table) => `alter table ${table} force row level security;`),
  ].join('\n');

const unlocked = (table: string, sql: string): string => `
alter table ${table} disable trigger append_only;
${sql}
alter table ${table} enable trigger append_only;`;

export async function up(knex: Knex): Promise<void> {
  for (const { table, columns } of KEYS) {
    const set = columns.map((column) => `${column} = 'api_key:' || ${column}`).join(', ');
    await knex.raw(beyondTheWall([table], `update ${table} set ${set};`));
    await knex.raw(columns.map((column) => checkOf(table, column)).join('\n'));
  }
  for (const { table, before } of APPEND_ONLY) {
    await knex.raw(`alter table ${table} add column created_by text;`);
    const convert = `update ${table} set created_by = 'api_key:' || ${before} where ${before} is not null;`;
    await knex.raw(beyondTheWall([table], unlocked(table, convert)));
    await knex.raw(`
${checkOf(table, 'created_by')}
-- One column says who it was, and one alone.
-- squawk-ignore ban-drop-column
alter table ${table} drop column ${before};`);
  }
  // Of an event somebody recorded it, whatever it is; until now manual commissions alone named the key.
  await knex.raw('alter table event add column created_by text;');
  const recorded = `update event e set created_by = 'api_key:' || (d.created_by ->> 'id') from event_detail d
    where d.tenant_id = e.tenant_id and d.environment = e.environment and d.event_id = e.id and d.created_by is not null;`;
  await knex.raw(beyondTheWall(['event', 'event_detail'], unlocked('event', recorded)));
  await knex.raw(`
${checkOf('event', 'created_by')}
-- squawk-ignore ban-drop-column
alter table event_detail drop column created_by;

-- Who drafted it; who asked for its next execution, which each attempt keeps: the executor of the run, or of the retry.
alter table payout add column created_by text, add column requested_by text;
alter table payout_attempt add column created_by text;`);
  const asked = `
update payout p set created_by = r.created_by, requested_by = r.executed_by from payout_run r
  where r.tenant_id = p.tenant_id and r.environment = p.environment and r.id = p.payout_run_id;
-- A retry was not kept: of the first attempt alone it is known who asked for it.
update payout_attempt a set created_by = p.requested_by from payout p
  where p.tenant_id = a.tenant_id and p.environment = a.environment and p.id = a.payout_id and a.attempt = 1;`;
  await knex.raw(beyondTheWall(['payout', 'payout_run', 'payout_attempt'], asked));
  await knex.raw(`
${checkOf('payout', 'created_by')}
${checkOf('payout', 'requested_by')}
${checkOf('payout_attempt', 'created_by')}
-- Files that a worker makes name keys as the lists do. Of a key it sees no more than that.
grant select (tenant_id, environment, id, name) on api_key to svc_worker;`);
}

/** Of others than keys the older columns cannot tell: they are nobody's there. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
revoke select (tenant_id, environment, id, name) on api_key from svc_worker;
alter table payout_attempt drop column created_by;
alter table payout drop column created_by, drop column requested_by;
alter table event_detail add column created_by jsonb;`);
  const recorded = `update event_detail d
    set created_by = json_build_object('kind', 'api_key', 'id', substr(e.created_by, 9), 'name', null) from event e
    where e.tenant_id = d.tenant_id and e.environment = d.environment and e.id = d.event_id
      and e.kind = 'commission' and e.created_by like 'api\\_key:%';`;
  await knex.raw(beyondTheWall(['event', 'event_detail'], recorded));
  await knex.raw('alter table event drop column created_by;');
  for (const { table, before } of APPEND_ONLY) {
    await knex.raw(`alter table ${table} add column ${before} uuid;`);
    const convert = `update ${table} set ${before} = substr(created_by, 9)::uuid where created_by like 'api\\_key:%';`;
    await knex.raw(beyondTheWall([table], unlocked(table, convert)));
    await knex.raw(`alter table ${table} drop column created_by;`);
  }
  for (const { table, columns } of KEYS) {
    await knex.raw(columns.map((column) => `alter table ${table} drop constraint ${table}_${column}_check;`).join('\n'));
    const set = columns.map((column) => `${column} = regexp_replace(${column}, '^api_key:', '')`).join(', ');
    await knex.raw(beyondTheWall([table], `update ${table} set ${set};`));
  }
}
