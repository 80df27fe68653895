/** Following a link, in SQL: one statement finds it, judges it and stores the click. */
import type { Scope } from '../../db/frame.ts';
import { prepared, type Statement } from '../../db/statement.ts';
import { HOST_PATTERN } from './destination.ts';

export interface FollowedLink {
  destinationUrl: string;
  allowedHosts: string[];
  /** Null where nothing was stored. */
  clickId: string | null;
}

/**
 * A link that leads somewhere now. Its host is looked at here too, so that none is counted that is refused: only
 * destinations as `URL.href` has them are found, which is how links are stored. The rule is in destination.ts, and
 * is asked before anybody is sent there. It refuses none that is found here.
 */
const usable = `
  clock as (select case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end as now),
  link as (
    select l.id, l.member_id, l.destination_url, s.allowed_destination_hosts, clock.now
    from referral_link l
    join referral_settings s on s.tenant_id = $1 and s.environment = $2
    cross join clock
    where l.tenant_id = $1 and l.environment = $2 and l.slug = $3 and l.status = 'active'
      and (l.expires_at is null or l.expires_at > clock.now)
      and exists (
        select from unnest(s.allowed_destination_hosts) allowed(host),
                    substring(l.destination_url from '^https://(${HOST_PATTERN})(?:[/?#]|$)') destination(host)
        where case when allowed.host like '*.%' then right(destination.host, length(allowed.host) - 1) = substr(allowed.host, 2)
                   else destination.host = allowed.host end))`;

const find = prepared<FollowedLink, [string, string, slug: string]>(
  'redirect_find',
  `with ${usable}
   select link.destination_url as "destinationUrl", link.allowed_destination_hosts as "allowedHosts", null as "clickId" from link`,
);

export function findLinkStatement(scope: Scope, slug: string): Statement<FollowedLink> {
  return find(scope.tenantId, scope.environment, slug);
}

export interface ClickFacts {
  kind: 'redirect' | 'prefetch';
  ipHash: Buffer | null;
  referrerHost: string | null;
}

type ClickValues = [string, string, slug: string, kind: ClickFacts['kind'], Buffer | null, string | null];

const follow = prepared<FollowedLink, ClickValues>(
  'redirect_follow',
  `with ${usable},
   click as (
     insert into referral_click (tenant_id, environment, link_id, member_id, kind, clicked_at, ip_hash, referrer_host)
     select $1, $2, link.id, link.member_id, $4, link.now, $5::bytea, $6 from link
     returning id)
   select link.destination_url as "destinationUrl", link.allowed_destination_hosts as "allowedHosts", click.id as "clickId"
   from link cross join click`,
);

/** Stores the click; no row and nothing stored where the link leads nowhere. */
export function followLinkStatement(scope: Scope, slug: string, click: ClickFacts): Statement<FollowedLink> {
  return follow(scope.tenantId, scope.environment, slug, click.kind, click.ipHash, click.referrerHost);
}
