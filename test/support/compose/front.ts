/** Caddy with deploy/Caddyfile, as the profile `tls` of docker-compose.yml runs it, on ports of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHILD_ENV, noteChild } from '../app/child-process.ts';
import { freePorts } from '../app/free-port.ts';

export interface FrontAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** Of TLS, as `TLSv1.3`. */
  protocol: string | undefined;
}

export interface Front {
  httpPort: number;
  httpsPort: number;
  /** Over HTTPS, to the host `localhost`, unless `options` say otherwise. */
  https(target: string, options?: RequestOptions, body?: string | Buffer): Promise<FrontAnswer>;
  http(target: string, options?: RequestOptions): Promise<FrontAnswer>;
  /** All that it has written. */
  log(): string;
  stop(): Promise<void>;
}

/** In front of the addresses `upstreams`, with a certificate of its own authority. */
export async function startFront(upstreams: string): Promise<Front> {
  const directory = mkdtempSync(path.join(tmpdir(), 'svc-front-'));
  const [httpPort = 0, httpsPort = 0] = await freePorts(2);
  const child = spawn('caddy', ['run', '--config', 'deploy/Caddyfile', '--adapter', 'caddyfile'], {
    env: {
      PATH: CHILD_ENV.PATH,
      HOME: directory,
      XDG_DATA_HOME: directory,
      XDG_CONFIG_HOME: directory,
      PUBLIC_HOST: 'localhost',
      FRONT_TLS: 'internal',
      API_UPSTREAMS: upstreams,
      HTTP_PORT: String(httpPort),
      HTTPS_PORT: String(httpsPort),
    },
  });
  noteChild(child);
  let written = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (written += chunk.toString()));
  const authority = path.join(directory, 'caddy/pki/authorities/local/root.crt');

  const send = (secure: boolean, target: string, options: RequestOptions, body?: string | Buffer): Promise<FrontAnswer> =>
    new Promise((resolve, reject) => {
      const common = { host: '127.0.0.1', path: target, agent: false as const, ...options };
      const sent = secure
        ? httpsRequest({ ...common, port: httpsPort, servername: 'localhost', ca: readFileSync(authority), ...named(options) })
        : httpRequest({ ...common, port: httpPort, ...named(options) });
      sent.on('error', reject);
      sent.on('response', (answer) => {
        const protocol = 'getProtocol' in answer.socket ? (answer.socket as { getProtocol(): string }).getProtocol() : undefined;
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks).toString(), protocol }),
        );
      });
      sent.end(body);
    });
  const front: Front = {
    httpPort,
    httpsPort,
    https: (target, options = {}, body) => send(true, target, options, body),
    http: (target, options = {}) => send(false, target, options),
    log: () => written,
    async stop() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
  for (let tries = 0; ; tries += 1) {
    const answer = await front.https('/healthz').catch(() => undefined);
    if (answer?.status === 200) return front;
    if (tries === 100 || child.exitCode !== null) throw new Error(`the front does not answer: ${written}`);
    await sleep(200);
  }
}

/** With the host that a client would name, unless the test names another. */
function named({ headers }: RequestOptions): RequestOptions {
  return { headers: { host: 'localhost', ...(headers as Record<string, string> | undefined) } };
}
