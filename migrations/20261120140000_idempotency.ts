import type { Knex } from 'knex';

/** Idempotency keys: one row a key, written in the business transaction, the answer encrypted. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table idempotency_key (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  operation text not null,
  key text not null check (length(key) between 1 and 255),
  fingerprint bytea not null,
  status int,
  answer bytea,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, environment, operation, key)
);
create index idempotency_key_expiry_idx on idempotency_key (tenant_id, environment, expires_at);
call raise_tenant_wall('idempotency_key');
grant select, insert, update, delete on idempotency_key to svc_app, svc_worker;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table idempotency_key;');
}
