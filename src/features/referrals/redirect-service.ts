/** Following a link: whose it is, where it leads, and the click. Source: api-decisions §4. */
import type { Environment, Frames, Scope } from '../../db/frame.ts';
import { locateLinkTag } from '../../db/resolvers.ts';
import type { ClickIds } from './click-ids.ts';
import { findDestinationFault } from './destination.ts';
import { findLinkStatement, followLinkStatement } from './redirect-queries.ts';
import { SLUG_PATTERN, slugOf, tagOf } from './slugs.ts';
import { type AddressHasher, referrerHost, type VisitorKind } from './visitor.ts';

export interface Visit {
  slug: string;
  kind: VisitorKind;
  /** False for who only asks where it leads (HEAD). */
  follows: boolean;
  address: string | undefined;
  referrer: string | undefined;
}

export interface Redirect {
  location: string;
  environment: Environment;
}

export interface RedirectService {
  /** Where to send the visitor, once the click is committed. Undefined: the link leads nowhere, whatever the reason. */
  follow(visit: Visit): Promise<Redirect | undefined>;
}

interface Deps {
  frames: Frames;
  clickIds: ClickIds;
  hashAddress: AddressHasher;
}

/** A tag belongs to one environment of a tenant for ever. */
const MOST_TAGS = 10_000;

export function createRedirectService({ frames, clickIds, hashAddress }: Deps): RedirectService {
  /** Of those there are only: whoever tries slugs at random leaves nothing here. */
  const scopes = new Map<string, Scope>();

  async function scopeOf(tag: string): Promise<Scope | undefined> {
    const known = scopes.get(tag);
    if (known) return known;
    const [row] = await frames.unscoped(locateLinkTag(tag));
    if (!row) return undefined;
    const scope = { tenantId: row.tenant_id, environment: row.environment };
    if (scopes.size >= MOST_TAGS) scopes.clear();
    scopes.set(tag, scope);
    return scope;
  }

  return {
    async follow({ slug: typed, kind, follows, address, referrer }) {
      const slug = slugOf(typed);
      if (!SLUG_PATTERN.test(slug)) return undefined;
      const scope = await scopeOf(tagOf(slug));
      if (!scope) return undefined;
      const stored = follows && kind !== 'bot';
      const [link] = stored
        ? [
            await frames.write(scope, (db) =>
              db.lastRow(
                followLinkStatement(scope, slug, {
                  kind: kind === 'prefetch' ? 'prefetch' : 'redirect',
                  ipHash: hashAddress(scope, address),
                  referrerHost: referrerHost(referrer),
                }),
              ),
            ),
          ]
        : await frames.readOnce(scope, findLinkStatement(scope, slug));
      if (!link || findDestinationFault(link.destinationUrl, link.allowedHosts) !== undefined) return undefined;
      return {
        location: locationOf(link.destinationUrl, link.clickId === null ? undefined : clickIds.sign(scope, link.clickId)),
        environment: scope.environment,
      };
    },
  };
}

/** The destination with the click id in its query, in place of one that is there; the rest stays as it was written. */
export function locationOf(destination: string, clickId: string | undefined): string {
  const url = new URL(destination);
  if (clickId === undefined) return url.href;
  // Both take a question mark at the beginning for the query's own.
  const pairs = url.search.slice(1).split('&');
  const others = pairs.filter((pair) => !new URLSearchParams(`&${pair}`).has('click_id')).join('&');
  url.search = `?${others}${others === '' || others.endsWith('&') ? '' : '&'}click_id=${clickId}`;
  return url.href;
}
