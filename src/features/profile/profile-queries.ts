/** Profiles in SQL. The name is the member's own column; the rest has a row of its own once something is set. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { MembershipTier } from '../../http/schemas.ts';
import type { SealedIdNumber } from './id-number.ts';

/** Only the fields that are set. */
export interface Address {
  countryCode?: string;
  addressLine1?: string;
  addressLine2?: string;
  city?: string;
  state?: string;
  postalCode?: string;
  district?: string;
  neighborhood?: string;
  addressType?: 'residential' | 'mailing' | 'business';
}

export interface ProfileFields {
  name: string | null;
  givenName: string | null;
  surname: string | null;
  /** YYYY-MM-DD. */
  dateOfBirth: string | null;
  countryCode: string | null;
  address: Address | null;
}

export interface Profile extends ProfileFields {
  id: string;
  email: string;
  membershipTier: MembershipTier;
  isActive: boolean;
  parentId: string | null;
  erasedAt: Date | null;
  idNumberLastFour: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const PROFILE = `
   select m.id, m.email, m.name, p.given_name as "givenName", p.surname, p.date_of_birth::text as "dateOfBirth",
          p.country_code as "countryCode", p.address, p.id_number_last_four as "idNumberLastFour",
          m.membership_tier as "membershipTier", m.is_active as "isActive", m.parent_id as "parentId", m.erased_at as "erasedAt",
          m.created_at as "createdAt", greatest(m.updated_at, p.updated_at) as "updatedAt"
   from member m
   left join member_profile p on p.tenant_id = $1 and p.environment = $2 and p.member_id = m.id
   where m.tenant_id = $1 and m.environment = $2 and m.id = $3`;

/** No row: no such member. */
export const profileStatement = prepared<Profile, [string, string, memberId: string]>('profile_find', PROFILE);

export interface IdentityRow extends Pick<ProfileFields, 'givenName' | 'surname' | 'dateOfBirth' | 'countryCode' | 'address'> {
  email: string;
  erasedAt: Date | null;
  idNumberSealed: Buffer | null;
}

/** No row: no such member. */
export const identityStatement = prepared<IdentityRow, [string, string, memberId: string]>(
  'profile_identity',
  `select m.email, m.erased_at as "erasedAt", p.given_name as "givenName", p.surname, p.date_of_birth::text as "dateOfBirth",
          p.country_code as "countryCode", p.address, p.id_number_sealed as "idNumberSealed"
   from member m
   left join member_profile p on p.tenant_id = $1 and p.environment = $2 and p.member_id = m.id
   where m.tenant_id = $1 and m.environment = $2 and m.id = $3`,
);

const lockMember = prepared<unknown, [string, string, memberId: string]>(
  'profile_lock_member',
  'select m.id from member m where m.tenant_id = $1 and m.environment = $2 and m.id = $3 for no key update',
);

/**
 * Locks the member against other changes; undefined when there is none. Two statements, sent together: one
 * that had to wait for the lock would still join the profile as it was before the wait.
 */
export async function lockProfile(db: Db, scope: Scope, memberId: string): Promise<Profile | undefined> {
  const [, profile] = await Promise.all([
    db.rows(lockMember(scope.tenantId, scope.environment, memberId)),
    db.row(profileStatement(scope.tenantId, scope.environment, memberId)),
  ]);
  return profile;
}

const rename = prepared<unknown, [string, string, memberId: string, name: string | null, nameNorm: string | null]>(
  'profile_rename',
  `update member set name = $4, name_norm = $5, updated_at = scope_now($1, $2)
   where tenant_id = $1 and environment = $2 and id = $3`,
);

export async function renameMember(
  db: Db,
  scope: Scope,
  memberId: string,
  name: string | null,
  nameNorm: string | null,
): Promise<void> {
  await db.rows(rename(scope.tenantId, scope.environment, memberId, name, nameNorm));
}

const upsert = prepared<
  unknown,
  [
    string,
    string,
    memberId: string,
    givenName: string | null,
    surname: string | null,
    dateOfBirth: string | null,
    countryCode: string | null,
    address: string | null,
    idNumberSealed: Buffer | null,
    idNumberLastFour: string | null,
    setsIdNumber: boolean,
  ]
>(
  'profile_upsert',
  `insert into member_profile as p (tenant_id, environment, member_id, given_name, surname, date_of_birth, country_code, address,
                                    id_number_sealed, id_number_last_four, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6::date, $7, $8::jsonb, $9, $10, scope_now($1, $2), scope_now($1, $2))
   on conflict (tenant_id, environment, member_id) do update set
     given_name = excluded.given_name,
     surname = excluded.surname,
     date_of_birth = excluded.date_of_birth,
     country_code = excluded.country_code,
     address = excluded.address,
     id_number_sealed = case when $11 then excluded.id_number_sealed else p.id_number_sealed end,
     id_number_last_four = case when $11 then excluded.id_number_last_four else p.id_number_last_four end,
     updated_at = excluded.updated_at`,
);

/** Sets everything but the name. An undefined ID number stays, null clears it. */
export async function upsertProfile(
  db: Db,
  scope: Scope,
  memberId: string,
  fields: ProfileFields,
  idNumber: SealedIdNumber | null | undefined,
): Promise<void> {
  await db.rows(
    upsert(
      scope.tenantId,
      scope.environment,
      memberId,
      fields.givenName,
      fields.surname,
      fields.dateOfBirth,
      fields.countryCode,
      fields.address && JSON.stringify(fields.address),
      idNumber?.sealed ?? null,
      idNumber?.lastFour ?? null,
      idNumber !== undefined,
    ),
  );
}
