import type { Knex } from 'knex';

/**
 * A wall around a member: in a member's own call row security shows that member's money and referrals alone.
 * docs/specification/tenancy.md#members. Without `app.member_id`, as keys and workers have it, the policies say nothing.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Restrictive: beside the wall between tenants, never in its place. Of a comparison with a value that is not known the
-- planner expects that hardly any row passes it, of this pattern that nearly all do: keyed plans stay as they were.
create procedure raise_member_wall(table_name text, own text) language plpgsql as $$
begin
  execute format(
    'create policy member_wall on %I as restrictive for select to svc_app
     using ((select coalesce(current_setting(''app.member_id'', true), '''')) not like ''_%%'' or (%s))', table_name, own);
end $$;

call raise_member_wall('commission_line', $own$beneficiary_id = (select nullif(current_setting('app.member_id', true), '')::uuid)$own$);
call raise_member_wall('payout', $own$member_id = (select nullif(current_setting('app.member_id', true), '')::uuid)$own$);
call raise_member_wall('attribution_receipt', $own$winner_id = (select nullif(current_setting('app.member_id', true), '')::uuid)$own$);
call raise_member_wall('referral_link', $own$member_id = (select nullif(current_setting('app.member_id', true), '')::uuid)$own$);
call raise_member_wall('referral_code', $own$member_id = (select nullif(current_setting('app.member_id', true), '')::uuid)$own$);
call raise_member_wall('posting', $own$member_id = (select nullif(current_setting('app.member_id', true), '')::uuid)$own$);
-- What the member has a line of.
call raise_member_wall('event', $own$exists (
  select from commission_line l
  where l.tenant_id = event.tenant_id and l.environment = event.environment and l.event_id = event.id
    and l.beneficiary_id = (select nullif(current_setting('app.member_id', true), '')::uuid))$own$);
-- Who bought, and what a tenant wrote of it, is not the member's.
call raise_member_wall('event_detail', 'false');
call raise_member_wall('customer', 'false');
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop policy member_wall on customer;
drop policy member_wall on event_detail;
drop policy member_wall on event;
drop policy member_wall on posting;
drop policy member_wall on referral_code;
drop policy member_wall on referral_link;
drop policy member_wall on attribution_receipt;
drop policy member_wall on payout;
drop policy member_wall on commission_line;
drop procedure raise_member_wall(text, text);
`);
}
