import type { Knex } from 'knex';

/** Filters of pages under a name. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table saved_view (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  -- In whose hands: the person, or the first of the keys that come from each other.
  owner text not null check (owner ~ '^(api_key|staff):.+$'),
  name text not null check (length(name) between 1 and 100),
  page text not null check (page ~ '^/' and length(page) <= 200),
  query jsonb not null check (jsonb_typeof(query) = 'object'),
  shared boolean not null,
  created_by text not null check (created_by ~ '^(api_key|staff|member|operator|vendor|system)(:.+|)$'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, environment, id),
  constraint saved_view_name_key unique (tenant_id, environment, owner, page, name)
);
create index saved_view_shared_idx on saved_view (tenant_id, environment, page) where shared;
call raise_tenant_wall('saved_view');
call open_sandbox_to_eraser('saved_view');
grant select, insert, update, delete on saved_view to svc_app;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table saved_view');
}
