import type { Knex } from 'knex';

/**
 * What a payout run is stamped with when it is drafted: the rule of two hands, and in whose hands the key was that
 * drafted it. Drafts of before get both as they are now; runs that were past approval keep null.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table payout_run add column dual_control text, add column drafter_root text;
alter table payout_run add constraint payout_run_dual_control_check check (dual_control in ('none', 'keys', 'persons')) not valid;

-- The owner is bound by the walls of the tables as well, and would find no rows.
alter table payout_run no force row level security;
alter table payment_settings no force row level security;
alter table api_key no force row level security;
update payout_run r set
  dual_control = coalesce(
    (select case when s.dual_control then s.dual_control_by end from payment_settings s
     where s.tenant_id = r.tenant_id and s.environment = r.environment), 'none'),
  drafter_root = coalesce(
    (select k.root from api_key k
     where k.tenant_id = r.tenant_id and k.environment = r.environment and 'api_key:' || k.id = r.created_by), r.created_by)
where r.status = 'draft';
alter table api_key force row level security;
alter table payment_settings force row level security;
alter table payout_run force row level security;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`alter table payout_run drop column drafter_root, drop column dual_control;`);
}
