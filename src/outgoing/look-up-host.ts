/**
 * Where a host of a tenant's is, asked of the name servers of the machine alone: no thread waits for them, as one does
 * for the operating system's look-up, so that names whose servers never answer hold up nobody else's. The name is the
 * whole one: no search domain is put behind it, and /etc/hosts is not read.
 */
import { promises as dns, type LookupAddress } from 'node:dns';
import { OutgoingFault } from './outgoing-fault.ts';

/** Of both kinds of address together. It leaves a part of the connect time to the connection. */
const LOOK_UP_MS = 2_000;
const TRY_MS = 1_000;
const TRIES = 2;

export type LookUpHost = (host: string) => Promise<LookupAddress[]>;

/** A host whose look-up is under way is not asked for again. Nothing is remembered behind it. */
export function createHostLookUp(nameServers?: readonly string[]): LookUpHost {
  const underWay = new Map<string, Promise<LookupAddress[]>>();
  return (host) => {
    const name = host.toLowerCase().replace(/\.$/, '');
    // A name of one label is one of our own network, such as a container's.
    if (!name.includes('.')) return Promise.reject(new OutgoingFault('blocked_address'));
    const known = underWay.get(name);
    if (known) return known;
    const asked = ask(name, nameServers).finally(() => underWay.delete(name));
    underWay.set(name, asked);
    return asked;
  };
}

/** All addresses that came in time, those of IPv4 first. Throws OutgoingFault where there is none. */
async function ask(name: string, nameServers: readonly string[] | undefined): Promise<LookupAddress[]> {
  const resolver = new dns.Resolver({ timeout: TRY_MS, tries: TRIES });
  if (nameServers) resolver.setServers(nameServers);
  const timer = setTimeout(() => resolver.cancel(), LOOK_UP_MS);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  clearTimeout(timer);
  const addresses = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  );
  if (addresses.length > 0) return addresses;
  const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as NodeJS.ErrnoException] : []));
  const late = errors.find(({ code }) => code === dns.TIMEOUT || code === dns.CANCELLED);
  throw late ? new OutgoingFault('timeout', late) : new OutgoingFault('unknown_host', errors[0]);
}
