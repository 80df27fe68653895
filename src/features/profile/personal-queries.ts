/** A member's profile as it is erased, and the one statement of a data export that reads the member, in SQL. */
import { raw, type Scoped, statement } from '../../db/query.ts';
import type { Scope } from '../../db/scope.ts';
import type { Statement } from '../../db/statement.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import type { ExportedValue, Person } from '../../house/personal.ts';
import type { Address } from './open/profile.ts';

const profile = tenantTable('member_profile');

const erase = statement<unknown, { memberId: string }>('erasure_profile', ({ memberId }) =>
  profile().where({ member_id: memberId }).delete(),
);

export function eraseProfile({ tenantId, environment }: Scope, { memberId }: Person): Statement<unknown> {
  return erase({ tenantId, environment }, { memberId });
}

export interface ExportHead {
  givenName: string | null;
  surname: string | null;
  dateOfBirth: string | null;
  idNumberSealed: Buffer | null;
  countryCode: string | null;
  address: Address | null;
  businessName: string | null;
  /** What the features hold of the member, by name. */
  values: Readonly<Record<string, unknown>>;
}

export type ExportHeadStatement = Scoped<ExportHead, { memberId: string }>;

/** The profile and all the values, in one statement. No row: no such member. */
export function exportHeadStatement(values: readonly ExportedValue[]): ExportHeadStatement {
  const pairs = values.map(({ name, json }) => `'${name}', ${json}`);
  return statement<ExportHead, { memberId: string }>('export_head', ({ memberId }) =>
    raw(
      `select p.given_name as "givenName", p.surname, p.date_of_birth::text as "dateOfBirth", p.id_number_sealed as "idNumberSealed",
            p.country_code as "countryCode", p.address, p.business_name as "businessName", json_build_object(${pairs.join(',\n     ')}) as values
     from member m
     left join member_profile p on ${ofTenant('p')} and p.member_id = m.id
     where ${ofTenant('m')} and m.id = :memberId`,
      { memberId },
    ),
  );
}
