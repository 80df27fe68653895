import type { Knex } from 'knex';

const STAFF = {
  staff_provider_subject_whole: '(provider_issuer is null) = (provider_subject is null) and length(provider_subject) <= 255',
  staff_removed_has_no_subject: "state <> 'removed' or provider_subject is null",
};
const KINDS = "kind in ('sign_in', 'passkey_sign_in', 'passkey_add', 'step_up', 'sso', 'not_me')";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    [
      ...Object.keys(STAFF).map((name) => `alter table staff validate constraint ${name};`),
      'alter table staff_challenge validate constraint staff_challenge_kind_check;',
    ].join('\n'),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    [
      ...Object.entries(STAFF).map(
        ([name, check]) => `alter table staff drop constraint ${name};
alter table staff add constraint ${name} check (${check}) not valid;`,
      ),
      `alter table staff_challenge drop constraint staff_challenge_kind_check;
alter table staff_challenge add constraint staff_challenge_kind_check check (${KINDS}) not valid;`,
    ].join('\n'),
  );
}
