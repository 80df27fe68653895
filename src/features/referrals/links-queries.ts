/** Referral links in SQL. A deleted one keeps its row, and so its slug, and is shown nowhere. */
import { sqlBuilder } from '../../db/connect.ts';
import type { Db, Scope, WriteDb } from '../../db/frame.ts';
import { built, prepared, type Statement } from '../../db/statement.ts';

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

/** What a link is checked against. */
export interface LinkFacts {
  allowedHosts: string[];
  now: Date;
  /** Null before the scope's first link. */
  tag: string | null;
}

const facts = prepared<LinkFacts, [string, string]>(
  'referrals_link_facts',
  `select coalesce((select s.allowed_destination_hosts from referral_settings s where s.tenant_id = $1 and s.environment = $2),
                   '{}') as "allowedHosts",
          scope_now($1, $2) as now,
          (select t.tag from link_tag t where t.tenant_id = $1 and t.environment = $2) as tag`,
);

export async function readLinkFacts(db: Db, { tenantId, environment }: Scope): Promise<LinkFacts> {
  const row = await db.row(facts(tenantId, environment));
  if (!row) throw new Error('the facts of a link were not read');
  return row;
}

export type NewLink = Pick<ReferralLink, 'slug' | 'memberId' | 'destinationUrl' | 'name'> & {
  /** ISO 8601. */
  expiresAt: string | null;
};

const insert = prepared<
  ReferralLink,
  [string, string, slug: string, memberId: string, destinationUrl: string, name: string | null, expiresAt: string | null]
>(
  'referrals_insert_link',
  `insert into referral_link as l (tenant_id, environment, slug, member_id, destination_url, name, status, expires_at, created_at,
                                   updated_at)
   select $1, $2, $3, $4, $5, $6, 'active', $7, n.now, n.now from (select scope_now($1, $2) as now) n
   on conflict (tenant_id, environment, slug) do nothing
   returning ${shown}`,
);

/** Undefined when the slug is taken. */
export function insertLink(db: Db, { tenantId, environment }: Scope, link: NewLink): Promise<ReferralLink | undefined> {
  const { slug, memberId, destinationUrl, name, expiresAt } = link;
  return db.row(insert(tenantId, environment, slug, memberId, destinationUrl, name, expiresAt));
}

const find = prepared<ReferralLink, [string, string, id: string, memberId: string | null]>(
  'referrals_find_link',
  `select ${shown} from referral_link l
   where l.tenant_id = $1 and l.environment = $2 and l.id = $3 and ($4::uuid is null or l.member_id = $4) and l.status <> 'deleted'`,
);

/** Only when it is the member's, where one is given. */
export function linkStatement(
  { tenantId, environment }: Scope,
  id: string,
  memberId: string | undefined,
): Statement<ReferralLink> {
  return find(tenantId, environment, id, memberId ?? null);
}

export interface CountedLink extends ReferralLink {
  clickCount: number;
  lastClickedAt: Date | null;
}

/** No more are counted, so that the answer does not take longer and longer. */
export const MOST_COUNTED = 1_000_000;

/** By their link and kind, as the index has them. */
const CLICKS = 'referral_click c where c.tenant_id = $1 and c.environment = $2 and c.link_id = l.id and c.kind';

const findCounted = prepared<CountedLink, [string, string, id: string, memberId: string | null]>(
  'referrals_find_counted_link',
  `select ${shown},
          (select count(*)::int from (
             select from ${CLICKS} in ('redirect', 'server') limit ${MOST_COUNTED}) counted) as "clickCount",
          greatest((select max(c.clicked_at) from ${CLICKS} = 'redirect'),
                   (select max(c.clicked_at) from ${CLICKS} = 'server')) as "lastClickedAt"
   from referral_link l
   where l.tenant_id = $1 and l.environment = $2 and l.id = $3 and ($4::uuid is null or l.member_id = $4) and l.status <> 'deleted'`,
);

/** The same with its clicks, without those that a browser made ahead of a person. */
export function countedLinkStatement(
  { tenantId, environment }: Scope,
  id: string,
  memberId: string | undefined,
): Statement<CountedLink> {
  return findCounted(tenantId, environment, id, memberId ?? null);
}

export interface LinkFilters {
  memberId: string | undefined;
  status: LinkStatus | undefined;
}

/** In order of their ids, which is the order they were made in. */
export function listLinksStatement(
  scope: Scope,
  { memberId, status }: LinkFilters,
  afterId: string | undefined,
  count: number,
): Statement<ReferralLink> {
  const query = sqlBuilder('referral_link as l')
    .where({ 'l.tenant_id': scope.tenantId, 'l.environment': scope.environment })
    .orderBy('l.id')
    .limit(count)
    .select(columns);
  if (memberId !== undefined) query.where('l.member_id', memberId);
  if (status === undefined) query.whereNot('l.status', 'deleted');
  else query.where('l.status', status);
  if (afterId !== undefined) query.where('l.id', '>', afterId);
  return built(query);
}

/** Undefined leaves a field as it is. */
export interface LinkChanges {
  destinationUrl: string | undefined;
  name: string | null | undefined;
  status: LinkStatus | undefined;
  expiresAt: string | null | undefined;
}

const update = prepared<
  ReferralLink,
  [
    string,
    string,
    id: string,
    memberId: string | null,
    destinationUrl: string | null,
    setName: boolean,
    name: string | null,
    LinkStatus | null,
    setExpiry: boolean,
    expiresAt: string | null,
  ]
>(
  'referrals_update_link',
  `update referral_link l
   set destination_url = coalesce($5, l.destination_url), name = case when $6 then $7 else l.name end,
       status = coalesce($8, l.status), expires_at = case when $9 then $10::timestamptz else l.expires_at end,
       updated_at = scope_now($1, $2)
   where l.tenant_id = $1 and l.environment = $2 and l.id = $3 and ($4::uuid is null or l.member_id = $4) and l.status <> 'deleted'
   returning ${shown}`,
);

/** The frame's last statement. */
export function updateLink(
  db: WriteDb,
  { tenantId, environment }: Scope,
  id: string,
  memberId: string | undefined,
  { destinationUrl, name, status, expiresAt }: LinkChanges,
): Promise<ReferralLink | undefined> {
  const texts = [destinationUrl ?? null, name !== undefined, name ?? null] as const;
  const states = [status ?? null, expiresAt !== undefined, expiresAt ?? null] as const;
  return db.lastRow(update(tenantId, environment, id, memberId ?? null, ...texts, ...states));
}

const remove = prepared<{ id: string }, [string, string, id: string, memberId: string | null]>(
  'referrals_delete_link',
  `update referral_link l set status = 'deleted', updated_at = scope_now($1, $2)
   where l.tenant_id = $1 and l.environment = $2 and l.id = $3 and ($4::uuid is null or l.member_id = $4) and l.status <> 'deleted'
   returning l.id`,
);

/** The frame's last statement; undefined when there is no such link. */
export function deleteLink(
  db: WriteDb,
  { tenantId, environment }: Scope,
  id: string,
  memberId: string | undefined,
): Promise<{ id: string } | undefined> {
  return db.lastRow(remove(tenantId, environment, id, memberId ?? null));
}
