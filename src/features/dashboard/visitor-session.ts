/** Whoever has no session yet, by a value of the browser's own: the forms of the way in are bound to it. */
import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { cookieOf, hostName, keepCookie } from './page-cookies.ts';

const HOURS = 12 * 3600;
const VALUE = /^[\w-]{43}$/;

/** The browser's value; a new one where it has none. */
export function visitorId(req: Request, res: Response, secure: boolean): string {
  const known = knownVisitor(req, secure);
  if (known !== undefined) return known;
  const id = randomBytes(32).toString('base64url');
  keepCookie(res, hostName('mcr-visitor', secure), id, { secure, maxAgeSeconds: HOURS });
  return id;
}

export function knownVisitor(req: Request, secure: boolean): string | undefined {
  const value = cookieOf(req, hostName('mcr-visitor', secure));
  return value !== undefined && VALUE.test(value) ? value : undefined;
}

/** What a sign-in waits for between its two steps. */
export interface HalfSignIn {
  challenge: string;
  methods: readonly string[];
}

const STEP_SECONDS = 600;

export function keepHalf(res: Response, { challenge, methods }: HalfSignIn, secure: boolean): void {
  keepCookie(res, hostName('mcr-step', secure), `${challenge}~${methods.join('+')}`, { secure, maxAgeSeconds: STEP_SECONDS });
}

export function halfOf(req: Request, secure: boolean): HalfSignIn | undefined {
  const parts = /^([\w-]{20,100})~([a-z_+]+)$/.exec(cookieOf(req, hostName('mcr-step', secure)) ?? '');
  return parts?.[1] === undefined ? undefined : { challenge: parts[1], methods: (parts[2] ?? '').split('+') };
}

export function forgetHalf(res: Response, secure: boolean): void {
  keepCookie(res, hostName('mcr-step', secure), '', { secure, maxAgeSeconds: 0 });
}

const YEAR = 31_536_000;

/** The tenant that was signed in to last, to be filled in. */
export function keepTenant(res: Response, slug: string, secure: boolean): void {
  keepCookie(res, hostName('mcr-tenant', secure), slug, { secure, maxAgeSeconds: YEAR });
}

export function rememberedTenant(req: Request, secure: boolean): string | undefined {
  const slug = cookieOf(req, hostName('mcr-tenant', secure));
  return slug !== undefined && /^[a-z0-9-]{1,63}$/.test(slug) ? slug : undefined;
}
