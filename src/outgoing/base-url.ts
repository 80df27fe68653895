/** The form that the address of a vendor's API must have where a tenant names it. */
import { isAllowedHost, MAX_ADDRESS_LENGTH } from './address-form.ts';

const KYC_VENDOR_ORIGIN = 'https://api.sumsub.com';

/** What is wrong with the address, or undefined: the vendor's own, or a host that the deployment vouches for, there plain http too. */
export function findBaseUrlFault(address: string, allowedHosts: readonly string[]): string | undefined {
  if (address.length > MAX_ADDRESS_LENGTH) return `must have at most ${MAX_ADDRESS_LENGTH} characters`;
  const url = URL.parse(address);
  // The origin has neither path, query, fragment, user name nor usual port, and is in lower case.
  if (!url || !/^https?:$/.test(url.protocol) || address.replace(/\/$/, '') !== url.origin) {
    return 'must be an address such as https://api.example.com, with nothing behind the host and port';
  }
  const vouchedFor =
    url.protocol === 'https:' || url.port !== '' ? isAllowedHost(url, allowedHosts) : allowedHosts.includes(`${url.hostname}:80`);
  return url.origin === KYC_VENDOR_ORIGIN || vouchedFor ? undefined : `must be ${KYC_VENDOR_ORIGIN}`;
}
