/** Following a link: whose it is, where it leads, and the click. Source: docs/specification/attribution.md#redirect. */
import { locateLinkSlug, locateLinkTag } from '../../db/cross-tenant-lookups.ts';
import type { Frames } from '../../db/frame.ts';
import type { Environment, Scope } from '../../db/scope.ts';
import type { Statement } from '../../db/statement.ts';
import { findDestinationFault } from './destination.ts';
import type { ClickIds } from './open/click-ids.ts';
import { findLinkStatement, followLinkStatement } from './redirect-queries.ts';
import { ANY_SLUG, isDrawn, SLUG_PATTERN, slugDigest, slugOf, tagOf } from './slugs.ts';
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

/** A tag, or a slug of one's own, belongs to one environment of a tenant for ever. */
const MOST_NAMES = 10_000;

type Located = { tenant_id: string; environment: Environment };

export function createRedirectService({ frames, clickIds, hashAddress }: Deps): RedirectService {
  /** By tag or slug, of those there are only: whoever tries slugs at random leaves nothing here. */
  const scopes = new Map<string, Scope>();

  async function located(name: string, statement: Statement<Located>): Promise<Scope | undefined> {
    const known = scopes.get(name);
    if (known) return known;
    const [row] = await frames.unscoped(statement);
    if (!row) return undefined;
    const scope = { tenantId: row.tenant_id, environment: row.environment };
    if (scopes.size >= MOST_NAMES) scopes.clear();
    scopes.set(name, scope);
    return scope;
  }

  /** No slug of one's own has the form of those that are drawn. */
  async function scopeOf(slug: string): Promise<Scope | undefined> {
    const own = isDrawn(slug) ? undefined : await located(`/${slug}`, locateLinkSlug({ digest: slugDigest(slug) }));
    if (own || !SLUG_PATTERN.test(slug)) return own;
    const tag = tagOf(slug);
    return located(tag, locateLinkTag({ tag }));
  }

  return {
    async follow({ slug: typed, kind, follows, address, referrer }) {
      const slug = slugOf(typed);
      if (!ANY_SLUG.test(slug)) return undefined;
      const scope = await scopeOf(slug);
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
