/**
 * The wall between forms of ours and those of other sites: a token in each form that only this service can make for this
 * session, and the word of the browser where a form comes from. Source: docs/specification/pages.md#forgery.
 */
import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { AppError } from '../../errors.ts';

export interface FormTokens {
  /** For a form of a session that is sent to an address to do something. */
  make(sessionId: string, address: string, action: string): string;
  /** FORBIDDEN unless `token` was made for the same. */
  check(token: string, sessionId: string, address: string, action: string): void;
}

export function createFormTokens(pepper: Buffer): FormTokens {
  const key: KeyObject = createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', 'dashboard-forms', 32)));
  const digest = (sessionId: string, address: string, action: string): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([sessionId, address, action]))
      .digest();
  return {
    make: (...form) => digest(...form).toString('base64url'),
    check(token, ...form) {
      const sent = Buffer.from(token, 'base64url');
      const right = digest(...form);
      if (sent.length !== right.length || !timingSafeEqual(sent, right)) {
        throw new AppError('FORBIDDEN', 'This form is not of your session any more. Open the page again.');
      }
    },
  };
}

/**
 * FORBIDDEN unless the browser says that the request comes from a page of ours. A browser of before says no
 * Sec-Fetch-Site: then its Origin must be ours.
 */
export function refuseForeign(req: Request, ownOrigin: string): void {
  const site = req.get('sec-fetch-site');
  if (site === 'same-origin') return;
  if (site === undefined && req.get('origin') === ownOrigin) return;
  throw new AppError('FORBIDDEN', 'This request does not come from a page of this service.');
}
