/** The HTTP server around the app: time-outs, answers to broken requests, draining. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { AppError, ERROR_CODES, type ErrorCode } from '../errors.ts';
import { limitBodyTime } from './body-time.ts';
import { errorBody } from './error-handler.ts';

/** As app.ts says it in all others: docs/specification/conventions.md#browser-headers. */
const SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'none';base-uri 'none';frame-ancestors 'none'",
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/** For a request to arrive, but for one whose body is worked off as it comes. */
const REQUEST_MS = 30_000;
/** For that one too. */
const LONGEST_REQUEST_MS = 15 * 60_000;

/**
 * The bounds of docs/specification/conventions.md#server-bounds: slow senders are cut, keep-alive outlasts a
 * balancer's 60 s. Its limit of requests a socket is left out: node answers what is pipelined behind it with
 * an empty 503. `noteBroken` is told of each that does not reach the app.
 */
export function createHttpServer(app: Express, defaultEnvironment: string, noteBroken: () => void = () => undefined): Server {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: LONGEST_REQUEST_MS,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 5_000,
    maxHeaderSize: 16_384,
    requireHostHeader: false, // checked below: node's own refusal has no body
  });
  follow(server);
  server.on('request', (req, res) => {
    const target = originForm(req.url);
    if (req.headers.host === undefined && req.httpVersion === '1.1')
      refuse(res, 'VALIDATION_ERROR', 'The Host header is missing');
    else if (target === undefined) refuse(res, 'NOT_FOUND', 'No such path');
    else {
      req.url = target;
      // As node would end it, had it no exceptions to make.
      limitBodyTime(req, REQUEST_MS, () =>
        server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), req.socket),
      );
      app(req, res);
    }
  });
  server.on('checkExpectation', (_req, res) => refuse(res, 'EXPECTATION_FAILED', ERROR_CODES.EXPECTATION_FAILED.meaning));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code !== 'ECONNRESET') noteBroken();
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    // Closed for good: who does not take the end of an answer for one could go on sending.
    else socket.end(answerText(...faultOf(error.code)), () => socket.destroy());
  });

  /** For a request that does not reach the app. */
  function refuse(res: ServerResponse, code: ErrorCode, message: string): void {
    noteBroken();
    const { status, headers, body } = answerOf(code, message);
    res.writeHead(status, headers).end(body);
  }

  /** For bytes that are not even a request. */
  function answerText(code: ErrorCode, message: string): string {
    const { status, headers, body } = answerOf(code, message);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
  }

  function answerOf(code: ErrorCode, message: string) {
    const body = JSON.stringify(errorBody(new AppError(code, message)));
    const headers = {
      ...SECURITY_HEADERS,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'X-Environment': defaultEnvironment,
      'X-Request-Id': randomUUID(),
      Connection: 'close',
    };
    return { status: ERROR_CODES[code].status, headers, body };
  }

  return server;
}

/** The path and query of a request's target, also of the absolute form; undefined when it has none. */
function originForm(target: string | undefined): string | undefined {
  if (target?.startsWith('/')) return target;
  const url = target !== undefined && /^https?:/i.test(target) ? URL.parse(target) : null;
  return url ? url.pathname + url.search : undefined;
}

function faultOf(parserCode: string | undefined): [ErrorCode, string] {
  if (parserCode === 'HPE_HEADER_OVERFLOW') return ['HEADERS_TOO_LARGE', ERROR_CODES.HEADERS_TOO_LARGE.meaning];
  if (parserCode === 'ERR_HTTP_REQUEST_TIMEOUT') return ['REQUEST_TIMEOUT', ERROR_CODES.REQUEST_TIMEOUT.meaning];
  return ['VALIDATION_ERROR', 'The request is not valid HTTP'];
}

/** How often connections are looked for that a long answer has left open. */
const LOOK_EVERY_MS = 100;

/**
 * Stops accepting, lets running requests finish, cuts what is left after `timeoutMs`. True when all finished. A running
 * request's answer says that its connection closes: kept alive, it would hold up the end for as long as its client likes.
 */
export async function closeHttpServer(server: Server, timeoutMs: number): Promise<boolean> {
  let inTime = true;
  const cut = setTimeout(() => {
    inTime = false;
    server.closeAllConnections();
  }, timeoutMs);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const answer of running.get(server) ?? []) if (!answer.headersSent) answer.shouldKeepAlive = false;
  server.closeIdleConnections();
  // One whose answer had begun before says nothing of it, and is idle at its end.
  const look = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS);
  await closed;
  clearInterval(look);
  clearTimeout(cut);
  return inTime;
}

/** The answers that have not ended, by server. */
const running = new WeakMap<Server, Set<ServerResponse>>();

function follow(server: Server): void {
  const answers = new Set<ServerResponse>();
  running.set(server, answers);
  server.on('request', (_req, res) => {
    if (!server.listening) res.shouldKeepAlive = false;
    answers.add(res);
    res.once('close', () => answers.delete(res));
  });
}
