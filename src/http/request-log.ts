/** Request ids and one JSON log line per request. Names, emails, keys and bodies are never logged. */
import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Caller } from './operation.ts';

const SANE_ID = /^[A-Za-z0-9._-]{8,128}$/;

/** The process's logger. Fields that could carry secrets or identity data are censored wherever they appear. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const secret = ['authorization', 'cookie', 'password', 'secret', 'token', 'apiKey', 'api_key', 'email', 'idNumber', 'body'];
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ['*["x-tenant-api-key"]', ...secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])],
        censor: '[redacted]',
      },
      serializers: { err: describeError },
    },
    destination ?? pino.destination({ sync: false, minLength: 0 }),
  );
}

/** Type, message, code and stack; a database error's `detail` quotes row values and is left out. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint } = error as { code?: string; constraint?: string };
  const cause: unknown = error.cause === undefined ? undefined : describeError(error.cause);
  return { type: error.name, message: error.message, code, constraint, stack: error.stack, cause };
}

/** Keeps a sane inbound X-Request-Id or makes one; logs the request when its answer ends. */
export function requestLog(logger: Logger): RequestHandler {
  // These lines have the fixed fields of `logRequest` only. Looking through them for secrets would
  // take fifteen times as long as writing them.
  const lines = logger.child({}, { redact: [] });
  return (req, res, next) => {
    const started = performance.now();
    const inbound = req.get('x-request-id');
    const requestId = inbound !== undefined && SANE_ID.test(inbound) ? inbound : randomUUID();
    res.locals['requestId'] = requestId;
    res.setHeader('X-Request-Id', requestId);
    res.once('close', () => logRequest(lines, req, res, performance.now() - started));
    next();
  };
}

export function requestIdOf(res: Response): string {
  return String(res.locals['requestId'] ?? '');
}

/** Remembers who called, for the log line. */
export function logCaller(res: Response, caller: Caller): void {
  res.locals['caller'] = caller;
}

function logRequest(logger: Logger, req: Request, res: Response, elapsedMs: number): void {
  const caller = res.locals['caller'] as Caller | undefined;
  const line = {
    requestId: requestIdOf(res),
    method: req.method,
    path: routeOf(req),
    status: res.writableFinished || res.locals['brokenOff'] ? res.statusCode : 499,
    ms: Math.round(elapsedMs * 10) / 10,
    tenantId: caller?.tenantId,
    environment: caller?.environment,
    keyId: caller?.keyId,
    code: res.locals['errorCode'] as string | undefined,
    cause: res.locals['errorCause'] as string | undefined,
  };
  if (res.statusCode === 503) logger.warn(line, 'request');
  else if (res.statusCode >= 500) logger.error(line, 'request');
  else logger.info(line, 'request');
}

/** The path without its query, which may hold an email address. */
function routeOf(req: Request): string {
  const end = req.originalUrl.indexOf('?');
  return (end === -1 ? req.originalUrl : req.originalUrl.slice(0, end)).slice(0, 300);
}
