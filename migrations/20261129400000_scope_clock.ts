import type { Knex } from 'knex';

/** The scope's clock at the moment of the call. `scope_now` stays at the begin of the transaction, before it waited for a lock. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create function scope_clock(tenant uuid, scope_environment text) returns timestamptz language sql volatile parallel safe
as $$
  select case when scope_environment = 'SANDBOX'
              then coalesce((select coalesce(c.frozen_at, clock_timestamp() + c.ahead) from sandbox_clock c
                             where c.tenant_id = tenant and c.environment = scope_environment), clock_timestamp())
              else clock_timestamp() end
$$;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function scope_clock(uuid, text);');
}
