/** What the KYC vendor's deliveries say, read from their bytes. Source: docs/specification/webhooks.md#kyc-payload. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalidField } from '../../../errors.ts';
import { readRawJson } from '../../../http/raw-json.ts';
import type { VendorReviewResult } from '../../../vendors/kyc/kyc-vendor.ts';

export interface VendorEvent {
  /** SHA-256 of the body as it came: by this a delivery is known again. */
  digest: Buffer;
  type: string;
  applicantId: string | null;
  externalUserId: string | null;
  correlationId: string | null;
  applicantType: string | null;
  reviewStatus: string | null;
  reviewResult: VendorReviewResult | null;
  sandboxMode: boolean | null;
  clientId: string | null;
  /** By the vendor's clock. Null: it did not say, or not in a form we know. */
  createdAt: Date | null;
  /** JSON text that the database can hold. */
  body: string;
}

/** Every field may be null or missing, and one of another type than we know is as good as missing: kept, not refused. */
const field = <T extends z.ZodType>(schema: T) =>
  schema
    .nullish()
    .catch(null)
    .transform((value) => value ?? null);
const label = field(z.string().transform((value) => cut(value)));

const reviewResult = z.looseObject({
  reviewAnswer: label,
  reviewRejectType: label,
  rejectLabels: field(z.array(z.string())),
  moderationComment: field(z.string()),
});

const payload = z.looseObject({
  type: label,
  applicantId: label,
  externalUserId: label,
  correlationId: label,
  applicantType: label,
  reviewStatus: label,
  reviewResult: field(reviewResult),
  clientId: label,
  createdAtMs: label,
  createdAt: label,
  // The vendor's own example has the string. By this one the environment is chosen, so that it is not guessed at.
  sandboxMode: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], 'must be true or false')
    .nullish(),
});

/** The columns that keep these fields are as long. */
const MAX_LABEL = 255;

/** VALIDATION_ERROR for what is not a JSON object. To be called when the signature is known to be good. */
export function readVendorEvent(rawBody: Buffer): VendorEvent {
  const { value, text } = readRawJson(rawBody);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidField('', 'must be a JSON object');
  const parsed = payload.safeParse(value);
  if (!parsed.success) throw invalidField('sandboxMode', 'must be true or false');
  const { type, sandboxMode = null, createdAtMs, createdAt, ...fields } = parsed.data;
  return {
    digest: createHash('sha256').update(rawBody).digest(),
    type: type ?? '',
    applicantId: fields.applicantId === '' ? null : fields.applicantId,
    externalUserId: fields.externalUserId,
    correlationId: fields.correlationId,
    applicantType: fields.applicantType,
    reviewStatus: fields.reviewStatus,
    reviewResult: fields.reviewResult,
    sandboxMode,
    clientId: fields.clientId,
    createdAt: toInstant(createdAtMs) ?? toInstant(createdAt) ?? null,
    body: text,
  };
}

/** `2026-01-31 12:00:00.123`, which is UTC, or `2026-01-31 12:00:00+0000`. */
function toInstant(text: string | null): Date | undefined {
  const parts = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d:?\d\d)?$/.exec(text ?? '');
  if (!parts) return undefined;
  const [, day, time, zone = 'Z'] = parts;
  const at = new Date(`${day}T${time}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

function cut(value: string): string {
  return value.length <= MAX_LABEL ? value : value.slice(0, MAX_LABEL).toWellFormed();
}
