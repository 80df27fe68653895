/** Who follows a link, as far as it is looked at: whether a person does, and what may be kept of where from. */
import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isbot } from 'isbot';
import type { Scope } from '../../db/scope.ts';

/** Whoever says more than this of itself is judged by its beginning. */
const MOST_AGENT = 512;
const MOST_HOST = 255;
const HASH_BYTES = 16;
/** What one household or site has: addresses below it change by themselves, for privacy (RFC 8981). */
const IPV6_NETWORK_BITS = 64;

/** A request header by its name. */
export type HeaderReader = (name: string) => string | undefined;

export type VisitorKind = 'person' | 'prefetch' | 'bot';

/** By what it says of itself; no browser says nothing. */
export function visitorKind(header: HeaderReader): VisitorKind {
  const agent = header('user-agent') ?? '';
  if (agent === '' || isBotAgent(agent)) return 'bot';
  const purposes = ['sec-purpose', 'purpose', 'x-moz'].map((name) => header(name) ?? '');
  return purposes.some((purpose) => /\b(?:prefetch|prerender)\b/i.test(purpose)) ? 'prefetch' : 'person';
}

export function isBotAgent(agent: string): boolean {
  return isbot(agent.slice(0, MOST_AGENT));
}

/** The host of a web page's address; null for anything else. */
export function referrerHost(address: string | undefined): string | null {
  const url = address === undefined ? null : URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname.length > MOST_HOST) return null;
  return url.hostname;
}

/**
 * A digest of an address, alike for one tenant, environment and UTC day only, so that clicks of one origin can be
 * told apart for a day and nobody is followed from day to day or from tenant to tenant. IPv6 counts by its /64.
 * Null for what is no address. The day is of the real clock, in SANDBOX too.
 */
export type AddressHasher = (scope: Scope, address: string | undefined, at?: Date) => Buffer | null;

export function createAddressHasher(secret: Buffer): AddressHasher {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'click-addresses', 32)));
  return ({ tenantId, environment }, address, at = new Date()) => {
    const network = networkOf(address ?? '');
    if (network === undefined) return null;
    const day = at.toISOString().slice(0, 10);
    return createHmac('sha256', key).update(`${tenantId}:${environment}:${day}:${network}`).digest().subarray(0, HASH_BYTES);
  };
}

/** An IPv4 address mapped into IPv6 is the one it maps. */
function networkOf(address: string): string | undefined {
  // The parser would take numbers in other notations for addresses too.
  if (isIP(address) === 0) return undefined;
  // The parser knows fewer zones than there are: an interface may have a dot in its name.
  const parsed = ipaddr.process(address.split('%')[0] ?? '');
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${IPV6_NETWORK_BITS}`).toString();
}
