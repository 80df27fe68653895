/** Where pages are: over https, or on this machine. Source: docs/specification/pages.md#where. */
import type { Request } from 'express';
import type { OwnAddress } from '../../own-address.ts';
import { isSecure } from '../staff/open/session-cookie.ts';

const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

export interface OwnOrigin {
  secure: boolean;
  origin: string;
}

const LOOPBACK = /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/;
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host'];

/**
 * The origin that a browser has for our pages; undefined where there are none. Without https a browser keeps no cookie
 * that is ours alone and does not say where a request comes from, so pages are on this machine only. The Host header
 * alone does not say that: anybody can send one, and a proxy may put its own there.
 */
export function ownOriginOf(req: Request, ownAddress: OwnAddress): OwnOrigin | undefined {
  const own = ownAddress.url();
  if (isSecure(own)) return { secure: true, origin: new URL(own).origin };
  const host = req.get('host') ?? '';
  return LOCAL.test(host) && isNear(req, ownAddress) ? { secure: false, origin: `http://${host}` } : undefined;
}

/**
 * Whether whoever asks is on this machine, with no proxy between. To a container its own machine is another: there the
 * operator's word counts that the service is reached on this machine.
 */
function isNear(req: Request, { isSaid, url }: OwnAddress): boolean {
  if (FORWARDED.some((name) => req.get(name) !== undefined)) return false;
  return LOOPBACK.test(req.socket.remoteAddress ?? '') || (isSaid && LOCAL.test(new URL(url()).host));
}
