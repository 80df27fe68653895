/** The form that the address of a vendor's API must have where a tenant names it. */

const KYCVENDOR_URL = 'https://api.sumsub.com';

/** What is wrong with the address, or undefined: the vendor's own, or a host that the deployment vouches for, there plain http too. */
export function findBaseUrlFault(address: string, allowedHosts: readonly string[]): string | undefined {
  if (address === KYCVENDOR_URL) return undefined;
  if (!/^https?:\/\/[!-~]+$/.test(address) || /[\\#?@]/.test(address))
    return 'must be an https:// address without query and fragment';
  const url = URL.parse(address);
  if (!url) return 'must be an https:// address';
  const port = url.port === '' ? { 'https:': '443', 'http:': '80' }[url.protocol] : url.port;
  return allowedHosts.includes(`${url.hostname}:${port}`)
    ? undefined
    : "must be the vendor's own address or of a host that OUTGOING_ALLOWED_HOSTS names";
}
