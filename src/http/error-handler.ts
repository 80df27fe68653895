/** The one place where errors become answers. */
import { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import { type Constraints, fromDatabaseError } from '../db/constraints.ts';
import { AppError, invalidField } from '../errors.ts';
import { createNearPath } from './near-path.ts';
import { requestIdOf, withoutQueries } from './request-log.ts';

/** ErrorResponse of the service description. */
export const errorResponse = z
  .object({
    error: z.string().meta({ description: 'What is wrong, for a person' }),
    /** One of the table; the document lists them. */
    code: z.string().meta({ description: 'What is wrong, for a program' }),
    details: z.record(z.string(), z.unknown()).optional().meta({
      description:
        '`fields`: an array of {field, message} on VALIDATION_ERROR; `reasons`: an array of {rule, path, message} on PLAN_INVALID; `existing_id`: the member that has it, on EMAIL_EXISTS and EXTERNAL_ID_EXISTS; `reason` and `at` where a provider cannot be used; `requestId` on a 500',
    }),
  })
  .meta({ id: 'ErrorResponse' });

export function errorBody(error: AppError): z.infer<typeof errorResponse> {
  return { error: error.message, code: error.code, ...(error.details ? { details: error.details } : {}) };
}

/** Faults of others: one line a request says enough, as it does of every deliberate 503. */
const EXPECTED = new Set(['PROVIDER_CONFIGURATION', 'PROVIDER_UNAVAILABLE']);

export function errorHandler(logger: Logger, constraints: Constraints): ErrorRequestHandler {
  return (thrown: unknown, _req, res, _next) => {
    const known = toAppError(thrown, constraints);
    const requestId = requestIdOf(res);
    const error = known ?? new AppError('INTERNAL_ERROR', 'Unexpected server error', { details: { requestId }, cause: thrown });
    res.locals['errorCode'] = error.code;
    if (error.status === 429) res.locals['refusedLimit'] = error.details?.['limit'];
    if (res.headersSent) {
      breakOff(res, error, thrown);
      return;
    }
    if (EXPECTED.has(error.code) || error.status === 503) res.locals['errorCause'] = causeOf(error);
    else if (error.status >= 500) logger.error({ err: thrown, requestId }, 'unexpected error');
    if (error.retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(error.retryAfterSeconds));
    res
      .status(error.status)
      .type('application/json')
      .send(JSON.stringify(errorBody(error)));
  };

  /** The client has a status and part of a body already: only a cut connection tells it that the rest is missing. */
  function breakOff(res: Response, error: AppError, thrown: unknown): void {
    logger.error({ err: thrown, requestId: requestIdOf(res) }, 'an answer broke off');
    res.statusCode = error.status;
    res.locals['brokenOff'] = true;
    res.destroy();
  }
}

/** A refusal by a library that serves files: a precondition or a name it cannot take. */
function fromHttpError(thrown: unknown): AppError | undefined {
  const status = thrown instanceof Error && 'status' in thrown ? Number(thrown.status) : 500;
  if (!(status >= 400 && status < 500)) return undefined;
  return status === 404
    ? new AppError('NOT_FOUND', 'No such path')
    : new AppError('VALIDATION_ERROR', 'The request cannot be answered as it is', { cause: thrown });
}

/** Why the service is unavailable, short enough for the request's line: an outage has one line a request. */
function causeOf(error: AppError): string {
  return withoutQueries(error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message);
}

/** What is answered for what was thrown; undefined for a fault of ours. */
export function toAppError(thrown: unknown, constraints: Constraints): AppError | undefined {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof URIError) return invalidField('url', 'has a malformed percent escape');
  return fromDatabaseError(thrown, constraints) ?? fromHttpError(thrown);
}

/** JSON 404 for a path nobody mounted, with what may have been meant. `paths` are those of the operations. */
export function refuseUnknownPaths(paths: readonly string[]): RequestHandler {
  const nearPath = createNearPath(paths, '/api/v1');
  return (req) => {
    const near = nearPath(req.path);
    const hint = near === undefined ? 'all operations are listed at /docs' : `did you mean ${near}?`;
    throw new AppError('NOT_FOUND', `No such path; ${hint}`);
  };
}

/** JSON 405 with Allow for a path that one of the routers has under another method. To be mounted behind them. */
export function refuseOtherMethods(routers: readonly Router[]): Router {
  const refusing = Router({ caseSensitive: true, strict: true });
  const methodsByPath = new Map<string, Set<string>>();
  for (const { route } of routers.flatMap(({ stack }) => stack)) {
    if (!route) continue;
    const methods = methodsByPath.get(route.path) ?? new Set<string>();
    for (const { method } of route.stack) methods.add(method.toUpperCase());
    methodsByPath.set(route.path, methods);
  }
  for (const [path, methods] of methodsByPath) {
    if (methods.has('GET')) methods.add('HEAD');
    const allow = [...methods].join(', ');
    refusing.all(path, (_req, res) => {
      res.setHeader('Allow', allow);
      throw new AppError('METHOD_NOT_ALLOWED', `This path allows ${allow}`);
    });
  }
  return refusing;
}
