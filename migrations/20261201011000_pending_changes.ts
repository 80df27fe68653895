import type { Knex } from 'knex';

/** Requests that weaken a safeguard and wait for another pair of hands. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table pending_change (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  operation_id text not null,
  -- All that are needed to make it, and so to see and to decide it.
  scopes text[] not null check (cardinality(scopes) > 0),
  -- As the environment had it when the change was asked for.
  rule text not null check (rule in ('keys', 'persons')),
  status text not null default 'open' check (status in ('open', 'confirmed', 'rejected', 'expired', 'cancelled')),
  -- Names, directions, and the values that are no secrets.
  fields jsonb not null,
  -- The request as it was sent, and the values that it found; kept while it waits.
  request_sealed bytea,
  -- Whom the request and the reason name, as digests: an erasure finds it by them.
  named bigint[],
  created_by text not null check (created_by ~ '^(api_key|staff):.+$'),
  created_root text not null check (created_root ~ '^(api_key|staff):.+$'),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  decided_by text check (decided_by ~ '^(api_key|staff|member|operator|vendor|system)(:.+|)$'),
  decided_at timestamptz,
  reason text check (length(reason) between 1 and 500),
  primary key (tenant_id, environment, id),
  check ((status = 'open') = (request_sealed is not null)),
  check ((status = 'open') = (decided_at is null) and (decided_at is null) = (decided_by is null)),
  check (reason is null or status = 'rejected')
);
create index pending_change_expires_idx on pending_change (tenant_id, environment, expires_at) where status = 'open';
create index pending_change_any_expires_idx on pending_change ((expires_at at time zone 'UTC')) where status = 'open';
call raise_tenant_wall('pending_change');
grant select, insert on pending_change to svc_app;
grant update (status, fields, request_sealed, decided_by, decided_at, reason, named) on pending_change to svc_app;
grant select, update (status, request_sealed, decided_by, decided_at) on pending_change to svc_worker;

-- The safeguards that an open change would weaken: one change at a time may wait for each.
create table pending_change_field (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  field text not null check (length(field) between 1 and 300),
  pending_change_id uuid not null,
  primary key (tenant_id, environment, field),
  constraint pending_change_field_change_fkey
    foreign key (tenant_id, environment, pending_change_id) references pending_change
);
create index pending_change_field_change_idx on pending_change_field (tenant_id, environment, pending_change_id);
call raise_tenant_wall('pending_change_field');
grant select, insert, delete on pending_change_field to svc_app;
grant select, delete on pending_change_field to svc_worker;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop table pending_change_field;
drop table pending_change;
`);
}
