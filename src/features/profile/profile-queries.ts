/** Profiles in SQL. The name is the member's own column; the rest has a row of its own once something is set. */
import type { Knex } from 'knex';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { renameMember as renameMemberSql } from '../users/open/member-sql.ts';
import type { SealedIdNumber } from './open/id-number.ts';
import type { Profile, ProfileFields } from './open/profile.ts';

const member = tenantTable('member');

/** With the row of its profile, `p`, if there is one. */
const withProfile = (memberId: Knex.Raw) =>
  member('m').leftJoin('member_profile as p', 'p.member_id', 'm.id').where('m.id', memberId);

const dateOfBirth = raw('p.date_of_birth::text');

/** No row: no such member. */
export const profileStatement = statement<Profile, { memberId: string }>('profile_find', ({ memberId }) =>
  withProfile(memberId).select({
    id: 'm.id',
    email: 'm.email',
    name: 'm.name',
    givenName: 'p.given_name',
    surname: 'p.surname',
    dateOfBirth,
    countryCode: 'p.country_code',
    address: 'p.address',
    businessName: 'p.business_name',
    idNumberLastFour: 'p.id_number_last_four',
    membershipTier: 'm.membership_tier',
    isActive: 'm.is_active',
    parentId: 'm.parent_id',
    erasedAt: 'm.erased_at',
    createdAt: 'm.created_at',
    updatedAt: raw('greatest(m.updated_at, p.updated_at)'),
  }),
);

export interface IdentityRow extends Pick<ProfileFields, 'givenName' | 'surname' | 'dateOfBirth' | 'countryCode' | 'address'> {
  email: string;
  erasedAt: Date | null;
  idNumberSealed: Buffer | null;
}

/** No row: no such member. */
export const identityStatement = statement<IdentityRow, { memberId: string }>('profile_identity', ({ memberId }) =>
  withProfile(memberId).select({
    email: 'm.email',
    erasedAt: 'm.erased_at',
    givenName: 'p.given_name',
    surname: 'p.surname',
    dateOfBirth,
    countryCode: 'p.country_code',
    address: 'p.address',
    idNumberSealed: 'p.id_number_sealed',
  }),
);

const lockMember = statement<unknown, { memberId: string }>('profile_lock_member', ({ memberId }) =>
  member().where({ id: memberId }).select('id').forNoKeyUpdate(),
);

/**
 * Locks the member against other changes; undefined when there is none. Two statements, sent together: one
 * that had to wait for the lock would still join the profile as it was before the wait.
 */
export async function lockProfile(db: Db, scope: Scope, memberId: string): Promise<Profile | undefined> {
  const [, profile] = await Promise.all([
    db.rows(lockMember(scope, { memberId })),
    db.row(profileStatement(scope, { memberId })),
  ]);
  return profile;
}

const rename = statement<unknown, { memberId: string; name: string | null; nameNorm: string | null }>(
  'profile_rename',
  ({ memberId, name, nameNorm }) =>
    raw(renameMemberSql(':memberId', { name: ':name', nameNorm: ':nameNorm', fixed: ':name::text is not null' }), {
      memberId,
      name,
      nameNorm,
    }),
);

export async function renameMember(
  db: Db,
  scope: Scope,
  memberId: string,
  name: string | null,
  nameNorm: string | null,
): Promise<void> {
  await db.rows(rename(scope, { memberId, name, nameNorm }));
}

const upsert = statement<
  unknown,
  {
    memberId: string;
    givenName: string | null;
    surname: string | null;
    dateOfBirth: string | null;
    countryCode: string | null;
    address: string | null;
    idNumberSealed: Buffer | null;
    idNumberLastFour: string | null;
    setsIdNumber: boolean;
    idNumberDigest: Buffer | null;
    setsIdDigest: boolean;
    businessName: string | null;
    businessNameDigest: Buffer | null;
  }
>(
  'profile_upsert',
  ({
    memberId,
    givenName,
    surname,
    dateOfBirth,
    countryCode,
    address,
    idNumberSealed,
    idNumberLastFour,
    setsIdNumber,
    idNumberDigest,
    setsIdDigest,
    businessName,
    businessNameDigest,
  }) =>
    raw(
      `insert into member_profile as p (tenant_id, environment, member_id, given_name, surname, date_of_birth, country_code, address,
                                    id_number_sealed, id_number_last_four, id_number_digest, business_name, business_name_digest,
                                    created_at, updated_at)
   values (:tenantId, :environment, :memberId, :givenName, :surname, :dateOfBirth::date, :countryCode, :address::jsonb,
           :idNumberSealed, :idNumberLastFour, :idNumberDigest, :businessName, :businessNameDigest,
           scope_now(:tenantId, :environment), scope_now(:tenantId, :environment))
   on conflict (tenant_id, environment, member_id) do update set
     given_name = excluded.given_name,
     surname = excluded.surname,
     date_of_birth = excluded.date_of_birth,
     country_code = excluded.country_code,
     address = excluded.address,
     business_name = excluded.business_name,
     business_name_digest = excluded.business_name_digest,
     id_number_sealed = case when :setsIdNumber then excluded.id_number_sealed else p.id_number_sealed end,
     id_number_last_four = case when :setsIdNumber then excluded.id_number_last_four else p.id_number_last_four end,
     id_number_digest = case when :setsIdDigest then excluded.id_number_digest else p.id_number_digest end,
     updated_at = excluded.updated_at`,
      {
        memberId,
        givenName,
        surname,
        dateOfBirth,
        countryCode,
        address,
        idNumberSealed,
        idNumberLastFour,
        setsIdNumber,
        idNumberDigest,
        setsIdDigest,
        businessName,
        businessNameDigest,
      },
    ),
);

export interface StoredDigests {
  business: Buffer | null;
  /** Undefined leaves it as it is. */
  idNumber: Buffer | null | undefined;
}

/** Sets everything but the name. An undefined ID number stays, null clears it. */
export async function upsertProfile(
  db: Db,
  scope: Scope,
  memberId: string,
  fields: ProfileFields,
  idNumber: SealedIdNumber | null | undefined,
  digests: StoredDigests,
): Promise<void> {
  await db.rows(
    upsert(scope, {
      memberId,
      givenName: fields.givenName,
      surname: fields.surname,
      dateOfBirth: fields.dateOfBirth,
      countryCode: fields.countryCode,
      address: fields.address && JSON.stringify(fields.address),
      idNumberSealed: idNumber?.sealed ?? null,
      idNumberLastFour: idNumber?.lastFour ?? null,
      setsIdNumber: idNumber !== undefined,
      idNumberDigest: digests.idNumber ?? null,
      setsIdDigest: digests.idNumber !== undefined,
      businessName: fields.businessName,
      businessNameDigest: digests.business,
    }),
  );
}
