/** Which IP addresses are of the public internet. Source: the IANA special-purpose registries (RFC 6890), as ipaddr.js holds them. */
import ipaddr from 'ipaddr.js';

/** NAT64 for use inside a network (RFC 8215), which ipaddr.js takes for ordinary. */
const LOCAL_NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');

/** False for loopback, private, link-local, shared, reserved, documentation, multicast and tunnelled addresses, and for no address at all. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // an IPv4 address mapped into IPv6 counts as what it is
  if (parsed.range() !== 'unicast') return false;
  return !(parsed instanceof ipaddr.IPv6 && parsed.match(LOCAL_NAT64));
}
