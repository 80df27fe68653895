/** The map of the service: the order of the middleware, then the routers of the features. */
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Constraints } from './db/constraints.ts';
import { mountDocs } from './docs/docs-router.ts';
import type { CodeRow } from './errors.ts';
import { compressAnswers } from './http/compress.ts';
import type { DescribedEvent } from './http/document/events.ts';
import type { Exchanges } from './http/document/examples.ts';
import type { JsonObject } from './http/document/objects.ts';
import { atAddress, buildOpenApiDocument } from './http/document/openapi.ts';
import { errorHandler, refuseOtherMethods, refuseUnknownPaths } from './http/error-handler.ts';
import { createFeatureRouter, newRouter, type RouterKit } from './http/feature-router.ts';
import type { Health } from './http/health.ts';
import { provisionalEnvironment } from './http/keyed-steps.ts';
import type { Operation } from './http/operation.ts';
import type { CountAddress } from './http/rate-limit.ts';
import { requestLog } from './http/request-log.ts';
import type { Route } from './http/route.ts';
import { mountSecurityTxt } from './http/security-txt.ts';
import { boundCountTime } from './http/shared-counters.ts';
import { refuseBrokenUrl } from './http/wire-guard.ts';
import type { OwnAddress } from './own-address.ts';
import { type DiskUploads, mountUploads } from './vendors/storage/uploads-router.ts';

/**
 * What anybody may ask for without a key, and has no limit of its own. Balancers ask for the health as often as they
 * like, and a vendor's few addresses serve many tenants.
 */
const OPEN = /^\/(?:docs|uploads|\.well-known)(?:\/|$)|^\/(?:llms\.txt)?$|^\/api\/v1\/openapi\.json$/;

export interface AppParts {
  config: Config;
  logger: Logger;
  health: Health;
  http: RouterKit;
  /** Of each feature, in the order they are tried in. */
  features: readonly { feature: string; routes: readonly Route[] }[];
  /** The sections of the document, each with what it is about, in its order. */
  groups: Readonly<Record<string, string>>;
  /** Every error code, in the order of the document. */
  errors: Readonly<Record<string, CodeRow>>;
  /** What tenants are told of, described for the document. */
  describeEvents(): readonly DescribedEvent[];
  constraints: Constraints;
  /** Undefined where documents are not kept on disk. */
  diskUploads: DiskUploads | undefined;
  /** Real exchanges of the operations, for the document. */
  readExchanges(): Exchanges;
  ownAddress: Pick<OwnAddress, 'numericUrl'>;
  /** Of what anybody may ask for without a key. */
  countOpen: CountAddress;
  /** Counts and times the requests; undefined where nobody reads metrics. */
  meter: RequestHandler | undefined;
}

export interface App {
  express: Express;
  /** Every mounted operation, for the OpenAPI document and the tests that are driven by it. */
  operations: readonly Operation[];
  /** The same by feature. */
  features: readonly { feature: string; operations: readonly Operation[] }[];
  /** The OpenAPI document, for `atAddress`. */
  document(): JsonObject;
}

export function createApp(parts: AppParts): App {
  const { config, logger, health, http, features, constraints, diskUploads, ownAddress, countOpen, meter } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.TRUST_PROXY_HOPS);

  const counted: RequestHandler = async (req, res, next) => {
    await countOpen(req, res);
    next();
  };

  if (meter) app.use(meter);
  app.use(requestLog(logger));
  app.use(boundCountTime);
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], frameAncestors: ["'none'"] },
      },
    }),
  );
  app.use((req, res, next) => {
    res.setHeader('X-Environment', provisionalEnvironment(req, config.DEFAULT_ENVIRONMENT));
    res.setHeader('Cache-Control', 'no-store');
    refuseBrokenUrl(req.url);
    next();
  });
  app.use((req, res, next) => (OPEN.test(req.path) ? counted(req, res, next) : next()));
  app.use(compressAnswers());

  const own = newRouter();
  health.mount(own);
  const byFeature = features.map(({ feature, routes }) => ({
    feature,
    operations: routes.flatMap((route) => ('operation' in route ? [route.operation] : [])),
  }));
  const operations = byFeature.flatMap((one) => one.operations);
  const routers = features.map(({ routes }) => createFeatureRouter(routes, http));
  // Made when it is first asked for: it takes half a second of the processor, and few processes are ever asked.
  const document = once(() =>
    buildOpenApiDocument(operations, { ...parts, events: parts.describeEvents(), exchanges: parts.readExchanges() }),
  );
  const served = onceFor((url: string) => atAddress(document(), url));
  own.get('/api/v1/openapi.json', (_req, res) => {
    res.type('application/json').send(served(ownAddress.numericUrl()));
  });
  mountSecurityTxt(own, config);
  mountDocs(own, { document, errors: parts.errors, home: config.embedded ? '/docs' : '/dashboard' });

  const refusing = refuseOtherMethods([...routers, own]);
  // Ahead of the routers, for Express would answer OPTIONS by itself.
  app.use((req, res, next) => (req.method === 'OPTIONS' ? refusing(req, res, next) : next()));
  for (const router of routers) app.use(router);
  app.use(own);
  app.use(refusing);
  if (diskUploads) app.use(mountUploads(newRouter(), diskUploads));
  app.use(refuseUnknownPaths(operations.map(({ path }) => path)));
  app.use(errorHandler(logger, constraints));
  return { express: app, operations, features: byFeature, document };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** What was made for the last address, which changes once at most: when the port is known. */
function onceFor(make: (url: string) => string): (url: string) => string {
  let last: { url: string; made: string } | undefined;
  return (url) => {
    if (last?.url !== url) last = { url, made: make(url) };
    return last.made;
  };
}
