/** Referral links and codes of a member, as they are erased and exported, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Scope } from '../../db/scope.ts';
import { scopeNow } from '../../db/scope-clock.ts';
import type { Statement } from '../../db/statement.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { byId, type ExportList, exportList, jsonListOf, ofMember, type Person, utc } from '../../house/personal.ts';
import { DRAWN_SLUG } from './slugs.ts';

const link = tenantTable('referral_link');
const code = tenantTable('referral_code');

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
  code().where({ member_id: memberId, status: 'active' }).update({ status: 'retired', updated_at: scopeNow }),
);

/** The default code too: it may be a name. It stays the default one, by which the books show the member. */
export function eraseCodes({ tenantId, environment }: Scope, { memberId }: Person): Statement<unknown> {
  return codes({ tenantId, environment }, { memberId });
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
