/** Whom to tell of a fault of the service (RFC 9116). Source: docs/operations.md#security-contact. */
import type { Router } from 'express';
import type { Config } from '../config.ts';

type SecurityConfig = Pick<Config, 'SECURITY_CONTACT' | 'SECURITY_EXPIRES' | 'SECURITY_POLICY' | 'PUBLIC_BASE_URL'>;

const PATH = '/.well-known/security.txt';

/** Without a contact the path is as unknown as any other. */
export function mountSecurityTxt(router: Router, config: SecurityConfig): void {
  const text = securityTxt(config);
  if (text === undefined) return;
  router.get(PATH, (_req, res) => {
    res.setHeader('Cache-Control', 'public, max-age=3600');
    res.type('text/plain; charset=utf-8').send(text);
  });
}

/** Undefined without a contact. */
function securityTxt(config: SecurityConfig): string | undefined {
  const { SECURITY_CONTACT, SECURITY_EXPIRES, SECURITY_POLICY, PUBLIC_BASE_URL } = config;
  if (SECURITY_CONTACT === undefined || SECURITY_EXPIRES === undefined) return undefined;
  const lines = [
    ...SECURITY_CONTACT.map((contact) => `Contact: ${contact}`),
    `Expires: ${SECURITY_EXPIRES}`,
    'Preferred-Languages: en',
    // The standard wants https in every address of the web.
    ...(PUBLIC_BASE_URL?.startsWith('https:') === true ? [`Canonical: ${PUBLIC_BASE_URL}${PATH}`] : []),
    ...(SECURITY_POLICY === undefined ? [] : [`Policy: ${SECURITY_POLICY}`]),
  ];
  return `${lines.join('\n')}\n`;
}
