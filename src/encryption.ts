/**
 * AES-256-GCM under a key ring: the first key of DATA_KEYS encrypts, every key decrypts. The
 * additional data binds a ciphertext to the place it was written for, so it cannot be moved to
 * another tenant, row or column. Source: docs/specification/tenancy.md#sealed.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export interface Cipher {
  /** What a ciphertext under the first key begins with, and no other does. */
  readonly activeHeader: Buffer;
  encrypt(plain: Buffer, place: readonly string[]): Buffer;
  /** Throws when the key is unknown, the bytes were altered, or the place is another. */
  decrypt(sealed: Buffer, place: readonly string[]): Buffer;
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Layout: version (1) · key id length (1) · key id · nonce (12) · tag (16) · ciphertext. */
export function createCipher(keys: readonly { id: string; key: Buffer }[]): Cipher {
  const active = keys[0];
  if (!active) throw new Error('the data key ring is empty');
  const byId = new Map(keys.map((entry) => [entry.id, entry.key]));
  const boundTo = (id: string, place: readonly string[]) => Buffer.from(JSON.stringify([id, ...place]));
  const headerOf = (id: string): Buffer => Buffer.concat([Buffer.from([VERSION, Buffer.byteLength(id)]), Buffer.from(id)]);
  return {
    activeHeader: headerOf(active.id),
    encrypt(plain, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', active.key, nonce).setAAD(boundTo(active.id, place));
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([headerOf(active.id), nonce, cipher.getAuthTag(), sealed]);
    },
    decrypt(sealed, place) {
      if (sealed[0] !== VERSION) throw new Error('unknown ciphertext version');
      const idEnd = 2 + (sealed[1] ?? 0);
      const id = sealed.subarray(2, idEnd).toString();
      const key = byId.get(id);
      if (!key) throw new Error(`data key ${id} is not in the ring`);
      const nonceEnd = idEnd + NONCE_BYTES;
      const tagEnd = nonceEnd + TAG_BYTES;
      if (sealed.length < tagEnd) throw new Error('the ciphertext is cut'); // node would take a shorter tag
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(idEnd, nonceEnd)).setAAD(boundTo(id, place));
      decipher.setAuthTag(sealed.subarray(nonceEnd, tagEnd));
      return Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()]);
    },
  };
}
