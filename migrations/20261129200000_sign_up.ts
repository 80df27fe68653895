import type { Knex } from 'knex';

/** Receipts of whom a new member was placed under, and identities by whose word alone a member has its address. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- A receipt is of a purchase, of a capture of a lead, or of the sign-up of a member.
alter table attribution_receipt add column placed_member_id uuid;
alter table attribution_receipt add constraint attribution_receipt_placed_fkey
  foreign key (tenant_id, environment, placed_member_id) references member not valid;
alter table attribution_receipt drop constraint attribution_receipt_subject_check;
alter table attribution_receipt add constraint attribution_receipt_subject_check
  check (num_nonnulls(event_id, lead_id, placed_member_id) = 1) not valid;
create unique index attribution_receipt_placed_key on attribution_receipt (tenant_id, environment, placed_member_id)
  where placed_member_id is not null;

-- The member was made with the address of this identity, which nobody had verified: nobody is joined to it by that address.
alter table member_identity add column unverified_email boolean not null default false;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table member_identity drop column unverified_email;
alter table attribution_receipt drop constraint attribution_receipt_subject_check;
-- Before this release members have no receipts.
alter table attribution_receipt disable trigger append_only;
alter table attribution_receipt no force row level security;
delete from attribution_receipt where placed_member_id is not null;
alter table attribution_receipt force row level security;
alter table attribution_receipt enable trigger append_only;
drop index attribution_receipt_placed_key;
alter table attribution_receipt drop constraint attribution_receipt_placed_fkey;
alter table attribution_receipt drop column placed_member_id;
alter table attribution_receipt add constraint attribution_receipt_subject_check
  check (num_nonnulls(event_id, lead_id) = 1) not valid;
alter table attribution_receipt validate constraint attribution_receipt_subject_check;
`);
}
