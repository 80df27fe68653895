/** What a browser may do on a page. Source: docs/specification/pages.md#policy. */
import type { Response } from 'express';

/** `storage`: the origin that members' documents are loaded from, where it is another than ours. */
export function policyOf(storage: string | undefined): string {
  const files = storage === undefined ? "'self'" : `'self' ${storage}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${files}`,
    "worker-src 'self'",
    `connect-src ${files}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The headers of every page; helmet's others stay. A form tells where it comes from to us alone. */
export function setPageHeaders(res: Response, policy: string): void {
  res.setHeader('Content-Security-Policy', policy);
  res.setHeader('Referrer-Policy', 'same-origin');
  res.setHeader('Cache-Control', 'no-store');
}
