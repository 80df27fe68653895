/** The composition root: the kit that every feature gets, the features on it, and the app. `close` reverses it. */
import type { Logger } from 'pino';
import { type App, createApp } from './app.ts';
import { buildInfo } from './build-info.ts';
import type { Config } from './config.ts';
import { openPool } from './db/connect.ts';
import { createFrames, type Frames } from './db/frame.ts';
import type { Outbox } from './db/telling.ts';
import { createCipher } from './encryption.ts';
import { setFaultPoints } from './fault-points.ts';
import { auth, genealogy, house, staff, tenants, webhooks } from './features.ts';
import { readExchanges } from './house/exchanges.ts';
import { constraintsOf, errorsOf, faultPointsOf, groupsOf, type Handle, type OpenHouse, openHouse } from './house/house.ts';
import { createAuthenticator } from './http/authenticate.ts';
import { createHealth, describeStuck, type Health } from './http/health.ts';
import { createIdempotency } from './http/idempotency.ts';
import { createInvoke, type Invoke } from './http/invoke.ts';
import { createKeyedSteps } from './http/keyed-steps.ts';
import type { MemberAccess } from './http/member-access.ts';
import { createCursors } from './http/pagination.ts';
import { createRateLimits, type RateLimits } from './http/rate-limit.ts';
import { createOperationRunner } from './http/run-operation.ts';
import { openSharedCounters, type SharedCounters } from './http/shared-counters.ts';
import { createTenantPlaces, type TenantPlaces } from './http/tenant-places.ts';
import { createBodyReader } from './http/wire-guard.ts';
import { type Background, createBackground } from './jobs/background.ts';
import { createJobQueue, type JobQueue } from './jobs/queue.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { readStats } from './metrics/read-stats.ts';
import { openDocumentStore } from './open-storage.ts';
import { metered } from './outgoing/call-meter.ts';
import { createOutgoingClient } from './outgoing/outgoing-client.ts';
import { createOwnAddress, type OwnAddress } from './own-address.ts';
import type { ObjectStorage } from './vendors/storage/object-storage.ts';

export interface Composition {
  app: App;
  config: Config;
  logger: Logger;
  frames: Frames;
  health: Health;
  queue: JobQueue;
  background: Background;
  storage: ObjectStorage;
  /** Bearer tokens and where they reach. */
  members: MemberAccess;
  rateLimits: RateLimits;
  places: TenantPlaces;
  /** Calls operations in this process. */
  invoke: Invoke;
  /** To be told the port once there is one. */
  ownAddress: OwnAddress;
  /** Undefined without METRICS_PORT: then nothing is counted for it. */
  metrics: Metrics | undefined;
  /** What a feature offers to others. */
  offer<Offers>(handle: Handle<Offers>): Offers;
  /** To be called by a process that answers requests. */
  start(): void;
  /** `onStep` is told what is closed next, for who does not wait for it for ever. */
  close(onStep?: (name: string) => void): Promise<void>;
}

/** The configured databases or the embedded one: as svc_app, and as svc_worker for background jobs. */
export async function compose(
  config: Config,
  { appUrl, workerUrl }: { appUrl: string; workerUrl: string },
  logger: Logger,
  /** In tests, what stands in for parts of features. */
  standIns: Readonly<Record<string, unknown>> = {},
): Promise<Composition> {
  setFaultPoints(config.FAULT_POINTS, faultPointsOf(house));
  const metrics = config.METRICS_PORT === undefined ? undefined : createMetrics({ build: buildInfo(config), logger });
  const acquireTimeoutMs = config.DATABASE_ACQUIRE_TIMEOUT_MS;
  const pool = openPool({
    url: appUrl,
    size: config.DATABASE_POOL_SIZE,
    acquireTimeoutMs,
    applicationName: 'svc-api',
    logger,
    statementMs: 5_000,
  });
  const outbox: Outbox = {
    ask: (...asked) => features.offer(webhooks).outbox.ask(...asked),
    write: (...told) => features.offer(webhooks).outbox.write(...told),
  };
  const frames = createFrames(pool, outbox);
  const rateLimits = createRateLimits(config, await openCounters(config, logger), logger);
  const places = createTenantPlaces({ atOnce: config.TENANT_REQUESTS_AT_ONCE, inLine: config.TENANT_REQUESTS_WAITING });
  const health = createHealth(frames);
  const queue = createJobQueue(frames, logger);
  const pepper = config.secrets.apiKeyPepper;
  const cipher = createCipher(config.secrets.dataKeys);
  const ownAddress = createOwnAddress(config);
  const noteCall = metrics?.noteCall;
  const documents = await openDocumentStore(config, ownAddress.url, noteCall);
  const runner = createOperationRunner({
    idempotency: createIdempotency(config, cipher),
    scopeOf: (operationId) => features.scopeOf(operationId),
    members: { isBelow: (...asked) => members.isBelow(...asked) },
  });
  const invoke = createInvoke({
    runner,
    routeOf: (operationId) => features.routeOf(operationId),
    uploadRouteOf: (operationId) => features.uploadRouteOf(operationId),
    constraints: constraintsOf(house),
  });
  const features: OpenHouse = openHouse(
    house,
    {
      config,
      invoke,
      frames,
      cursors: createCursors(pepper),
      cipher,
      pepper,
      logger,
      queue,
      rateLimits,
      places,
      outgoing: metered(createOutgoingClient(config.OUTGOING_ALLOWED_HOSTS ?? []), 'identity', noteCall, ['fetchJson']),
      noteCall,
      ownAddress,
      documents,
      standIns,
    },
    config.features,
  );

  const members: MemberAccess = {
    authenticate: features.offer(auth).sessions.authenticate,
    isBelow: features.offer(genealogy).isBelow,
  };
  const authenticator = createAuthenticator(frames, pepper, features.offer(tenants).keyUse.note);
  const bodyReader = createBodyReader(config.BODY_LIMIT_BYTES);
  const app = createApp({
    config,
    logger,
    health,
    http: {
      steps: createKeyedSteps({
        authenticator,
        sessions: features.offer(staff).access,
        members,
        runner,
        rateLimits,
        places,
        bodyReader,
      }),
      runner,
      bodyReader,
    },
    features: features.routes,
    groups: groupsOf(house),
    errors: errorsOf(house),
    describeEvents: features.offer(webhooks).described,
    readExchanges: () => readExchanges(house),
    ownAddress,
    constraints: constraintsOf(house),
    diskUploads: documents.diskUploads,
    countOpen: rateLimits.countOpen,
    meter: metrics?.requests,
  });
  const background = createBackground({
    pool: openPool({ url: workerUrl, size: config.WORKER_POOL_SIZE, acquireTimeoutMs, applicationName: 'svc-worker', logger }),
    logger,
    sweeps: features.sweeps,
    handlers: features.handlers,
    loops: features.loops,
    outbox,
    sweepIntervalMs: config.SWEEP_INTERVAL_MS,
    aliveFile: config.WORKER_ALIVE_FILE,
  });
  if (metrics)
    readStats(metrics, { pools: { api: frames.stats, worker: background.frames.stats }, rateLimits, places, background });
  health.failsWhen(() => describeStuck(background.frames));
  health.failsWhen(() => background.stuck());

  return {
    app,
    config,
    logger,
    frames,
    health,
    queue,
    background,
    storage: documents.storage,
    members,
    rateLimits,
    places,
    invoke,
    ownAddress,
    metrics,
    offer: features.offer,
    start: features.start,
    async close(onStep = () => undefined) {
      onStep('the features');
      await features.close();
      onStep('the background jobs');
      await background.close();
      await queue.close();
      rateLimits.close();
      documents.storage.close();
      onStep('the database connections');
      await pool.end();
    },
  };
}

async function openCounters(config: Config, logger: Logger): Promise<SharedCounters | undefined> {
  const windowMs = config.RATE_LIMIT_WINDOW_SECONDS * 1000;
  return config.REDIS_URL === undefined ? undefined : openSharedCounters({ url: config.REDIS_URL, windowMs, logger });
}
