/**
 * The port that metrics are read from: GET and HEAD of /metrics, nothing else, and never on the port of the API. It
 * asks neither the app nor the database, so it answers while either is away or draining. Source: docs/metrics.md#port.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/** Who scrapes is one or two; more would be somebody else. */
const MAX_CONNECTIONS = 16;
/** For a request to come and its answer to be taken. */
const SILENCE_MS = 10_000;

interface Exposition {
  contentType: string;
  render(): Promise<string>;
}

/** Throws, naming the setting, when the port cannot be had. */
export async function startMetricsServer(options: {
  port: number;
  host: string;
  metrics: Exposition;
  logger: Logger;
}): Promise<MetricsServer> {
  const { metrics, logger } = options;
  let rendering: Promise<string> | undefined;
  let failed = false;

  /** Who asks meanwhile gets the same text. */
  function renderOnce(): Promise<string> {
    rendering ??= metrics.render().finally(() => {
      rendering = undefined;
    });
    return rendering;
  }

  async function sendMetrics(res: ServerResponse, withBody: boolean): Promise<void> {
    try {
      const text = await renderOnce();
      failed = false;
      send(res, 200, withBody ? text : '', metrics.contentType);
    } catch (error) {
      if (!failed) logger.error({ err: error }, 'the metrics cannot be told; /metrics answers 500 until they can');
      failed = true;
      send(res, 500, 'the metrics cannot be told\n');
    }
  }

  const server = createServer({ headersTimeout: SILENCE_MS, requestTimeout: SILENCE_MS, maxHeaderSize: 8_192 });
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = SILENCE_MS;
  server.on('request', (req, res) => {
    req.resume(); // whatever comes is dropped
    const isAsked = req.method === 'GET' || req.method === 'HEAD';
    if (isAsked && /^\/metrics(\?|$)/.test(req.url ?? '')) void sendMetrics(res, req.method === 'GET');
    else send(res, 404, 'only GET /metrics is here\n');
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  try {
    server.listen(options.port, options.host);
    await once(server, 'listening');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const where = `${options.host}:${options.port}`;
    throw new Error(`METRICS_PORT: cannot listen on ${where} (${why}); set another, or none`, { cause: error });
  }
  const { port } = server.address() as AddressInfo;
  logger.info({ port, host: options.host }, 'metrics are served at /metrics');
  return {
    port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(res: ServerResponse, status: number, body: string, type = 'text/plain; charset=utf-8'): void {
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', Connection: 'close' };
  res.writeHead(status, headers).end(body);
}
