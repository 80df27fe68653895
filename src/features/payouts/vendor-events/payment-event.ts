/** What the payment vendor's deliveries say. Source: docs/specification/webhooks.md#payment-events. */
import { z } from 'zod';
import { invalidField } from '../../../errors.ts';
import { readRawJson } from '../../../http/raw-json.ts';

/** The columns that keep these are as long. */
const MAX_LABEL = 255;
const MAX_REQUIREMENTS = 200;

/** Every field may be null or missing, and one of another type than we know is as good as missing. */
const field = <T extends z.ZodType>(schema: T) =>
  schema
    .nullish()
    .catch(null)
    .transform((value) => value ?? null);
const label = field(z.string().transform((value) => value.slice(0, MAX_LABEL).toWellFormed()));
const labels = field(z.array(z.string())).transform((values) => (values ?? []).slice(0, MAX_REQUIREMENTS));

const requirements = field(z.object({ disabled_reason: label, currently_due: labels, past_due: labels }));

/** Only what is gone by: an account's object has the whole person in it, which is kept nowhere. */
const object = z.object({
  id: label,
  object: label,
  /** Of an account. */
  capabilities: field(z.object({ transfers: label })),
  requirements,
  /** Of a bank account, a capability, a payout. */
  status: label,
  /** Of a transfer. */
  destination: label,
  metadata: field(z.object({ tenant_id: label, environment: label, payout_id: label })),
});

const payload = z.object({
  id: z.string().min(1).max(MAX_LABEL),
  object: label,
  type: z.string().max(MAX_LABEL),
  account: label,
  created: field(z.number().int().min(0).max(253_402_300_799)),
  livemode: z.boolean(),
  // The vendor's thin events have none.
  data: field(z.object({ object: field(object) })),
});

export type PaymentPayload = z.output<typeof payload>;

export interface PaymentEvent {
  id: string;
  type: string;
  /** The connected account that it happened on; null for the tenant's own. */
  account: string | null;
  /** By the vendor's clock, to the second. */
  createdAt: Date | null;
  livemode: boolean;
  object: z.output<typeof object> | null;
  /** What of the body is kept, as JSON. */
  kept: PaymentPayload;
}

/** Where a delivery may belong, by what it says of itself; nothing in it is trusted yet. */
export interface Claims {
  accounts: string[];
  tenantId: string | null;
}

/** Never throws: what cannot be read claims nothing. */
export function readClaims(rawBody: Buffer): Claims {
  let value: unknown;
  try {
    ({ value } = readRawJson(rawBody));
  } catch {
    return { accounts: [], tenantId: null };
  }
  const claimed = z.object({ account: label, data: field(z.object({ object: field(object) })) }).safeParse(value);
  if (!claimed.success) return { accounts: [], tenantId: null };
  const { account, data } = claimed.data;
  const named = [account, data?.object?.destination ?? null].filter((id): id is string => id !== null && id !== '');
  return { accounts: named, tenantId: data?.object?.metadata?.tenant_id ?? null };
}

/** VALIDATION_ERROR for what is no event. To be called when the signature is known to be good. */
export function readPaymentEvent(rawBody: Buffer): PaymentEvent {
  const { value } = readRawJson(rawBody);
  const parsed = payload.safeParse(value);
  if (!parsed.success) throw invalidField('', 'must be an event with id, type and livemode');
  return toEvent(parsed.data);
}

/** One that was kept. */
export function readKeptEvent(kept: unknown): PaymentEvent {
  return toEvent(payload.parse(kept));
}

function toEvent(kept: PaymentPayload): PaymentEvent {
  const { id, type, account, created, livemode, data } = kept;
  const createdAt = created === null ? null : new Date(created * 1000);
  return { id, type, account, createdAt, livemode, object: data?.object ?? null, kept };
}
