/** Request ids and one JSON log line per request. Names, emails, keys, bodies and the queries of addresses are never logged. */
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

/** The query of an address that a text quotes, whoever wrote the text. */
const QUERY = /\?[^\s?"'`<>()=]+=[^\s"'`<>()]*/g;

export function withoutQueries(text: string): string {
  return text.replaceAll(QUERY, '?[query]');
}

/** PostgreSQL quotes a value that it cannot read in the message itself. */
function withoutValues(text: string, code: string | undefined): string {
  return withoutQueries(code?.startsWith('22') ? text.replaceAll(/: "[^\n]*"/g, ': [value]') : text);
}

/** Type, message, code and stack; a database error's `detail` quotes row values and is left out. */
function describeError(error: unknown): unknown {
  if (!isErrorLike(error)) return { message: withoutQueries(sayWhat(error)) };
  const { code, constraint, name: type = 'Error' } = error;
  const cause: unknown = error.cause === undefined ? undefined : describeError(error.cause);
  const message = withoutValues(error.message, code);
  return { type, message, code, constraint, stack: error.stack && withoutValues(error.stack, code), cause };
}

interface ErrorLike {
  message: string;
  name?: string;
  code?: string;
  constraint?: string;
  stack?: string;
  cause?: unknown;
}

/** An error, or what a library made of one: pg-boss hands on its fields in a plain object. */
function isErrorLike(thrown: unknown): thrown is ErrorLike {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown && typeof thrown.message === 'string';
}

/** Of an object only the names of its fields: their values may be anything. */
function sayWhat(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  return `no error, but an object with the fields ${Object.keys(thrown).join(', ') || '(none)'}`;
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

/** What the caller got to see; 499 when it had gone before the end. */
export function statusOf(res: Response): number {
  return res.writableFinished || res.locals['brokenOff'] ? res.statusCode : 499;
}

function logRequest(logger: Logger, req: Request, res: Response, elapsedMs: number): void {
  const caller = res.locals['caller'] as Caller | undefined;
  const line = {
    requestId: requestIdOf(res),
    method: req.method,
    path: routeOf(req),
    status: statusOf(res),
    ms: Math.round(elapsedMs * 10) / 10,
    tenantId: caller?.tenantId,
    environment: caller?.environment,
    keyId: caller?.key?.id,
    staffId: caller?.provenance.actor.kind === 'staff' ? caller.provenance.actor.id : undefined,
    code: res.locals['errorCode'] as string | undefined,
    cause: res.locals['errorCause'] as string | undefined,
  };
  // What is not a fault of ours, as a tenant's mistyped issuer or an outage, calls nobody.
  if (res.statusCode === 500) logger.error(line, 'request');
  else if (res.statusCode > 500) logger.warn(line, 'request');
  else logger.info(line, 'request');
}

/** The addresses behind which a token stands that lets in whoever has it. A test compares them with all routes. */
export const TOKENED = ['/dashboard/welcome', '/dashboard/not-me', '/unsubscribe'] as const;

const UNSAID = new RegExp(`(/+(?:by-[\\w-]+|${TOKENED.map((path) => path.slice(1).replace('/', '/+')).join('|')})/+)[^/]+`, 'gi');

/**
 * The path without its query, which may hold an email address; also where somebody has escaped or misplaced its beginning.
 * Behind a segment `by-…` stands what somebody else calls a person by: it is left out too, and so are tokens.
 */
function routeOf(req: Request): string {
  const end = req.originalUrl.search(/[?#]|%3f|%23/i);
  const path = end === -1 ? req.originalUrl : req.originalUrl.slice(0, end);
  return path.replace(UNSAID, '$1…').slice(0, 300);
}
