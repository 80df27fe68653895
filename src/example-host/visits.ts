/** Who is signed in to the example shop, by a cookie of its own. It is gone when the process ends. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Cookies do not know ports: the service's own are sent here too, and are of no interest. */
const COOKIE = 'example_shop';
const MOST_VISITS = 100;

export interface Visit {
  memberId: string;
  /** Sessions of the widget that were begun for it, to be ended with it. */
  widgetSessions: Set<string>;
}

export interface Visits {
  of(req: IncomingMessage): Visit | undefined;
  /** Signs a member in; returns the Set-Cookie header. */
  begin(memberId: string): string;
  /** Signs out; returns what has ended, and the Set-Cookie header. */
  end(req: IncomingMessage): { visit: Visit | undefined; setCookie: string };
}

export function createVisits(): Visits {
  const visits = new Map<string, Visit>();
  return {
    of: (req) => visits.get(cookieOf(req)),
    begin(memberId) {
      const id = randomBytes(24).toString('base64url');
      visits.set(id, { memberId, widgetSessions: new Set() });
      const [oldest] = visits.keys();
      if (visits.size > MOST_VISITS && oldest !== undefined) visits.delete(oldest);
      return `${COOKIE}=${id}; Path=/; HttpOnly; SameSite=Strict`;
    },
    end(req) {
      const id = cookieOf(req);
      const visit = visits.get(id);
      visits.delete(id);
      return { visit, setCookie: `${COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0` };
    },
  };
}

function cookieOf({ headers }: IncomingMessage): string {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? '';
}
