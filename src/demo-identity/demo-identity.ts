/** `npm start -- --demo-idp`: an OpenID provider on this machine, for trying how members sign in. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import tls from 'node:tls';
import type { Demo } from '../../seeds/demo.ts';
import { byOperator } from '../actor.ts';
import type { Composition } from '../compose.ts';
import { type Config, ConfigError } from '../config.ts';
import type { Operation } from '../http/operation.ts';
import { keepFiles } from './kept-files.ts';

export interface DemoIdentity {
  /** The settings with which the service reaches it. */
  config: Config;
  /** Makes it known to the demo tenant's SANDBOX; returns the lines of the first screen. */
  register(composition: Composition, demo: Demo, base: string): Promise<string>;
  close(): Promise<void>;
}

const PROVIDER_ID = 'demo-idp';
const AUDIENCE = 'demo-shop';
const EVE = { email: 'eve@demo.example', email_verified: true, name: 'Eve Example' };

/** Listens on 127.0.0.1 and is trusted by this process. Refuses a configured database, which production must have. */
export async function openDemoIdentity(config: Config): Promise<DemoIdentity> {
  if (!config.embedded) {
    throw new ConfigError(['--demo-idp: only with the embedded database, and never when NODE_ENV=production']);
  }
  const { port, jwk, key, cert, certificateFile } = await keepFiles(config.DATA_DIR, config.PORT + 2);
  const host = `127.0.0.1:${port}`;
  const issuer = `https://${host}`;
  const server = createServer({ key, cert }, await answersOf(issuer, jwk));
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new Error(`--demo-idp: port ${port} of 127.0.0.1 cannot be listened on; end what has it`, { cause: error });
  }
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), cert]);

  return {
    config: { ...config, OUTGOING_ALLOWED_HOSTS: [...(config.OUTGOING_ALLOWED_HOSTS ?? []), host] },
    async register({ app, invoke }, { tenantId }, base) {
      const operationOf = (id: string): Operation => {
        const found = app.operations.find(({ operationId }) => operationId === id);
        if (!found) throw new Error(`there is no operation ${id}`);
        return found;
      };
      const provenance = byOperator('seed demo');
      const caller = { rights: ['admin:auth'], root: 'operator', tenantId, environment: 'SANDBOX', provenance } as const;
      const by = { caller, origin: { ip: '127.0.0.1', userAgent: null } };
      const { body } = await invoke(operationOf('listAuthProviders'), { query: {} }, by);
      const { data } = body as { data: { providerId: string }[] };
      if (!data.some(({ providerId }) => providerId === PROVIDER_ID)) {
        await invoke(
          operationOf('createAuthProvider'),
          { body: { providerId: PROVIDER_ID, issuerUrl: issuer, allowedAudiences: [AUDIENCE] } },
          by,
        );
      }
      return `  A member signs in (${EVE.name}, at a provider on this machine):
  TOKEN=$(curl -s --cacert '${certificateFile}' -u eve:demo -d grant_type=client_credentials ${issuer}/token | node -pe 'JSON.parse(fs.readFileSync(0)).access_token')
  curl -s ${base}/api/v1/auth/exchange -H 'X-Tenant-ID: ${tenantId}' -H 'content-type: application/json' -d '{"provider": "${PROVIDER_ID}", "token": "'$TOKEN'"}'

`;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answersOf(
  issuer: string,
  jwk: object,
): Promise<(...asked: Parameters<import('node:http').RequestListener>) => void> {
  const { Provider } = await import('oidc-provider');
  const provider = new Provider(issuer, {
    jwks: { keys: [jwk] },
    clients: [
      { client_id: 'eve', client_secret: 'demo', grant_types: ['client_credentials'], redirect_uris: [], response_types: [] },
    ],
    scopes: ['openid', 'api'],
    cookies: { keys: [crypto.randomUUID()] },
    ttl: { ClientCredentials: 300 },
    formats: {
      customizers: {
        jwt: (_context: unknown, _token: unknown, parts: { header: object; payload: object }) =>
          Object.assign(parts, { header: { ...parts.header, typ: 'JWT' }, payload: { ...parts.payload, ...EVE } }),
      },
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'urn:demo-shop',
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'api',
          audience: AUDIENCE,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
  return provider.callback();
}
