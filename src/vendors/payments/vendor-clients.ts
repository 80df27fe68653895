/**
 * The payment vendor's client for each tenant's account, kept between calls.
 * Source: docs/specification/payouts.md#vendor-clients.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Stripe } from 'stripe';
import { apart } from '../../apart.ts';
import { PAYMENT_VENDOR_ORIGIN } from '../../outgoing/address-form.ts';
import { misconfigured } from './map-error.ts';
import type { VendorAccount } from './vendor-account.ts';

const TIMEOUT_MS = 15_000;
const RETRIES = 2;
/** Connections to the vendor, of all tenants: it limits how much may be under way at once, and so do we. */
const MAX_SOCKETS = 64;
const MAX_CLIENTS = 100;

export interface VendorClients {
  of(account: VendorAccount): Stripe;
}

/** `checkBaseUrl`: what is wrong with an address, asked again of one that was good when it was stored. */
export function createVendorClients({ checkBaseUrl }: { checkBaseUrl: (address: string) => string | undefined }): VendorClients {
  const options = { keepAlive: true, maxSockets: MAX_SOCKETS };
  const overTls = waitingApart(Stripe.createNodeHttpClient(new HttpsAgent(options)));
  const plain = waitingApart(Stripe.createNodeHttpClient(new HttpAgent(options)));
  const nameKey = randomBytes(32);
  /** In the order of their last use. Named by a digest: a key is in no place where it could be listed. */
  const clients = new Map<string, Stripe>();

  function create({ secretKey, baseUrl }: VendorAccount): Stripe {
    const address = baseUrl ?? PAYMENT_VENDOR_ORIGIN;
    if (checkBaseUrl(address) !== undefined) throw misconfigured('base_url', { name: 'settings' });
    const url = new URL(address);
    const isPlain = url.protocol === 'http:';
    return new Stripe(secretKey, {
      apiVersion: '2026-10-28.endive',
      host: url.hostname,
      port: url.port || (isPlain ? 80 : 443),
      protocol: isPlain ? 'http' : 'https',
      maxNetworkRetries: RETRIES,
      timeout: TIMEOUT_MS,
      telemetry: false,
      httpClient: isPlain ? plain : overTls,
    });
  }

  return {
    of(account) {
      const name = createHmac('sha256', nameKey)
        .update(`${account.baseUrl ?? ''}\n${account.secretKey}`)
        .digest('base64');
      const client = clients.get(name) ?? create(account);
      clients.delete(name);
      clients.set(name, client);
      const [oldest] = clients.keys();
      if (clients.size > MAX_CLIENTS && oldest !== undefined) clients.delete(oldest);
      return client;
    },
  };
}

/** Whoever waits for the vendor holds up no other request of the tenant. */
function waitingApart(client: ReturnType<typeof Stripe.createNodeHttpClient>): typeof client {
  const makeRequest = client.makeRequest.bind(client);
  return Object.assign(client, {
    makeRequest: (...request: Parameters<typeof makeRequest>) => apart(() => makeRequest(...request)),
  });
}
