/**
 * Where a provider is asked, kept for ten minutes. One that cannot be used is asked again after thirty seconds. Source:
 * OpenID Connect Discovery 1.0 §4.
 */
import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import type { OutgoingClient } from '../../../outgoing/outgoing-client.ts';
import { OutgoingFault } from '../../../outgoing/outgoing-fault.ts';

const MAX_AGE_MS = 10 * 60_000;
const COOLDOWN_MS = 30_000;
const MAX_PROVIDERS = 500;

export interface Endpoints {
  authorization: string;
  token: string;
  jwksUri: string;
  /** How the client proves itself: by a header, or in the form where the provider takes that alone. */
  secretIn: 'header' | 'form';
  /** Each of its answers has `iss`. Source: RFC 9207 §3. */
  namesItself: boolean;
}

const documentOf = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

export interface Discovery {
  /** PROVIDER_UNAVAILABLE when it does not say who it is, or names an address that cannot be asked. */
  of(issuerUrl: string): Promise<Endpoints>;
}

/** `now` is in milliseconds; only tests give another clock. */
export function createDiscovery(outgoing: OutgoingClient, now: () => number = Date.now): Discovery {
  const known = new Map<string, { until: number; endpoints: Promise<Endpoints> }>();

  async function ask(issuerUrl: string): Promise<Endpoints> {
    try {
      return read(issuerUrl, await outgoing.fetchJson(addressOf(issuerUrl), ['application/json']));
    } catch (error) {
      const why = error instanceof OutgoingFault ? error.reason : 'not_a_discovery_document';
      throw new AppError('PROVIDER_UNAVAILABLE', 'The provider that people sign in by cannot be asked', {
        details: { reason: why },
        cause: error,
      });
    }
  }

  function read(issuerUrl: string, body: unknown): Endpoints {
    const document = documentOf.parse(body);
    if (document.issuer !== issuerUrl) throw new Error('the provider names another issuer');
    const { authorization_endpoint: authorization, token_endpoint: token, jwks_uri: jwksUri } = document;
    for (const address of [authorization, token, jwksUri]) {
      const fault = outgoing.checkAddress(address);
      if (fault !== undefined) throw new Error(`the provider names an address that ${fault}`);
    }
    // Unsaid, it is client_secret_basic.
    const ways = document.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const secretIn = !ways.includes('client_secret_basic') && ways.includes('client_secret_post') ? 'form' : 'header';
    const namesItself = document.authorization_response_iss_parameter_supported === true;
    return { authorization, token, jwksUri, secretIn, namesItself };
  }

  return {
    of(issuerUrl) {
      const at = now();
      const entry = known.get(issuerUrl);
      if (entry && entry.until > at) return entry.endpoints;
      if (known.size >= MAX_PROVIDERS) known.clear();
      const endpoints = ask(issuerUrl);
      const kept = { until: at + MAX_AGE_MS, endpoints };
      known.set(issuerUrl, kept);
      endpoints.catch(() => {
        kept.until = at + COOLDOWN_MS;
      });
      return endpoints;
    },
  };
}

function addressOf(issuerUrl: string): string {
  return `${issuerUrl.replace(/\/$/, '')}/.well-known/openid-configuration`;
}
