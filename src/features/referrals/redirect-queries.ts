/** Following a link, in SQL: one statement finds it, judges it and stores the click. */
import { raw, statement } from '../../db/query.ts';
import type { Scope } from '../../db/scope.ts';
import { SCOPE_NOW } from '../../db/scope-clock.ts';
import type { Statement } from '../../db/statement.ts';
import { ofTenant, theTenant } from '../../db/tenant-condition.ts';
import { HOST_PATTERN } from './destination.ts';

export interface FollowedLink {
  destinationUrl: string;
  allowedHosts: string[];
  /** Null where nothing was stored. */
  clickId: string | null;
}

/** As SQL texts have it: a question mark would be a parameter. */
const HOST_IN_SQL = HOST_PATTERN.replaceAll('?', '\\?');

/**
 * A link that leads somewhere now. Its host is looked at here too, so that none is counted that is refused: only
 * destinations as `URL.href` has them are found, which is how links are stored. The rule is in destination.ts, and
 * is asked before anybody is sent there. It refuses none that is found here.
 */
const usable = `
  clock as (select ${SCOPE_NOW} as now),
  link as (
    select l.id, l.member_id, l.destination_url, s.allowed_destination_hosts, clock.now
    from referral_link l
    join referral_settings s on ${ofTenant('s')}
    cross join clock
    where ${ofTenant('l')} and l.slug = :slug and l.status = 'active'
      and (l.expires_at is null or l.expires_at > clock.now)
      and not exists (select from tenant t where ${theTenant('t')} and t.disabled_at is not null)
      and exists (
        select from unnest(s.allowed_destination_hosts) allowed(host),
                    substring(l.destination_url from '^https://(${HOST_IN_SQL})(\\?:[/\\?#]|$)') destination(host)
        where case when allowed.host like '*.%' then right(destination.host, length(allowed.host) - 1) = substr(allowed.host, 2)
                   else destination.host = allowed.host end))`;

const find = statement<FollowedLink, { slug: string }>('redirect_find', ({ slug }) =>
  raw(
    `with ${usable}
   select link.destination_url as "destinationUrl", link.allowed_destination_hosts as "allowedHosts", null as "clickId" from link`,
    { slug },
  ),
);

export function findLinkStatement(scope: Scope, slug: string): Statement<FollowedLink> {
  return find(scope, { slug });
}

export interface ClickFacts {
  kind: 'redirect' | 'prefetch';
  ipHash: Buffer | null;
  referrerHost: string | null;
}

const follow = statement<
  FollowedLink,
  { slug: string; kind: ClickFacts['kind']; ipHash: Buffer | null; referrerHost: string | null }
>('redirect_follow', ({ slug, kind, ipHash, referrerHost }) =>
  raw(
    `with ${usable},
   click as (
     insert into referral_click (tenant_id, environment, link_id, member_id, kind, clicked_at, ip_hash, referrer_host)
     select :tenantId, :environment, link.id, link.member_id, :kind, link.now, :ipHash::bytea, :referrerHost from link
     returning id)
   select link.destination_url as "destinationUrl", link.allowed_destination_hosts as "allowedHosts", click.id as "clickId"
   from link cross join click`,
    { slug, kind, ipHash, referrerHost },
  ),
);

/** Stores the click; no row and nothing stored where the link leads nowhere. */
export function followLinkStatement(scope: Scope, slug: string, click: ClickFacts): Statement<FollowedLink> {
  return follow(scope, { slug, kind: click.kind, ipHash: click.ipHash, referrerHost: click.referrerHost });
}
