/** The public halves of our signing keys, for whoever checks access tokens itself (RFC 7517). */
import { plainRoute, type Route } from '../../http/route.ts';
import type { SigningKeys } from './signing-keys.ts';

export function jwksRoutes(keys: SigningKeys): Route[] {
  return [
    plainRoute('get', '/.well-known/jwks.json', async (_req, res) => {
      res.setHeader('Cache-Control', 'public, max-age=300');
      res.json({ keys: await keys.list() });
    }),
  ];
}
