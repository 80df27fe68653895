import type { Knex } from 'knex';

/** What an approval was given for, whose name an account is held under, and since when money goes to it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Keyed digests of the person that was approved; null: not approved, or approved before they were kept.
alter table kyc_record add column identity_digest bytea, add column names_digest bytea;
-- Since when the approved person is another one, until the next approval.
alter table kyc_record add column identity_changed_at timestamptz;
-- Counts the changes; what was submitted for review had the number seen.
alter table kyc_record add column identity_version integer not null default 0, add column identity_seen integer not null default 0;

alter table member_profile add column business_name text, add column business_name_digest bytea;
alter table member_profile add constraint member_profile_business_name_check check (length(business_name) <= 255) not valid;

-- The name was set in the profile: a sign-in does not change it.
alter table member add column name_fixed boolean not null default false;
grant update (name_fixed) on member to svc_app;
alter table member no force row level security;
alter table audit_log no force row level security;
update member m set name_fixed = true where m.erased_at is null and m.name is not null and exists (
  select from audit_log a
  where a.tenant_id = m.tenant_id and a.environment = m.environment and a.object_kind = 'member' and a.object_id = m.id::text
    and a.action = 'member_profile.updated' and a.details->'fields' @> '"name"');
alter table audit_log force row level security;
alter table member force row level security;

-- Of accounts of before it is in the bank details, unless those are at the vendor alone.
alter table payout_account add column holder_sealed bytea, add column holder_type text not null default 'individual';
-- The verdict, and the digest of the name that it was found by. Null: not compared with the present one yet.
alter table payout_account add column name_match text, add column name_judged_for bytea;
alter table payout_account add column name_accepted_by text, add column name_accepted_at timestamptz;
-- Since when money in its currency goes to it; null while it goes to another account of the member.
alter table payout_account add column destination_since timestamptz;
alter table payout_account add constraint payout_account_holder_type_check check (holder_type in ('individual', 'business')) not valid;
alter table payout_account add constraint payout_account_name_match_check
  check (name_match in ('matched', 'mismatch', 'not_compared')) not valid;

alter table payout_account no force row level security;
update payout_account a set destination_since = a.activated_at
from (select distinct on (tenant_id, environment, member_id, currency, provider_type) tenant_id, environment, id
      from payout_account where status = 'active'
      order by tenant_id, environment, member_id, currency, provider_type, is_primary desc, id desc) d
where a.tenant_id = d.tenant_id and a.environment = d.environment and a.id = d.id;
alter table payout_account force row level security;

-- The order is that in which a draft chooses. An account that is not active keeps its time until another takes its place.
create function note_payout_destination() returns trigger language plpgsql as $$
declare
  chosen uuid;
begin
  if tg_op = 'UPDATE' and new.is_primary and not old.is_primary then
    update payout_account a set destination_since = null
    where a.tenant_id = new.tenant_id and a.environment = new.environment and a.id = new.id and a.destination_since is not null;
  end if;
  select a.id into chosen from payout_account a
  where a.tenant_id = new.tenant_id and a.environment = new.environment and a.member_id = new.member_id
    and a.currency = new.currency and a.provider_type = new.provider_type and a.status = 'active'
  order by a.is_primary desc, a.id desc limit 1;
  if chosen is null then
    return null;
  end if;
  update payout_account a
  set destination_since = case when a.id <> chosen then null
                               when tg_op = 'INSERT' and a.id = new.id then a.activated_at
                               else scope_now(a.tenant_id, a.environment) end
  where a.tenant_id = new.tenant_id and a.environment = new.environment and a.member_id = new.member_id
    and a.currency = new.currency and a.provider_type = new.provider_type
    and (a.id = chosen) = (a.destination_since is null);
  return null;
end $$;
create trigger payout_destination_of_new after insert on payout_account
  for each row execute function note_payout_destination();
create trigger payout_destination_of_changed after update of status, is_primary on payout_account
  for each row when (old.status is distinct from new.status or old.is_primary is distinct from new.is_primary)
  execute function note_payout_destination();

alter table payout_block drop constraint payout_block_reason_check;
alter table payout_block add constraint payout_block_reason_check
  check (reason in ('TEST_USER', 'HELD', 'BELOW_MINIMUM', 'NO_MINIMUM', 'NO_ACCOUNT', 'KYC_REQUIRED', 'NEGATIVE_BALANCE',
                    'ACCOUNT_COOLDOWN', 'NAME_MISMATCH', 'AMOUNT_NOT_PAYABLE', 'INACTIVE')) not valid;
`);
}

/** The older code has no word for a name that is another: the nearest that it has. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table payout_block drop constraint payout_block_reason_check;
alter table payout_block no force row level security;
update payout_block set reason = 'ACCOUNT_COOLDOWN' where reason = 'NAME_MISMATCH';
alter table payout_block force row level security;
alter table payout_block add constraint payout_block_reason_check
  check (reason in ('TEST_USER', 'HELD', 'BELOW_MINIMUM', 'NO_MINIMUM', 'NO_ACCOUNT', 'KYC_REQUIRED', 'NEGATIVE_BALANCE',
                    'ACCOUNT_COOLDOWN', 'AMOUNT_NOT_PAYABLE', 'INACTIVE')) not valid;
alter table payout_block validate constraint payout_block_reason_check;
drop trigger payout_destination_of_changed on payout_account;
drop trigger payout_destination_of_new on payout_account;
drop function note_payout_destination();
alter table payout_account drop constraint payout_account_name_match_check, drop constraint payout_account_holder_type_check;
alter table payout_account drop column destination_since, drop column name_accepted_at, drop column name_accepted_by,
  drop column name_judged_for, drop column name_match, drop column holder_type, drop column holder_sealed;
alter table member drop column name_fixed;
alter table member_profile drop constraint member_profile_business_name_check;
alter table member_profile drop column business_name_digest, drop column business_name;
alter table kyc_record drop column identity_seen, drop column identity_version, drop column identity_changed_at,
  drop column names_digest, drop column identity_digest;
`);
}
