/** How a request to the KYC vendor is signed. Source: docs/specification/verification.md#vendor-signature. */
import { createHmac } from 'node:crypto';

export interface SignedParts {
  method: 'GET' | 'POST';
  /** With the query, exactly as it is sent. */
  path: string;
  /** The bytes that are sent. */
  body?: Buffer | undefined;
}

/** The headers of a request made at `at`; the vendor takes it for about a minute. */
export function signRequest(
  { appToken, secretKey }: { appToken: string; secretKey: string },
  { method, path, body }: SignedParts,
  at: Date,
): Record<string, string> {
  const ts = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac('sha256', secretKey)
    .update(ts + method + path)
    .update(body ?? '')
    .digest('hex');
  return { 'x-app-token': appToken, 'x-app-access-ts': ts, 'x-app-access-sig': signature };
}
