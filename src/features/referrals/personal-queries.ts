/** Referral links and codes of a member, as they are erased and exported, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { scopeNow } from '../../db/scope-clock.ts';
import type { Statement } from '../../db/statement.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { byId, type ExportList, exportList, jsonListOf, ofMember, type Person, utc } from '../../house/personal.ts';
import { DRAWN_SLUG } from './slugs.ts';

const link = tenantTable('referral_link');

const links = statement<unknown, { memberId: string }>('erasure_links', ({ memberId }) =>
  link()
    .where({ member_id: memberId })
    .update({
      status: 'deleted',
      name: null,
      destination_url: 'https://erased.invalid/',
      slug: raw(`case when slug ~ '${DRAWN_SLUG}' then slug else 'erased-' || replace(gen_random_uuid()::text, '-', '') end`),
      updated_at: scopeNow,
    }),
);

/**
 * A deleted link leads nowhere, is shown nowhere and cannot be made active again; its slug is not given to another.
 * Its name, the address that it led to, and a slug of its own choice may be the person's own; of the slug a digest is kept.
 */
export function eraseLinks({ tenantId, environment }: Scope, { memberId }: Person): Statement<unknown> {
  return links({ tenantId, environment }, { memberId });
}

const codes = statement<unknown, { memberId: string }>('erasure_codes', ({ memberId }) =>
  raw(
    `with kept as (
     insert into erased_code (tenant_id, environment, code_digest)
     select c.tenant_id, c.environment, code_digest(c.tenant_id, c.environment, c.code)
     from referral_code c where ${ofTenant('c')} and c.member_id = :memberId
     on conflict do nothing)
   update referral_code x set status = 'retired', updated_at = scope_now(:tenantId, :environment),
          code = 'ERASED-' || upper(substr(replace(gen_random_uuid()::text, '-', ''), 1, 24))
   where ${ofTenant('x')} and x.member_id = :memberId`,
    { memberId },
  ),
);

/**
 * All of them, for one of its own choice may have the form of those that are drawn. The default one stays it, under
 * another text. Of each a digest is kept, by which nobody else is given it.
 */
export function eraseCodes({ tenantId, environment }: Scope, { memberId }: Person): Statement<unknown> {
  return codes({ tenantId, environment }, { memberId });
}

const clicks = statement<unknown, Pick<Person, 'customerExternalIds'>>('erasure_clicks', ({ customerExternalIds }) =>
  raw(
    `update referral_click k set customer_external_id = null, ip_hash = null, referrer_host = null
   where ${ofTenant('k')} and k.customer_external_id = any (:customerExternalIds::text[])`,
    { customerExternalIds },
  ),
);

/** The clicks that the member made as a customer. Whose links they were on stays. */
export async function eraseClicks(db: Db, scope: Scope, { customerExternalIds }: Person): Promise<void> {
  await db.rows(clicks(scope, { customerExternalIds }));
}

export const codesJson: string = jsonListOf(
  { code: 'c.code', status: 'c.status', createdAt: utc('c.created_at') },
  `referral_code c where ${ofTenant('c')} and c.member_id = m.id`,
  'c.id',
);

export const linksOfMember: ExportList = exportList(
  'export_referral_links',
  byId('l'),
  {
    id: 'l.id',
    slug: 'l.slug',
    destinationUrl: 'l.destination_url',
    name: 'l.name',
    status: 'l.status',
    expiresAt: utc('l.expires_at'),
    createdAt: utc('l.created_at'),
  },
  `referral_link l ${ofMember('l', 'member_id')}`,
);
