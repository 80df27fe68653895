import type { Knex } from 'knex';

/**
 * What is written by a frame whose commit travels with its last statement is answered behind the commit, so its columns
 * hold nothing that an answer cannot show: no infinite time, none outside the years that a date-time is written with, and
 * no amount past the largest. A line of a SANDBOX at the end of its clock clears after the year 9999.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table member add constraint member_times_check
  check (created_at between '0001-01-01Z' and '9999-12-31 23:59:59.999999Z'
         and updated_at between '0001-01-01Z' and '9999-12-31 23:59:59.999999Z') not valid;
alter table lead add constraint lead_times_check
  check (created_at between '0001-01-01Z' and '9999-12-31 23:59:59.999999Z'
         and updated_at between '0001-01-01Z' and '9999-12-31 23:59:59.999999Z'
         and expires_at between '0001-01-01Z' and '9999-12-31 23:59:59.999999Z') not valid;
alter table referral_click add constraint referral_click_clicked_at_check
  check (clicked_at between '0001-01-01Z' and '9999-12-31 23:59:59.999999Z') not valid;
alter table commission_line add constraint commission_line_clears_at_check
  check (clears_at between '0001-01-01Z' and '200000-01-01Z') not valid;
alter table commission_line add constraint commission_line_amounts_check
  check (base_minor between -999999999999999 and 999999999999999
         and amount_minor between -999999999999999 and 999999999999999
         and capped_minor between -999999999999999 and 999999999999999
         and flat_minor between -999999999999999 and 999999999999999
         and source_amount_minor between -999999999999999 and 999999999999999) not valid;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table commission_line drop constraint commission_line_amounts_check, drop constraint commission_line_clears_at_check;
alter table referral_click drop constraint referral_click_clicked_at_check;
alter table lead drop constraint lead_times_check;
alter table member drop constraint member_times_check;
`);
}
