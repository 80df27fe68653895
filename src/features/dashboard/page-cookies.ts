/** Cookies of pages beside that of the session: what was done, the colours, and whose sign-in form it is. */
import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Notice, Theme } from '../../pages/page.ts';

const notice = z.object({ tone: z.enum(['good', 'waiting', 'bad']), text: z.string().max(500) });

export function cookieOf(req: Request, name: string): string | undefined {
  const values = (req.get('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`));
  return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined;
}

export interface CookieOptions {
  secure: boolean;
  maxAgeSeconds: number;
}

export function keepCookie(res: Response, name: string, value: string, { secure, maxAgeSeconds }: CookieOptions): void {
  res.append(
    'Set-Cookie',
    `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure ? '; Secure' : ''}`,
  );
}

/** The name of a cookie that only this host can have set, where there is https. */
export function hostName(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}

/** Whoever chose colours has chosen them for every page; the browser's modules set it. */
export function themeOf(req: Request): Theme {
  const theme = cookieOf(req, 'mcr-theme');
  return theme === 'light' || theme === 'dark' ? theme : undefined;
}

export interface Notices {
  /** For the page that is opened next. */
  keep(res: Response, sessionId: string, said: Notice, secure: boolean): void;
  /** What was kept for this session, once. */
  take(req: Request, res: Response, sessionId: string, secure: boolean): Notice | undefined;
}

export function createNotices(pepper: Buffer): Notices {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', 'dashboard-notices', 32)));
  const mac = (text: string, sessionId: string): Buffer => createHmac('sha256', key).update(`${sessionId}\0${text}`).digest();
  return {
    keep(res, sessionId, said, secure) {
      const text = Buffer.from(JSON.stringify(said)).toString('base64url');
      const value = `${text}.${mac(text, sessionId).toString('base64url')}`;
      keepCookie(res, hostName('mcr-said', secure), value, { secure, maxAgeSeconds: 60 });
    },
    take(req, res, sessionId, secure) {
      const name = hostName('mcr-said', secure);
      const [text = '', sent = ''] = cookieOf(req, name)?.split('.') ?? [];
      if (text === '') return undefined;
      keepCookie(res, name, '', { secure, maxAgeSeconds: 0 });
      const right = mac(text, sessionId);
      const given = Buffer.from(sent, 'base64url');
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
      return notice.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data;
    },
  };
}
