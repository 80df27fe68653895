/**
 * Click ids as they leave the service: the click's id with a keyed digest that binds it to its tenant and
 * environment, so that one that was made up, or is another tenant's, is known without a look at the database.
 */
import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Environment, Scope } from '../../../db/scope.ts';

const PREFIX = 'ck_';
const DIGEST_BYTES = 16;

export type OpenedClickId = { id: string } | { fault: 'invalid' | 'other_environment' };

export interface ClickIds {
  /** 46 characters that are safe in a URL. */
  sign(scope: Scope, clickId: string): string;
  /** Never throws: whatever a browser brought back may be in it. */
  open(scope: Scope, text: string): OpenedClickId;
}

export function createClickIds(secret: Buffer): ClickIds {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'click-ids', 32)));
  const digestOf = (tenantId: string, environment: Environment, id: Buffer): Buffer =>
    createHmac('sha256', key).update(`${tenantId}:${environment}:`).update(id).digest().subarray(0, DIGEST_BYTES);
  return {
    sign({ tenantId, environment }, clickId) {
      const id = Buffer.from(clickId.replaceAll('-', ''), 'hex');
      return PREFIX + Buffer.concat([id, digestOf(tenantId, environment, id)]).toString('base64url');
    },
    open({ tenantId, environment }, text) {
      if (!/^ck_[\w-]{43}$/.test(text)) return { fault: 'invalid' };
      const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url');
      const [id, digest] = [bytes.subarray(0, 16), bytes.subarray(16)];
      // One id has one form: the last character has bits that stand for nothing.
      if (bytes.toString('base64url') !== text.slice(PREFIX.length)) return { fault: 'invalid' };
      if (timingSafeEqual(digest, digestOf(tenantId, environment, id))) return { id: uuidOf(id) };
      const other = environment === 'LIVE' ? 'SANDBOX' : 'LIVE';
      return { fault: timingSafeEqual(digest, digestOf(tenantId, other, id)) ? 'other_environment' : 'invalid' };
    },
  };
}

function uuidOf(id: Buffer): string {
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
