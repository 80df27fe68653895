/**
 * Telling a repeated event from a reused id without keeping what was sent: one keyed digest a
 * field, over the content as it was sent, before defaults. The digests hold no personal data and
 * cannot be turned back without the key.
 */
import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import { canonicalJson } from '../../canonical-json.ts';

const DIGEST_BYTES = 12;

export type ContentDigests = Record<string, string>;

export interface ContentDigester {
  /** A digest for each field that was sent; objects one level down count field by field. */
  digest(body: Readonly<Record<string, unknown>>): ContentDigests;
}

export function createContentDigester(secret: Buffer): ContentDigester {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'event-content', 32)));
  return {
    digest(body) {
      const digests: ContentDigests = {};
      for (const [field, value] of fieldsOf(body)) {
        digests[field] = createHmac('sha256', key)
          .update(field)
          .update('\0')
          .update(canonicalJson(value))
          .digest()
          .subarray(0, DIGEST_BYTES)
          .toString('base64');
      }
      return digests;
    },
  };
}

/** Names of the fields in which two contents differ, sorted. */
export function differingFields(a: ContentDigests, b: ContentDigests): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((field) => a[field] !== b[field]).toSorted();
}

function* fieldsOf(body: Readonly<Record<string, unknown>>): Generator<[string, unknown]> {
  for (const [field, value] of Object.entries(body)) {
    if (value === null || value === undefined) continue;
    if (field !== 'metadata' && isObject(value)) {
      for (const [inner, item] of Object.entries(value)) {
        if (item !== null && item !== undefined) yield [`${field}.${inner}`, item];
      }
    } else yield [field, value];
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
