/**
 * The KYC vendor's webhooks as they come over the wire. Source: docs/specification/webhooks.md#kyc-payload,
 * docs/specification/webhooks.md#kyc-signature.
 */
import { createHmac, randomUUID } from 'node:crypto';

export interface VendorEventFields {
  type: string;
  applicantId: string;
  externalUserId?: string | null;
  reviewStatus?: string | null;
  reviewResult?: Record<string, unknown> | null;
  /** By the vendor's clock; default now. */
  createdAt?: Date;
  sandboxMode?: boolean | string | null;
  /** Whatever else; also in place of the rest. */
  extra?: Record<string, unknown>;
}

export interface VendorEventOptions {
  secret?: string;
  alg?: 'HMAC_SHA256_HEX' | 'HMAC_SHA512_HEX' | 'HMAC_SHA1_HEX';
}

export interface VendorDelivery {
  body: Buffer;
  headers: { 'content-type': string; 'x-payload-digest': string; 'x-payload-digest-alg': string };
}

const HASHES = { HMAC_SHA256_HEX: 'sha256', HMAC_SHA512_HEX: 'sha512', HMAC_SHA1_HEX: 'sha1' } as const;

/** `YYYY-MM-DD HH:mm:ss.SSS`, without a zone, in UTC. */
export const vendorInstant = (at: Date): string => at.toISOString().replace('T', ' ').replace('Z', '');

export function signDelivery(body: Buffer, { secret = '', alg = 'HMAC_SHA256_HEX' }: VendorEventOptions = {}): VendorDelivery {
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-payload-digest': createHmac(HASHES[alg], secret).update(body).digest('hex'),
      'x-payload-digest-alg': alg,
    },
  };
}

export function buildVendorEvent(fields: VendorEventFields, options: VendorEventOptions): VendorDelivery {
  const { createdAt = new Date(), extra = {}, ...rest } = fields;
  const body = {
    inspectionId: rest.applicantId.toUpperCase(),
    correlationId: `req-${randomUUID()}`,
    externalUserId: null,
    levelName: 'basic kyc+level@1',
    previousLevelName: null,
    applicantType: 'individual',
    reviewStatus: null,
    reviewResult: null,
    sandboxMode: false,
    createdAtMs: vendorInstant(createdAt),
    createdAt: `${vendorInstant(createdAt).slice(0, 19)}+0000`,
    clientId: 'fake',
    applicantMemberOf: null,
    applicantActionId: null,
    videoIdentReviewStatus: null,
    ...rest,
    ...extra,
  };
  return signDelivery(Buffer.from(JSON.stringify(body)), options);
}
