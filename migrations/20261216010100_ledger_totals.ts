import type { Knex } from 'knex';

/** Keeps the totals of the ledger from here on, beginning with what is sealed. Only sealing waits meanwhile. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- One sealer a tenant and environment: nobody waits for these rows. The fence keeps the planner at the index of a journal.
create function sum_sealed() returns trigger language plpgsql as $$
begin
  insert into ledger_total as t (tenant_id, environment, currency, account, amount_minor)
  select s.tenant_id, s.environment, x.currency, x.account, sum(x.amount_minor)
  from sealed s cross join lateral (
    select p.currency, p.account, p.amount_minor from posting p
    where p.tenant_id = s.tenant_id and p.environment = s.environment and p.journal_id = s.journal_id offset 0) x
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (tenant_id, environment, currency, account) do update set amount_minor = t.amount_minor + excluded.amount_minor;
  return null;
end $$;
create trigger sum_sealed after insert on ledger_block_entry referencing new table as sealed
  for each statement execute function sum_sealed();
insert into ledger_total (tenant_id, environment, currency, account, amount_minor)
select x.tenant_id, x.environment, x.currency, x.account, sum(x.amount_minor)
from ledger_block_entry e join posting x using (tenant_id, environment, journal_id)
group by 1, 2, 3, 4;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop trigger sum_sealed on ledger_block_entry;
drop function sum_sealed();
delete from ledger_total where true;
`);
}
