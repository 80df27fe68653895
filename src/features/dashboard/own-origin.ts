/** Where pages are: over https, or on this machine. Source: docs/specification/pages.md#where. */
import type { Request } from 'express';
import type { OwnAddress } from '../../own-address.ts';
import { isSecure } from '../staff/open/session-cookie.ts';

const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

export interface OwnOrigin {
  secure: boolean;
  origin: string;
}

/**
 * The origin that a browser has for our pages; undefined where there are none. Without https a browser keeps no cookie
 * that is ours alone and does not say where a request comes from, so pages are on this machine only.
 */
export function ownOriginOf(req: Request, ownAddress: OwnAddress): OwnOrigin | undefined {
  const own = ownAddress.url();
  if (isSecure(own)) return { secure: true, origin: new URL(own).origin };
  const host = req.get('host') ?? '';
  return LOCAL.test(host) ? { secure: false, origin: `http://${host}` } : undefined;
}
