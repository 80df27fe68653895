/** The payment vendor's webhooks as they come over the wire. Source: docs/specification/webhooks.md#the-payment-vendor. */
import { randomBytes } from 'node:crypto';
import { Stripe } from 'stripe';

export interface PaymentEventOptions {
  /** A connected account's; absent in the tenant's own. */
  accountId?: string;
  /** Default: the secret of the tenant's own endpoint, or of the one for connected accounts. */
  secret?: string;
  /** Unix seconds, by the vendor's clock: of the event, and of the signature. Default now. */
  created?: number;
  signedAt?: number;
  livemode?: boolean;
  id?: string;
  previous?: Record<string, unknown>;
}

export interface PaymentDelivery {
  id: string;
  type: string;
  body: Buffer;
  headers: { 'content-type': string; 'payvendor-signature': string };
}

export interface FakeEvents {
  /** What has happened so far and was not delivered, oldest first. */
  happened: PaymentDelivery[];
  /** A signed delivery to our receiver. `object` is one of the vendor's: accounts by accountBody. */
  eventFor(object: object, type: string, options?: PaymentEventOptions): PaymentDelivery;
  /** Posts what has happened to a receiver, in order, and forgets it. Returns the statuses. */
  deliver(receiverUrl: string): Promise<number[]>;
  /** Keeps nothing of what happens. For long runs. */
  muted: boolean;
  /** Of what happens. Default false. */
  livemode: boolean;
}

export function signPaymentEvent(event: object, { secret, signedAt }: { secret: string; signedAt?: number | undefined }) {
  const payload = JSON.stringify(event);
  const header = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    ...(signedAt === undefined ? {} : { timestamp: signedAt }),
  });
  return {
    body: Buffer.from(payload),
    headers: { 'content-type': 'application/json; charset=utf-8', 'payvendor-signature': header },
  };
}

export function createFakeEvents([platformSecret, connectSecret]: readonly [string, string]) {
  const events = {
    happened: [] as PaymentDelivery[],
    muted: false,
    livemode: false,

    eventFor(object: object, type: string, options: PaymentEventOptions = {}): PaymentDelivery {
      const { accountId, created = Math.floor(Date.now() / 1000), signedAt, livemode = events.livemode, previous } = options;
      const { secret = accountId === undefined ? platformSecret : connectSecret } = options;
      const id = options.id ?? `evt_${randomBytes(12).toString('hex')}`;
      const event = {
        id,
        object: 'event',
        ...(accountId === undefined ? {} : { account: accountId }),
        api_version: '2026-10-28.endive',
        created,
        data: { object, ...(previous ? { previous_attributes: previous } : {}) },
        livemode,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
      };
      return { id, type, ...signPaymentEvent(event, { secret, signedAt }) };
    },

    /** Of what happens at the vendor; as it stands at this time. */
    record(type: string, object: object, accountId?: string): void {
      if (events.muted) return;
      events.happened.push(events.eventFor(object, type, accountId === undefined ? {} : { accountId }));
    },

    async deliver(receiverUrl: string): Promise<number[]> {
      const statuses: number[] = [];
      for (const { body, headers } of events.happened.splice(0)) {
        const { status } = await fetch(receiverUrl, { method: 'POST', body: new Uint8Array(body), headers });
        statuses.push(status);
      }
      return statuses;
    },
  };
  return events;
}
