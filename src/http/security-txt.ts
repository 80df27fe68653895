/** Whom to tell of a fault of the service (RFC 9116). Source: docs/operations.md#security-contact. */
import type { Router } from 'express';
import type { Config } from '../config.ts';

type SecurityConfig = Pick<Config, 'SECURITY_CONTACT' | 'SECURITY_EXPIRES' | 'SECURITY_POLICY' | 'PUBLIC_BASE_URL'>;

const PATH = '/.well-known/security.txt';

/** How far ahead the file says it is good where the deployment names no time. */
const DAYS_AHEAD = 180;

export function mountSecurityTxt(router: Router, config: SecurityConfig): void {
  router.get(PATH, (_req, res) => {
    res.setHeader('Cache-Control', 'public, max-age=3600');
    res.type('text/plain; charset=utf-8').send(securityTxt(config));
  });
}

/** Without a contact of the deployment's own it is the mailbox that RFC 2142 has for this, at the service's own host. */
function securityTxt({ SECURITY_CONTACT, SECURITY_EXPIRES, SECURITY_POLICY, PUBLIC_BASE_URL }: SecurityConfig): string {
  const host = PUBLIC_BASE_URL === undefined ? 'localhost' : new URL(PUBLIC_BASE_URL).hostname;
  const contacts = SECURITY_CONTACT ?? [`mailto:security@${host}`];
  const lines = [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${SECURITY_EXPIRES ?? startOfDayIn(DAYS_AHEAD)}`,
    'Preferred-Languages: en',
    // The standard wants https in every address of the web.
    ...(PUBLIC_BASE_URL?.startsWith('https:') === true ? [`Canonical: ${PUBLIC_BASE_URL}${PATH}`] : []),
    ...(SECURITY_POLICY === undefined ? [] : [`Policy: ${SECURITY_POLICY}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function startOfDayIn(days: number): string {
  return `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`;
}
