/** Events as the service sends them, verified (https://www.standardwebhooks.com). */
import { Webhook } from 'standardwebhooks';
import type { WebhookEvent } from './types.ts';

/** Headers as node, Express, the Fetch API and plain objects have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Secrets beside the first that are good, too: during a rotation. */
  oldSecrets?: readonly string[];
}

/**
 * The event of a body, once its signature is known to be good and not older than five minutes. The body must be as it
 * came, not parsed. Throws where it is not of the service.
 */
export function verify(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { oldSecrets = [] }: VerifyOptions = {},
): WebhookEvent {
  const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody);
  const signed = {
    'webhook-id': headerOf(headers, 'webhook-id'),
    'webhook-timestamp': headerOf(headers, 'webhook-timestamp'),
    'webhook-signature': headerOf(headers, 'webhook-signature'),
  };
  let fault: unknown;
  for (const one of [secret, ...oldSecrets]) {
    try {
      return new Webhook(one).verify(text, signed) as WebhookEvent;
    } catch (error) {
      fault ??= error;
    }
  }
  throw fault;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : (found?.[0] ?? '');
}
