/** Where a link may lead: only to hosts that the tenant has named, so that no link of ours leads anywhere else. */

const NAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether it can be named in the settings: a host in lower case as URLs have it, or `*.` and one that is not all there is. */
export function isDestinationHost(name: string): boolean {
  const host = name.startsWith('*.') ? name.slice(2) : name;
  if (!NAME.test(host) || (host !== name && !host.includes('.'))) return false;
  // What a URL would read as an IP address is not a name, and would be written in another way.
  return URL.parse(`https://${host}/`)?.hostname === host && !/^[\d.]+$/.test(host);
}

/** The hosts that links lead to, as a regular expression that JavaScript and SQL read alike: labels, none of them empty. */
export const HOST_PATTERN = '[a-z0-9-]+(?:[.][a-z0-9-]+)*';
const HOST = new RegExp(`^${HOST_PATTERN}$`);

/** What is wrong with the address as a destination, or undefined. */
export function findDestinationFault(address: string, allowedHosts: readonly string[]): string | undefined {
  const url = URL.parse(address);
  if (!url) return 'is not an address';
  if (url.protocol !== 'https:') return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not name a user';
  // Other ports are other servers.
  if (url.port !== '') return 'must not name a port';
  if (!HOST.test(url.hostname)) return 'is on a host whose name has an empty part, or other characters than a-z, 0-9 and hyphens';
  return allowedHosts.some((allowed) => matches(allowed, url.hostname))
    ? undefined
    : "is on a host that the tenant's settings do not allow (referrals.allowedDestinationHosts)";
}

function matches(allowed: string, host: string): boolean {
  return allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed;
}
