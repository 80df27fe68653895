/** The HTTP server around the app: time-outs, answers to broken requests, draining. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { AppError, ERROR_CODES, type ErrorCode } from '../errors.ts';
import { errorBody } from './error-handler.ts';

/** Bounds of reliability §2.3: slow senders are cut, keep-alive outlasts a balancer's 60 s. */
export function createHttpServer(app: Express, defaultEnvironment: string): Server {
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
      maxHeaderSize: 16_384,
    },
    (req, res) => {
      // Express answers an address it cannot parse with a page of its own.
      if (req.url?.startsWith('/')) app(req, res);
      else req.socket.end(answerText('NOT_FOUND', 'No such path', defaultEnvironment));
    },
  );
  server.maxRequestsPerSocket = 1_000;
  server.on('checkExpectation', (req) => {
    req.socket.end(answerText('EXPECTATION_FAILED', ERROR_CODES.EXPECTATION_FAILED.meaning, defaultEnvironment));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else socket.end(answerText(...faultOf(error.code), defaultEnvironment));
  });
  return server;
}

function faultOf(parserCode: string | undefined): [ErrorCode, string] {
  if (parserCode === 'HPE_HEADER_OVERFLOW') return ['HEADERS_TOO_LARGE', ERROR_CODES.HEADERS_TOO_LARGE.meaning];
  if (parserCode === 'ERR_HTTP_REQUEST_TIMEOUT') return ['REQUEST_TIMEOUT', ERROR_CODES.REQUEST_TIMEOUT.meaning];
  return ['VALIDATION_ERROR', 'The request is not valid HTTP'];
}

/** A whole answer as text, for a request that cannot reach the app. */
function answerText(code: ErrorCode, message: string, environment: string): string {
  const { status } = ERROR_CODES[code];
  const body = JSON.stringify(errorBody(new AppError(code, message)));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Environment: ${environment}`,
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/** Stops accepting, lets running requests finish, cuts what is left after `timeoutMs`. True when all finished. */
export async function closeHttpServer(server: Server, timeoutMs: number): Promise<boolean> {
  let inTime = true;
  const cut = setTimeout(() => {
    inTime = false;
    server.closeAllConnections();
  }, timeoutMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
  return inTime;
}
