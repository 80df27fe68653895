/** The form an address from a tenant must have, told without looking anything up. */
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

export const MAX_ADDRESS_LENGTH = 2000;

/** Whether the deployment vouches for the host and port: it may then be private and on any port. */
export function isAllowedHost(url: URL, allowedHosts: readonly string[]): boolean {
  const usualPort = url.protocol === 'http:' ? '80' : '443';
  return allowedHosts.includes(`${url.hostname}:${url.port === '' ? usualPort : url.port}`);
}

/** The vendor's own address, for both of its modes. */
export const KYC_VENDOR_ORIGIN = 'https://api.sumsub.com';
export const PAYMENT_VENDOR_ORIGIN = 'https://api.stripe.com';

/**
 * What is wrong with the address of a vendor's API, or undefined. It is the vendor's own: any other,
 * and plain HTTP, only where the deployment vouches for the host.
 */
export function findBaseUrlFault(address: string, allowedHosts: readonly string[], vendorOrigin: string): string | undefined {
  if (address.length > MAX_ADDRESS_LENGTH) return `must have at most ${MAX_ADDRESS_LENGTH} characters`;
  const url = URL.parse(address);
  // The origin has neither path, query, fragment, user name nor usual port, and is in lower case.
  if (!url || !/^https?:$/.test(url.protocol) || address.replace(/\/$/, '') !== url.origin) {
    return 'must be an address such as https://api.example.com, with nothing behind the host and port';
  }
  return url.origin === vendorOrigin || isAllowedHost(url, allowedHosts) ? undefined : `must be ${vendorOrigin}`;
}

/** What is wrong with the address, or undefined. `allowedHosts` are `host:port` in lower case. */
export function findAddressFault(address: string, allowedHosts: readonly string[]): string | undefined {
  if (address.length > MAX_ADDRESS_LENGTH) return `must have at most ${MAX_ADDRESS_LENGTH} characters`;
  // The parser drops tabs and line breaks, and takes a backslash for a slash: none of that is an address.
  if (!/^https:\/\/[!-~]+$/.test(address) || address.includes('\\')) return 'must be an https:// address';
  if (address.includes('#')) return 'must not have a fragment';
  const [authority = ''] = address.slice('https://'.length).split(/[/?]/);
  if (authority.includes('@')) return 'must not have a user name or password';
  const url = URL.parse(address);
  if (!url) return 'must be an https:// address';
  if (isAllowedHost(url, allowedHosts)) return undefined;
  if (url.port !== '') return 'must use port 443';
  // The parser has turned 2130706433, 0x7f.1 and 0 into dotted form.
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) !== 0 && !isPublicAddress(literal) ? 'must be an address of the public internet' : undefined;
}
