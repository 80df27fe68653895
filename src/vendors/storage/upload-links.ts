/** Our own signed URLs below /uploads, for documents on disk: what S3's are to a bucket. */
import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';

export interface PutGrant {
  method: 'PUT';
  key: string;
  mimeType: string;
  /** Undefined: any, up to the limit. */
  size: number | undefined;
}

export interface GetGrant {
  method: 'GET';
  key: string;
  fileName: string;
}

export type Grant = PutGrant | GetGrant;

export interface UploadLinks {
  /** Path and query. */
  sign(grant: Grant, expiresInSeconds: number): string;
  /** What the URL grants; undefined when it is not ours, was changed, is of another method, or has expired. */
  verify(method: 'PUT' | 'GET', key: string, query: Readonly<Record<string, unknown>>): Grant | undefined;
}

export function createUploadLinks(secret: Buffer, now: () => number = Date.now): UploadLinks {
  const macKey = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'upload-link', 32)));
  const mac = (grant: Grant, expires: number): Buffer => createHmac('sha256', macKey).update(textOf(grant, expires)).digest();

  return {
    sign(grant, expiresInSeconds) {
      const expires = Math.ceil(now() / 1000) + expiresInSeconds;
      const query = new URLSearchParams({ expires: String(expires) });
      if (grant.method === 'PUT') {
        query.set('type', grant.mimeType);
        if (grant.size !== undefined) query.set('size', String(grant.size));
      } else query.set('name', grant.fileName);
      query.set('signature', mac(grant, expires).toString('base64url'));
      return `/uploads/${grant.key}?${query.toString()}`;
    },

    verify(method, key, query) {
      const { expires, type, size, name, signature } = query;
      if (typeof expires !== 'string' || !/^\d{1,12}$/.test(expires) || typeof signature !== 'string') return undefined;
      if (size !== undefined && (typeof size !== 'string' || !/^[1-9]\d{0,11}$/.test(size))) return undefined;
      const grant: Grant =
        method === 'PUT'
          ? { method, key, mimeType: String(type), size: size === undefined ? undefined : Number(size) }
          : { method, key, fileName: String(name) };
      const expected = mac(grant, Number(expires));
      const given = Buffer.from(signature, 'base64url');
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      return Number(expires) * 1000 > now() ? grant : undefined;
    },
  };
}

/** One text for one grant: JSON keeps the parts apart whatever is in them. */
function textOf(grant: Grant, expires: number): string {
  const parts = grant.method === 'PUT' ? [grant.mimeType, grant.size ?? null] : [grant.fileName];
  return JSON.stringify([grant.method, grant.key, expires, ...parts]);
}
