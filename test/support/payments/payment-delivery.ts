/** Deliveries of the payment vendor, signed as it signs them. Source: docs/specification/webhooks.md#payment-signature. */
import { randomBytes } from 'node:crypto';
import { Stripe } from 'stripe';
import type { TestApp } from '../app/test-app.ts';

export interface EventFields {
  id?: string;
  type: string;
  object: Record<string, unknown>;
  account?: string;
  /** Unix seconds. Default now. */
  created?: number;
  livemode?: boolean;
}

export const newEventId = () => `evt_${randomBytes(12).toString('hex')}`;
export const nowSeconds = () => Math.floor(Date.now() / 1000);

export function eventText({ id = newEventId(), type, object, account, created = nowSeconds(), livemode = true }: EventFields) {
  const at = { object: 'event', api_version: '2026-10-28.endive', created, livemode };
  return JSON.stringify({ id, ...at, ...(account === undefined ? {} : { account }), type, data: { object } });
}

export function signatureOf(payload: string, secret: string, timestamp?: number): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, ...(timestamp === undefined ? {} : { timestamp }) });
}

export interface Sent {
  status: number;
  environment: string | null;
  body: { message?: string; code?: string };
}

export async function deliver(
  app: Pick<TestApp, 'baseUrl'>,
  payload: string | Uint8Array<ArrayBuffer>,
  { signature, query = '' }: { signature?: string; query?: string },
): Promise<Sent> {
  const answer = await fetch(`${app.baseUrl}/api/v1/webhooks/payvendor${query}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signature === undefined ? {} : { 'payvendor-signature': signature }),
    },
    body: payload,
  });
  return {
    status: answer.status,
    environment: answer.headers.get('x-environment'),
    body: (await answer.json()) as Sent['body'],
  };
}
