/** Ranges of IP addresses, which an API key may be bound to. Source: docs/specification/identity.md#allowed-ips. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [network: Address, bits: number];

/**
 * A range in its one spelling, as `10.0.0.0/8` of `10.1.2.3/8`; an address alone is a range of one. IPv4 that is mapped
 * into IPv6 is IPv4. Undefined for anything else.
 */
export function normalRange(text: string): string | undefined {
  const [address = '', suffix, ...more] = text.split('/');
  if (isIP(address) === 0 || address.includes('%') || more.length > 0) return undefined;
  if (suffix !== undefined && !/^(?:0|[1-9]\d{0,2})$/.test(suffix)) return undefined;
  const parsed = ipaddr.parse(address);
  const width = widthOf(parsed);
  const bits = suffix === undefined ? width : Number(suffix);
  if (bits > width) return undefined;
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && bits >= 96) {
    return spelled(parsed.toIPv4Address(), bits - 96);
  }
  return spelled(parsed, bits);
}

/** Whether an address lies in one of the ranges, which are in their normal spelling. */
export function createRangeCheck(ranges: readonly string[]): (address: string | undefined) => boolean {
  const parsed = ranges.map(parseRange);
  return (text = '') => {
    const [address = ''] = text.split('%'); // the interface of a link-local address is no part of it
    if (isIP(address) === 0) return false;
    const one = ipaddr.process(address);
    return parsed.some((range) => covers(range, [one, widthOf(one)]));
  };
}

/** Whether each of the ranges lies within one of the others; null stands for everywhere. */
export function liesWithin(inner: readonly string[] | null, outer: readonly string[] | null): boolean {
  if (outer === null) return true;
  if (inner === null) return false;
  const bounds = outer.map(parseRange);
  return inner.map(parseRange).every((range) => bounds.some((bound) => covers(bound, range)));
}

function covers([network, bits]: Range, [address, narrower]: Range): boolean {
  if (narrower < bits) return false;
  if (network instanceof ipaddr.IPv4) return address instanceof ipaddr.IPv4 && address.match(network, bits);
  return address instanceof ipaddr.IPv6 && address.match(network, bits);
}

function parseRange(text: string): Range {
  return ipaddr.parseCIDR(text);
}

function spelled(address: Address, bits: number): string {
  const bytes = address.toByteArray().map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, bits - index * 8))) & 0xff);
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
}

function widthOf(address: Address): number {
  return address instanceof ipaddr.IPv4 ? 32 : 128;
}
