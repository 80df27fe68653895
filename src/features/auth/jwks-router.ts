/** The public halves of our signing keys, for whoever checks access tokens itself (RFC 7517). */
import type { Router } from 'express';
import type { SigningKeys } from './signing-keys.ts';

export function mountJwks(router: Router, keys: SigningKeys): void {
  router.get('/.well-known/jwks.json', async (_req, res) => {
    res.setHeader('Cache-Control', 'public, max-age=300');
    res.json({ keys: await keys.list() });
  });
}
