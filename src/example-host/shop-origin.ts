/** For whom the example shop is: browsers on this machine, and its own pages. */
import type { IncomingMessage } from 'node:http';

/** Only these may be framed hosts without https. */
const LOCAL = /^(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/i;
const LOOPBACK = /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/;
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host'];

/**
 * The origin that a browser has for the shop; undefined for a request of another machine, by a proxy, or under another
 * name: it gives away tokens without a password, which nobody but whoever started it should have.
 */
export function shopOriginOf({ headers, socket }: IncomingMessage): string | undefined {
  if (FORWARDED.some((name) => headers[name] !== undefined)) return undefined;
  const host = headers.host ?? '';
  return LOCAL.test(host) && LOOPBACK.test(socket.remoteAddress ?? '') ? new URL(`http://${host}`).origin : undefined;
}

/** Whether a page of the shop itself sent this: a browser says so, by the one header or by the other. */
export function isOfOwnPage({ headers }: IncomingMessage, ownOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin !== undefined && origin !== ownOrigin) return false;
  return site !== undefined || origin !== undefined;
}
