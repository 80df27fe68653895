import type { Knex } from 'knex';

/** Up to where the ledger of a tenant and environment was found sound. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- The last block of the latest check that found nothing wrong. The next one begins there; once a week the whole is checked.
create table ledger_check (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  block_seq bigint not null check (block_seq >= 1),
  block_hash bytea not null check (octet_length(block_hash) = 32),
  checked_at timestamptz not null,
  whole_at timestamptz not null check (whole_at <= checked_at),
  primary key (tenant_id, environment)
);
call raise_tenant_wall('ledger_check');
call open_sandbox_to_eraser('ledger_check');
grant select, insert, update on ledger_check to svc_app, svc_worker;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table ledger_check;');
}
