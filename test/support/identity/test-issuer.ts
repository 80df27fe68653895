/** Identity providers for tests: one server, a provider on each of its paths, all with one key. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startTlsServer, type TlsServer } from './tls-server.ts';

export interface TestIssuer {
  server: TlsServer;
  /** A provider that works: its issuer, and where its keys are. */
  issuerUrl: string;
  jwksUri: string;
  kid: string;
  privateKey: KeyObject;
}

/** Any path is an issuer: `/a`'s discovery document is `/a/.well-known/openid-configuration`. */
async function startIssuer(): Promise<TestIssuer> {
  const kid = 'k1';
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256' }];
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    const [, path = ''] = /^(.*)\/\.well-known\/openid-configuration$/.exec(req.url ?? '') ?? [];
    const isDiscovery = req.url?.endsWith('/.well-known/openid-configuration') === true;
    const body = isDiscovery ? { issuer: server.url + path, jwks_uri: `${server.url}/jwks` } : { keys };
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify(body));
  };
  const server = await startTlsServer(answer, { trusted: true });
  return { server, issuerUrl: server.url, jwksUri: `${server.url}/jwks`, kid, privateKey };
}

let started: Promise<TestIssuer> | undefined;

/** The issuer of this test process, which every test app may reach. */
export function testIssuer(): Promise<TestIssuer> {
  started ??= startIssuer();
  return started;
}
