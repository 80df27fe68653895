/**
 * Which IP addresses are of the public internet. Sources: the IANA special-purpose address registries (RFC 6890), of IPv4
 * as ipaddr.js holds them; for IPv6 what is global unicast (RFC 4291), less what has a purpose of its own.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All that was ever given to networks of the public internet. Whatever else is routed somewhere is not one of theirs. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

const NOT_PUBLIC = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID, DRIP and anycast of relays
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which has any IPv4 address inside
  '2620:4f:8000::/48', // AS112, where questions about private addresses end
  '3fff::/20', // documentation
].map((range) => ipaddr.IPv6.parseCIDR(range));

/** False also for what is no address, and for one with a zone, which is of one machine. */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js reads ::8.8.8.8, which is not mapped, as if it were; in groups of hex digits there is only one reading.
  const plain = isIP(address) === 6 ? URL.parse(`https://[${address}]/`)?.hostname.slice(1, -1) : address;
  if (plain === undefined || isIP(plain) === 0) return false;
  const parsed = ipaddr.process(plain); // an IPv4 address mapped into IPv6 counts as what it is
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.range() === 'unicast';
  return parsed.match(GLOBAL_UNICAST) && !NOT_PUBLIC.some((range) => parsed.match(range));
}
