/**
 * Counts and times the requests of the app. A route is named by its template; method, environment and error code are of
 * small sets of the service's own, so no caller can make a series. Source: docs/metrics.md#labels.
 */
import type { Request, RequestHandler, Response } from 'express';
import { statusOf } from '../http/request-log.ts';
import type { Instruments } from './instruments.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** To be mounted before anything else. */
export function createHttpMeter({ count, total, add, observe }: Instruments): RequestHandler {
  add('svc_http_requests_in_flight', {}, 0);
  // There from the start: of a series that begins with its first error nobody sees the increase.
  total('svc_http_errors_total', { code: 'INTERNAL_ERROR' }, 0);
  return (req, res, next) => {
    const started = performance.now();
    add('svc_http_requests_in_flight', {}, 1);
    res.once('close', () => {
      add('svc_http_requests_in_flight', {}, -1);
      const method = METHODS.has(req.method) ? req.method : 'other';
      const route = templateOf(req);
      const environment = environmentOf(res);
      count('svc_http_requests_total', { method, route, status: String(statusOf(res)), environment });
      observe('svc_http_request_duration_seconds', { method, route, environment }, (performance.now() - started) / 1000);
      const { errorCode, refusedLimit } = res.locals as { errorCode?: string; refusedLimit?: string };
      if (errorCode !== undefined) count('svc_http_errors_total', { code: errorCode });
      if (refusedLimit !== undefined) count('svc_http_rate_limited_total', { limit: refusedLimit });
    });
    next();
  };
}

/** As many as there are routes. */
const templates = new Map<string, string>();

/** The path of the route that took the request, as the OpenAPI document writes it. */
function templateOf(req: Request): string {
  const { path } = (req.route ?? {}) as { path?: unknown };
  if (typeof path !== 'string') return 'none';
  let template = templates.get(path);
  if (template === undefined) {
    template = path.replace(/[:*](\w+)/g, '{$1}');
    templates.set(path, template);
  }
  return template;
}

/** What the answer says of itself in X-Environment. */
function environmentOf(res: Response): string {
  const environment = res.getHeader('X-Environment');
  return environment === 'LIVE' || environment === 'SANDBOX' ? environment : 'none';
}
