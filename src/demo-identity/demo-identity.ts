/** `npm start -- --demo-idp`: an OpenID provider on this machine, for trying how members sign in. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import tls from 'node:tls';
import type { Demo } from '../../seeds/demo.ts';
import { byOperator } from '../actor.ts';
import type { Composition } from '../compose.ts';
import { type Config, ConfigError } from '../config.ts';
import type { Operation } from '../http/operation.ts';
import { AUDIENCE, EVE } from './eve.ts';

export interface DemoIdentity {
  /** The settings with which the service reaches it. */
  config: Config;
  /** Makes it known to the demo tenant's SANDBOX; returns the lines of the first screen. */
  register(composition: Composition, demo: Demo, base: string): Promise<string>;
  close(): Promise<void>;
}

const PROVIDER_ID = 'demo-idp';

/** Listens on 127.0.0.1 and is trusted by this process. Refuses a configured database, which production must have. */
export async function openDemoIdentity(config: Config): Promise<DemoIdentity> {
  if (!config.embedded) {
    throw new ConfigError(['--demo-idp: only with the embedded database, and never when NODE_ENV=production']);
  }
  const { keepFiles, providerOf } = await loadParts();
  const { port, jwk, key, cert, certificateFile } = await keepFiles(config.DATA_DIR, config.PORT + 2);
  const host = `127.0.0.1:${port}`;
  const issuer = `https://${host}`;
  const server = createServer({ key, cert }, providerOf(issuer, jwk));
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

/** Loaded by the flag alone: their packages are development dependencies, which an image leaves out. */
async function loadParts() {
  try {
    const [{ keepFiles }, { providerOf }] = await Promise.all([import('./kept-files.ts'), import('./provider.ts')]);
    return { keepFiles, providerOf };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ConfigError(['--demo-idp: its packages are not installed; run npm ci without --omit=dev']);
  }
}
