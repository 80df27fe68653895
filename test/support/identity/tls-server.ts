/** A local HTTPS server that answers as a test says, and counts who asks. */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { makeTestCertificate } from './test-certificate.ts';

export interface TlsServer {
  port: number;
  /** `127.0.0.1:port`, as OUTGOING_ALLOWED_HOSTS has it. */
  host: string;
  url: string;
  cert: string;
  /** Paths asked for so far. */
  requests: string[];
  handle: RequestListener;
  close(): void;
}

/** Does not keep the process alive. `trusted`: the whole process takes its certificate. */
export async function startTlsServer(
  handle: RequestListener,
  { hosts = ['idp.test'], trusted = false, expired = false }: { hosts?: string[]; trusted?: boolean; expired?: boolean } = {},
): Promise<TlsServer> {
  const certificate = makeTestCertificate(hosts, { expired });
  if (trusted) tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate.cert]);
  const requests: string[] = [];
  const server = createServer(certificate, (req, res) => {
    requests.push(req.url ?? '');
    started.handle(req, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  const started: TlsServer = {
    port,
    host,
    url: `https://${host}`,
    cert: certificate.cert,
    requests,
    handle,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return started;
}
