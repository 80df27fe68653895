/** Referral codes in SQL, for the statements that make members. */

/** The first code of a new member, its default one. `rows` is a select in brackets with code and member_id. */
export const insertDefaultCodes = (rows: string): string =>
  `insert into referral_code (tenant_id, environment, code, member_id, is_default)
     select :tenantId, :environment, r.code, r.member_id, true from ${rows} r`;
