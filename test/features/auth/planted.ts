/** Tokens, and the key that signs them. */
import { createCipher } from '../../../src/encryption.ts';
import type { PlantSecrets } from '../../support/database/planted-secrets.ts';
import { plantSession } from '../../support/identity/sessions.ts';

export const plantSecrets: PlantSecrets = async ({ app, tenant, client, member }) => {
  const session = await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, member.id);
  const pair = (await client.post('/api/v1/auth/refresh', { refreshToken: session.refreshToken })).body;
  const [signing] = await app.database.asSuperuser<{ kid: string; private_sealed: Buffer }>(
    'select kid, private_sealed from signing_key',
  );
  if (!signing) throw new Error('there is no signing key');
  const cipher = createCipher(app.config.secrets.dataKeys);
  return {
    secrets: {
      'a refresh token': session.refreshToken.replace('svcr_', ''),
      'its successor': pair.refreshToken.replace('svcr_', ''),
      'an access token': pair.accessToken,
      'the private half of the signing key': cipher.decrypt(signing.private_sealed, ['signing_key', signing.kid]),
    },
    tables: ['signing_key', 'refresh_token'],
  };
};
