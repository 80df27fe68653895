import type { Knex } from 'knex';

/** Exports: files that are made of a list in the background, and the objects they are kept in. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table export_run (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  kind text not null check (kind in ('members', 'commissions', 'events', 'ledger', 'payouts', 'trialBalance')),
  format text not null check (format in ('csv', 'ndjson')),
  filters jsonb not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled', 'expired')),
  row_count bigint not null default 0,
  byte_count bigint,
  -- A run of the job that is not the last one any more changes nothing.
  attempt integer not null default 0,
  -- The file of the run that is under way would hold what was erased meanwhile.
  begin_anew boolean not null default false,
  -- Of the completed file.
  storage_key text check (length(storage_key) <= 1000),
  failure text check (length(failure) <= 500),
  created_by text not null,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  expires_at timestamptz,
  -- Of one that is not finished: by then somebody would have worked on it.
  stands_at timestamptz,
  primary key (tenant_id, environment, id),
  constraint export_run_completed_check
    check (status not in ('completed', 'expired') or num_nulls(storage_key, byte_count, finished_at, expires_at) = 0),
  constraint export_run_stands_check check ((status in ('queued', 'running')) = (stands_at is not null))
);
create index export_run_expires_idx on export_run (tenant_id, environment, expires_at) where status = 'completed';
create index export_run_any_expires_idx on export_run ((expires_at at time zone 'UTC')) where status = 'completed';
create index export_run_stands_idx on export_run (tenant_id, environment, stands_at) where stands_at is not null;
create index export_run_any_stands_idx on export_run ((stands_at at time zone 'UTC')) where stands_at is not null;
call raise_tenant_wall('export_run');
grant select, insert, update on export_run to svc_app, svc_worker;

-- An object is written down before it is made. It outlives its export's row when a SANDBOX is erased.
create table export_object (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  storage_key text not null check (length(storage_key) <= 1000),
  export_id uuid not null,
  -- Null while its export is complete.
  remove_after timestamptz,
  -- Until when somebody may still write the object; what is removed before that is removed once more then.
  writable_until timestamptz not null,
  -- Being removed: no export can be completed with it any more.
  removing boolean not null default false,
  primary key (tenant_id, environment, storage_key)
);
create index export_object_export_idx on export_object (tenant_id, environment, export_id);
create index export_object_due_idx on export_object (tenant_id, environment, remove_after) where remove_after is not null;
create index export_object_any_due_idx on export_object ((remove_after at time zone 'UTC')) where remove_after is not null;
call raise_tenant_wall('export_object');
grant select, insert, update, delete on export_object to svc_app, svc_worker;
-- The eraser has them removed from the storage.
call open_sandbox_to_eraser('export_object');
revoke delete on export_object from svc_eraser;
grant update (remove_after) on export_object to svc_eraser;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop table export_object;
drop table export_run;
`);
}
