/** Referral links in SQL. A deleted one keeps its row, and so its slug, and is shown nowhere. */
import type { Knex } from 'knex';
import { listStatement, raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { scopeNow } from '../../db/scope-clock.ts';
import type { Statement } from '../../db/statement.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { type LinkSort, MOST_LISTED_CLICKS } from './link-sorts.ts';

export type LinkStatus = 'active' | 'disabled';

export interface ReferralLink {
  id: string;
  slug: string;
  memberId: string;
  destinationUrl: string;
  name: string | null;
  status: LinkStatus;
  expiresAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const link = tenantTable('referral_link');

const columns = {
  id: 'l.id',
  slug: 'l.slug',
  memberId: 'l.member_id',
  destinationUrl: 'l.destination_url',
  name: 'l.name',
  status: 'l.status',
  expiresAt: 'l.expires_at',
  createdAt: 'l.created_at',
  updatedAt: 'l.updated_at',
} as const satisfies Record<keyof ReferralLink, string>;

const shown = Object.entries(columns)
  .map(([name, column]) => `${column} as "${name}"`)
  .join(', ');

/** One that is not deleted; only when it is the member's, where one is given. */
const one = (id: Knex.Raw, memberId: Knex.Raw) =>
  link('l')
    .where('l.id', id)
    .whereRaw('(:memberId::uuid is null or l.member_id = :memberId)', { memberId })
    .where('l.status', '<>', 'deleted');

/** What a link is checked against. */
export interface LinkFacts {
  allowedHosts: string[];
  now: Date;
  /** Null before the scope's first link. */
  tag: string | null;
}

const facts = statement<LinkFacts>('referrals_link_facts', () =>
  raw(`select coalesce((select s.allowed_destination_hosts from referral_settings s where ${ofTenant('s')}),
                   '{}') as "allowedHosts",
          scope_now(:tenantId, :environment) as now,
          (select t.tag from link_tag t where ${ofTenant('t')}) as tag`),
);

export async function readLinkFacts(db: Db, { tenantId, environment }: Scope): Promise<LinkFacts> {
  const row = await db.row(facts({ tenantId, environment }));
  if (!row) throw new Error('the facts of a link were not read');
  return row;
}

export type NewLink = Pick<ReferralLink, 'slug' | 'memberId' | 'destinationUrl' | 'name'> & {
  /** ISO 8601. */
  expiresAt: string | null;
};

const insert = statement<
  ReferralLink,
  { slug: string; memberId: string; destinationUrl: string; name: string | null; expiresAt: string | null }
>('referrals_insert_link', ({ slug, memberId, destinationUrl, name, expiresAt }) =>
  link('l')
    .insert({
      slug,
      member_id: memberId,
      destination_url: destinationUrl,
      name,
      status: 'active',
      expires_at: expiresAt,
      created_at: scopeNow,
      updated_at: scopeNow,
    })
    .onConflict('slug')
    .ignore()
    .returning(raw(shown)),
);

/** Undefined when the slug is taken. */
export function insertLink(db: Db, { tenantId, environment }: Scope, link: NewLink): Promise<ReferralLink | undefined> {
  const { slug, memberId, destinationUrl, name, expiresAt } = link;
  return db.row(insert({ tenantId, environment }, { slug, memberId, destinationUrl, name, expiresAt }));
}

const find = statement<ReferralLink, { id: string; memberId: string | null }>('referrals_find_link', ({ id, memberId }) =>
  one(id, memberId).select(columns),
);

/** Only when it is the member's, where one is given. */
export function linkStatement(
  { tenantId, environment }: Scope,
  id: string,
  memberId: string | undefined,
): Statement<ReferralLink> {
  return find({ tenantId, environment }, { id, memberId: memberId ?? null });
}

export interface CountedLink extends ReferralLink {
  clickCount: number;
  lastClickedAt: Date | null;
}

/** No more are counted, so that the answer does not take longer and longer. */
export const MOST_COUNTED = 1_000_000;

/** By their link and kind, as the index has them. */
const CLICKS = `referral_click c where ${ofTenant('c')} and c.link_id = l.id and c.kind`;

/** Of `l`, a row of referral_link. */
const counted = (most: number): string =>
  `(select count(*)::int from (
             select from ${CLICKS} in ('redirect', 'server') limit ${most}) counted) as "clickCount",
          greatest((select max(c.clicked_at) from ${CLICKS} = 'redirect'),
                   (select max(c.clicked_at) from ${CLICKS} = 'server')) as "lastClickedAt"`;

const findCounted = statement<CountedLink, { id: string; memberId: string | null }>(
  'referrals_find_counted_link',
  ({ id, memberId }) =>
    raw(
      `select ${shown},
          ${counted(MOST_COUNTED)}
   from referral_link l
   where ${ofTenant('l')} and l.id = :id and (:memberId::uuid is null or l.member_id = :memberId) and l.status <> 'deleted'`,
      { id, memberId },
    ),
);

export type Clicks = Pick<CountedLink, 'id' | 'clickCount' | 'lastClickedAt'>;

/** Of links that a list shows. */
export const countClicks = statement<Clicks, { ids: readonly string[] }>('referrals_count_clicks', ({ ids }) =>
  raw(`select l.id, ${counted(MOST_LISTED_CLICKS)} from referral_link l where ${ofTenant('l')} and l.id = any (:ids)`, { ids }),
);

/** The same with its clicks, without those that a browser made ahead of a person. */
export function countedLinkStatement(
  { tenantId, environment }: Scope,
  id: string,
  memberId: string | undefined,
): Statement<CountedLink> {
  return findCounted({ tenantId, environment }, { id, memberId: memberId ?? null });
}

export interface LinkFilters {
  memberId: string | undefined;
  status: LinkStatus | undefined;
}

type Listing = LinkFilters & { afterId: string | undefined; count: number };

const listIn = (name: string, order: 'asc' | 'desc') =>
  listStatement<ReferralLink, Listing>(name, ({ memberId, status, afterId, count }) => {
    const query = link('l').orderBy('l.id', order).limit(count).select(columns);
    if (memberId) query.where('l.member_id', memberId);
    if (status) query.where('l.status', status);
    else query.where('l.status', '<>', 'deleted');
    if (afterId) query.where('l.id', order === 'asc' ? '>' : '<', afterId);
    return query;
  });

const lists = { created_at: listIn('referrals_list_links', 'asc'), '-created_at': listIn('referrals_list_newest_links', 'desc') };

/** In order of their ids, which is the order they were made in, or the other way round. */
export function listLinksStatement(
  scope: Scope,
  { memberId, status }: LinkFilters,
  afterId: string | undefined,
  count: number,
  sort: LinkSort = 'created_at',
): Statement<ReferralLink> {
  return lists[sort](scope, { memberId, status, afterId, count });
}

/** Undefined leaves a field as it is. */
export interface LinkChanges {
  destinationUrl: string | undefined;
  name: string | null | undefined;
  status: LinkStatus | undefined;
  expiresAt: string | null | undefined;
}

interface StoredChanges {
  id: string;
  memberId: string | null;
  destinationUrl: string | null;
  setsName: boolean;
  name: string | null;
  status: LinkStatus | null;
  setsExpiry: boolean;
  expiresAt: string | null;
}

const update = statement<ReferralLink, StoredChanges>(
  'referrals_update_link',
  ({ id, memberId, destinationUrl, setsName, name, status, setsExpiry, expiresAt }) =>
    raw(
      `update referral_link l
   set destination_url = coalesce(:destinationUrl, l.destination_url), name = case when :setsName then :name else l.name end,
       status = coalesce(:status, l.status),
       expires_at = case when :setsExpiry then :expiresAt::timestamptz else l.expires_at end,
       updated_at = scope_now(:tenantId, :environment)
   where ${ofTenant('l')} and l.id = :id and (:memberId::uuid is null or l.member_id = :memberId) and l.status <> 'deleted'
   returning ${shown}`,
      { id, memberId, destinationUrl, setsName, name, status, setsExpiry, expiresAt },
    ),
);

export function updateLink(
  db: Db,
  { tenantId, environment }: Scope,
  id: string,
  memberId: string | undefined,
  { destinationUrl, name, status, expiresAt }: LinkChanges,
): Promise<ReferralLink | undefined> {
  return db.row(
    update(
      { tenantId, environment },
      {
        id,
        memberId: memberId ?? null,
        destinationUrl: destinationUrl ?? null,
        setsName: name !== undefined,
        name: name ?? null,
        status: status ?? null,
        setsExpiry: expiresAt !== undefined,
        expiresAt: expiresAt ?? null,
      },
    ),
  );
}

const remove = statement<{ id: string }, { id: string; memberId: string | null }>('referrals_delete_link', ({ id, memberId }) =>
  one(id, memberId).update({ status: 'deleted', updated_at: scopeNow }).returning('l.id'),
);

/** Undefined when there is no such link. */
export function deleteLink(
  db: Db,
  { tenantId, environment }: Scope,
  id: string,
  memberId: string | undefined,
): Promise<{ id: string } | undefined> {
  return db.row(remove({ tenantId, environment }, { id, memberId: memberId ?? null }));
}
